// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a piece of a test in a child process. The runtime fixes its device once
// for a process, and the HIP library likewise, so each scenario has its own.

#ifndef FLY_UNITTESTS_RUNTIME_DEVICE_CHILD_H
#define FLY_UNITTESTS_RUNTIME_DEVICE_CHILD_H

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace fly::runtime::test {

/// Returns the text that `scenario` returns in a child process, or "child
/// failed" with the child's status.
template <typename Scenario>
std::string inChild(Scenario scenario) {
  int ends[2];
  if (pipe(ends) != 0)
    return "no pipe";
  pid_t child = fork();
  if (child < 0)
    return "no child";
  if (child == 0) {
    close(ends[0]);
    std::string text = scenario();
    for (size_t done = 0; done < text.size();) {
      ssize_t count = write(ends[1], text.data() + done, text.size() - done);
      if (count <= 0)
        _exit(1);
      done += static_cast<size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return "child failed with status " + std::to_string(status) + ": " + text;
  return text;
}

} // namespace fly::runtime::test

#endif // FLY_UNITTESTS_RUNTIME_DEVICE_CHILD_H

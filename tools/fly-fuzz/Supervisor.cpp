// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent stays single-threaded and never touches MLIR, so forking is safe;
// what the child has to say comes through a shared page.

#include "Supervisor.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fly::fuzz;

namespace {

struct Shared {
  uint64_t current;
  Totals totals;
  char stage[256];
  char fault[8192];
};

void write(char *to, size_t size, llvm::StringRef text) {
  size_t length = std::min(size - 1, text.size());
  memcpy(to, text.data(), length);
  to[length] = 0;
}

} // namespace

static Shared *makeShared() {
  void *page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    llvm::report_fatal_error("no shared memory");
  return new (page) Shared();
}

/// The child: cases from `shared.current` on until one fails. Its exit status
/// is 1 if a case told a fault.
static int runCases(const SupervisorOptions &options, Case run,
                    Shared &shared) {
  auto atStage = [&](llvm::StringRef stage) {
    write(shared.stage, sizeof shared.stage, stage);
  };
  for (; shared.current < options.first + options.count; ++shared.current) {
    if (options.fork)
      alarm(options.timeoutSeconds);
    std::string fault = run(shared.current, atStage, shared.totals);
    if (fault.empty())
      continue;
    write(shared.fault, sizeof shared.fault, fault);
    return 1;
  }
  return 0;
}

/// A case that takes too long says where it is before it ends.
static void onAlarm(int) {
  alarm(10);
  llvm::sys::PrintStackTrace(llvm::errs());
  raise(SIGALRM);
}

static void limitMemory(unsigned megabytes) {
  if (isSanitized)
    return;
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = static_cast<rlim_t>(megabytes) << 20;
  setrlimit(RLIMIT_AS, &limit);
}

static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Totals fly::fuzz::supervise(const SupervisorOptions &options, Case run,
                            llvm::function_ref<void(const Failure &)> report) {
  Shared &shared = *makeShared();
  shared.current = options.first;
  llvm::SmallString<128> errors;
  if (llvm::sys::fs::createTemporaryFile("fly-fuzz", "err", errors))
    llvm::report_fatal_error("no temporary file");
  while (shared.current < options.first + options.count) {
    shared.fault[0] = 0;
    int status = 0;
    if (!options.fork) {
      status = runCases(options, run, shared) << 8;
    } else {
      pid_t child = fork();
      if (child < 0)
        llvm::report_fatal_error("fork failed");
      if (child == 0) {
        struct sigaction action = {};
        action.sa_handler = onAlarm;
        action.sa_flags = SA_NODEFER | SA_RESETHAND;
        sigaction(SIGALRM, &action, nullptr);
        limitMemory(options.memoryMegabytes);
        if (!freopen(errors.c_str(), "w", stderr))
          _exit(2);
        _exit(runCases(options, run, shared));
      }
      if (waitpid(child, &status, 0) != child)
        llvm::report_fatal_error("a child is lost");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      break;
    std::string reason;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      reason =
          "no end after " + std::to_string(options.timeoutSeconds) + " seconds";
    else if (WIFSIGNALED(status))
      reason = "signal " + std::to_string(WTERMSIG(status));
    else if (shared.fault[0])
      reason = shared.fault;
    else
      reason = "exit with status " + std::to_string(WEXITSTATUS(status));
    report({shared.current, shared.stage, reason,
            options.fork ? readFile(errors) : std::string()});
    ++shared.current;
  }
  llvm::sys::fs::remove(errors);
  Totals totals = shared.totals;
  munmap(&shared, sizeof(Shared));
  return totals;
}

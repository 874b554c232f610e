// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading stacks that LLVM's signal handlers print.

#include "Known.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace fly::fuzz;
using llvm::StringRef;

/// What stands in quotes behind `mark`, of each line that begins with it.
static std::vector<std::string> readMarked(StringRef text, StringRef mark) {
  std::vector<std::string> found;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front(mark))
      found.push_back(line.take_until([](char c) { return c == '`'; }).str());
  return found;
}

std::vector<std::string> fly::fuzz::readKnownFrames(StringRef text) {
  return readMarked(text, "- frame: `");
}

std::vector<std::string> fly::fuzz::readKnownForms(StringRef text) {
  return readMarked(text, "- printed form: `");
}

bool fly::fuzz::isKnownForm(StringRef reason,
                            const std::vector<std::string> &forms) {
  return reason.starts_with("the printed text is refused") &&
         llvm::any_of(forms, [&](const std::string &form) {
           return reason.contains(form);
         });
}

/// A line of a stack that stands for a function of Fly or of its generated
/// code.
static bool isOurs(StringRef line) {
  // The frames of the driver, from main to Check.cpp.
  for (StringRef own : {"fly::fuzz::", " main ", "main::", " _start "})
    if (line.contains(own))
      return false;
  // Local functions have no namespace, but the name of the program.
  return line.contains("fly::") || line.contains("fly-fuzz+") ||
         line.contains("FlyPlugin.so+");
}

bool fly::fuzz::isKnownUpstream(StringRef stack,
                                const std::vector<std::string> &frames) {
  bool known = false;
  llvm::SmallVector<StringRef> lines;
  stack.split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.ltrim().starts_with("#"))
      continue;
    if (isOurs(line))
      return false;
    known |= llvm::any_of(
        frames, [&](const std::string &frame) { return line.contains(frame); });
  }
  return known;
}

// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-libfuzzer: the same inputs and checks, driven by libFuzzer.

#include "Check.h"
#include "Generate.h"
#include "Mutate.h"
#include "Random.h"

#include "Fly/InitAll.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <string>

using namespace fly::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static mlir::DialectRegistry &getRegistry() {
  static mlir::DialectRegistry *registry = [] {
    fly::boundParsedNesting();
    fly::registerAllPasses();
    auto *made = new mlir::DialectRegistry();
    fly::registerAllDialects(*made);
    return made;
  }();
  return *registry;
}

static llvm::StringRef asText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto atStage = [](llvm::StringRef) {};
  Checker checker(getRegistry(), atStage);
  // The parsers want a zero byte behind the text.
  std::string text = asText(data, size).str();
  if (checker.parses(text)) {
    checker.checkRoundTrip(text);
    for (const char *pipeline : getPipelines().drop_back(numCodeGen))
      checker.checkPipeline(text, pipeline);
  }
  if (checker.getFault())
    llvm::report_fatal_error(llvm::StringRef(*checker.getFault()));
  return 0;
}

/// Half of the inputs are damaged texts, some are new modules, the rest comes
/// from libFuzzer itself.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed);
  std::string made;
  if (random.chance(50))
    made = mutateText(asText(data, size), random);
  else if (random.chance(40))
    made = generateModule(getRegistry(), random.next());
  if (made.empty() || made.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  memcpy(data, made.data(), made.size());
  return made.size();
}

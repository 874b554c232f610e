// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the option save-temps.

#include "CodeGen.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace fly {

LogicalResult StageFiles::save(llvm::StringRef suffix,
                               llvm::StringRef content) {
  if (!isOn())
    return success();
  auto refuse = [&](llvm::StringRef path, const std::string &reason) {
    reporter.error(location)
        << "save-temps cannot write '" << path << "': " << reason;
    return failure();
  };
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return refuse(folder, code.message());
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name + suffix);
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return refuse(path, code.message());
  stream << content;
  stream.close();
  code = stream.error();
  stream.clear_error();
  return code ? refuse(path, code.message()) : success();
}

LogicalResult StageFiles::save(llvm::StringRef suffix, Operation *module) {
  if (!isOn())
    return success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  // With locations, so that the file compiles to the same bytes.
  module->print(stream, OpPrintingFlags().enableDebugInfo().useLocalScope());
  stream << "\n";
  return save(suffix, text);
}

LogicalResult StageFiles::save(llvm::StringRef suffix,
                               const llvm::Module &module) {
  if (!isOn())
    return success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return save(suffix, text);
}

LogicalResult StageFiles::saveAssembly(const llvm::Module &module,
                                       llvm::TargetMachine &machine) {
  if (!isOn())
    return success();
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  FailureOr<Bytes> text =
      emitFile(*copy, machine, llvm::CodeGenFileType::AssemblyFile, reporter);
  if (failed(text))
    return failure();
  return save(".s", llvm::StringRef(text->data(), text->size()));
}

} // namespace fly

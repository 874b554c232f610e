// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the options of pipelines: each setter keeps the text that stands
// for its value in a pipeline's text, which is read when a pipeline is made. So
// the pipelines alone know what an option may be.

#include "Fly-c/Pipelines.h"

#include "Support.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::capi;
using llvm::StringRef;

namespace {
/// What a FlyPipelineOptions points to.
struct PipelineOptions {
  llvm::MapVector<StringRef, std::string> values; ///< by name, all literals
  std::string problem; ///< of the first value that has no text; "" if none
};
} // namespace

static PipelineOptions *get(FlyPipelineOptions options) {
  return static_cast<PipelineOptions *>(options.ptr);
}

static void refuse(PipelineOptions &options, const llvm::Twine &problem) {
  if (options.problem.empty())
    options.problem = problem.str();
}

static void set(FlyPipelineOptions options, StringRef name,
                const std::string &text) {
  if (PipelineOptions *o = get(options))
    o->values[name] = text;
}

static void setBool(FlyPipelineOptions options, StringRef name, bool value) {
  set(options, name, value ? "true" : "false");
}

/// The text of a string, or an error: a pipeline's text has no way to write
/// `unwritable` and the characters that group.
static std::optional<std::string> quote(PipelineOptions &options,
                                        StringRef name, MlirStringRef value,
                                        StringRef unwritable = "") {
  if (!value.data) {
    refuse(options, "option '" + name + "' is null");
    return std::nullopt;
  }
  StringRef text = unwrap(value);
  size_t at = text.find_first_of("{}\"'\n\r\t\0" + unwritable.str());
  if (at == StringRef::npos)
    at = text.find('\0');
  if (at != StringRef::npos) {
    std::string shown;
    llvm::raw_string_ostream os(shown);
    os << "option '" << name << "' is '";
    llvm::printEscapedString(text, os);
    os << "', which has the character '";
    llvm::printEscapedString(text.substr(at, 1), os);
    os << "' that no pipeline's text can hold";
    refuse(options, shown);
    return std::nullopt;
  }
  return text.str();
}

static void setString(FlyPipelineOptions options, StringRef name,
                      MlirStringRef value) {
  if (PipelineOptions *o = get(options))
    if (std::optional<std::string> text = quote(*o, name, value))
      o->values[name] = *text;
}

/// The case `value` of an enumeration whose texts are `cases`.
static void setCase(FlyPipelineOptions options, StringRef name,
                    StringRef enumeration, unsigned value,
                    llvm::ArrayRef<StringRef> cases) {
  PipelineOptions *o = get(options);
  if (!o)
    return;
  if (value >= cases.size())
    return refuse(*o, enumeration + " has no case " +
                          llvm::Twine(static_cast<int>(value)));
  o->values[name] = cases[value].str();
}

FlyPipelineOptions flyPipelineOptionsCreate(void) {
  return {new PipelineOptions};
}

void flyPipelineOptionsDestroy(FlyPipelineOptions options) {
  delete get(options);
}

void flyPipelineOptionsSetChip(FlyPipelineOptions options, MlirStringRef chip) {
  setString(options, "chip", chip);
}

void flyPipelineOptionsSetOptLevel(FlyPipelineOptions options, int32_t level) {
  set(options, "opt-level", std::to_string(level));
}

void flyPipelineOptionsSetFormat(FlyPipelineOptions options,
                                 FlyCodeFormat format) {
  setCase(options, "format", "FlyCodeFormat", format, {"hsaco", "isa", "llvm"});
}

void flyPipelineOptionsSetCpu(FlyPipelineOptions options, MlirStringRef cpu) {
  setString(options, "cpu", cpu);
}

void flyPipelineOptionsSetRuntimeChecks(FlyPipelineOptions options,
                                        bool enable) {
  setBool(options, "runtime-checks", enable);
}

void flyPipelineOptionsSetTrapOnAssert(FlyPipelineOptions options,
                                       bool enable) {
  setBool(options, "trap-on-assert", enable);
}

void flyPipelineOptionsSetMemoryHooks(FlyPipelineOptions options, bool enable) {
  setBool(options, "memory-hooks", enable);
}

void flyPipelineOptionsSetWavesPerEu(FlyPipelineOptions options, int32_t min,
                                     int32_t max) {
  std::string text = std::to_string(min);
  if (max != 0)
    text += "," + std::to_string(max);
  set(options, "waves-per-eu", text);
}

void flyPipelineOptionsSetFastMath(FlyPipelineOptions options, bool enable) {
  setBool(options, "fast-math", enable);
}

void flyPipelineOptionsSetUnsafeMath(FlyPipelineOptions options, bool enable) {
  setBool(options, "unsafe-math", enable);
}

void flyPipelineOptionsSetLLVMOptions(FlyPipelineOptions options,
                                      MlirStringRef llvmOptions) {
  setString(options, "llvm-options", llvmOptions);
}

static constexpr StringRef denormalModes[] = {"default", "preserve", "flush"};

void flyPipelineOptionsSetDenormalsF32(FlyPipelineOptions options,
                                       FlyDenormalMode mode) {
  setCase(options, "denormals-f32", "FlyDenormalMode", mode, denormalModes);
}

void flyPipelineOptionsSetDenormalsF16(FlyPipelineOptions options,
                                       FlyDenormalMode mode) {
  setCase(options, "denormals-f16", "FlyDenormalMode", mode, denormalModes);
}

void flyPipelineOptionsAddLink(FlyPipelineOptions options, MlirStringRef file) {
  PipelineOptions *o = get(options);
  if (!o)
    return;
  // A comma ends an element of the list.
  std::optional<std::string> text = quote(*o, "link", file, ",");
  if (!text)
    return;
  std::string &files = o->values["link"];
  files += files.empty() ? *text : "," + *text;
}

void flyPipelineOptionsSetSaveTemps(FlyPipelineOptions options,
                                    MlirStringRef folder) {
  setString(options, "save-temps", folder);
}

void flyPipelineOptionsSetDebugInfo(FlyPipelineOptions options, bool enable) {
  setBool(options, "debug-info", enable);
}

FlyPipeline flyPipelineCreateWithOptions(MlirLocation location,
                                         MlirStringRef name,
                                         FlyPipelineOptions options) {
  Construction construction(location, __func__);
  StringRef pipeline = construction.getString(name, "name");
  if (construction.hasFailed())
    return {nullptr};
  if (!llvm::is_contained({"fly-to-rocdl", "fly-to-binary", "fly-to-cpu"},
                          pipeline)) {
    construction.error()
        << "there is no pipeline '" << pipeline
        << "', expected 'fly-to-rocdl', 'fly-to-binary' or 'fly-to-cpu'";
    return {nullptr};
  }
  std::string text = pipeline.str();
  if (const PipelineOptions *o = get(options)) {
    if (!o->problem.empty()) {
      construction.error() << o->problem;
      return {nullptr};
    }
    text += "{";
    llvm::ListSeparator space(" ");
    for (const auto &[option, value] : o->values)
      text +=
          (llvm::Twine(StringRef(space)) + option + "={" + value + "}").str();
    text += "}";
  }
  return flyPipelineCreate(location,
                           mlirStringRefCreate(text.data(), text.size()));
}

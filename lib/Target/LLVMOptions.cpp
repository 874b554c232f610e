// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets options of LLVM for one compilation and sets them back.

#include "Fly/Target/LLVMOptions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <dlfcn.h>

#include <functional>
#include <optional>
#include <shared_mutex>
#include <string>

using namespace llvm;

namespace fly {

/// Shared by compilations that take the options as they are.
static std::shared_mutex &optionMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

namespace {
/// An option that has been set, and what sets it back.
struct SavedOption {
  cl::Option *option;
  std::function<void()> restore;
};

class SharedScope final : public LLVMOptionScope {
  std::shared_lock<std::shared_mutex> lock{optionMutex()};
};

class ExclusiveScope final : public LLVMOptionScope {
public:
  ~ExclusiveScope() override {
    for (SavedOption &saved : llvm::reverse(saved)) {
      saved.option->reset();
      saved.restore();
    }
  }

  std::unique_lock<std::shared_mutex> lock{optionMutex()};
  SmallVector<SavedOption> saved;
};
} // namespace

/// The function that gives `option` its present value again if it holds a T.
template <typename T>
static std::optional<std::function<void()>> save(cl::Option *option) {
  // Options keep their value themselves, or in a variable of their owner.
  if (auto *own = dynamic_cast<cl::opt<T> *>(option)) {
    T value = own->getValue();
    return [own, value] { own->setValue(value); };
  }
  if (auto *external = dynamic_cast<cl::opt<T, true> *>(option)) {
    T value = external->getValue();
    return [external, value] { external->setValue(value); };
  }
  return std::nullopt;
}

/// True if the parser of a T takes `value`; it would print its complaint.
template <typename T>
static bool takes(StringRef value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, cl::boolOrDefault>)
    return is_contained({"", "true", "TRUE", "True", "1", "false", "FALSE",
                         "False", "0"},
                        value);
  else if constexpr (std::is_integral_v<T>) {
    T number;
    return !value.getAsInteger(0, number);
  } else if constexpr (std::is_floating_point_v<T>) {
    double number;
    return !value.getAsDouble(number);
  } else {
    return true;
  }
}

namespace {
enum class Kind { Unknown, Wrong, Fits };

/// An option and the value that a text gives it.
struct GivenOption {
  cl::Option *option;
  StringRef name, value;
};
} // namespace

/// `restore`, if it is not null, becomes what sets the option back.
template <typename T>
static Kind tryKind(cl::Option *option, StringRef value,
                    std::function<void()> *restore) {
  if (!dynamic_cast<cl::opt<T> *>(option) &&
      !dynamic_cast<cl::opt<T, true> *>(option))
    return Kind::Unknown;
  if (restore)
    *restore = *save<T>(option);
  return takes<T>(value) ? Kind::Fits : Kind::Wrong;
}

template <typename... Ts>
static Kind findKindOf(cl::Option *option, StringRef value,
                       std::function<void()> *restore) {
  Kind kind = Kind::Unknown;
  (void)((kind = tryKind<Ts>(option, value, restore), kind != Kind::Unknown) ||
         ...);
  return kind;
}

static Kind findKind(cl::Option *option, StringRef value,
                     std::function<void()> *restore = nullptr) {
  return findKindOf<bool, cl::boolOrDefault, int, unsigned, long, unsigned long,
                    long long, unsigned long long, float, double, std::string>(
      option, value, restore);
}

/// Where the library or program that holds `address` begins, or null.
static void *findImage(const void *address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// True if `option` is a variable of LLVM's library. Options of the tool and of
/// MLIR are registered in the same list but lie elsewhere; so do --help,
/// --version and what else LLVM makes for the command line itself.
static bool isOfLLVM(const cl::Option *option) {
  static void *llvm =
      findImage(reinterpret_cast<const void *>(&cl::getRegisteredOptions));
  return llvm && findImage(option) == llvm;
}

/// The option of LLVM whose name is most like `name`, or "".
static StringRef findNearest(StringRef name) {
  StringRef nearest;
  unsigned best = 4;
  for (const auto &[known, option] : cl::getRegisteredOptions()) {
    unsigned distance =
        name.edit_distance(known, /*AllowReplacements=*/true, best);
    if (distance < best || (distance == best && best < 4 && known < nearest)) {
      if (!isOfLLVM(option))
        continue;
      best = distance;
      nearest = known;
    }
  }
  return nearest;
}

/// The options that `text` names, each with a value that it takes.
static mlir::FailureOr<SmallVector<GivenOption>>
parse(StringRef text, function_ref<void(const Twine &message)> report) {
  SmallVector<StringRef> parts;
  text.split(parts, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<GivenOption> given;
  auto &known = cl::getRegisteredOptions();
  for (StringRef part : parts) {
    auto [name, value] = part.trim().split('=');
    name = name.trim().ltrim('-');
    auto found = known.find(name);
    if (found == known.end()) {
      StringRef nearest = findNearest(name);
      report("LLVM has no option '" + name + "'" +
             (nearest.empty() ? std::string()
                              : "; did you mean '" + nearest.str() + "'?"));
      return mlir::failure();
    }
    cl::Option *option = found->second;
    if (!isOfLLVM(option)) {
      report("the option '" + name + "' belongs to this program, not to LLVM");
      return mlir::failure();
    }
    switch (findKind(option, value)) {
    case Kind::Unknown:
      report("LLVM's option '" + name +
             "' is of a kind that cannot be set for one compilation");
      return mlir::failure();
    case Kind::Wrong:
      report("LLVM's option '" + name + "' does not take the value '" + value +
             "'");
      return mlir::failure();
    case Kind::Fits:
      given.push_back({option, name, value});
    }
  }
  return given;
}

mlir::LogicalResult
verifyLLVMOptions(StringRef text,
                  function_ref<void(const Twine &message)> report) {
  return parse(text, report);
}

mlir::FailureOr<std::unique_ptr<LLVMOptionScope>>
LLVMOptionScope::create(StringRef text,
                        function_ref<void(const Twine &message)> report) {
  mlir::FailureOr<SmallVector<GivenOption>> given = parse(text, report);
  if (failed(given))
    return mlir::failure();
  if (given->empty())
    return std::unique_ptr<LLVMOptionScope>(new SharedScope());
  auto scope = std::make_unique<ExclusiveScope>();
  for (const GivenOption &one : *given) {
    SavedOption saved{one.option, nullptr};
    findKind(one.option, one.value, &saved.restore);
    // Most options may be given once: begin anew.
    one.option->reset();
    scope->saved.push_back(std::move(saved));
    one.option->addOccurrence(0, one.name, one.value);
  }
  return std::unique_ptr<LLVMOptionScope>(std::move(scope));
}

} // namespace fly

// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of LLVM's command line options.

#include "Fly-c/LLVMOptions.h"

#include "mlir/CAPI/Support.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

using llvm::StringRef;
namespace cl = llvm::cl;

/// A value from text, whole or not at all.
template <typename T>
static std::optional<T> parse(StringRef text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text.str();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1")
      return true;
    if (text == "false" || text == "0")
      return false;
    return std::nullopt;
  } else if constexpr (std::is_same_v<T, cl::boolOrDefault>) {
    if (text == "unset")
      return cl::BOU_UNSET;
    std::optional<bool> flag = parse<bool>(text);
    if (!flag)
      return std::nullopt;
    return *flag ? cl::BOU_TRUE : cl::BOU_FALSE;
  } else if constexpr (std::is_floating_point_v<T>) {
    double value;
    if (text.getAsDouble(value))
      return std::nullopt;
    return static_cast<T>(value);
  } else {
    T value;
    if (text.getAsInteger(0, value))
      return std::nullopt;
    return value;
  }
}

template <typename T>
static std::string print(const T &value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, cl::boolOrDefault>)
    return value == cl::BOU_UNSET ? "unset"
                                  : print(value == cl::BOU_TRUE);
  else
    return std::to_string(value);
}

namespace {
/// What became of an attempt to set an option.
enum class Outcome { OtherKind, WrongValue, Set };
} // namespace

/// Sets `option` if it holds a T, whether in itself or elsewhere.
template <typename T, bool External>
static Outcome setIn(cl::Option &option, StringRef text,
                     std::string &previous) {
  auto *typed = dynamic_cast<cl::opt<T, External> *>(&option);
  if (!typed)
    return Outcome::OtherKind;
  std::optional<T> value = parse<T>(text);
  if (!value)
    return Outcome::WrongValue;
  previous = print<T>(typed->getValue());
  typed->setValue(*value);
  return Outcome::Set;
}

template <typename T>
static Outcome setAs(cl::Option &option, StringRef text,
                     std::string &previous) {
  Outcome outcome = setIn<T, false>(option, text, previous);
  return outcome == Outcome::OtherKind ? setIn<T, true>(option, text, previous)
                                       : outcome;
}

/// Tries the kinds in order.
template <typename... Ts>
static Outcome setAsOneOf(cl::Option &option, StringRef text,
                          std::string &previous) {
  Outcome outcome = Outcome::OtherKind;
  ((outcome = outcome == Outcome::OtherKind ? setAs<Ts>(option, text, previous)
                                            : outcome),
   ...);
  return outcome;
}

MlirLogicalResult flySetLLVMOption(MlirStringRef name, MlirStringRef value,
                                   MlirStringCallback previous,
                                   void *previousData,
                                   MlirStringCallback onError,
                                   void *errorData) {
  auto fail = [&](const llvm::Twine &text) {
    std::string message = text.str();
    if (onError)
      onError(wrap(StringRef(message)), errorData);
    return mlirLogicalResultFailure();
  };
  StringRef key = unwrap(name), text = unwrap(value);
  auto &options = cl::getRegisteredOptions();
  auto found = options.find(key);
  if (found == options.end()) {
    StringRef nearest;
    unsigned best = 4;
    for (const auto &[known, option] : options) {
      unsigned distance = key.edit_distance(known, true, best);
      if (distance < best) {
        best = distance;
        nearest = known;
      }
    }
    return fail("LLVM has no option '" + key + "'" +
                (nearest.empty() ? std::string()
                                 : "; did you mean '" + nearest.str() + "'?"));
  }
  std::string before;
  Outcome outcome =
      setAsOneOf<bool, int, unsigned, std::string, cl::boolOrDefault, long,
                 unsigned long, long long, unsigned long long, double, float>(
          *found->second, text, before);
  if (outcome == Outcome::OtherKind)
    return fail("LLVM's option '" + key +
                "' is no flag, number or string and cannot be set here");
  if (outcome == Outcome::WrongValue)
    return fail("LLVM's option '" + key + "' does not take the value '" + text +
                "'");
  if (previous)
    previous(wrap(StringRef(before)), previousData);
  return mlirLogicalResultSuccess();
}

// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or an error. Every operation of the layout algebra returns one: a
// precondition that does not hold is an answer, never an abort. The header
// knows nothing of the algebra; it is included by all other headers here.

#ifndef FLY_LAYOUT_RESULT_H
#define FLY_LAYOUT_RESULT_H

#include "llvm/ADT/Twine.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace fly::layout {

/// Why an operation has no result. `label` names the precondition
/// ("composition_c2"), as in the documentation of the operation and in the
/// name of its negative test; `message` says what was found.
struct Error {
  std::string label;
  std::string message;

  /// "message [label]", the text that a diagnostic shows.
  std::string str() const { return message + " [" + label + "]"; }
};

/// A value of type T or an Error. Reading the value of an error is a bug of
/// the caller.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Error error) : problem(std::move(error)) {}

  explicit operator bool() const { return value.has_value(); }
  bool hasError() const { return !value.has_value(); }

  T &operator*() & {
    assert(value && "value of an error");
    return *value;
  }
  const T &operator*() const & {
    assert(value && "value of an error");
    return *value;
  }
  T &&operator*() && {
    assert(value && "value of an error");
    return std::move(*value);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  /// The error; only if there is one.
  const Error &error() const {
    assert(!value && "error of a value");
    return problem;
  }
  Error takeError() {
    assert(!value && "error of a value");
    return std::move(problem);
  }

private:
  std::optional<T> value;
  Error problem;
};

/// Builds an error in one expression: `return fail("slice_c1", "...")`.
inline Error fail(const char *label, const llvm::Twine &message) {
  return Error{label, message.str()};
}

} // namespace fly::layout

/// Declares `var` as the value of the Result `...`, or returns its error.
#define FLY_TRY(var, ...)                                                      \
  auto var##OrError = (__VA_ARGS__);                                           \
  if (!var##OrError)                                                           \
    return var##OrError.takeError();                                           \
  auto var = std::move(*var##OrError)

/// Assigns the value of the Result `...` to `var`, or returns its error.
#define FLY_TRY_SET(var, ...)                                                  \
  do {                                                                         \
    auto resultOrError = (__VA_ARGS__);                                        \
    if (!resultOrError)                                                        \
      return resultOrError.takeError();                                        \
    var = std::move(*resultOrError);                                           \
  } while (false)

#endif // FLY_LAYOUT_RESULT_H

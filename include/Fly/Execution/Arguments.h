// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a host function from text: `5000`, `96x64xf32=0`,
// `128x96xf16=@a.npy`, `@a.npy`. Parsing them, binding them to the parameters
// that a function had before lowering (its `fly.signature`), and packing them
// into the carriers that its lowered form takes.

#ifndef FLY_EXECUTION_ARGUMENTS_H
#define FLY_EXECUTION_ARGUMENTS_H

#include "Fly/Execution/HostArray.h"
#include <memory>
#include <variant>

namespace fly {

/// One argument as written: a number that gets its type from the parameter,
/// or an array.
using InputValue = std::variant<std::string, HostArray>;

/// Parses one input: a number; `SHAPExTYPE=VALUES` where VALUES is one number
/// for all elements, or one for each, separated by commas or spaces;
/// `SHAPExTYPE=@FILE.npy`; or `@FILE.npy`.
llvm::Expected<InputValue> parseInput(mlir::MLIRContext *context,
                                      llvm::StringRef text);

/// The packed form of one call.
class ArgumentPack {
public:
  /// Binds `inputs` to `signature`, the parameter types before lowering.
  /// Streams (`!gpu.async.token`, `!llvm.ptr`) and parameters of a static
  /// fly type take no input. An error names the argument by its number among
  /// the inputs, what it is and what was expected.
  ///
  /// An array goes to a memref or pointer parameter. Its rank must be the
  /// number of the layout's top-level modes; an extent is the product of its
  /// mode's leaves. Static leaves must agree with the array, a `?` of the
  /// shape takes the size, a `?` of the strides the row-major stride.
  static llvm::Expected<ArgumentPack>
  bind(llvm::ArrayRef<mlir::Type> signature,
       llvm::MutableArrayRef<InputValue> inputs);

  ArgumentPack(ArgumentPack &&other);
  ~ArgumentPack();

  /// Allocates device buffers for the arrays and copies them there.
  llvm::Error upload();
  /// Waits for the stream and copies the device buffers back into the arrays.
  llvm::Error download();
  /// Compares the parameters with those of the lowered function `name` of
  /// `module` and makes room for its result: call it after bind. A number or a
  /// pointer has room, anything else that it returns is an error. `written` is
  /// the type of the result before lowering, if it is known.
  llvm::Error prepareCall(mlir::Operation *module, llvm::StringRef name,
                          mlir::Type written);
  /// The result as text, empty if there is none to tell (a pointer, or no
  /// result). Valid after the call.
  std::string getResultText() const;
  /// Pointers to the values of the lowered function's parameters and behind
  /// them to its result; valid until the pack is moved or destroyed.
  llvm::MutableArrayRef<void *> getPointers() { return pointers; }

private:
  ArgumentPack() = default;
  struct Buffer {
    HostArray *array;
    void *device = nullptr;
    /// Carrier that holds the device address.
    size_t carrier;
  };
  size_t addCarrier(llvm::ArrayRef<char> bytes);
  llvm::Error bindOne(mlir::Type type, InputValue &input);
  llvm::Error bindScalar(mlir::Type type, InputValue &input);
  llvm::Error bindArray(mlir::Type type, InputValue &input);

  std::vector<std::unique_ptr<std::vector<char>>> carriers;
  std::vector<Buffer> buffers;
  std::vector<size_t> streams;
  std::vector<void *> pointers;
  mlir::Type resultType;
  void *stream = nullptr;
};

/// The parameter types of function `name` of a lowered module before lowering
/// (its `fly.signature`), or an error: no such function, a list of those there
/// are; or one without that attribute.
llvm::Expected<llvm::SmallVector<mlir::Type>>
getHostSignature(mlir::Operation *module, llvm::StringRef name);

} // namespace fly

#endif // FLY_EXECUTION_ARGUMENTS_H

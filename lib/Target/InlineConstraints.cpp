// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of inline assembly for AMD GPUs. LLVM takes the string as it
// finds it: it ends, or writes beyond its memory, where one is malformed, has
// no such operand, or names registers that do not hold the value; of unknown
// registers it takes none. What is left to it, because it reports it, are
// kinds of registers that the chip lacks and constants that are none.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fly {

/// Bits of `type` in registers, if LLVM keeps it in registers of inline
/// assembly as it is: 16 bits, or one of the numbers of words that registers
/// come in.
static std::optional<unsigned> bitsInRegisters(Type type) {
  auto scalarBits = [](Type type) -> std::optional<unsigned> {
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
      switch (pointer.getAddressSpace()) {
      case 0: // generic
      case 1: // global
      case 4: // constant
        return 64;
      case 2: // region
      case 3: // LDS
      case 5: // private
        return 32;
      case 8: // buffer resource
        return 128;
      default:
        return std::nullopt;
      }
    if (isa<IntegerType>(type) ||
        isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
      return type.getIntOrFloatBitWidth();
    return std::nullopt;
  };
  auto vector = dyn_cast<VectorType>(type);
  if (!vector) {
    std::optional<unsigned> bits = scalarBits(type);
    return bits && llvm::is_contained({16u, 32u, 64u, 128u}, *bits)
               ? bits
               : std::nullopt;
  }
  std::optional<unsigned> bits = scalarBits(vector.getElementType());
  if (!bits || vector.getRank() != 1 || vector.isScalable())
    return std::nullopt;
  int64_t count = vector.getNumElements();
  bool isPowerOf2 = llvm::isPowerOf2_64(count);
  bool fits = *bits == 16   ? isPowerOf2 && count >= 2 && count <= 32
              : *bits == 32 ? (count >= 2 && count <= 12) ||
                                  (isPowerOf2 && count <= 32 && count > 1)
              : *bits == 64
                  ? (count >= 2 && count <= 4) || count == 8 || count == 16
                  : false;
  return fits ? std::optional<unsigned>(*bits * count) : std::nullopt;
}

namespace {
/// Registers that stand side by side: `count` words of one file from `first`
/// on.
struct Registers {
  llvm::StringRef file;
  unsigned first, count;

  unsigned bits() const { return 32 * count; }
  bool meets(const Registers &other) const {
    return file == other.file && first < other.first + other.count &&
           other.first < first + count;
  }
};
} // namespace

/// The registers of `chip` that `{name}` names, or nothing if there are none.
/// LLVM drops a clobber without a word where a range begins at another number
/// than its groups of registers do, and some widths end it.
static std::optional<Registers> findRegisters(llvm::StringRef name,
                                              const arch::Chip &chip) {
  using Row = std::optional<Registers>;
  auto special = llvm::StringSwitch<Row>(name)
                     .Case("vcc", Registers{"vcc", 0, 2})
                     .Case("vcc_lo", Registers{"vcc", 0, 1})
                     .Case("vcc_hi", Registers{"vcc", 1, 1})
                     .Case("exec", Registers{"exec", 0, 2})
                     .Case("exec_lo", Registers{"exec", 0, 1})
                     .Case("exec_hi", Registers{"exec", 1, 1})
                     .Case("m0", Registers{"m0", 0, 1})
                     .Case("scc", Registers{"scc", 0, 1})
                     .Default(std::nullopt);
  if (special || name.empty())
    return special;
  llvm::StringRef file = name.take_front();
  unsigned most = llvm::StringSwitch<unsigned>(file)
                      .Case("v", 256)
                      .Case("s", chip.maxSgprsPerWave)
                      .Case("a", chip.unifiedAgprs ? 256 : 0)
                      .Default(0);
  name = name.drop_front();
  bool isRange = name.consume_front("[");
  if (isRange && !name.consume_back("]"))
    return std::nullopt;
  unsigned first, last;
  auto isNumber = [](llvm::StringRef text) {
    return !text.empty() && llvm::all_of(text, llvm::isDigit);
  };
  auto [begin, end] = name.split(':');
  if (!isRange)
    end = begin = name;
  if (!isNumber(begin) || !isNumber(end) || begin.getAsInteger(10, first) ||
      end.getAsInteger(10, last) || first > last || last >= most)
    return std::nullopt;
  unsigned count = last - first + 1;
  if (!isRange)
    return Registers{file, first, count};
  unsigned step = file == "s"           ? (count > 2 ? 4 : 2)
                  : chip.evenVgprRanges ? 2
                                        : 1;
  bool isWidth = (count >= 2 && count <= 12) || count == 16 || count == 32;
  if (!isWidth || first % step)
    return std::nullopt;
  return Registers{file, first, count};
}

namespace {
/// Checks the constraints of one operation.
class ConstraintChecker {
public:
  ConstraintChecker(LLVM::InlineAsmOp op, const arch::Chip &chip)
      : op(op), chip(chip) {
    if (op->getNumResults() == 0)
      return;
    Type result = op->getResult(0).getType();
    if (auto members = dyn_cast<LLVM::LLVMStructType>(result))
      llvm::append_range(results, members.getBody());
    else
      results.push_back(result);
  }

  /// What is wrong, to stand behind the operation's name; empty if nothing is.
  std::string run() {
    llvm::SmallVector<llvm::StringRef> parts;
    if (!op.getConstraints().empty())
      op.getConstraints().split(parts, ',');
    for (llvm::StringRef part : parts) {
      std::string problem = checkPart(part);
      if (!problem.empty())
        return "has the constraint '" + part.str() + "', " + problem;
    }
    if (outputs.size() != results.size())
      return "has " + count(outputs.size(), "output") +
             " among its constraints '" + op.getConstraints().str() +
             "', but " + count(results.size(), "result");
    if (inputs != op.getOperands().size())
      return "has " + count(inputs, "input") + " among its constraints '" +
             op.getConstraints().str() + "', but " +
             count(op.getOperands().size(), "operand");
    return {};
  }

private:
  static std::string count(size_t number, const char *what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  }

  std::string checkPart(llvm::StringRef part) {
    if (part.consume_front("~"))
      return checkClobber(part);
    if (hasClobber)
      return "which stands behind those of clobbers";
    if (part.consume_front("="))
      return checkOutput(part);
    if (!part.empty() && !llvm::StringRef("+*!@#").contains(part[0]))
      return checkInput(part);
    return "which is none of inline assembly for AMD GPUs; a value that is "
           "read and written is an output and an input tied to it";
  }

  std::string checkClobber(llvm::StringRef part) {
    hasClobber = true;
    if (part == "{memory}")
      return {};
    bool isName = part.consume_front("{") && part.consume_back("}");
    if (isName && findRegisters(part, chip))
      return {};
    return noRegisters();
  }

  std::string checkOutput(llvm::StringRef part) {
    if (inputs != 0)
      return "an output behind the inputs";
    part.consume_front("&");
    if (outputs.size() == results.size())
      return "but the operation has " + count(results.size(), "result");
    Type type = results[outputs.size()];
    outputs.push_back(type);
    tied.push_back(false);
    return checkCodes(part, type, /*isInput=*/false);
  }

  std::string checkInput(llvm::StringRef part) {
    part.consume_front("%");
    if (inputs == op.getOperands().size())
      return "but the operation has " + count(inputs, "operand");
    Type type = op.getOperands()[inputs++].getType();
    if (part.empty() || !llvm::isDigit(part[0]))
      return checkCodes(part, type, /*isInput=*/true);
    unsigned number;
    if (part.getAsInteger(10, number) || number >= outputs.size())
      return "which names none of the " + count(outputs.size(), "output");
    if (tied[number])
      return "but another operand is tied to that output";
    tied[number] = true;
    std::optional<unsigned> bits = bitsInRegisters(type);
    if (!bits || bits != bitsInRegisters(outputs[number]))
      return "which ties a value of type " + text(type) +
             " to an output of type " + text(outputs[number]);
    return {};
  }

  /// Kinds of registers and constants, one of which LLVM takes, or registers.
  std::string checkCodes(llvm::StringRef codes, Type type, bool isInput) {
    if (codes.starts_with("{")) {
      bool isName = codes.consume_front("{") && codes.consume_back("}");
      std::optional<Registers> registers =
          isName ? findRegisters(codes, chip) : std::nullopt;
      if (!registers)
        return noRegisters();
      unsigned bits = registers->bits();
      std::optional<unsigned> wanted = bitsInRegisters(type);
      if (wanted && (bits == *wanted || (bits == 32 && *wanted == 16)))
        return takeNamed(*registers, isInput);
      return "which names " + std::to_string(bits) +
             " bits for a value of type " + text(type);
    }
    llvm::SmallVector<llvm::StringRef> kinds;
    codes.split(kinds, '|');
    bool needsRegister = false;
    for (llvm::StringRef kind : kinds) {
      bool isRegister = llvm::is_contained({"v", "s", "a", "r", "^VA"}, kind);
      bool isConstant = llvm::is_contained(
          {"I", "J", "A", "B", "C", "^DA", "^DB", "i", "n"}, kind);
      if (!isRegister && !(isInput && isConstant))
        return std::string("which is no kind of ") +
               (isInput ? "input" : "output") +
               " on AMD GPUs: 'v', 's', 'a', '^VA', registers as '{v[0:1]}'" +
               (isInput ? ", the number of an output or a constant: 'I', 'J', "
                          "'A', 'B', 'C', '^DA', '^DB', 'i', 'n'"
                        : "");
      needsRegister |= isRegister;
    }
    if (needsRegister && !bitsInRegisters(type))
      return "but no registers hold a value of type " + text(type) +
             "; take one of 16 bits or of whole words";
    bool isNumber =
        isa<IntegerType, FloatType, VectorType, LLVM::LLVMPointerType>(type);
    if (!needsRegister && !isNumber)
      return "but no constant has type " + text(type);
    return kinds.size() == 1 && needsRegister ? take(kinds[0], type, isInput)
                                              : std::string();
  }

  /// Two values in one register: LLVM takes one of them.
  std::string takeNamed(const Registers &registers, bool isInput) {
    Value value = isInput ? op.getOperands()[inputs - 1] : Value();
    for (const auto &[other, its] : isInput ? namedInputs : namedOutputs)
      if (other.meets(registers) && (!isInput || its != value))
        return std::string("but another ") + (isInput ? "operand" : "result") +
               " is in " +
               (registers.count == 1 ? "that register"
                                     : "one of those registers");
    (isInput ? namedInputs : namedOutputs).push_back({registers, value});
    return {};
  }

  /// Values of one kind of register that are more than the chip has: LLVM may
  /// look for a place for them without an end.
  std::string take(llvm::StringRef kind, Type type, bool isInput) {
    unsigned most = llvm::StringSwitch<unsigned>(kind)
                        .Case("s", 128)
                        .Case("^VA", 512)
                        .Default(256);
    unsigned &words = (isInput ? inputWords : outputWords)[kind];
    words += (*bitsInRegisters(type) + 31) / 32;
    if (words <= most)
      return {};
    return std::string("but the ") + (isInput ? "operands" : "results") +
           " of this kind are more than " + std::to_string(most) + " words";
  }

  std::string noRegisters() const {
    return ("which names no register of " + chip.name +
            "; ranges have 2 to 12, 16 or 32 registers, " +
            (chip.evenVgprRanges ? "vector ones begin at an even number, "
                                 : "") +
            "scalar ones at a multiple of 2, or of 4 if they are more than two")
        .str();
  }

  static std::string text(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  LLVM::InlineAsmOp op;
  const arch::Chip &chip;
  llvm::SmallVector<Type> results, outputs;
  llvm::SmallVector<bool> tied;
  llvm::SmallVector<std::pair<Registers, Value>> namedInputs, namedOutputs;
  llvm::StringMap<unsigned> inputWords, outputWords;
  size_t inputs = 0;
  bool hasClobber = false;
};
} // namespace

std::string findConstraintProblem(LLVM::InlineAsmOp op,
                                  const arch::Chip &chip) {
  return ConstraintChecker(op, chip).run();
}

} // namespace fly

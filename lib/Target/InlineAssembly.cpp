// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly for AMD GPUs, as far as LLVM does not refuse it by itself:
// directives that reach beyond the kernel, and constraints. LLVM takes strings
// of constraints as it finds them: it ends, or writes beyond its memory, where
// one is malformed, has no such operand, or names registers that do not hold
// the value; of unknown registers it takes none. What is left to it, because
// it reports it, are kinds of registers that the chip lacks, and ranges that it
// cannot align.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// True for directives of data and conditions, and for an alignment that does
/// not grow the code much. The rest is refused: sections, symbols and kernel
/// descriptors are the compiler's; repetitions and fillings can ask for more
/// code than there is memory, which ends LLVM.
static bool isAllowed(llvm::StringRef directive, llvm::StringRef operands) {
  static const llvm::StringSet<> allowed = {
      ".byte", ".else", ".endif", ".if",    ".int", ".long",
      ".octa", ".quad", ".set",   ".short", ".word"};
  constexpr unsigned maxLog2 = 12;
  std::string name = directive.lower();
  if (name != ".align" && name != ".balign" && name != ".p2align")
    return allowed.contains(name);
  unsigned alignment;
  llvm::StringRef number = operands.split(',').first.trim();
  return !number.getAsInteger(0, alignment) &&
         alignment <= (name == ".p2align" ? maxLog2 : 1u << maxLog2);
}

/// The first directive of `text`, AMDGPU assembly, that is not allowed; empty
/// if there is none.
static std::string findDirective(llvm::StringRef text) {
  std::string plain;
  for (size_t begin; (begin = text.find("/*")) != llvm::StringRef::npos;) {
    (plain += text.take_front(begin)) += ' ';
    size_t end = text.find("*/", begin + 2);
    text = end == llvm::StringRef::npos ? "" : text.drop_front(end + 2);
  }
  plain += text;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(plain).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.take_front(line.find(';'));
    line = line.take_front(line.find("//")).trim();
    // Labels come first.
    for (size_t colon; (colon = line.find(':')) != llvm::StringRef::npos &&
                       line.find_first_of(" \t\",") > colon;)
      line = line.drop_front(colon + 1).ltrim();
    if (!line.starts_with("."))
      continue;
    llvm::StringRef directive = line.take_until(
        [](char c) { return c == ' ' || c == '\t' || c == '='; });
    if (!isAllowed(directive, line.drop_front(directive.size())))
      return directive.str();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

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
    if (isa<IntegerType>(type) || isa<Float16Type, BFloat16Type, Float32Type,
                                      Float64Type>(type))
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
              : *bits == 64 ? (count >= 2 && count <= 4) || count == 8 ||
                                  count == 16
                            : false;
  return fits ? std::optional<unsigned>(*bits * count) : std::nullopt;
}

/// Bits of the registers of `chip` that `{name}` names, or nothing if there are
/// none. LLVM reports ranges that begin at a number which the chip does not
/// allow.
static std::optional<unsigned> bitsOfRegisters(llvm::StringRef name,
                                               const arch::Chip &chip) {
  auto special = llvm::StringSwitch<unsigned>(name)
                     .Cases({"vcc", "exec"}, 64)
                     .Cases({"vcc_lo", "vcc_hi", "exec_lo", "exec_hi"}, 32)
                     .Cases({"m0", "scc"}, 32)
                     .Default(0);
  if (special)
    return special;
  if (name.empty())
    return std::nullopt;
  unsigned count = llvm::StringSwitch<unsigned>(name.take_front())
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
      end.getAsInteger(10, last) || first > last || last >= count)
    return std::nullopt;
  return 32 * (last - first + 1);
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
    if (isName && bitsOfRegisters(part, chip))
      return {};
    return "which names no register";
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
      std::optional<unsigned> bits =
          isName ? bitsOfRegisters(codes, chip) : std::nullopt;
      if (!bits)
        return "which names no register";
      std::optional<unsigned> wanted = bitsInRegisters(type);
      if (wanted && (*bits == *wanted || (*bits == 32 && *wanted == 16)))
        return {};
      return "which names " + std::to_string(*bits) +
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
    return {};
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
  size_t inputs = 0;
  bool hasClobber = false;
};
} // namespace

std::string findAssemblyProblem(LLVM::InlineAsmOp op,
                                const arch::Chip &chip) {
  std::string directive = findDirective(op.getAsmString());
  if (!directive.empty())
    return "has the directive '" + directive +
           "'; in inline assembly only those of data, alignment to at most "
           "4096 bytes, conditions and .set are allowed";
  return ConstraintChecker(op, chip).run();
}

} // namespace fly

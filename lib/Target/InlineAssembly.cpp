// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of inline assembly for AMD GPUs, as far as LLVM does not refuse it
// by itself, or ends at it: directives that reach beyond the kernel, and names
// of operands behind '$'.

#include "CodeGen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

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

/// `text` without its comments, one statement on each line. As LLVM's lexer has
/// it: ';', '//' and a '#' that begins a statement comment out the rest of the
/// line, /* */ may span lines, and none of them begins within a string.
static std::string withoutComments(llvm::StringRef text) {
  std::string plain;
  bool begins = true; // a statement
  while (!text.empty()) {
    char c = text[0];
    bool isLine = c == ';' || text.starts_with("//") || (c == '#' && begins);
    if (isLine) {
      text = text.drop_front(std::min(text.find_first_of("\r\n"), text.size()));
      continue;
    }
    if (text.starts_with("/*")) {
      size_t end = text.find("*/", 2);
      text = end == llvm::StringRef::npos ? "" : text.drop_front(end + 2);
      plain += ' ';
      continue;
    }
    if (c == '"') {
      size_t end = 1;
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      plain += "\"\""; // what stands in it is no statement
      text = text.drop_front(end);
      begins = false;
      continue;
    }
    bool ends = c == '\r' || c == '\n';
    plain += ends ? '\n' : c;
    begins = ends || (begins && (c == ' ' || c == '\t'));
    text = text.drop_front();
  }
  return plain;
}

/// The first directive of `text`, AMDGPU assembly, that is not allowed; empty
/// if there is none.
static std::string findDirective(llvm::StringRef text) {
  std::string plain = withoutComments(text);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(plain).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    // Labels come first.
    for (size_t end; (end = std::min(line.find_first_of(" \t,:"), line.size())),
                     line.drop_front(end).ltrim().starts_with(":");)
      line = line.drop_front(end).ltrim().drop_front().ltrim();
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
// Operands
//===----------------------------------------------------------------------===//

/// What is wrong with the text behind the first '$' that is; empty if nothing
/// is. `count` operands, results first, have numbers.
static std::string findReference(llvm::StringRef text, size_t count) {
  for (size_t at; (at = text.find('$')) != llvm::StringRef::npos;) {
    llvm::StringRef rest = text.drop_front(at + 1);
    if (rest.consume_front("$")) { // '$' itself
      text = rest;
      continue;
    }
    bool hasBraces = rest.consume_front("{");
    llvm::StringRef inside = hasBraces ? rest.take_front(rest.find('}'))
                                       : rest.take_while(llvm::isDigit);
    rest = rest.drop_front(inside.size());
    bool isClosed = !hasBraces || rest.consume_front("}");
    std::string name =
        ((hasBraces ? "${" : "$") + inside + (hasBraces && isClosed ? "}" : ""))
            .str();
    text = rest;
    // Not ${:comment}, behind which a directive could hide.
    if (isClosed && name == "${:uid}")
      continue;
    auto [number, modifier] = inside.split(':');
    unsigned value;
    bool isNumber = !number.empty() && llvm::all_of(number, llvm::isDigit) &&
                    inside.contains(':') == (modifier.size() == 1);
    if (!isClosed || !isNumber || number.getAsInteger(10, value))
      return "has '" + name +
             "' in its text, expected the number of an operand"
             " as '$0' or '${0}', or '$$' for the sign itself";
    if (value >= count)
      return "has '" + name + "' in its text, but results and operands are " +
             std::to_string(count);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Whether `name` stands in `text` and is no part of a longer name.
static bool hasName(llvm::StringRef text, llvm::StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  for (size_t at = 0; (at = text.find(name, at)) != llvm::StringRef::npos;
       ++at) {
    llvm::StringRef rest = text.drop_front(at + name.size());
    if ((at == 0 || !isPart(text[at - 1])) &&
        (rest.empty() || !isPart(rest.front())))
      return true;
  }
  return false;
}

llvm::SmallVector<Operation *> findAssemblies(Operation *module,
                                              llvm::StringRef symbol) {
  llvm::SmallVector<Operation *> found;
  module->walk([&](LLVM::InlineAsmOp op) {
    if (hasName(withoutComments(op.getAsmString()), symbol))
      found.push_back(op);
  });
  return found;
}

std::string findAssemblyProblem(LLVM::InlineAsmOp op, const arch::Chip &chip) {
  std::string problem = findConstraintProblem(op, chip);
  if (!problem.empty())
    return problem;
  size_t results = 0;
  if (op->getNumResults()) {
    auto members = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
    results = members ? members.getBody().size() : 1;
  }
  problem = findReference(op.getAsmString(), results + op.getOperands().size());
  if (!problem.empty())
    return problem;
  std::string directive = findDirective(op.getAsmString());
  if (directive.empty())
    return {};
  return "has the directive '" + directive +
         "'; in inline assembly only those of data, alignment to at most "
         "4096 bytes, conditions and .set are allowed";
}

} // namespace fly

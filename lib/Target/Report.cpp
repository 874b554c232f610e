// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an AMD code object: the metadata note for what the code generator
// allocated, the disassembler for what it emitted.

#include "Fly/Target/Report.h"

#include "CodeGen.h"
#include "Fly/Arch/Chips.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDGPUMetadata.h"
#include "llvm/Support/TargetSelect.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

using llvm::object::ELF64LEObjectFile;

namespace fly {

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

llvm::StringRef stringifyInstructionClass(InstructionClass kind) {
  static constexpr llvm::StringLiteral names[kNumInstructionClasses] = {
      "matrix", "valu", "salu", "smem",    "load",   "store",
      "atomic", "lds",  "wait", "barrier", "branch", "other"};
  return names[static_cast<unsigned>(kind)];
}

/// The class of `name`, an instruction of a vector memory unit.
static InstructionClass classifyVectorMemory(llvm::StringRef name) {
  if (name.contains("_atomic"))
    return InstructionClass::VectorAtomic;
  if (name.contains("_store"))
    return InstructionClass::VectorStore;
  if (name.contains("_load"))
    return InstructionClass::VectorLoad;
  // Cache control: buffer_wbl2, global_inv, …
  return InstructionClass::Other;
}

InstructionClass classifyInstruction(llvm::StringRef mnemonic) {
  auto startsWithAny = [&](std::initializer_list<llvm::StringRef> prefixes) {
    for (llvm::StringRef prefix : prefixes)
      if (mnemonic.starts_with(prefix))
        return true;
    return false;
  };
  if (startsWithAny({"v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"}))
    return InstructionClass::Matrix;
  if (startsWithAny({"v_"}))
    return mnemonic.starts_with("v_nop") ? InstructionClass::Other
                                         : InstructionClass::Vector;
  if (startsWithAny({"ds_"}))
    return InstructionClass::LDS;
  if (startsWithAny({"buffer_", "global_", "flat_", "scratch_", "image_",
                     "tensor_", "tbuffer_", "cluster_"}))
    return classifyVectorMemory(mnemonic);
  if (startsWithAny({"s_waitcnt", "s_wait_"}))
    return InstructionClass::Wait;
  if (startsWithAny({"s_barrier"}))
    return InstructionClass::Barrier;
  if (startsWithAny({"s_branch", "s_cbranch", "s_setpc", "s_swappc", "s_call"}))
    return InstructionClass::Branch;
  if (startsWithAny({"s_load_", "s_buffer_", "s_store_", "s_scratch_",
                     "s_atomic_", "s_dcache_", "s_gl1_", "s_memtime",
                     "s_memrealtime"}))
    return InstructionClass::ScalarMemory;
  if (startsWithAny({"s_nop", "s_endpgm", "s_sleep", "s_sethalt", "s_setprio",
                     "s_clause", "s_delay_alu", "s_code_end", "s_sendmsg",
                     "s_trap", "s_icache", "s_inst_prefetch", "s_prefetch",
                     "s_set_gpr_idx", "s_set_vgpr_msb", "s_setvskip",
                     "s_monitor_sleep"}))
    return InstructionClass::Other;
  return mnemonic.starts_with("s_") ? InstructionClass::Scalar
                                    : InstructionClass::Other;
}

//===----------------------------------------------------------------------===//
// The metadata note
//===----------------------------------------------------------------------===//

template <typename... Args>
static llvm::Error makeError(const char *format, Args... args) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format,
                                 args...);
}

/// The unsigned entry `key` of `map`, or 0.
static uint64_t getNumber(llvm::msgpack::MapDocNode map, llvm::StringRef key) {
  auto found = map.find(key);
  if (found == map.end())
    return 0;
  if (found->second.getKind() == llvm::msgpack::Type::UInt)
    return found->second.getUInt();
  // The writer uses the signed form for some small numbers.
  if (found->second.getKind() == llvm::msgpack::Type::Int &&
      found->second.getInt() >= 0)
    return found->second.getInt();
  return 0;
}

/// The text entry `key` of `map`, or "".
static std::string getText(llvm::msgpack::MapDocNode map, llvm::StringRef key) {
  auto found = map.find(key);
  if (found == map.end() ||
      found->second.getKind() != llvm::msgpack::Type::String)
    return "";
  return found->second.getString().str();
}

/// Computes how many waves of `kernel` a SIMD of `chip` holds, and the resource
/// that sets the limit.
static void setOccupancy(const arch::Chip &chip, KernelReport &kernel) {
  arch::KernelResources vector, scalar, local;
  vector.workgroupSize = scalar.workgroupSize = local.workgroupSize =
      kernel.maxWorkgroup;
  vector.vgprs = chip.unifiedAgprs
                     ? llvm::alignTo(kernel.vgprs, 4) + kernel.agprs
                     : std::max(kernel.vgprs, kernel.agprs);
  scalar.sgprs = kernel.sgprs;
  local.ldsBytes = kernel.ldsBytes;
  arch::KernelResources all = vector;
  all.sgprs = scalar.sgprs;
  all.ldsBytes = local.ldsBytes;
  unsigned waves = arch::occupancy(chip, all);
  kernel.occupancy = waves;
  kernel.limitedBy = "waves";
  if (waves == chip.maxWavesPerSimd)
    return;
  if (arch::occupancy(chip, vector) == waves)
    kernel.limitedBy = "vgpr";
  else if (arch::occupancy(chip, local) == waves)
    kernel.limitedBy = "lds";
  else if (arch::occupancy(chip, scalar) == waves)
    kernel.limitedBy = "sgpr";
}

/// Fills `report` from the msgpack document `blob`.
static llvm::Error readMetadata(llvm::StringRef blob,
                                CodeObjectReport &report) {
  llvm::msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return makeError("the AMDGPU metadata note is not a msgpack map");
  llvm::msgpack::MapDocNode root = document.getRoot().getMap();
  // "amdgcn-amd-amdhsa--gfx942" with features behind a colon.
  std::string target = getText(root, "amdhsa.target");
  llvm::StringRef chip = llvm::StringRef(target).rsplit('-').second;
  report.chip = chip.split(':').first.str();
  const arch::Chip *row = arch::lookupChip(report.chip);

  auto kernels = root.find("amdhsa.kernels");
  if (kernels == root.end())
    return llvm::Error::success();
  if (!kernels->second.isArray())
    return makeError("'amdhsa.kernels' in the metadata note is not an array");
  for (llvm::msgpack::DocNode &node : kernels->second.getArray()) {
    if (!node.isMap())
      return makeError("an entry of 'amdhsa.kernels' is not a map");
    llvm::msgpack::MapDocNode map = node.getMap();
    KernelReport kernel;
    kernel.name = getText(map, ".name");
    kernel.vgprs = getNumber(map, ".vgpr_count");
    kernel.agprs = getNumber(map, ".agpr_count");
    kernel.sgprs = getNumber(map, ".sgpr_count");
    kernel.vgprSpills = getNumber(map, ".vgpr_spill_count");
    kernel.sgprSpills = getNumber(map, ".sgpr_spill_count");
    kernel.ldsBytes = getNumber(map, ".group_segment_fixed_size");
    kernel.scratchBytes = getNumber(map, ".private_segment_fixed_size");
    kernel.kernargBytes = getNumber(map, ".kernarg_segment_size");
    kernel.waveSize = getNumber(map, ".wavefront_size");
    kernel.maxWorkgroup = getNumber(map, ".max_flat_workgroup_size");
    auto stack = map.find(".uses_dynamic_stack");
    kernel.dynamicStack =
        stack != map.end() &&
        stack->second.getKind() == llvm::msgpack::Type::Boolean &&
        stack->second.getBool();
    // On chips with one file for both kinds the count is that of both, with
    // the accumulation registers behind the others.
    if (row && row->unifiedAgprs && kernel.vgprs >= kernel.agprs)
      kernel.vgprs -= kernel.agprs;
    if (row)
      setOccupancy(*row, kernel);
    report.kernels.push_back(std::move(kernel));
  }
  return llvm::Error::success();
}

/// Finds the metadata note of `object`.
static llvm::Error readNotes(const ELF64LEObjectFile &object,
                             CodeObjectReport &report) {
  const auto &file = object.getELFFile();
  auto headers = file.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != llvm::ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    std::optional<std::string> blob;
    for (const auto &note : file.notes(header, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
        blob = note.getDescAsStringRef(header.p_align).str();
    if (error)
      return error;
    if (blob)
      return readMetadata(*blob, report);
  }
  return makeError("the code object has no AMDGPU metadata note");
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
/// LLVM's disassembler for one chip.
class Disassembler {
public:
  /// Sets up the disassembler for `chip`.
  llvm::Error create(llvm::StringRef chip) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    llvm::Triple triple("amdgcn-amd-amdhsa");
    std::string text;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, text);
    if (!target)
      return makeError("%s", text.c_str());
    registers.reset(target->createMCRegInfo(triple));
    assembly.reset(
        target->createMCAsmInfo(*registers, triple, llvm::MCTargetOptions()));
    subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
    if (!subtarget->isCPUStringValid(chip))
      return makeError("LLVM does not know the chip '%s'", chip.str().c_str());
    subtarget.reset(target->createMCSubtargetInfo(triple, chip, ""));
    instructions.reset(target->createMCInstrInfo());
    context = std::make_unique<llvm::MCContext>(
        triple, assembly.get(), registers.get(), subtarget.get());
    disassembler.reset(target->createMCDisassembler(*subtarget, *context));
    printer.reset(target->createMCInstPrinter(triple, 0, *assembly,
                                              *instructions, *registers));
    if (!disassembler || !printer)
      return makeError("LLVM was built without the AMDGPU disassembler");
    return llvm::Error::success();
  }

  /// Counts the instructions of `code` into `counts`.
  llvm::Error
  count(llvm::ArrayRef<uint8_t> code, uint64_t address, llvm::StringRef name,
        std::array<uint64_t, kNumInstructionClasses> &counts) const {
    for (uint64_t offset = 0; offset < code.size();) {
      llvm::MCInst instruction;
      uint64_t size = 0;
      if (disassembler->getInstruction(instruction, size, code.slice(offset),
                                       address + offset, llvm::nulls()) !=
              llvm::MCDisassembler::Success ||
          size == 0)
        return makeError("no instruction at byte %llu of '%s'",
                         static_cast<unsigned long long>(offset),
                         name.str().c_str());
      std::string text;
      llvm::raw_string_ostream stream(text);
      printer->printInst(&instruction, address + offset, "", *subtarget,
                         stream);
      llvm::StringRef mnemonic = llvm::StringRef(text).ltrim().take_until(
          [](char c) { return llvm::isSpace(c); });
      ++counts[static_cast<unsigned>(classifyInstruction(mnemonic))];
      offset += size;
    }
    return llvm::Error::success();
  }

private:
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};
} // namespace

/// Adds code size and instruction counts to the kernels of `report`.
static llvm::Error readCode(const ELF64LEObjectFile &object,
                            CodeObjectReport &report) {
  Disassembler disassembler;
  if (llvm::Error error = disassembler.create(report.chip))
    return error;
  llvm::StringMap<KernelReport *> kernels;
  for (KernelReport &kernel : report.kernels)
    kernels[kernel.name] = &kernel;
  for (const llvm::object::ELFSymbolRef symbol : object.symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC)
      continue;
    auto name = symbol.getName();
    auto section = symbol.getSection();
    auto address = symbol.getAddress();
    if (!name)
      return name.takeError();
    if (!section)
      return section.takeError();
    if (!address)
      return address.takeError();
    auto kernel = kernels.find(*name);
    if (kernel == kernels.end() || *section == object.section_end())
      continue;
    auto contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t start = *address - (*section)->getAddress();
    if (*address < (*section)->getAddress() || start > contents->size() ||
        symbol.getSize() > contents->size() - start)
      return makeError("the kernel '%s' lies outside its section",
                       name->str().c_str());
    KernelReport &entry = *kernel->second;
    entry.codeBytes = symbol.getSize();
    if (llvm::Error error =
            disassembler.count(llvm::arrayRefFromStringRef(
                                   contents->substr(start, symbol.getSize())),
                               *address, entry.name, entry.instructions))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

/// readCodeObject without the guard.
static llvm::Expected<CodeObjectReport> readUnguarded(llvm::StringRef bytes) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(bytes, "code object"));
  if (!object)
    return object.takeError();
  auto *elf = llvm::dyn_cast<ELF64LEObjectFile>(object->get());
  if (!elf || elf->getArch() != llvm::Triple::amdgcn)
    return makeError("not an AMDGPU code object");
  CodeObjectReport report;
  if (llvm::Error error = readNotes(*elf, report))
    return std::move(error);
  if (llvm::Error error = readCode(*elf, report))
    return std::move(error);
  return report;
}

llvm::Expected<CodeObjectReport> readCodeObject(llvm::StringRef bytes) {
  // LLVM's ELF reader ends the process on some damaged section headers.
  std::optional<llvm::Expected<CodeObjectReport>> report;
  if (std::optional<std::string> fatal =
          runGuarded([&] { report.emplace(readUnguarded(bytes)); }))
    return makeError("%s", fatal->c_str());
  return std::move(*report);
}

} // namespace fly

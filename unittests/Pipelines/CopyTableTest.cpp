// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of the copy table on every chip, from an atom call to assembly.
// There are two outcomes: the chip has the feature of the row and LLVM selects
// the instruction, or the call is refused with what the chip has instead.

#include "Fly/Arch/CopyInstructions.h"
#include "Fly/InitAll.h"
#include "Fly/Pipelines/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace fly::arch;
using mlir::MLIRContext;

namespace {

struct Outcome {
  /// Assembly, or empty.
  std::string code;
  std::string errors;
};

class CopyTable : public testing::Test {
protected:
  static void SetUpTestSuite() {
    mlir::DialectRegistry registry;
    fly::registerAllDialects(registry);
    context = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  /// Compiles a kernel with these parameters and this body for `chip`.
  Outcome compile(const Chip &chip, const std::string &parameters,
                  const std::string &body) {
    Outcome outcome;
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &diagnostic) {
          outcome.errors += diagnostic.str() + "\n";
          return mlir::success();
        });
    std::string text = "gpu.module @m {\ngpu.func @k(" + parameters +
                       ") kernel {\n" + body + "\ngpu.return\n}\n}";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context);
    if (!module) {
      ADD_FAILURE() << text << "\n" << outcome.errors;
      return outcome;
    }
    mlir::PassManager pm(context);
    fly::PipelineOptions options;
    options.chip = chip.name.str();
    options.format = fly::CodeFormat::Assembly;
    fly::buildFlyToBinaryPipeline(pm, options);
    if (failed(pm.run(*module)))
      return outcome;
    module->walk([&](mlir::gpu::BinaryOp binary) {
      auto object =
          mlir::cast<mlir::gpu::ObjectAttr>(binary.getObjects().getValue()[0]);
      outcome.code = object.getObject().getValue().str();
    });
    return outcome;
  }

  static MLIRContext *context;
};

MLIRContext *CopyTable::context = nullptr;

/// Replaces each `$name` of `text`.
std::string
fill(std::string text,
     std::initializer_list<std::pair<const char *, std::string>> values) {
  for (const auto &[name, value] : values)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, std::strlen(name), value);
  return text;
}

constexpr char kBuffer[] = R"(
  %stride = arith.constant 0 : i16
  %records = arith.constant 4096 : i64
  %flags = arith.constant 159744 : i32
  %rsrc = fly.make_ptr(%p, %stride, %records, %flags)
    : (!fly.ptr<$E, global>, i16, i64, i32) -> !fly.ptr<$E, #fly_rocdl.buffer_desc>
  %bl = fly.static : !fly.layout<$N:1>
  %buffer = fly.make_view(%rsrc, %bl) : (!fly.ptr<$E, #fly_rocdl.buffer_desc>, !fly.layout<$N:1>) -> !fly.memref<$E, #fly_rocdl.buffer_desc, $N:1>
)";

constexpr char kShared[] = R"(
  %lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<$E, shared, align<16>>
  %sl = fly.static : !fly.layout<$L>
  %shared = fly.make_view(%lds, %sl) : (!fly.ptr<$E, shared, align<16>>, !fly.layout<$L>) -> !fly.memref<$E, shared, $L, align<16>>
)";

struct Kernel {
  std::string parameters, body;
  /// Of the assembly that must be there.
  std::vector<std::string> instructions;
};

Kernel kernelFor(const CopyInstruction &row) {
  std::string bits = std::to_string(row.bits);
  std::string bytes = std::to_string(row.bits / 8);
  std::string value = row.bits == 8 ? "i8" : "vector<" + bytes + "xi8>";
  auto fillAll = [&](const std::string &text) {
    return fill(text, {{"$E", "i8"},
                       {"$L", bytes + ":1"},
                       {"$N", bytes},
                       {"$V", value},
                       {"$B", bits},
                       {"$G", std::to_string(row.granularity)}});
  };
  std::string pointer = "%p: !fly.ptr<i8, global>";
  switch (row.family) {
  case CopyFamily::BufferCopy:
    return {pointer,
            fillAll(std::string(kBuffer) + R"(
  %a = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<$B>, 8>
  %v = fly.copy_atom_call_ssa(%a, %buffer) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<$B>, 8>, !fly.memref<i8, #fly_rocdl.buffer_desc, $N:1>) -> $V
  fly.copy_atom_call_ssa(%a, %v, %buffer) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<$B>, 8>, $V, !fly.memref<i8, #fly_rocdl.buffer_desc, $N:1>) -> ()
)"),
            {"buffer_load_", "buffer_store_"}};
  case CopyFamily::BufferCopyLds:
  case CopyFamily::BufferLoadAsyncLds: {
    std::string atom = "!fly.copy_atom<!fly_rocdl." +
                       familyMnemonic(row.family).str() + "<$B>, 8>";
    return {
        pointer,
        fillAll(
            std::string(kBuffer) + kShared +
            "  %a = fly.make_copy_atom {valBits = 8 : i32} : " + atom +
            "\n  fly.copy_atom_call(%a, %buffer, %shared) : (" + atom +
            R"(, !fly.memref<i8, #fly_rocdl.buffer_desc, $N:1>, !fly.memref<i8, shared, $N:1, align<16>>) -> ()
)"),
        {"buffer_load_dword", " lds"}};
  }
  case CopyFamily::GlobalLoadAsyncLds:
    return {pointer,
            fillAll(std::string(kShared) + R"(
  %gl = fly.static : !fly.layout<$N:1>
  %global = fly.make_view(%p, %gl) : (!fly.ptr<i8, global>, !fly.layout<$N:1>) -> !fly.memref<i8, global, $N:1>
  %a = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<$B>, 8>
  fly.copy_atom_call(%a, %global, %shared) : (!fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<$B>, 8>, !fly.memref<i8, global, $N:1>, !fly.memref<i8, shared, $N:1, align<16>>) -> ()
)"),
            {"global_load", "lds"}};
  case CopyFamily::LdsReadTrans:
    return {pointer,
            fillAll(std::string(kShared) + R"(
  %a = fly.make_copy_atom {valBits = $G : i32} : !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = $Gb, $B>, $G>
  %v = fly.copy_atom_call_ssa(%a, %shared) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = $Gb, $B>, $G>, !fly.memref<i8, shared, $N:1, align<16>>) -> $V
  %q = fly.recast_iter(%p) : (!fly.ptr<i8, global>) -> !fly.ptr<i8, global>
  fly.ptr.store(%v, %q) : ($V, !fly.ptr<i8, global>) -> ()
)"),
            {"ds_read_b" + bits + "_tr_b" + std::to_string(row.granularity)}};
  case CopyFamily::Tdm:
  case CopyFamily::TensorLoad:
  case CopyFamily::TensorStore:
    break;
  }
  llvm_unreachable("tiles have kernels of their own");
}

/// Kernels of the families that move tiles, of elements of the row's width.
Kernel tileKernelFor(const CopyInstruction &row) {
  std::string element = "i" + std::to_string(row.bits);
  std::string text = std::string(kShared);
  std::vector<std::string> instructions;
  if (row.family == CopyFamily::Tdm) {
    text += R"(
  %gl = fly.static : !fly.layout<(4,8):(8,1)>
  %global = fly.make_view(%p, %gl) : (!fly.ptr<$E, global>, !fly.layout<(4,8):(8,1)>) -> !fly.memref<$E, global, (4,8):(8,1)>
  %a = fly.make_copy_atom {valBits = 0 : i32} : !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2>, 0>
  fly.copy_atom_call(%a, %global, %shared) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2>, 0>, !fly.memref<$E, global, (4,8):(8,1)>, !fly.memref<$E, shared, (4,8):(8,1), align<16>>) -> ()
  fly.copy_atom_call(%a, %shared, %global) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2>, 0>, !fly.memref<$E, shared, (4,8):(8,1), align<16>>, !fly.memref<$E, global, (4,8):(8,1)>) -> ()
)";
    instructions = {"tensor_load_to_lds", "tensor_store_from_lds"};
  } else {
    bool isLoad = row.family == CopyFamily::TensorLoad;
    std::string atom = "!fly.copy_atom<!fly_rocdl." +
                       familyMnemonic(row.family).str() +
                       "<shape = [4, 8], elem = $E, tensor2tdm = (1E0,1E1)>, " +
                       std::to_string(row.bits) + ">";
    std::string coords = "!fly.coord_tensor<(0,0), (4,8):(1E1,1E0)>";
    std::string shared = "!fly.memref<$E, shared, (4,8):(8,1), align<16>>";
    text += R"(
  %st = arith.constant 8 : i64
  %e0 = arith.constant 4 : i32
  %e1 = arith.constant 8 : i32
  %a = fly.make_copy_atom(%p, %st, %e0, %e1 : !fly.ptr<$E, global>, i64, i32, i32) {valBits = )" +
            std::to_string(row.bits) + " : i32} : " + atom +
            "\n  %ct = fly.static : " + coords + "\n  fly.copy_atom_call(%a, " +
            (isLoad ? "%ct, %shared" : "%shared, %ct") + ") : (" + atom + ", " +
            (isLoad ? coords + ", " + shared : shared + ", " + coords) +
            ") -> ()\n";
    instructions = {isLoad ? "tensor_load_to_lds" : "tensor_store_from_lds"};
  }
  auto fillAll = [&](const std::string &in) {
    return fill(in, {{"$E", element}, {"$L", "(4,8):(8,1)"}});
  };
  return {fillAll("%p: !fly.ptr<$E, global>"), fillAll(text), instructions};
}

/// `outcome` is the one that `chip` must have.
void expectOutcome(const Chip &chip, Feature feature, const Outcome &outcome,
                   const std::vector<std::string> &instructions,
                   const std::string &what) {
  SCOPED_TRACE(what + " on " + chip.name.str());
  if (chip.has(feature)) {
    EXPECT_EQ(outcome.errors, "");
    for (const std::string &instruction : instructions)
      EXPECT_NE(outcome.code.find(instruction), std::string::npos)
          << instruction << " is not in\n"
          << outcome.code;
    return;
  }
  EXPECT_EQ(outcome.code, "");
  std::string lacks = "which " + chip.name.str() + " lacks; ";
  size_t at = outcome.errors.find(lacks);
  ASSERT_NE(at, std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find(chip.name.str() + " has ", at + lacks.size()),
            std::string::npos)
      << outcome.errors;
}

} // namespace

// User report 42.
TEST_F(CopyTable, EveryCopyOnEveryChip) {
  for (const CopyInstruction &row : copyInstructions()) {
    bool isTile = row.family == CopyFamily::Tdm ||
                  row.family == CopyFamily::TensorLoad ||
                  row.family == CopyFamily::TensorStore;
    Kernel kernel = isTile ? tileKernelFor(row) : kernelFor(row);
    std::string what = familyMnemonic(row.family).str() + " " +
                       std::to_string(row.granularity) + "b " +
                       std::to_string(row.bits);
    for (const Chip &chip : knownChips())
      expectOutcome(chip, row.feature,
                    compile(chip, kernel.parameters, kernel.body),
                    kernel.instructions, what);
  }
}

// User report 44.
TEST_F(CopyTable, EveryBufferAtomicOnEveryChip) {
  struct KindName {
    BufferAtomicKind kind;
    const char *op, *sign;
  } names[] = {{BufferAtomicKind::FAdd, "add", ""},
               {BufferAtomicKind::FMax, "max", ""},
               {BufferAtomicKind::FMin, "min", ""},
               {BufferAtomicKind::Add, "add", ""},
               {BufferAtomicKind::SMax, "max", "s"},
               {BufferAtomicKind::UMax, "max", "u"},
               {BufferAtomicKind::SMin, "min", "s"},
               {BufferAtomicKind::UMin, "min", "u"},
               {BufferAtomicKind::And, "and", ""},
               {BufferAtomicKind::Or, "or", ""},
               {BufferAtomicKind::Inc, "inc", ""},
               {BufferAtomicKind::Dec, "dec", ""}};
  for (const BufferAtomic &row : bufferAtomics()) {
    auto *name = llvm::find_if(
        names, [&](const KindName &entry) { return entry.kind == row.kind; });
    ASSERT_NE(name, std::end(names));
    llvm::StringRef type = row.type;
    bool isVector = type.starts_with("vector<2x");
    std::string element =
        isVector ? type.drop_front(9).drop_back().str() : type.str();
    unsigned bits = 0;
    type.take_back(isVector ? 0 : 2).getAsInteger(10, bits);
    std::string atom = "!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<" +
                       std::string(name->op) + ", " + name->sign + type.str() +
                       ">, " + (isVector ? "16" : std::to_string(bits)) + ">";
    std::string memref = "!fly.memref<$E, #fly_rocdl.buffer_desc, $N:1>";
    std::string body = fill(
        std::string(kBuffer) + "  %a = fly.make_copy_atom {valBits = " +
            (isVector ? "16" : std::to_string(bits)) + " : i32} : " + atom +
            "\n  fly.copy_atom_call_ssa(%a, %v, %buffer) {operandSegmentSizes "
            "= array<i32: 1, 1, 1, 0>} : (" +
            atom + ", " + type.str() + ", " + memref +
            ") -> ()\n  %o = fly.copy_atom_call_ssa(%a, %v, %buffer) "
            "{operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (" +
            atom + ", " + type.str() + ", " + memref + ") -> " + type.str() +
            "\n  fly.ptr.store(%o, %p) : (" + type.str() +
            ", !fly.ptr<$E, global>) -> ()\n",
        {{"$E", element}, {"$N", isVector ? "2" : "1"}});
    std::string parameters =
        "%p: !fly.ptr<" + element + ", global>, %v: " + type.str();
    for (const Chip &chip : knownChips())
      expectOutcome(chip, row.feature, compile(chip, parameters, body),
                    {"buffer_atomic_", "global_store"},
                    std::string(name->op) + " " + name->sign + type.str());
  }
}

// All bits that a chip has are accepted, and each other one refused.
TEST_F(CopyTable, CachePolicies) {
  for (const Chip &chip : knownChips()) {
    uint32_t known = cachePolicyBits(chip);
    EXPECT_NE(known, 0u) << chip.name.str();
    for (uint32_t bit = 0; bit < 8; ++bit) {
      std::string body =
          fill(std::string(kBuffer) + R"(
  %a = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32, cache = $C>, 8>
  %v = fly.copy_atom_call_ssa(%a, %buffer) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32, cache = $C>, 8>, !fly.memref<i8, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xi8>
  fly.ptr.store(%v, %p) : (vector<4xi8>, !fly.ptr<i8, global>) -> ()
)",
               {{"$E", "i8"}, {"$N", "4"}, {"$C", std::to_string(1u << bit)}});
      Outcome outcome = compile(chip, "%p: !fly.ptr<i8, global>", body);
      SCOPED_TRACE(chip.name.str() + " bit " + std::to_string(bit));
      if (known >> bit & 1) {
        EXPECT_EQ(outcome.errors, "");
        EXPECT_NE(outcome.code.find("buffer_load_"), std::string::npos);
      } else {
        EXPECT_NE(outcome.errors.find("bits of the cache policy (" +
                                      std::to_string(1u << bit) + ")"),
                  std::string::npos)
            << outcome.errors;
      }
    }
  }
}

// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations wait for moves to LDS, and for which of them.
//
// gfx9: the moves count in vmcnt. Besides s_waitcnt, LLVM waits for all of them
// before a fence that releases (SIMemoryLegalizer), so before rocdl.barrier,
// and before a lane of the same wave touches LDS (SIInsertWaitcnts; the runtime
// knows that by itself). A bare s_barrier waits for nothing.
// gfx1250: tensor copies count in tensorcnt, asynchronous copies of the lanes
// in asynccnt; only the kernel waits for them (llc 22 puts a wait neither in
// front of the wave's own access nor of a fence).

#include "Waits.h"
#include "HostModule.h"
#include "OperationTable.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "fly_cpu_abi.h"

#include <optional>

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

namespace {
/// Until at most `count` accesses of `counter` are under way.
struct Wait {
  fly_cpu_counter counter;
  uint32_t count;
};
} // namespace

/// The value of vmcnt that means no wait on gfx9: all six bits.
static constexpr uint32_t noVectorWait = 63;

static bool isPendingMove(Operation *op) {
  std::optional<OperationRow> row = lookupOperation(op);
  return row && row->isPendingMove;
}

/// vmcnt of gfx9's s_waitcnt: bits 3:0 and 15:14 (LLVM, AMDGPUBaseInfo).
static std::optional<Wait> decodeWaitcnt(uint32_t bits) {
  uint32_t count = (bits & 0xF) | (bits >> 10 & 0x30);
  if (count == noVectorWait)
    return std::nullopt;
  return Wait{FlyCpuCounterVector, count};
}

/// One line of assembly that the check took for a wait. A number that is not
/// understood counts as 0: what is unclear is not reported.
static std::optional<Wait> readLine(StringRef line, bool isGfx9) {
  auto numberIn = [](StringRef text) {
    uint32_t value = 0;
    text = text.trim().take_until([](char c) { return c == ')' || c == ' '; });
    return text.getAsInteger(0, value) ? 0u : value;
  };
  if (!isGfx9) {
    if (line.consume_front("s_wait_tensorcnt"))
      return Wait{FlyCpuCounterTensor, numberIn(line)};
    if (line.consume_front("s_wait_asynccnt"))
      return Wait{FlyCpuCounterAsync, numberIn(line)};
    return std::nullopt;
  }
  if (!line.consume_front("s_waitcnt"))
    return std::nullopt;
  size_t vmcnt = line.find("vmcnt(");
  if (vmcnt != StringRef::npos)
    return Wait{FlyCpuCounterVector, numberIn(line.substr(vmcnt + 6))};
  if (line.contains("cnt("))
    return std::nullopt; // of the other counters
  return decodeWaitcnt(numberIn(line));
}

/// The waits of one operation, in their order.
static SmallVector<Wait> findWaits(Operation *op, bool isGfx9) {
  SmallVector<Wait> waits;
  auto add = [&](std::optional<Wait> wait) {
    if (wait)
      waits.push_back(*wait);
  };
  TypeSwitch<Operation *>(op)
      .Case([&](ROCDL::SWaitcntOp wait) {
        if (isGfx9)
          add(decodeWaitcnt(wait.getBitfield()));
      })
      .Case([&](ROCDL::WaitTensorcntOp wait) {
        add(Wait{FlyCpuCounterTensor, uint32_t(uint16_t(wait.getCount()))});
      })
      .Case([&](ROCDL::WaitAsynccntOp wait) {
        add(Wait{FlyCpuCounterAsync, uint32_t(uint16_t(wait.getCount()))});
      })
      .Case([&](ROCDL::BarrierOp) {
        if (isGfx9)
          add(Wait{FlyCpuCounterVector, 0});
      })
      .Case([&](LLVM::FenceOp fence) {
        bool releases = fence.getOrdering() != LLVM::AtomicOrdering::acquire;
        StringRef scope = fence.getSyncscope().value_or("");
        bool isNarrow =
            scope.starts_with("singlethread") || scope.starts_with("wavefront");
        if (isGfx9 && releases && !isNarrow)
          add(Wait{FlyCpuCounterVector, 0});
      })
      .Case([&](LLVM::InlineAsmOp assembly) {
        SmallVector<StringRef> lines;
        llvm::SplitString(assembly.getAsmString(), lines, "\n;");
        for (StringRef line : lines)
          add(readLine(line.trim(), isGfx9));
      });
  return waits;
}

bool fly::host::markWaits(HostModule &host) {
  bool isGfx9 = host.chip.name.starts_with("gfx9");
  bool hasMove = false, waitsElsewhere = false;
  SmallVector<std::pair<Operation *, SmallVector<Wait>>> found;
  for (auto func : host.module.getOps<LLVM::LLVMFuncOp>()) {
    bool kernel = isKernel(func);
    func.walk([&](Operation *op) {
      hasMove |= isPendingMove(op);
      SmallVector<Wait> waits = findWaits(op, isGfx9);
      if (waits.empty())
        return;
      waitsElsewhere |= !kernel;
      found.push_back({op, std::move(waits)});
    });
  }
  if (!hasMove || waitsElsewhere)
    return false;
  // The operation itself stays: it may be a barrier, too, or be erased later.
  for (auto &[op, waits] : found)
    for (const Wait &wait : waits) {
      OpBuilder b(op);
      auto site = ROCDL::SNopOp::create(b, op->getLoc(), /*count=*/0);
      site->setAttr("fly.counter", b.getI32IntegerAttr(wait.counter));
      site->setAttr("fly.count", b.getI32IntegerAttr(int32_t(wait.count)));
    }
  return true;
}

void fly::host::markSleeps(HostModule &host) {
  if (!host.chip.has(arch::Feature::Clusters))
    return;
  for (auto func : host.module.getOps<LLVM::LLVMFuncOp>())
    if (isKernel(func))
      func.walk([](ROCDL::SSleepOp op) {
        op->setAttr("fly.sleep", UnitAttr::get(op->getContext()));
      });
}

// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the intrinsics of AMD GPUs that have no operation in MLIR's rocdl
// dialect, on the host: which there are, and what a lane computes for each.

#include "HostModule.h"
#include "OperationTable.h"

#include "mlir/IR/Matchers.h"

#include "fly_cpu_abi.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

namespace {
/// Emits what one lane computes for a call.
class Lane {
public:
  Lane(HostModule &host, LLVM::CallIntrinsicOp call, Value lane)
      : host(host), call(call), lane(lane), b(call), loc(call.getLoc()) {}

  Value number(int64_t value) {
    return host.constant(b, loc, b.getI32Type(), value);
  }
  Value laneField(uint64_t offset, Type type) {
    return host.loadField(b, loc, lane, offset, type, /*invariant=*/true);
  }
  Value argument(unsigned index) { return call.getArgs()[index]; }

  /// Byte i is chosen by byte i of the selector: 0 to 3 from the second
  /// operand, 4 to 7 from the first; 8 to 11 the sign of bytes 1, 3, 5, 7; 12
  /// zero; above all ones.
  Value permuteBytes() {
    Type i64 = b.getI64Type();
    Value high = LLVM::ShlOp::create(
        b, loc, LLVM::ZExtOp::create(b, loc, i64, argument(0)),
        host.constant(b, loc, i64, 32));
    Value both = LLVM::OrOp::create(
        b, loc, high, LLVM::ZExtOp::create(b, loc, i64, argument(1)));
    Value result = number(0);
    for (unsigned byte = 0; byte < 4; ++byte) {
      Value choice = LLVM::AndOp::create(
          b, loc, LLVM::LShrOp::create(b, loc, argument(2), number(8 * byte)),
          number(0xff));
      auto below = [&](int64_t limit) {
        return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ult, choice,
                                    number(limit));
      };
      // The bit that a shift begins at: the byte's lowest, or the sign's.
      Value isByte = below(8);
      Value start = LLVM::SelectOp::create(
          b, loc, isByte, LLVM::MulOp::create(b, loc, choice, number(8)),
          LLVM::SubOp::create(b, loc,
                              LLVM::MulOp::create(b, loc, choice, number(16)),
                              number(8 * 16 - 15)));
      Value inside = LLVM::AndOp::create(b, loc, start, number(63));
      Value shifted = LLVM::TruncOp::create(
          b, loc, b.getI32Type(),
          LLVM::LShrOp::create(b, loc, both,
                               LLVM::ZExtOp::create(b, loc, i64, inside)));
      Value plain = LLVM::AndOp::create(b, loc, shifted, number(0xff));
      Value sign = LLVM::MulOp::create(
          b, loc, LLVM::AndOp::create(b, loc, shifted, number(1)),
          number(0xff));
      Value constant =
          LLVM::SelectOp::create(b, loc, below(13), number(0), number(0xff));
      Value other = LLVM::SelectOp::create(b, loc, below(12), sign, constant);
      Value chosen = LLVM::SelectOp::create(b, loc, isByte, plain, other);
      result = LLVM::OrOp::create(
          b, loc, result,
          LLVM::ShlOp::create(b, loc, chosen, number(8 * byte)));
    }
    return result;
  }

  /// The low four bits as a signed number, in sixteenths.
  Value extendInt4() {
    Value high = LLVM::ShlOp::create(b, loc, argument(0), number(28));
    Value value = LLVM::AShrOp::create(b, loc, high, number(28));
    Value sixteenth = LLVM::ConstantOp::create(b, loc, b.getF32Type(),
                                               b.getF32FloatAttr(1.0f / 16));
    return LLVM::FMulOp::create(
        b, loc, LLVM::SIToFPOp::create(b, loc, b.getF32Type(), value),
        sixteenth);
  }

  /// Field `offset` of the workgroup along `axis`.
  Value workgroupField(uint64_t offset, unsigned axis) {
    Value group =
        laneField(offsetof(fly_cpu_lane, workgroup), host.pointerType());
    return host.loadField(b, loc, group, offset + 4 * axis, b.getI32Type(),
                          /*invariant=*/true);
  }
  Value blockId(unsigned axis) {
    return workgroupField(offsetof(fly_cpu_workgroup, block_id), axis);
  }
  Value clusterSize(unsigned axis) {
    return workgroupField(offsetof(fly_cpu_workgroup, cluster_dim), axis);
  }

  /// The cluster's number in the grid along `axis`.
  Value clusterNumber(unsigned axis) {
    return LLVM::UDivOp::create(b, loc, blockId(axis), clusterSize(axis));
  }
  /// The workgroup's number in its cluster along `axis`.
  Value clusterId(unsigned axis) {
    return LLVM::URemOp::create(b, loc, blockId(axis), clusterSize(axis));
  }
  /// The largest of these numbers.
  Value clusterMaxId(unsigned axis) {
    return LLVM::SubOp::create(b, loc, clusterSize(axis), number(1));
  }
  /// Of numbers along the axes the one that counts all workgroups, x first.
  Value flatten(Value x, Value y, Value z) {
    Value row = LLVM::MulOp::create(b, loc, z, clusterSize(1));
    row = LLVM::AddOp::create(b, loc, row, y);
    row = LLVM::MulOp::create(b, loc, row, clusterSize(0));
    return LLVM::AddOp::create(b, loc, row, x);
  }
  Value clusterFlatId() {
    return flatten(clusterId(0), clusterId(1), clusterId(2));
  }
  Value clusterMaxFlatId() {
    return flatten(clusterMaxId(0), clusterMaxId(1), clusterMaxId(2));
  }

  Value waveId() {
    return laneField(offsetof(fly_cpu_lane, wave), b.getI32Type());
  }
  /// A register of the wave's scheduling: nothing to a lane.
  Value nothing() { return {}; }

private:
  HostModule &host;
  LLVM::CallIntrinsicOp call;
  Value lane;
  OpBuilder b;
  Location loc;
};

enum class Kind { Int, Float, None };

struct Intrinsic {
  llvm::StringLiteral name;
  unsigned arguments; ///< all of type i32
  Kind result;
  Value (*emit)(Lane &);
};
} // namespace

static constexpr Intrinsic intrinsics[] = {
    {"llvm.amdgcn.wave.id", 0, Kind::Int, [](Lane &l) { return l.waveId(); }},
    {"llvm.amdgcn.cluster.id.x", 0, Kind::Int,
     [](Lane &l) { return l.clusterNumber(0); }},
    {"llvm.amdgcn.cluster.id.y", 0, Kind::Int,
     [](Lane &l) { return l.clusterNumber(1); }},
    {"llvm.amdgcn.cluster.id.z", 0, Kind::Int,
     [](Lane &l) { return l.clusterNumber(2); }},
    {"llvm.amdgcn.cluster.workgroup.max.id.x", 0, Kind::Int,
     [](Lane &l) { return l.clusterMaxId(0); }},
    {"llvm.amdgcn.cluster.workgroup.max.id.y", 0, Kind::Int,
     [](Lane &l) { return l.clusterMaxId(1); }},
    {"llvm.amdgcn.cluster.workgroup.max.id.z", 0, Kind::Int,
     [](Lane &l) { return l.clusterMaxId(2); }},
    {"llvm.amdgcn.cluster.workgroup.flat.id", 0, Kind::Int,
     [](Lane &l) { return l.clusterFlatId(); }},
    {"llvm.amdgcn.cluster.workgroup.max.flat.id", 0, Kind::Int,
     [](Lane &l) { return l.clusterMaxFlatId(); }},
    {"llvm.amdgcn.cluster.workgroup.id.x", 0, Kind::Int,
     [](Lane &l) { return l.clusterId(0); }},
    {"llvm.amdgcn.cluster.workgroup.id.y", 0, Kind::Int,
     [](Lane &l) { return l.clusterId(1); }},
    {"llvm.amdgcn.cluster.workgroup.id.z", 0, Kind::Int,
     [](Lane &l) { return l.clusterId(2); }},
    {"llvm.amdgcn.perm", 3, Kind::Int,
     [](Lane &l) { return l.permuteBytes(); }},
    {"llvm.amdgcn.cvt.off.f32.i4", 1, Kind::Float,
     [](Lane &l) { return l.extendInt4(); }},
    {"llvm.amdgcn.s.setreg", 2, Kind::None,
     [](Lane &l) { return l.nothing(); }},
};

static const Intrinsic *lookup(StringRef name) {
  for (const Intrinsic &row : intrinsics)
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string fly::host::checkIntrinsic(HostModule &host,
                                      LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  if (!name.starts_with("llvm.amdgcn."))
    return {};
  const Intrinsic *row = lookup(name);
  if (name.starts_with("llvm.amdgcn.cluster."))
    if (std::string problem =
            findFeatureProblem(arch::Feature::Clusters, host.chip);
        !problem.empty())
      return "calls '" + name.str() + "', which " + problem;
  if (!row)
    return "calls '" + name.str() +
           "', which is unknown to the CPU target; use the rocdl operation";
  bool fits = call.getArgs().size() == row->arguments &&
              llvm::all_of(call.getArgs().getTypes(),
                           [](Type type) { return type.isInteger(32); });
  if (!fits)
    return "must have " + std::to_string(row->arguments) +
           " operands of type i32";
  bool isInt = row->result == Kind::Int;
  if (row->result == Kind::None
          ? call.getNumResults() != 0
          : call.getNumResults() != 1 ||
                (isInt ? !call.getResult(0).getType().isInteger(32)
                       : !call.getResult(0).getType().isF32()))
    return std::string("must have ") + (row->result == Kind::None ? "no result"
                                        : isInt ? "one result of type i32"
                                                : "one result of type f32");
  // WAVE_SCHED_MODE; other registers change what instructions compute.
  constexpr uint64_t schedMode = 26;
  APInt reg;
  if (row->result == Kind::None &&
      (!matchPattern(call.getArgs()[0], m_ConstantInt(&reg)) ||
       (reg.getZExtValue() & 63) != schedMode))
    return "sets a register of the wave other than WAVE_SCHED_MODE, which the "
           "CPU target does not have";
  return {};
}

void fly::host::rewriteIntrinsic(HostModule &host, LLVM::CallIntrinsicOp call,
                                 Value lane) {
  const Intrinsic *row = lookup(call.getIntrin());
  if (!row)
    return;
  Lane emitter(host, call, lane);
  if (Value value = row->emit(emitter))
    call->replaceAllUsesWith(ValueRange{value});
  call->erase();
}

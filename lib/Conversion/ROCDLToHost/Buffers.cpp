// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raw buffer access: descriptors with the device's bits, range checks, loads,
// stores and atomics. An access is a call of a small function for its size,
// which the optimiser inlines; what is out of range leaves the fast path.
//
// Descriptor words (cdna3 ISA, section 9.1.5.2; rdna4 ISA, section 9.2):
//   w0           base bits 31:0
//   w1  15:0     base bits 47:32
//       29:16    stride, 31:30 swizzle enable
//   w2           num_records, in bytes with stride 0
//   w3           flags
// gfx1250 has a wider base and num_records:
//   w0, w1 24:0  base bits 56:0
//   w1  31:25    num_records bits 6:0
//   w2           num_records bits 38:7
//   w3  5:0      num_records bits 44:39, 27:12 stride, 31:28 flags

#include "DeviceTypes.h"
#include "HostModule.h"

#include "Fly/Arch/CopyInstructions.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly;
using namespace fly::host;

unsigned fly::host::bufferSwizzleBit(const arch::Chip &chip) {
  return chip.name.starts_with("gfx12") ? 6 : 3;
}

/// gfx9 checks each dword of an access by itself, later chips the whole of it.
static bool checksEachDword(const arch::Chip &chip) {
  return chip.name.starts_with("gfx9");
}

static bool hasWideDescriptor(const arch::Chip &chip) {
  return arch::bufferSizeBits(chip) > 32;
}

namespace {
/// Builds code of one function at one place.
struct Code {
  HostModule &host;
  OpBuilder &b;
  Location loc;

  Type i1() { return b.getI1Type(); }
  Type i32() { return b.getI32Type(); }
  Type i64() { return b.getI64Type(); }
  Value c32(int64_t v) { return host.constant(b, loc, i32(), v); }
  Value c64(int64_t v) { return host.constant(b, loc, i64(), v); }
  Value zext(Value v) { return LLVM::ZExtOp::create(b, loc, i64(), v); }
  Value trunc(Value v) { return LLVM::TruncOp::create(b, loc, i32(), v); }
  Value add(Value x, Value y) { return LLVM::AddOp::create(b, loc, x, y); }
  Value both(Value x, Value y) { return LLVM::OrOp::create(b, loc, x, y); }
  Value mask(Value x, Value y) { return LLVM::AndOp::create(b, loc, x, y); }
  Value shl(Value x, Value y) { return LLVM::ShlOp::create(b, loc, x, y); }
  Value shr(Value x, Value y) { return LLVM::LShrOp::create(b, loc, x, y); }
  Value word(Value descriptor, int64_t i) {
    return LLVM::ExtractElementOp::create(b, loc, descriptor, c32(i));
  }
  Value pointer(Value address) {
    return LLVM::IntToPtrOp::create(b, loc, host.pointerType(), address);
  }
  Value zero(Type type) { return LLVM::ZeroOp::create(b, loc, type); }
  Block *block(LLVM::LLVMFuncOp func) {
    auto *block = new Block;
    func.getBody().push_back(block);
    return block;
  }
};

/// A descriptor taken apart.
struct Descriptor {
  Value base;       ///< i64
  Value numRecords; ///< i64
  Value isOther;    ///< i1: has a stride or swizzle
};
} // namespace

static Descriptor decode(Code c, Value descriptor) {
  Descriptor result;
  Value low = c.word(descriptor, 0), high = c.word(descriptor, 1);
  Value size = c.word(descriptor, 2), stride;
  bool wide = hasWideDescriptor(c.host.chip);
  Value baseHigh = c.mask(c.zext(high), c.c64(wide ? 0x1FFFFFF : 0xFFFF));
  result.base = c.both(c.zext(low), c.shl(baseHigh, c.c64(32)));
  if (wide) {
    Value last = c.word(descriptor, 3);
    Value top = c.mask(c.zext(last), c.c64(0x3F));
    result.numRecords = c.both(
        c.both(c.zext(c.shr(high, c.c32(25))), c.shl(c.zext(size), c.c64(7))),
        c.shl(top, c.c64(39)));
    stride = c.mask(c.shr(last, c.c32(12)), c.c32(0xFFFF));
  } else {
    result.numRecords = c.zext(size);
    stride = c.shr(high, c.c32(16));
  }
  result.isOther = LLVM::ICmpOp::create(c.b, c.loc, LLVM::ICmpPredicate::ne,
                                        stride, c.c32(0));
  return result;
}

/// Whether a number of records is known to fit `bits` bits.
static bool fitsSize(Value records, unsigned bits) {
  APInt value;
  if (matchPattern(records, m_ConstantInt(&value)))
    return value.getActiveBits() <= bits;
  auto wide = records.getDefiningOp<LLVM::ZExtOp>();
  return wide && wide.getArg().getType().getIntOrFloatBitWidth() <= bits;
}

/// Faults where the device would cut off the upper bits of a size.
static void checkSize(Code c, Value records, Value lane) {
  unsigned bits = arch::bufferSizeBits(c.host.chip);
  if (fitsSize(records, bits))
    return;
  Type none = LLVM::LLVMVoidType::get(c.b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      none, {c.host.pointerType(), c.i64(), c.i32()});
  LLVM::LLVMFuncOp helper = c.host.getHelper(
      "__fly_buffer_check_size", type, /*inlined=*/true,
      [&](OpBuilder &b, LLVM::LLVMFuncOp func) {
        Code h{c.host, b, func.getLoc()};
        Block *tooLarge = h.block(func), *fits = h.block(func);
        Value isTooLarge = LLVM::ICmpOp::create(
            b, h.loc, LLVM::ICmpPredicate::ugt, func.getArgument(1),
            h.c64((int64_t(1) << bits) - 1));
        LLVM::CondBrOp::create(b, h.loc, isTooLarge, tooLarge, fits);
        b.setInsertionPointToEnd(tooLarge);
        c.host.emitLaneFault(b, h.loc, func.getArgument(0), func.getArgument(2),
                             FlyCpuFaultBufferSize, func.getArgument(1));
        LLVM::UnreachableOp::create(b, h.loc);
        b.setInsertionPointToEnd(fits);
        LLVM::ReturnOp::create(b, h.loc, ValueRange{});
      });
  LLVM::CallOp::create(
      c.b, c.loc, helper,
      ValueRange{lane, records, c.host.locationValue(c.b, c.loc)});
}

static void rewriteMakeRsrc(HostModule &host, ROCDL::MakeBufferRsrcOp op,
                            Value lane) {
  OpBuilder b(op);
  Code c{host, b, op.getLoc()};
  checkSize(c, op.getNumRecords(), lane);
  Value base = LLVM::PtrToIntOp::create(b, c.loc, c.i64(), op.getBase());
  Value stride = LLVM::ZExtOp::create(b, c.loc, c.i32(), op.getStride());
  Value records = op.getNumRecords();
  Value words[4];
  words[0] = c.trunc(base);
  Value high = c.shr(base, c.c64(32));
  if (hasWideDescriptor(host.chip)) {
    words[1] = c.trunc(
        c.both(c.mask(high, c.c64(0x1FFFFFF)), c.shl(records, c.c64(25))));
    words[2] = c.trunc(c.shr(records, c.c64(7)));
    words[3] =
        c.both(c.both(c.trunc(c.mask(c.shr(records, c.c64(39)), c.c64(0x3F))),
                      c.shl(stride, c.c32(12))),
               c.shl(op.getFlags(), c.c32(28)));
  } else {
    words[1] =
        c.both(c.mask(c.trunc(high), c.c32(0xFFFF)), c.shl(stride, c.c32(16)));
    words[2] = c.trunc(records);
    words[3] = op.getFlags();
  }
  Value descriptor =
      LLVM::PoisonOp::create(b, c.loc, VectorType::get(4, c.i32()));
  for (auto [i, word] : llvm::enumerate(words))
    descriptor = LLVM::InsertElementOp::create(b, c.loc, descriptor, word,
                                               c.c32(int64_t(i)));
  // The type stays that of the resource until the driver replaces all pointer
  // types: ptrtoint and others know the value by it.
  descriptor.setType(op.getType());
  op->replaceAllUsesWith(ValueRange{descriptor});
  op->erase();
}

//===----------------------------------------------------------------------===//
// The access functions
//===----------------------------------------------------------------------===//

/// The integer type that holds `bytes` bytes: 1, 2, 4, or a vector of dwords.
static Type containerType(MLIRContext *context, uint32_t bytes) {
  if (bytes <= 4)
    return IntegerType::get(context, bytes * 8);
  return VectorType::get(bytes / 4, IntegerType::get(context, 32));
}

/// What one access function does. Its parameters: the lane, [the value], [the
/// value to compare with], the descriptor, the checked offset, the unchecked
/// offset, the place.
struct BufferAccess {
  std::string name;
  Type type; ///< of the value
  uint32_t bytes;
  bool hasResult;
  unsigned valueCount; ///< parameters before the descriptor, beside the lane
  uint32_t access;     ///< fly_cpu_access
  /// The access at a pointer; returns the result, if there is one.
  llvm::function_ref<Value(Code, Value pointer, ValueRange values)> perform;
  /// gfx9's access by dwords, at a pointer under a mask; null if the access is
  /// all or nothing.
  llvm::function_ref<Value(Code, Value pointer, Value mask, ValueRange values)>
      performDwords;
};

/// The function that goes on where an access is not wholly in range, dword by
/// dword.
static LLVM::LLVMFuncOp getDwordHelper(HostModule &host,
                                       const BufferAccess &access) {
  MLIRContext *context = host.module.getContext();
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> parameters(access.valueCount, access.type);
  parameters.append({i64, i64, i64}); // address, offset, num_records
  Type result =
      access.hasResult ? access.type : Type(LLVM::LLVMVoidType::get(context));
  auto type = LLVM::LLVMFunctionType::get(result, parameters);
  return host.getHelper(
      access.name + "_dwords", type, /*inlined=*/false,
      [&](OpBuilder &b, LLVM::LLVMFuncOp func) {
        Code c{host, b, func.getLoc()};
        ValueRange arguments = func.getArguments();
        ValueRange values = arguments.take_front(access.valueCount);
        Value address = arguments[access.valueCount];
        Value offset = arguments[access.valueCount + 1];
        Value records = arguments[access.valueCount + 2];
        int64_t dwords = access.bytes / 4;
        Value mask =
            LLVM::PoisonOp::create(b, c.loc, VectorType::get(dwords, c.i1()));
        for (int64_t i = 0; i < dwords; ++i) {
          Value end = c.add(offset, c.c64(4 * i + 4));
          Value inside = LLVM::ICmpOp::create(
              b, c.loc, LLVM::ICmpPredicate::ule, end, records);
          mask =
              LLVM::InsertElementOp::create(b, c.loc, mask, inside, c.c32(i));
        }
        Value loaded =
            access.performDwords(c, c.pointer(address), mask, values);
        if (loaded)
          LLVM::ReturnOp::create(b, c.loc, loaded);
        else
          LLVM::ReturnOp::create(b, c.loc, ValueRange{});
      });
}

static LLVM::LLVMFuncOp getAccessHelper(HostModule &host,
                                        const BufferAccess &access) {
  MLIRContext *context = host.module.getContext();
  Type i32 = IntegerType::get(context, 32);
  SmallVector<Type> parameters{host.pointerType()};
  parameters.append(access.valueCount, access.type);
  parameters.append({VectorType::get(4, i32), i32, i32, i32});
  Type result =
      access.hasResult ? access.type : Type(LLVM::LLVMVoidType::get(context));
  auto type = LLVM::LLVMFunctionType::get(result, parameters);
  return host.getHelper(
      access.name, type, /*inlined=*/true,
      [&](OpBuilder &b, LLVM::LLVMFuncOp func) {
        Code c{host, b, func.getLoc()};
        ValueRange arguments = func.getArguments();
        Value lane = arguments[0];
        ValueRange values = arguments.slice(1, access.valueCount);
        ValueRange rest = arguments.drop_front(1 + access.valueCount);
        Value location = rest[3];
        auto finish = [&](Value loaded) {
          if (access.hasResult)
            LLVM::ReturnOp::create(b, c.loc, loaded);
          else
            LLVM::ReturnOp::create(b, c.loc, ValueRange{});
        };

        Descriptor descriptor = decode(c, rest[0]);
        Block *other = c.block(func), *plain = c.block(func);
        Block *inside = c.block(func), *outside = c.block(func);
        LLVM::CondBrOp::create(b, c.loc, descriptor.isOther, other, plain);

        b.setInsertionPointToEnd(other);
        host.emitLaneFault(b, c.loc, lane, location, FlyCpuFaultBufferSwizzle,
                           c.c64(0));
        LLVM::UnreachableOp::create(b, c.loc);

        b.setInsertionPointToEnd(plain);
        Value offset = c.zext(rest[1]);
        Value end = c.add(offset, c.c64(access.bytes));
        Value isInside = LLVM::ICmpOp::create(
            b, c.loc, LLVM::ICmpPredicate::ule, end, descriptor.numRecords);
        Value address = c.add(c.add(descriptor.base, c.zext(rest[2])), offset);
        LLVM::CondBrOp::create(b, c.loc, isInside, inside, outside);

        b.setInsertionPointToEnd(inside);
        Value pointer = c.pointer(address);
        host.emitMemoryHook(b, c.loc, lane, location, pointer,
                            c.c64(access.bytes),
                            access.access | FlyCpuAccessBuffer);
        finish(access.perform(c, pointer, values));

        // What is out of range touches nothing, but counts as an access.
        b.setInsertionPointToEnd(outside);
        host.emitMemoryHook(b, c.loc, lane, location, c.pointer(address),
                            c.c64(0), access.access | FlyCpuAccessBuffer);
        if (access.performDwords && access.bytes > 4 &&
            checksEachDword(host.chip)) {
          SmallVector<Value> operands(values);
          operands.append({address, offset, descriptor.numRecords});
          auto call = LLVM::CallOp::create(
              b, c.loc, getDwordHelper(host, access), operands);
          finish(access.hasResult ? call.getResult() : Value());
          return;
        }
        finish(access.hasResult ? c.zero(access.type) : Value());
      });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Calls the access function for `op`, whose operands are [values],
/// descriptor, offset, soffset, aux.
static void callAccess(HostModule &host, Operation *op, Value lane,
                       const BufferAccess &access) {
  OpBuilder b(op);
  Code c{host, b, op->getLoc()};
  auto cast = [&](Value value, Type type) -> Value {
    if (value.getType() == type)
      return value;
    return LLVM::BitcastOp::create(b, c.loc, type, value);
  };
  SmallVector<Value> operands{lane};
  for (Value value : op->getOperands().take_front(access.valueCount))
    operands.push_back(cast(value, access.type));
  llvm::append_range(operands, op->getOperands().slice(access.valueCount, 3));
  operands.push_back(host.locationValue(b, c.loc));
  LLVM::LLVMFuncOp helper = getAccessHelper(host, access);
  auto call = LLVM::CallOp::create(b, c.loc, helper, operands);
  if (access.hasResult)
    op->getResult(0).replaceAllUsesWith(
        cast(call.getResult(), op->getResult(0).getType()));
  op->erase();
}

static void rewriteLoad(HostModule &host, Operation *op, Value lane) {
  uint32_t bytes = *fieldBytes(op->getResult(0).getType());
  Type type = containerType(op->getContext(), bytes);
  unsigned align = std::min<uint32_t>(bytes, 4);
  callAccess(host, op, lane,
             {"__fly_buffer_load_" + std::to_string(bytes), type, bytes,
              /*hasResult=*/true, /*valueCount=*/0, FlyCpuAccessRead,
              [&](Code c, Value pointer, ValueRange) -> Value {
                return LLVM::LoadOp::create(c.b, c.loc, type, pointer, align);
              },
              [&](Code c, Value pointer, Value mask, ValueRange) -> Value {
                return LLVM::MaskedLoadOp::create(c.b, c.loc, type, pointer,
                                                  mask, c.zero(type),
                                                  c.b.getI32IntegerAttr(align),
                                                  /*nontemporal=*/UnitAttr());
              }});
}

static void rewriteStore(HostModule &host, Operation *op, Value lane) {
  uint32_t bytes = *fieldBytes(op->getOperand(0).getType());
  Type type = containerType(op->getContext(), bytes);
  unsigned align = std::min<uint32_t>(bytes, 4);
  callAccess(
      host, op, lane,
      {"__fly_buffer_store_" + std::to_string(bytes), type, bytes,
       /*hasResult=*/false, /*valueCount=*/1, FlyCpuAccessWrite,
       [&](Code c, Value pointer, ValueRange values) -> Value {
         LLVM::StoreOp::create(c.b, c.loc, values[0], pointer, align);
         return {};
       },
       [&](Code c, Value pointer, Value mask, ValueRange values) -> Value {
         LLVM::MaskedStoreOp::create(c.b, c.loc, values[0], pointer, mask,
                                     c.b.getI32IntegerAttr(align));
         return {};
       }});
}

/// A name for `type` that is a part of a symbol.
static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

/// The operations of ROCDL give nothing back; calls of the intrinsics give the
/// old value.
static void rewriteAtomic(HostModule &host, Operation *op, Value lane,
                          LLVM::AtomicBinOp kind) {
  Type type = op->getOperand(0).getType();
  bool hasResult = op->getNumResults() != 0;
  callAccess(host, op, lane,
             {(hasResult ? "__fly_buffer_fetch_" : "__fly_buffer_atomic_") +
                  LLVM::stringifyAtomicBinOp(kind).str() + "_" + typeName(type),
              type, *fieldBytes(type), hasResult, /*valueCount=*/1,
              FlyCpuAccessRead | FlyCpuAccessWrite | FlyCpuAccessAtomic,
              [&](Code c, Value pointer, ValueRange values) -> Value {
                return LLVM::AtomicRMWOp::create(
                    c.b, c.loc, kind, pointer, values[0],
                    LLVM::AtomicOrdering::monotonic);
              },
              nullptr});
}

std::optional<LLVM::AtomicBinOp>
fly::host::getBufferAtomic(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  if (!name.consume_front("llvm.amdgcn.raw.ptr.buffer.atomic."))
    return std::nullopt;
  using Kind = LLVM::AtomicBinOp;
  return llvm::StringSwitch<std::optional<Kind>>(name)
      .Case("add", Kind::add)
      .Case("smax", Kind::max)
      .Case("umax", Kind::umax)
      .Case("smin", Kind::min)
      .Case("umin", Kind::umin)
      .Case("and", Kind::_and)
      .Case("or", Kind::_or)
      .Case("inc", Kind::uinc_wrap)
      .Case("dec", Kind::udec_wrap)
      .Case("fadd", Kind::fadd)
      .Case("fmax", Kind::fmax)
      .Case("fmin", Kind::fmin)
      .Default(std::nullopt);
}

static void rewriteCmpSwap(HostModule &host, Operation *op, Value lane) {
  Type type = op->getOperand(0).getType();
  callAccess(host, op, lane,
             {"__fly_buffer_atomic_cmpswap_" + typeName(type), type,
              *fieldBytes(type), /*hasResult=*/true, /*valueCount=*/2,
              FlyCpuAccessRead | FlyCpuAccessWrite | FlyCpuAccessAtomic,
              [&](Code c, Value pointer, ValueRange values) -> Value {
                Value pair = LLVM::AtomicCmpXchgOp::create(
                    c.b, c.loc, pointer, /*cmp=*/values[1], /*val=*/values[0],
                    LLVM::AtomicOrdering::monotonic,
                    LLVM::AtomicOrdering::monotonic);
                return LLVM::ExtractValueOp::create(c.b, c.loc, pair, 0);
              },
              nullptr});
}

bool fly::host::rewriteBufferOp(HostModule &host, Operation *op, Value lane) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](ROCDL::MakeBufferRsrcOp make) {
        rewriteMakeRsrc(host, make, lane);
        return true;
      })
      .Case<ROCDL::RawPtrBufferLoadOp, ROCDL::RawBufferLoadOp>([&](auto load) {
        rewriteLoad(host, load, lane);
        return true;
      })
      .Case<ROCDL::RawPtrBufferStoreOp, ROCDL::RawBufferStoreOp>(
          [&](auto store) {
            rewriteStore(host, store, lane);
            return true;
          })
      .Case([&](ROCDL::RawPtrBufferAtomicFaddOp atomic) {
        rewriteAtomic(host, atomic, lane, LLVM::AtomicBinOp::fadd);
        return true;
      })
      .Case([&](ROCDL::RawPtrBufferAtomicFmaxOp atomic) {
        rewriteAtomic(host, atomic, lane, LLVM::AtomicBinOp::fmax);
        return true;
      })
      .Case([&](ROCDL::RawPtrBufferAtomicSmaxOp atomic) {
        rewriteAtomic(host, atomic, lane, LLVM::AtomicBinOp::max);
        return true;
      })
      .Case([&](ROCDL::RawPtrBufferAtomicUminOp atomic) {
        rewriteAtomic(host, atomic, lane, LLVM::AtomicBinOp::umin);
        return true;
      })
      .Case([&](LLVM::CallIntrinsicOp call) {
        std::optional<LLVM::AtomicBinOp> kind = getBufferAtomic(call);
        if (!kind)
          return false;
        rewriteAtomic(host, call, lane, *kind);
        return true;
      })
      .Case([&](ROCDL::RawPtrBufferAtomicCmpSwap atomic) {
        rewriteCmpSwap(host, atomic, lane);
        return true;
      })
      .Default([](Operation *) { return false; });
}

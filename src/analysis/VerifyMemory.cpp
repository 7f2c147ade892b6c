//===- VerifyMemory.cpp - Buffers lie inside their memories ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second count of what the plan of the memory has counted, on the final form
// of a kernel. It shares no arithmetic with the plan: numbers have no bound
// here.
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "dialect/PassTarget.h"
#include "llvm/ADT/DynamicAPInt.h"

namespace belay::analysis {
#define GEN_PASS_DEF_ASCENDVERIFYMEMORY
#include "analysis/Passes.h.inc"
} // namespace belay::analysis

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using llvm::DynamicAPInt;

/// Bytes from the first element of a buffer to the end of its last.
static std::optional<DynamicAPInt> bytesNeeded(MemRefType Buffer) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  if (failed(Buffer.getStridesAndOffset(Strides, Offset)) || Offset != 0)
    return std::nullopt;
  DynamicAPInt Last(0);
  for (auto [Size, Stride] : llvm::zip_equal(Buffer.getShape(), Strides)) {
    if (Size < 1 || ShapedType::isDynamic(Stride) || Stride < 0)
      return std::nullopt;
    Last += DynamicAPInt(Size - 1) * DynamicAPInt(Stride);
  }
  return ceilDiv((Last + 1) * DynamicAPInt(Buffer.getElementTypeBitWidth()),
                 DynamicAPInt(8));
}

static LogicalResult verify(BufferOp Buffer, const targets::Soc &Soc) {
  MemRefType Type = Buffer.getBuffer().getType();
  if (!Buffer.getOffset())
    return Buffer.emitError("this buffer has no place in memory");
  std::optional<DynamicAPInt> Needed = bytesNeeded(Type);
  DynamicAPInt Slot(Buffer.getSlotBytes());
  if (!Needed || *Needed > Slot)
    return Buffer.emitError()
           << "a slot of this buffer takes " << Buffer.getSlotBytes()
           << " bytes, which is less than its elements";
  MemorySpace Space = *getSpace(Type);
  DynamicAPInt First(static_cast<int64_t>(*Buffer.getOffset()));
  DynamicAPInt End =
      First + Slot * DynamicAPInt(static_cast<int64_t>(Buffer.getSlots()));
  DynamicAPInt Most(usableBytes(Soc, Space));
  if (First >= 0 && End <= Most)
    return success();
  std::string Text;
  llvm::raw_string_ostream(Text)
      << End << " bytes of the " << stringifyMemorySpace(Space);
  return Buffer.emitError()
         << "the plan of the memory takes " << Text << ", and "
         << usableBytes(Soc, Space) << " are there [local-capacity]";
}

namespace {
struct VerifyMemory : analysis::impl::AscendVerifyMemoryBase<VerifyMemory> {
  using AscendVerifyMemoryBase::AscendVerifyMemoryBase;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    const targets::Soc *Soc = socFor(Kernel);
    if (!Soc)
      return signalPassFailure();
    Kernel.walk([&](BufferOp Buffer) {
      ++NumBuffers;
      if (failed(verify(Buffer, *Soc)))
        signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

//===- walk.h - Masks, repeats and strides of vector calls ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_WALK_H
#define BELAY_ASCENDC_API_WALK_H

#include "api/tensor.h"

namespace AscendC {

struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  __aicore__ UnaryRepeatParams(const uint16_t dstBlk, const uint16_t srcBlk,
                               const uint8_t dstRep, const uint8_t srcRep)
      : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep),
        srcRepStride(srcRep) {}
  __aicore__ UnaryRepeatParams(const uint16_t dstBlk, const uint16_t srcBlk,
                               const uint8_t dstRep, const uint8_t srcRep,
                               const bool halfBlockIn)
      : UnaryRepeatParams(dstBlk, srcBlk, dstRep, srcRep) {
    halfBlock = halfBlockIn;
  }
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint16_t srcBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  __aicore__ BinaryRepeatParams(const uint8_t dstBlk, const uint8_t src0Blk,
                                const uint8_t src1Blk, const uint8_t dstRep,
                                const uint8_t src0Rep, const uint8_t src1Rep)
      : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk),
        dstRepStride(dstRep), src0RepStride(src0Rep), src1RepStride(src1Rep) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

namespace belay_detail {

using belay::sim::Walk;

/// A repeat count before it is cut down to the instruction's 8 bits: too large
/// ones reach the runtime, which reports them.
struct Repeat {
  BELAY_API Repeat(int64_t v)
      : value(v < 0 || v > 0xffff ? 0xffff : static_cast<uint16_t>(v)) {}
  uint16_t value;
};

/// Bits of an element; int4b_t has four.
template <typename T>
inline constexpr unsigned bitsOf =
    std::is_same_v<T, int4b_t> ? 4 : 8 * sizeof(T);

/// Count form: contiguous operands whose size decides the natural stride.
template <typename D, typename S> BELAY_API Walk countWalk(int64_t count) {
  Walk w;
  w.Mode = belay::sim::MaskMode::Count;
  w.Mask[0] = static_cast<uint64_t>(count);
  constexpr unsigned widest = bitsOf<D> > bitsOf<S> ? bitsOf<D> : bitsOf<S>;
  w.Operand[0].Repeat = 8 * bitsOf<D> / widest;
  w.Operand[1].Repeat = w.Operand[2].Repeat = 8 * bitsOf<S> / widest;
  return w;
}

/// The same, or whatever SetVectorMask left behind.
template <bool isSetMask, typename T>
BELAY_API Walk countOrRegisterWalk(int64_t count) {
  Walk w = countWalk<T, T>(count);
  if constexpr (!isSetMask)
    w.Mode = belay::sim::MaskMode::Register;
  return w;
}

template <bool isSetMask> BELAY_API void setMask(Walk &w, uint64_t lanes) {
  w.Mode =
      isSetMask ? belay::sim::MaskMode::Lanes : belay::sim::MaskMode::Register;
  w.Mask[0] = lanes;
}
template <bool isSetMask>
BELAY_API void setMask(Walk &w, const uint64_t bits[]) {
  w.Mode =
      isSetMask ? belay::sim::MaskMode::Bits : belay::sim::MaskMode::Register;
  if constexpr (isSetMask) {
    w.Mask[0] = bits[0];
    w.Mask[1] = bits[1];
  }
}

template <bool isSetMask, typename M>
BELAY_API Walk repeatWalk(M mask, Repeat repeat, const UnaryRepeatParams &p) {
  Walk w;
  setMask<isSetMask>(w, mask);
  w.Repeat = repeat.value;
  w.Operand[0] = {p.dstBlkStride, p.dstRepStride};
  w.Operand[1] = {p.srcBlkStride, p.srcRepStride};
  return w;
}
template <bool isSetMask, typename M>
BELAY_API Walk repeatWalk(M mask, Repeat repeat, const BinaryRepeatParams &p) {
  Walk w;
  setMask<isSetMask>(w, mask);
  w.Repeat = repeat.value;
  w.Operand[0] = {p.dstBlkStride, p.dstRepStride};
  w.Operand[1] = {p.src0BlkStride, p.src0RepStride};
  w.Operand[2] = {p.src1BlkStride, p.src1RepStride};
  return w;
}

} // namespace belay_detail

} // namespace AscendC

#endif // BELAY_ASCENDC_API_WALK_H

//===- gather.h - Gather, Scatter, GatherMask -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_GATHER_H
#define BELAY_ASCENDC_API_GATHER_H

#include "abi/Gather.h"
#include "api/vector.h"

namespace AscendC {

struct GatherRepeatParams {
  GatherRepeatParams() = default;
  __aicore__ GatherRepeatParams(const uint8_t dstBlk, const uint8_t dstRep)
      : dstRepStride(dstRep), dstBlkStride(dstBlk) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
#if __NPU_ARCH__ == 2201
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;
#else
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V1;
#endif
constexpr GatherMaskMode defaultGahterMaskMode = defaultGatherMaskMode;

struct GatherMaskParams {
  GatherMaskParams() = default;
  __aicore__ GatherMaskParams(const uint8_t src0Block, const uint16_t repeat,
                              const uint16_t src0Repeat,
                              const uint8_t src1Repeat)
      : src0BlockStride(src0Block), repeatTimes(repeat),
        src0RepeatStride(src0Repeat), src1RepeatStride(src1Repeat) {}
  uint8_t src0BlockStride = DEFAULT_BLK_STRIDE;
  uint16_t repeatTimes = 0;
  uint16_t src0RepeatStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

namespace belay_detail {

template <typename T>
BELAY_API belay::sim::IndexedMove
indexedMove(bool scatter, const LocalTensor<T> &near, const LocalTensor<T> &far,
            const LocalTensor<uint32_t> &offsets, uint32_t base) {
  belay::sim::IndexedMove m;
  m.Near = near.data();
  m.Far = far.data();
  m.FarBytes = far.GetLength();
  m.Offsets = offsets.data();
  m.Base = base;
  m.T = elem<PrimT<T>>;
  m.Scatter = scatter;
  return m;
}

template <typename T>
BELAY_API belay::sim::MaskGather
maskGather(const LocalTensor<T> &dst, const LocalTensor<T> &src0, bool counter,
           uint32_t mask, const GatherMaskParams &p) {
  belay::sim::MaskGather g;
  g.Dst = dst.data();
  g.Src = src0.data();
  g.Pattern = nullptr;
  g.BuiltIn = 0;
  g.Counter = counter;
  g.Count = mask;
  g.T = g.PatternT = elem<PrimT<T>>;
  g.Repeat = p.repeatTimes;
  g.SrcBlockStride = p.src0BlockStride;
  g.SrcRepeatStride = p.src0RepeatStride;
  g.PatternRepeatStride = p.src1RepeatStride;
  return g;
}

} // namespace belay_detail

// --- by offset ---------------------------------------------------------------
#define BELAY_ASCENDC_INDEXED(Name, IsScatter, Near, Far, Mask, Stride)        \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint32_t> &offset,                     \
                      const uint32_t baseAddr, Mask, const uint8_t repeatTime, \
                      const Stride repStride) {                                \
    auto m =                                                                   \
        belay_detail::indexedMove(IsScatter, Near, Far, offset, baseAddr);     \
    belay_detail::setMask<true>(m.W, mask);                                    \
    m.W.Repeat = repeatTime;                                                   \
    m.W.Operand[0].Repeat = repStride;                                         \
    belay_sim_indexed_move(&m);                                                \
  }
#define BELAY_ASCENDC_INDEXED_COUNT(Name, IsScatter, Near, Far)                \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint32_t> &offset,                     \
                      const uint32_t baseAddr, const uint32_t count) {         \
    auto m =                                                                   \
        belay_detail::indexedMove(IsScatter, Near, Far, offset, baseAddr);     \
    m.W.Mask[0] = count;                                                       \
    belay_sim_indexed_move(&m);                                                \
  }
BELAY_ASCENDC_INDEXED(Gather, false, dst, src, const uint64_t mask, uint16_t)
BELAY_ASCENDC_INDEXED(Gather, false, dst, src, const uint64_t mask[], uint16_t)
BELAY_ASCENDC_INDEXED_COUNT(Gather, false, dst, src)
BELAY_ASCENDC_INDEXED(Scatter, true, src, dst, const uint64_t mask, uint8_t)
BELAY_ASCENDC_INDEXED(Scatter, true, src, dst, const uint64_t mask[], uint8_t)
BELAY_ASCENDC_INDEXED_COUNT(Scatter, true, src, dst)
#undef BELAY_ASCENDC_INDEXED
#undef BELAY_ASCENDC_INDEXED_COUNT

template <typename T>
BELAY_API void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<uint32_t> &offset,
                       const uint8_t repeatTime,
                       const GatherRepeatParams &repeatParams) {
  belay::sim::BlockGather g;
  g.Dst = dst.data();
  g.Src = src.data();
  g.SrcBytes = src.GetLength();
  g.Offsets = offset.data();
  g.T = belay_detail::elem<PrimT<T>>;
  g.Repeat = repeatTime;
  g.DstBlockStride = repeatParams.dstBlkStride;
  g.DstRepeatStride = repeatParams.dstRepStride;
  belay_sim_gather_blocks(&g);
}

// --- by mask -----------------------------------------------------------------
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
BELAY_API void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                          const LocalTensor<U> &src1Pattern,
                          const bool reduceMode, const uint32_t mask,
                          const GatherMaskParams &gatherMaskParams,
                          uint64_t &rsvdCnt) {
  auto g =
      belay_detail::maskGather(dst, src0, reduceMode, mask, gatherMaskParams);
  g.Pattern = src1Pattern.data();
  g.PatternT = belay_detail::elem<PrimT<U>>;
  rsvdCnt = belay_sim_gather_mask(&g);
}
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
BELAY_API void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                          const uint8_t src1Pattern, const bool reduceMode,
                          const uint32_t mask,
                          const GatherMaskParams &gatherMaskParams,
                          uint64_t &rsvdCnt) {
  auto g =
      belay_detail::maskGather(dst, src0, reduceMode, mask, gatherMaskParams);
  g.BuiltIn = src1Pattern;
  rsvdCnt = belay_sim_gather_mask(&g);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_GATHER_H

//===- fill.h - Filling, repeating and moving elements ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_FILL_H
#define BELAY_ASCENDC_API_FILL_H

#include "api/vector.h"

namespace AscendC {

struct BrcbRepeatParams {
  BrcbRepeatParams() = default;
  __aicore__ BrcbRepeatParams(const uint16_t dstBlk, const uint16_t dstRep)
      : dstRepStride(dstRep), dstBlkStride(dstBlk) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

/// Block strides and repeat strides in blocks of 32 bytes.
struct CopyRepeatParams {
  CopyRepeatParams() = default;
  __aicore__ CopyRepeatParams(const uint16_t dst, const uint16_t src,
                              uint16_t dstRepeat, uint16_t srcRepeat)
      : dstStride(dst), srcStride(src), dstRepeatSize(dstRepeat),
        srcRepeatSize(srcRepeat) {}
  uint16_t dstStride = 0;
  uint16_t srcStride = 0;
  uint16_t dstRepeatSize = DEFAULT_REPEAT_STRIDE;
  uint16_t srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};

namespace belay_detail {

/// One operand with explicit strides.
template <bool isSetMask, typename M>
BELAY_API Walk fillWalk(M mask, Repeat repeat, uint16_t block, uint16_t rep) {
  Walk w;
  setMask<isSetMask>(w, mask);
  w.Repeat = repeat.value;
  w.Operand[0] = {block, rep};
  return w;
}
template <typename T>
BELAY_API void duplicate(const LocalTensor<T> &dst, PrimT<T> s, const Walk &w) {
  belay_sim_duplicate(elem<PrimT<T>>, dst.data(), &s, &w);
}
template <typename T>
BELAY_API void vecIndex(const LocalTensor<T> &dst, PrimT<T> first,
                        const Walk &w) {
  belay_sim_vec_index(elem<PrimT<T>>, dst.data(), &first, &w);
}

} // namespace belay_detail

// --- a scalar everywhere -----------------------------------------------------
template <typename T, bool isSetMask = true>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const T &scalarValue,
                         uint64_t mask, const belay_detail::Repeat repeatTime,
                         const uint16_t dstBlockStride,
                         const uint8_t dstRepeatStride) {
  belay_detail::duplicate(dst, scalarValue,
                          belay_detail::fillWalk<isSetMask>(mask, repeatTime,
                                                            dstBlockStride,
                                                            dstRepeatStride));
}
template <typename T, bool isSetMask = true>
BELAY_API void
Duplicate(const LocalTensor<T> &dst, const T &scalarValue,
          const uint64_t mask[], const belay_detail::Repeat repeatTime,
          const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
  belay_detail::duplicate(dst, scalarValue,
                          belay_detail::fillWalk<isSetMask>(mask, repeatTime,
                                                            dstBlockStride,
                                                            dstRepeatStride));
}
template <typename T>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const T &scalarValue,
                         const int32_t &count) {
  belay_detail::duplicate(dst, scalarValue,
                          belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}
/// The scalar is the first element of a tensor (950).
template <typename T>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const int32_t &count) {
  belay_detail::duplicate(dst, *src.data(),
                          belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}
template <int = 0, typename T, typename S, typename... Rest,
          belay_detail::IfOther<T, S> = 0>
BELAY_API void Duplicate(const LocalTensor<T> &, const S &,
                         const Rest &...) = delete (BELAY_OTHER_SCALAR);

// --- first, first + 1, first + 2, ... ----------------------------------------
template <typename T>
BELAY_API void CreateVecIndex(const LocalTensor<T> &dst, const T &firstValue,
                              uint32_t count) {
  belay_detail::vecIndex(dst, firstValue,
                         belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}
template <typename T, typename M>
BELAY_API void CreateVecIndex(const LocalTensor<T> &dst, const T &firstValue,
                              M mask, belay_detail::Repeat repeatTime,
                              uint16_t dstBlkStride, uint8_t dstRepStride) {
  belay_detail::vecIndex(dst, firstValue,
                         belay_detail::fillWalk<true>(
                             mask, repeatTime, dstBlkStride, dstRepStride));
}
template <int = 0, typename T, typename S, typename... Rest,
          belay_detail::IfOther<T, S> = 0>
BELAY_API void CreateVecIndex(const LocalTensor<T> &, const S &,
                              const Rest &...) = delete (BELAY_OTHER_SCALAR);

// --- each element over one block ---------------------------------------------
template <typename T>
BELAY_API void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    const belay_detail::Repeat repeatTime,
                    const BrcbRepeatParams &p) {
  belay_sim_brcb(belay_detail::elem<PrimT<T>>, dst.data(), src.data(),
                 repeatTime.value, {p.dstBlkStride, p.dstRepStride});
}

// --- copies inside the unified buffer ----------------------------------------
template <typename T, bool isSetMask = true, typename M>
BELAY_API void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    M mask, const belay_detail::Repeat repeatTime,
                    const CopyRepeatParams &p) {
  belay::sim::Walk w;
  belay_detail::setMask<isSetMask>(w, mask);
  w.Repeat = repeatTime.value;
  w.Operand[0] = {p.dstStride, p.dstRepeatSize};
  w.Operand[1] = {p.srcStride, p.srcRepeatSize};
  belay_sim_vector_copy(belay_detail::elem<PrimT<T>>, dst.data(), src.data(),
                        &w);
}
template <typename T, bool isSetMask = true>
BELAY_API void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    const uint32_t count) {
  auto w = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);
  belay_sim_vector_copy(belay_detail::elem<PrimT<T>>, dst.data(), src.data(),
                        &w);
}

// --- weaving two vectors (950) -----------------------------------------------
template <typename T>
BELAY_API void Interleave(const LocalTensor<T> &dst0,
                          const LocalTensor<T> &dst1,
                          const LocalTensor<T> &src0,
                          const LocalTensor<T> &src1, const int32_t count) {
  belay_sim_interleave(belay_detail::elem<PrimT<T>>, dst0.data(), dst1.data(),
                       src0.data(), src1.data(), count);
}
template <typename T>
BELAY_API void DeInterleave(const LocalTensor<T> &dst0,
                            const LocalTensor<T> &dst1,
                            const LocalTensor<T> &src0,
                            const LocalTensor<T> &src1, const int32_t count) {
  belay_sim_deinterleave(belay_detail::elem<PrimT<T>>, dst0.data(), dst1.data(),
                         src0.data(), src1.data(), count);
}
template <typename T>
BELAY_API void DeInterleave(const LocalTensor<T> &dst0,
                            const LocalTensor<T> &dst1,
                            const LocalTensor<T> &src, const int32_t srcCount) {
  belay_sim_deinterleave(belay_detail::elem<PrimT<T>>, dst0.data(), dst1.data(),
                         src.data(), nullptr, srcCount);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_FILL_H

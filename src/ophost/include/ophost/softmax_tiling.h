//===- softmax_tiling.h - Tiling of the softmax family ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_SOFTMAX_TILING_H
#define BELAY_OPHOST_SOFTMAX_TILING_H

// Included by library_tiling.h.

#include "abi/SoftmaxTiling.h"

namespace AscendC {

namespace belay_detail {

inline uint32_t rowsOf(const TensorShape &Shape) {
  uint64_t K = Shape.GetDim(Shape.GetDimNum() - 1);
  return K ? static_cast<uint32_t>(Shape.GetShapeSize() / K) : 0;
}
inline uint32_t columnsOf(const TensorShape &Shape) {
  return static_cast<uint32_t>(Shape.GetDim(Shape.GetDimNum() - 1));
}

template <class Tiling>
void fillSoftmax(const TensorShape &Shape, uint32_t TypeBytes,
                 uint32_t ScratchBytes, bool WholeRow, Tiling &T) {
  uint32_t M = rowsOf(Shape), K = columnsOf(Shape);
  uint32_t Block = TypeBytes ? 32 / TypeBytes : 8;
  uint32_t Repeat = belay::sim::SoftmaxReduceK;
  uint32_t Rows =
      belay::sim::softmaxRows(M, K, ScratchBytes / sizeof(float), WholeRow);
  uint32_t Tail = M % Rows;
  T.set_srcM(M);
  T.set_srcK(K);
  T.set_srcSize(M * K);
  T.set_outMaxM(M);
  T.set_outMaxK(Block);
  T.set_outMaxSize(M * Block);
  T.set_splitM(Rows);
  T.set_splitK(K);
  T.set_splitSize(Rows * K);
  T.set_reduceM(Rows);
  T.set_reduceK(Repeat);
  T.set_reduceSize(Rows * Repeat);
  T.set_rangeM(M / Rows);
  T.set_tailM(Tail);
  T.set_tailSplitSize(Tail * K);
  T.set_tailReduceSize(Tail * Repeat);
}

} // namespace belay_detail

#define BELAY_SOFTMAX(Name, WholeRow, Param)                                   \
  inline uint32_t Get##Name##MaxTmpSize(const TensorShape &S, uint32_t,        \
                                        bool = false, bool = false) {          \
    return sizeof(float) *                                                     \
           belay::sim::softmaxScratch(belay_detail::rowsOf(S),                 \
                                      belay_detail::columnsOf(S), WholeRow);   \
  }                                                                            \
  inline uint32_t Get##Name##MinTmpSize(const TensorShape &S, uint32_t,        \
                                        bool = false, bool = false) {          \
    return sizeof(float) * belay::sim::softmaxScratch(                         \
                               1, belay_detail::columnsOf(S), WholeRow);       \
  }                                                                            \
  inline void Name##TilingFunc(const TensorShape &S, uint32_t TypeBytes,       \
                               uint32_t Scratch, optiling::SoftMaxTiling &T,   \
                               bool = false) {                                 \
    belay_detail::fillSoftmax(S, TypeBytes, Scratch, WholeRow, T);             \
  }
BELAY_SOFTMAX(SoftMax, true, )
BELAY_SOFTMAX(SoftMaxFlash, true, )
BELAY_SOFTMAX(SoftMaxGrad, true, )
#undef BELAY_SOFTMAX

inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape &S, uint32_t Type,
                                            uint32_t, bool, bool = false,
                                            bool = false) {
  return GetSoftMaxFlashMaxTmpSize(S, Type);
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape &S, uint32_t Type,
                                            uint32_t, bool, bool = false,
                                            bool = false) {
  return GetSoftMaxFlashMinTmpSize(S, Type);
}
inline void SoftMaxFlashV2TilingFunc(const TensorShape &S, uint32_t Type,
                                     uint32_t, uint32_t Scratch,
                                     optiling::SoftMaxTiling &T, bool,
                                     bool = false, bool = false) {
  belay_detail::fillSoftmax(S, Type, Scratch, true, T);
}
inline bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling &T,
                                  uint32_t TypeBytes = 2) {
  return T.get_srcK() % (128 / TypeBytes) == 0 && T.get_srcM() % 8 == 0 &&
         T.get_srcK() < 2048;
}

} // namespace AscendC

#endif // BELAY_OPHOST_SOFTMAX_TILING_H

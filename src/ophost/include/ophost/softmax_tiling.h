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
  BELAY_PUT(T, srcM, M);
  BELAY_PUT(T, srcK, K);
  BELAY_PUT(T, srcSize, M * K);
  BELAY_PUT(T, outMaxM, M);
  BELAY_PUT(T, outMaxK, Block);
  BELAY_PUT(T, outMaxSize, M * Block);
  BELAY_PUT(T, splitM, Rows);
  BELAY_PUT(T, splitK, K);
  BELAY_PUT(T, splitSize, Rows * K);
  BELAY_PUT(T, reduceM, Rows);
  BELAY_PUT(T, reduceK, Repeat);
  BELAY_PUT(T, reduceSize, Rows * Repeat);
  BELAY_PUT(T, rangeM, M / Rows);
  BELAY_PUT(T, tailM, Tail);
  BELAY_PUT(T, tailSplitSize, Tail * K);
  BELAY_PUT(T, tailReduceSize, Tail * Repeat);
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
  template <class Tiling>                                                      \
  void Name##TilingFunc(const TensorShape &S, uint32_t TypeBytes,              \
                        uint32_t Scratch, Tiling &T, bool = false) {           \
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
template <class Tiling>
void SoftMaxFlashV2TilingFunc(const TensorShape &S, uint32_t Type, uint32_t,
                              uint32_t Scratch, Tiling &T, bool, bool = false,
                              bool = false) {
  belay_detail::fillSoftmax(S, Type, Scratch, true, T);
}
inline void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape &S, uint32_t Type,
                                           uint32_t, uint32_t &Max,
                                           uint32_t &Min, bool, bool = false) {
  Max = GetSoftMaxFlashMaxTmpSize(S, Type);
  Min = GetSoftMaxFlashMinTmpSize(S, Type);
}
template <class Tiling>
void SoftMaxFlashV3TilingFunc(const TensorShape &S, uint32_t Type, uint32_t,
                              uint32_t Scratch, Tiling &T, bool, bool = false) {
  belay_detail::fillSoftmax(S, Type, Scratch, true, T);
}
inline bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling &T,
                                  uint32_t TypeBytes = 2) {
  return T.get_srcK() % (128 / TypeBytes) == 0 && T.get_srcM() % 8 == 0 &&
         T.get_srcK() < 2048;
}

} // namespace AscendC

#endif // BELAY_OPHOST_SOFTMAX_TILING_H

//===- choose.h - Dropping, selecting and ranking elements ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_CHOOSE_H
#define BELAY_ASCENDC_API_LIBRARY_CHOOSE_H

#include "api/library/math.h"
#include "api/library/options.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

// --- dropout -----------------------------------------------------------------
struct DropOutShapeInfo {
  __aicore__ DropOutShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

namespace belay_detail {
/// Modes 1 and 2 have a byte per element, 3 and 4 a bit; mode 0 is decided by
/// the shapes.
template <uint32_t mode, typename T>
BELAY_API void dropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<uint8_t> &mask, float keepProb,
                       const DropOutShapeInfo &info, Scratch tmp = {}) {
  bool bits = mode == 0 ? info.maskLastAxis < info.srcLastAxis : mode >= 3;
  belay::sim::DropOutCall c{dst.data(),        src.data(),
                            mask.data(),       elem<PrimT<T>>,
                            info.firstAxis,    info.srcLastAxis,
                            info.maskLastAxis, bits,
                            keepProb,          tmp};
  belay_sim_dropout(&c);
}
} // namespace belay_detail
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
BELAY_API void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<uint8_t> &mask,
                       const LocalTensor<uint8_t> &sharedTmpBuffer,
                       const float keepProb, const DropOutShapeInfo &info) {
  belay_detail::dropOut<dropOutMode>(dst, src, mask, keepProb, info,
                                     belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
BELAY_API void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<uint8_t> &mask, const float keepProb,
                       const DropOutShapeInfo &info) {
  belay_detail::dropOut<dropOutMode>(dst, src, mask, keepProb, info);
}

// --- selection by a byte per element -----------------------------------------
struct SelectWithBytesMaskShapeInfo {
  __aicore__ SelectWithBytesMaskShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

namespace belay_detail {
template <typename T, typename U>
BELAY_API void selectBytes(const LocalTensor<T> &dst, Source zero, Source other,
                           const LocalTensor<U> &mask,
                           const SelectWithBytesMaskShapeInfo &info,
                           Scratch tmp) {
  belay::sim::ByteSelectCall c{
      dst.data(),       {zero, other},     mask.data(),
      elem<PrimT<T>>,   elem<PrimT<U>>,    info.firstAxis,
      info.srcLastAxis, info.maskLastAxis, tmp};
  belay_sim_byte_select(&c);
}
} // namespace belay_detail

// Select is the newer name of SelectWithBytesMask.
#define BELAY_SELECT(Name)                                                     \
  template <typename T, typename U, bool isReuseMask = true>                   \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0,   \
                      T src1, const LocalTensor<U> &mask,                      \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const SelectWithBytesMaskShapeInfo &info) {              \
    belay_detail::selectBytes(dst, belay_detail::source(src0),                 \
                              belay_detail::source(src1), mask, info,          \
                              belay_detail::scratch(sharedTmpBuffer));         \
  }                                                                            \
  template <typename T, typename U, bool isReuseMask = true>                   \
  BELAY_API void Name(const LocalTensor<T> &dst, T src0,                       \
                      const LocalTensor<T> &src1, const LocalTensor<U> &mask,  \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const SelectWithBytesMaskShapeInfo &info) {              \
    belay_detail::selectBytes(dst, belay_detail::source(src0),                 \
                              belay_detail::source(src1), mask, info,          \
                              belay_detail::scratch(sharedTmpBuffer));         \
  }
BELAY_SELECT(SelectWithBytesMask)
BELAY_SELECT(Select)
#undef BELAY_SELECT

// --- the k best --------------------------------------------------------------
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner;
  int32_t n;
};
constexpr TopKConfig defaultTopKConfig = {TopKAlgo::MERGE_SORT,
                                          TopKOrder::UNSET, true};

namespace belay_detail {
template <bool initIndex, bool finish, bool reuse, TopKMode mode,
          const TopKConfig &config, typename T>
BELAY_API void
topK(const LocalTensor<T> &value, const LocalTensor<int32_t> &index,
     const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex,
     const LocalTensor<bool> &finished, int32_t k, const TopKInfo &info,
     bool isLargest, Scratch tmp = {}) {
  constexpr bool small = mode == TopKMode::TOPK_NSMALL;
  constexpr uint32_t perBlock = 32 / sizeof(PrimT<T>);
  uint32_t count = static_cast<uint32_t>(k);
  belay::sim::TopKCall c{
      value.data(),
      index.data(),
      src.data(),
      initIndex ? srcIndex.data() : nullptr,
      finish ? finished.data() : nullptr,
      elem<PrimT<T>>,
      static_cast<uint32_t>(info.outter),
      static_cast<uint32_t>(info.inner),
      static_cast<uint32_t>(info.n),
      count,
      small ? count : (count + perBlock - 1) / perBlock * perBlock,
      small ? count : (count + 7) / 8 * 8,
      !small,
      config.order == TopKOrder::UNSET ? isLargest
                                       : config.order == TopKOrder::LARGEST,
      reuse,
      tmp};
  belay_sim_topk(&c);
}
} // namespace belay_detail
template <typename T, bool isInitIndex = false, bool isHasfinish = false,
          bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL,
          const TopKConfig &config = defaultTopKConfig>
BELAY_API void
TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex,
     const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex,
     const LocalTensor<bool> &finish, const LocalTensor<uint8_t> &tmpLocal,
     const int32_t k, const TopkTiling &tilling, const TopKInfo &topKInfo,
     const bool isLargest = true) {
  belay_detail::topK<isInitIndex, isHasfinish, isReuseSrc, topkMode, config>(
      dstValue, dstIndex, src, srcIndex, finish, k, topKInfo, isLargest,
      belay_detail::scratch(tmpLocal));
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false,
          bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL,
          const TopKConfig &config = defaultTopKConfig>
BELAY_API void
TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex,
     const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex,
     const LocalTensor<bool> &finish, const int32_t k,
     const TopkTiling &tilling, const TopKInfo &topKInfo,
     const bool isLargest = true) {
  belay_detail::topK<isInitIndex, isHasfinish, isReuseSrc, topkMode, config>(
      dstValue, dstIndex, src, srcIndex, finish, k, topKInfo, isLargest);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_CHOOSE_H

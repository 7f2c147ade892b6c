//===- sort.h - Sort32, MrgSort, proposals ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SORT_H
#define BELAY_ASCENDC_API_SORT_H

#include "abi/Sort.h"
#include "api/library/options.h"
#include "api/tensor.h"

namespace AscendC {

constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;

struct MrgSort4Info {
  MrgSort4Info() = default;
  __aicore__ MrgSort4Info(const uint16_t lengths[MRG_SORT_ELEMENT_LEN],
                          const bool suspend, const uint16_t valid,
                          const uint16_t repeat)
      : ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(repeat) {
    for (int i = 0; i < MRG_SORT_ELEMENT_LEN; ++i)
      elementLengths[i] = lengths[i];
  }
  uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {};
  bool ifExhaustedSuspension = false;
  uint16_t validBit = 0;
  uint8_t repeatTimes = 1;
};

template <typename T> struct MrgSortSrcList {
  MrgSortSrcList() = default;
  __aicore__ MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b,
                            const LocalTensor<T> &c, const LocalTensor<T> &d)
      : src1(a), src2(b), src3(c), src4(d) {}
  LocalTensor<T> src1, src2, src3, src4;
};

inline constexpr SortConfig DEFAULT_SORT_CONFIG = {SortType::RADIX_SORT, false};

namespace belay_detail {

template <typename T>
BELAY_API belay::sim::RecordMerge
recordMerge(const char *name, const LocalTensor<T> &dst,
            const MrgSortSrcList<T> &src, const uint16_t lengths[4],
            bool suspend, uint16_t validBit, int32_t repeat) {
  belay::sim::RecordMerge m;
  m.Name = name;
  m.Dst = dst.data();
  m.Src[0] = src.src1.data();
  m.Src[1] = src.src2.data();
  m.Src[2] = src.src3.data();
  m.Src[3] = src.src4.data();
  for (int i = 0; i < 4; ++i)
    m.Length[i] = lengths[i];
  m.T = elem<PrimT<T>>;
  m.Proposals = m.Listed = false;
  m.Suspend = suspend;
  m.ValidBit = validBit;
  m.Repeat = repeat;
  return m;
}

template <typename T>
BELAY_API belay::sim::RecordSort
recordSort(const char *name, const LocalTensor<T> &dst,
           const LocalTensor<T> &src, const LocalTensor<uint32_t> &index,
           int32_t repeat) {
  belay::sim::RecordSort s;
  s.Name = name;
  s.Dst = dst.data();
  s.Src = src.data();
  s.Index = index.data();
  s.Tmp = nullptr;
  s.TmpBytes = 0;
  s.T = elem<PrimT<T>>;
  s.Repeat = repeat;
  s.Full = false;
  return s;
}

/// Elements of T that one record takes.
template <typename T>
inline constexpr uint32_t recordElements =
#if __NPU_ARCH__ == 2002
    8;
#else
    8 / sizeof(T);
#endif

} // namespace belay_detail

// --- records -----------------------------------------------------------------
template <typename T>
BELAY_API void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<uint32_t> &src1,
                      const int32_t repeatTime) {
  auto s = belay_detail::recordSort("Sort32", dst, src0, src1, repeatTime);
  belay_sim_sort_records(&s);
}

template <typename T, bool isFullSort>
BELAY_API void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat,
                    const LocalTensor<uint32_t> &index, LocalTensor<T> &tmp,
                    const int32_t repeatTime) {
  auto s = belay_detail::recordSort("Sort", dst, concat, index, repeatTime);
  s.Tmp = tmp.data();
  s.TmpBytes = tmp.GetLength();
  s.Full = isFullSort;
  belay_sim_sort_records(&s);
}

template <typename T>
BELAY_API void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src,
                       const MrgSort4Info &params) {
  auto m = belay_detail::recordMerge("MrgSort", dst, src, params.elementLengths,
                                     params.ifExhaustedSuspension,
                                     params.validBit, params.repeatTimes);
  belay_sim_merge_records(&m);
}
template <typename T, bool isExhaustedSuspension = false>
BELAY_API void
MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sortList,
        const uint16_t elementCountList[4], uint32_t sortedNum[4],
        uint16_t validBit, const int32_t repeatTime) {
  auto m =
      belay_detail::recordMerge("MrgSort", dst, sortList, elementCountList,
                                isExhaustedSuspension, validBit, repeatTime);
  m.Listed = true;
  belay_sim_merge_records(&m);
  if constexpr (isExhaustedSuspension)
    for (uint32_t i = 0; i < 4; ++i)
      sortedNum[i] = belay_sim_merged(i);
}
template <typename T>
BELAY_API void MrgSort4(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src,
                        const MrgSort4Info &params) {
  auto m = belay_detail::recordMerge(
      "MrgSort4", dst, src, params.elementLengths, params.ifExhaustedSuspension,
      params.validBit, params.repeatTimes);
  m.Proposals = true;
  belay_sim_merge_records(&m);
}

BELAY_API void GetMrgSortResult(uint16_t &mrgSortList1, uint16_t &mrgSortList2,
                                uint16_t &mrgSortList3,
                                uint16_t &mrgSortList4) {
  mrgSortList1 = belay_sim_merged(0);
  mrgSortList2 = belay_sim_merged(1);
  mrgSortList3 = belay_sim_merged(2);
  mrgSortList4 = belay_sim_merged(3);
}

/// Elements, not bytes: that is how kernels use them.
template <typename T>
BELAY_API uint32_t GetSortOffset(const uint32_t elemOffset) {
  return elemOffset * belay_detail::recordElements<PrimT<T>>;
}
template <typename T> BELAY_API uint32_t GetSortLen(const uint32_t elemCount) {
  return elemCount * belay_detail::recordElements<PrimT<T>>;
}

// --- proposals ---------------------------------------------------------------
template <typename T>
BELAY_API void
ProposalConcat(const LocalTensor<T> &dst, const LocalTensor<T> &src,
               const int32_t repeatTime, const int32_t modeNumber) {
  belay_sim_proposals(belay::sim::ProposalOp::Concat, "ProposalConcat",
                      dst.data(), src.data(), belay_detail::elem<PrimT<T>>,
                      repeatTime, modeNumber);
}
template <typename T>
BELAY_API void
ProposalExtract(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                const int32_t repeatTime, const int32_t modeNumber) {
  belay_sim_proposals(belay::sim::ProposalOp::Extract, "ProposalExtract",
                      dst.data(), src.data(), belay_detail::elem<PrimT<T>>,
                      repeatTime, modeNumber);
}
template <typename T>
BELAY_API void RpSort16(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const int32_t repeatTime) {
  belay_sim_sort_proposals(dst.data(), src.data(), belay_detail::elem<PrimT<T>>,
                           repeatTime);
}

/// Where scores are sorted as they are, the result is the source itself; where
/// proposals are sorted, it is the temporary, with the scores in place.
template <typename T>
BELAY_API void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src,
                      const LocalTensor<T> &tmp, const int32_t repeatTime) {
#if __NPU_ARCH__ == 2002
  constexpr int32_t score = 4;
  belay_sim_proposals(belay::sim::ProposalOp::Concat, "Concat", tmp.data(),
                      src.data(), belay_detail::elem<PrimT<T>>, repeatTime,
                      score);
  concat = tmp;
#else
  (void)tmp, (void)repeatTime;
  concat = src;
#endif
}
template <typename T>
BELAY_API void Extract(const LocalTensor<T> &dstValue,
                       const LocalTensor<uint32_t> &dstIndex,
                       const LocalTensor<T> &sorted, const int32_t repeatTime) {
  belay_sim_extract_records(dstValue.data(), dstIndex.data(), sorted.data(),
                            belay_detail::elem<PrimT<T>>, repeatTime);
}

// --- whole tensors -----------------------------------------------------------
namespace belay_detail {
template <const SortConfig &config, typename T>
BELAY_API belay::sim::ValueSort valueSort(const LocalTensor<T> &dst,
                                          const LocalTensor<T> &src,
                                          uint32_t count) {
  belay::sim::ValueSort s;
  s.Dst = dst.data();
  s.Src = src.data();
  s.DstIndex = nullptr;
  s.SrcIndex = nullptr;
  s.Tmp = nullptr;
  s.TmpBytes = 0;
  s.T = elem<PrimT<T>>;
  s.IndexT = belay::sim::Elem::U32;
  s.Count = count;
  s.Merge = config.type == SortType::MERGE_SORT;
  s.Descend = config.isDescend;
  return s;
}
template <typename D, typename U>
BELAY_API void sortIndices(belay::sim::ValueSort &s, const LocalTensor<D> &dst,
                           const LocalTensor<U> &src) {
  s.DstIndex = dst.data();
  s.SrcIndex = src.data();
  s.IndexT = elem<PrimT<U>>;
}
} // namespace belay_detail

template <typename T, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void Sort(const LocalTensor<T> &dstTensor,
                    const LocalTensor<T> &srcTensor, const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  belay_sim_sort_values(&s);
}
template <typename T, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void
Sort(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,
     const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  s.Tmp = sharedTmpBuffer.data();
  s.TmpBytes = sharedTmpBuffer.GetLength();
  belay_sim_sort_values(&s);
}
template <typename T, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void Sort(const LocalTensor<T> &dstTensor,
                    const LocalTensor<uint32_t> &dstIndexTensor,
                    const LocalTensor<T> &srcTensor, const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  s.DstIndex = dstIndexTensor.data();
  belay_sim_sort_values(&s);
}
template <typename T, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void Sort(const LocalTensor<T> &dstTensor,
                    const LocalTensor<uint32_t> &dstIndexTensor,
                    const LocalTensor<T> &srcTensor,
                    const LocalTensor<uint8_t> &sharedTmpBuffer,
                    const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  s.DstIndex = dstIndexTensor.data();
  s.Tmp = sharedTmpBuffer.data();
  s.TmpBytes = sharedTmpBuffer.GetLength();
  belay_sim_sort_values(&s);
}
template <typename T, typename U, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void
Sort(const LocalTensor<T> &dstTensor, const LocalTensor<U> &dstIndexTensor,
     const LocalTensor<T> &srcTensor, const LocalTensor<U> &srcIndexTensor,
     const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  belay_detail::sortIndices(s, dstIndexTensor, srcIndexTensor);
  belay_sim_sort_values(&s);
}
template <typename T, typename U, bool isReuseSource = false,
          const SortConfig &config = DEFAULT_SORT_CONFIG>
BELAY_API void
Sort(const LocalTensor<T> &dstTensor, const LocalTensor<U> &dstIndexTensor,
     const LocalTensor<T> &srcTensor, const LocalTensor<U> &srcIndexTensor,
     const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) {
  auto s = belay_detail::valueSort<config>(dstTensor, srcTensor, calCount);
  belay_detail::sortIndices(s, dstIndexTensor, srcIndexTensor);
  s.Tmp = sharedTmpBuffer.data();
  s.TmpBytes = sharedTmpBuffer.GetLength();
  belay_sim_sort_values(&s);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_SORT_H

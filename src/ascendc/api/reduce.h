//===- reduce.h - Reductions ------------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REDUCE_H
#define BELAY_ASCENDC_API_REDUCE_H

#include "abi/Reduce.h"
#include "api/vector.h"

namespace AscendC {

enum class ReduceType { NONE = -1, SUM = 0, MAX, MIN };
enum class ReduceMode : uint8_t { REDUCE_MAX = 0, REDUCE_MIN, REDUCE_SUM };
enum class ReduceOrder : uint8_t {
  ORDER_VALUE_INDEX = 0,
  ORDER_INDEX_VALUE,
  ORDER_ONLY_VALUE,
  ORDER_ONLY_INDEX,
};

namespace belay_detail {

using belay::sim::ReduceOp;
using belay::sim::ReduceUnit;

constexpr ReduceOp reduceOpOf(ReduceType t) {
  return t == ReduceType::SUM   ? ReduceOp::Sum
         : t == ReduceType::MAX ? ReduceOp::Max
                                : ReduceOp::Min;
}

template <bool isSetMask, typename D, typename S, typename M>
BELAY_API void reduceParts(const char *name, ReduceOp op, ReduceUnit unit,
                           const LocalTensor<D> &dst, const LocalTensor<S> &src,
                           M mask, int32_t repeatTime, int32_t dstRepStride,
                           int32_t srcBlkStride, int32_t srcRepStride,
                           ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  belay::sim::PartReduction r;
  r.Name = name;
  r.Dst = dst.data();
  r.Src = src.data();
  r.Op = op;
  r.Unit = unit;
  r.Result = static_cast<belay::sim::ReduceResult>(order);
  r.DstT = elem<PrimT<D>>;
  r.SrcT = elem<PrimT<S>>;
  r.Repeat = repeatTime;
  r.DstRepeatStride = dstRepStride;
  r.SrcBlockStride = srcBlkStride;
  r.SrcRepeatStride = srcRepStride;
  setMask<isSetMask>(r.W, mask);
  belay_sim_reduce_parts(&r);
}

template <typename T>
BELAY_API belay::sim::FullReduction
fullReduction(const char *name, ReduceOp op, const LocalTensor<T> &dst,
              const LocalTensor<T> &src, const LocalTensor<T> &tmp,
              int32_t repeatTime, int32_t srcRepStride, bool calIndex) {
  belay::sim::FullReduction r;
  r.Name = name;
  r.Dst = dst.data();
  r.Src = src.data();
  r.Tmp = tmp.data();
  r.TmpBytes = tmp.GetLength();
  r.Op = op;
  r.T = elem<PrimT<T>>;
  r.CountForm = false;
  r.CalIndex = calIndex;
  r.Repeat = repeatTime;
  r.SrcRepeatStride = srcRepStride;
  return r;
}

} // namespace belay_detail

// --- one result per repeat, block or pair ------------------------------------
#define BELAY_ASCENDC_REDUCE_PARTS(Name, Unit, Mask)                           \
  template <ReduceType reduceType, typename T, typename U,                     \
            bool isSetMask = true>                                             \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      Mask, const int32_t repeatTime,                          \
                      const int32_t dstRepStride, const int32_t srcBlkStride,  \
                      const int32_t srcRepStride) {                            \
    belay_detail::reduceParts<isSetMask>(                                      \
        #Name, belay_detail::reduceOpOf(reduceType),                           \
        belay_detail::ReduceUnit::Unit, dst, src, mask, repeatTime,            \
        dstRepStride, srcBlkStride, srcRepStride);                             \
  }
BELAY_ASCENDC_REDUCE_PARTS(ReduceDataBlock, Block, const int32_t mask)
BELAY_ASCENDC_REDUCE_PARTS(ReduceDataBlock, Block, const uint64_t mask[])
BELAY_ASCENDC_REDUCE_PARTS(ReducePairElem, Pair, const int32_t mask)
BELAY_ASCENDC_REDUCE_PARTS(ReducePairElem, Pair, const uint64_t mask[])
#undef BELAY_ASCENDC_REDUCE_PARTS

#define BELAY_ASCENDC_REDUCE_REPEAT(Mask)                                      \
  template <ReduceType reduceType, typename T, typename U,                     \
            bool isSetMask = true>                                             \
  BELAY_API void ReduceRepeat(                                                 \
      const LocalTensor<T> &dst, const LocalTensor<U> &src, Mask,              \
      const int32_t repeatTime, const int32_t dstRepStride,                    \
      const int32_t srcBlkStride, const int32_t srcRepStride,                  \
      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                    \
    belay_detail::reduceParts<isSetMask>(                                      \
        "ReduceRepeat", belay_detail::reduceOpOf(reduceType),                  \
        belay_detail::ReduceUnit::Repeat, dst, src, mask, repeatTime,          \
        dstRepStride, srcBlkStride, srcRepStride, order);                      \
  }
BELAY_ASCENDC_REDUCE_REPEAT(const int32_t mask)
BELAY_ASCENDC_REDUCE_REPEAT(const uint64_t mask[])
#undef BELAY_ASCENDC_REDUCE_REPEAT

// The older names of the same instructions.
#define BELAY_ASCENDC_WHOLE_REDUCE(Name, Op, Mask)                             \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      Mask, const int32_t repeatTime,                          \
                      const int32_t dstRepStride, const int32_t srcBlkStride,  \
                      const int32_t srcRepStride,                              \
                      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {    \
    belay_detail::reduceParts<isSetMask>(                                      \
        #Name, belay_detail::ReduceOp::Op, belay_detail::ReduceUnit::Repeat,   \
        dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride,  \
        order);                                                                \
  }
BELAY_ASCENDC_WHOLE_REDUCE(WholeReduceMax, Max, const int32_t mask)
BELAY_ASCENDC_WHOLE_REDUCE(WholeReduceMax, Max, const uint64_t mask[])
BELAY_ASCENDC_WHOLE_REDUCE(WholeReduceMin, Min, const int32_t mask)
BELAY_ASCENDC_WHOLE_REDUCE(WholeReduceMin, Min, const uint64_t mask[])
#undef BELAY_ASCENDC_WHOLE_REDUCE

#define BELAY_ASCENDC_WHOLE_SUM(Mask)                                          \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void WholeReduceSum(                                               \
      const LocalTensor<T> &dst, const LocalTensor<T> &src, Mask,              \
      const int32_t repeatTime, const int32_t dstRepStride,                    \
      const int32_t srcBlkStride, const int32_t srcRepStride) {                \
    belay_detail::reduceParts<isSetMask>(                                      \
        "WholeReduceSum", belay_detail::ReduceOp::Sum,                         \
        belay_detail::ReduceUnit::Repeat, dst, src, mask, repeatTime,          \
        dstRepStride, srcBlkStride, srcRepStride);                             \
  }                                                                            \
  /* Narrow integers into wide ones. */                                        \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void WholeReduceSum(                                               \
      const LocalTensor<U> &dst, const LocalTensor<T> &src, Mask,              \
      const int32_t repeatTime, const int32_t dstRepStride,                    \
      const int32_t srcBlkStride, const int32_t srcRepStride) {                \
    belay_detail::reduceParts<isSetMask>(                                      \
        "WholeReduceSum", belay_detail::ReduceOp::Sum,                         \
        belay_detail::ReduceUnit::Repeat, dst, src, mask, repeatTime,          \
        dstRepStride, srcBlkStride, srcRepStride);                             \
  }
BELAY_ASCENDC_WHOLE_SUM(const int32_t mask)
BELAY_ASCENDC_WHOLE_SUM(const uint64_t mask[])
#undef BELAY_ASCENDC_WHOLE_SUM

// These take the repeats before the mask.
#define BELAY_ASCENDC_OLD_PARTS(Name, Op, Unit, Mask)                          \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const int32_t repeatTime, Mask,                          \
                      const int32_t dstRepStride, const int32_t srcBlkStride,  \
                      const int32_t srcRepStride) {                            \
    belay_detail::reduceParts<isSetMask>(                                      \
        #Name, belay_detail::ReduceOp::Op, belay_detail::ReduceUnit::Unit,     \
        dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride); \
  }
BELAY_ASCENDC_OLD_PARTS(BlockReduceSum, Sum, Block, const int32_t mask)
BELAY_ASCENDC_OLD_PARTS(BlockReduceSum, Sum, Block, const uint64_t mask[])
BELAY_ASCENDC_OLD_PARTS(BlockReduceMax, Max, Block, const int32_t mask)
BELAY_ASCENDC_OLD_PARTS(BlockReduceMax, Max, Block, const uint64_t mask[])
BELAY_ASCENDC_OLD_PARTS(BlockReduceMin, Min, Block, const int32_t mask)
BELAY_ASCENDC_OLD_PARTS(BlockReduceMin, Min, Block, const uint64_t mask[])
BELAY_ASCENDC_OLD_PARTS(PairReduceSum, Sum, Pair, const int32_t mask)
BELAY_ASCENDC_OLD_PARTS(PairReduceSum, Sum, Pair, const uint64_t mask[])
#undef BELAY_ASCENDC_OLD_PARTS

/// dstBlkStride has no meaning: a repeat leaves one element.
template <typename T, bool isSetMask = true>
BELAY_API void
RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                const int32_t repeatTime, const int32_t mask,
                const int32_t dstBlkStride, const int32_t srcBlkStride,
                const int32_t dstRepStride, const int32_t srcRepStride) {
  (void)dstBlkStride;
  belay_detail::reduceParts<isSetMask>(
      "RepeatReduceSum", belay_detail::ReduceOp::Sum,
      belay_detail::ReduceUnit::Repeat, dst, src, mask, repeatTime,
      dstRepStride, srcBlkStride, srcRepStride);
}

// --- one result for everything -----------------------------------------------
#define BELAY_ASCENDC_REDUCE_MASKED(Name, Op, Mask)                            \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<T> &sharedTmpBuffer, Mask,             \
                      const int32_t repeatTime, const int32_t srcRepStride,    \
                      bool calIndex = false) {                                 \
    auto r = belay_detail::fullReduction(#Name, belay_detail::ReduceOp::Op,    \
                                         dst, src, sharedTmpBuffer,            \
                                         repeatTime, srcRepStride, calIndex);  \
    belay_detail::setMask<true>(r.W, mask);                                    \
    belay_sim_reduce_all(&r);                                                  \
  }
BELAY_ASCENDC_REDUCE_MASKED(ReduceMax, Max, const int32_t mask)
BELAY_ASCENDC_REDUCE_MASKED(ReduceMax, Max, const uint64_t mask[])
BELAY_ASCENDC_REDUCE_MASKED(ReduceMin, Min, const int32_t mask)
BELAY_ASCENDC_REDUCE_MASKED(ReduceMin, Min, const uint64_t mask[])
#undef BELAY_ASCENDC_REDUCE_MASKED

#define BELAY_ASCENDC_REDUCE_COUNT(Name, Op)                                   \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<T> &sharedTmpBuffer,                   \
                      const int32_t count, bool calIndex = false) {            \
    auto r = belay_detail::fullReduction(#Name, belay_detail::ReduceOp::Op,    \
                                         dst, src, sharedTmpBuffer, count,     \
                                         DEFAULT_REPEAT_STRIDE, calIndex);     \
    r.CountForm = true;                                                        \
    belay_sim_reduce_all(&r);                                                  \
  }
BELAY_ASCENDC_REDUCE_COUNT(ReduceMax, Max)
BELAY_ASCENDC_REDUCE_COUNT(ReduceMin, Min)
#undef BELAY_ASCENDC_REDUCE_COUNT

#define BELAY_ASCENDC_REDUCE_SUM(Mask)                                         \
  template <typename T>                                                        \
  BELAY_API void ReduceSum(                                                    \
      const LocalTensor<T> &dst, const LocalTensor<T> &src,                    \
      const LocalTensor<T> &sharedTmpBuffer, Mask, const int32_t repeatTime,   \
      const int32_t srcRepStride) {                                            \
    auto r = belay_detail::fullReduction(                                      \
        "ReduceSum", belay_detail::ReduceOp::Sum, dst, src, sharedTmpBuffer,   \
        repeatTime, srcRepStride, false);                                      \
    belay_detail::setMask<true>(r.W, mask);                                    \
    belay_sim_reduce_all(&r);                                                  \
  }
BELAY_ASCENDC_REDUCE_SUM(const int32_t mask)
BELAY_ASCENDC_REDUCE_SUM(const uint64_t mask[])
#undef BELAY_ASCENDC_REDUCE_SUM

template <typename T, bool isSetMask = true>
BELAY_API void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const LocalTensor<T> &sharedTmpBuffer,
                         const int32_t count) {
  auto r = belay_detail::fullReduction("ReduceSum", belay_detail::ReduceOp::Sum,
                                       dst, src, sharedTmpBuffer, count,
                                       DEFAULT_REPEAT_STRIDE, false);
  r.CountForm = true;
  r.W.Mode =
      isSetMask ? belay::sim::MaskMode::Count : belay::sim::MaskMode::Register;
  belay_sim_reduce_all(&r);
}

// --- what reductions leave for the scalar unit -------------------------------
namespace belay_detail {
template <typename T>
BELAY_API T reduceRegister(belay::sim::ReduceRegister which, uint32_t values) {
  uint64_t bits = belay_sim_reduce_register(which, values);
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
} // namespace belay_detail

template <typename T>
BELAY_API void GetReduceRepeatMaxMinSpr(T &maxMinValue, T &maxMinIndex) {
  using belay::sim::ReduceRegister;
  maxMinValue = belay_detail::reduceRegister<T>(ReduceRegister::Value, 2);
  maxMinIndex = belay_detail::reduceRegister<T>(ReduceRegister::Index, 2);
}
template <typename T> BELAY_API void GetReduceRepeatMaxMinSpr(T &maxMinValue) {
  maxMinValue =
      belay_detail::reduceRegister<T>(belay::sim::ReduceRegister::Value, 1);
}
template <typename T>
BELAY_API void GetReduceMaxMinCount(T &maxMinValue, T &maxMinIndex) {
  GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}
template <typename T> BELAY_API void GetReduceMaxMinCount(T &maxMinValue) {
  GetReduceRepeatMaxMinSpr(maxMinValue);
}
template <typename T> BELAY_API T GetReduceRepeatSumSpr() {
  return belay_detail::reduceRegister<T>(belay::sim::ReduceRegister::Sum, 1);
}
/// Without a type: the register's bits.
template <typename T = uint64_t> BELAY_API T GetAccVal() {
  return GetReduceRepeatSumSpr<T>();
}

} // namespace AscendC

// --- the compiler's own names ------------------------------------------------
enum Order_t { VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };

namespace AscendC::belay_detail {
template <typename T>
BELAY_API void rawReduce(const char *name, ReduceOp op, ReduceUnit unit, T *dst,
                         T *src, uint8_t repeat, uint16_t dstRepeatStride,
                         uint16_t srcBlockStride, uint16_t srcRepeatStride,
                         Order_t order = VALUE_INDEX) {
  belay::sim::PartReduction r;
  r.Name = name;
  r.Dst = dst;
  r.Src = src;
  r.Op = op;
  r.Unit = unit;
  r.Result = static_cast<belay::sim::ReduceResult>(order);
  r.DstT = r.SrcT = elem<T>;
  r.Repeat = repeat;
  r.DstRepeatStride = dstRepeatStride;
  r.SrcBlockStride = srcBlockStride;
  r.SrcRepeatStride = srcRepeatStride;
  r.W.Mode = belay::sim::MaskMode::Register;
  belay_sim_reduce_parts(&r);
}
/// The sum of all repeats, into the register that get_acc_val reads.
template <typename T>
BELAY_API void rawSum(T *src, uint8_t repeat, uint16_t srcBlockStride,
                      uint16_t srcRepeatStride) {
  belay::sim::FullReduction r;
  r.Name = "vcadd";
  r.Dst = nullptr;
  r.Src = src;
  r.Tmp = nullptr;
  r.TmpBytes = 0;
  r.Op = ReduceOp::Sum;
  r.T = elem<T>;
  r.CountForm = true;
  r.CalIndex = false;
  r.Repeat = repeat;
  r.SrcRepeatStride = srcRepeatStride;
  r.W.Mode = belay::sim::MaskMode::Register;
  r.W.Operand[1].Block = srcBlockStride;
  belay_sim_reduce_all(&r);
}
} // namespace AscendC::belay_detail

#define BELAY_CCE_REDUCE(Name, Op, Unit, T)                                    \
  BELAY_API void Name(__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat,        \
                      uint16_t dstRepeatStride, uint16_t srcBlockStride,       \
                      uint16_t srcRepeatStride) {                              \
    using namespace AscendC::belay_detail;                                     \
    rawReduce(#Name, ReduceOp::Op, ReduceUnit::Unit, dst, src, repeat,         \
              dstRepeatStride, srcBlockStride, srcRepeatStride);               \
  }
#define BELAY_CCE_REDUCE_ORDERED(Name, Op, T)                                  \
  BELAY_API void Name(__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat,        \
                      uint16_t dstRepeatStride, uint16_t srcBlockStride,       \
                      uint16_t srcRepeatStride, Order_t order) {               \
    using namespace AscendC::belay_detail;                                     \
    rawReduce(#Name, ReduceOp::Op, ReduceUnit::Repeat, dst, src, repeat,       \
              dstRepeatStride, srcBlockStride, srcRepeatStride, order);        \
  }
#define BELAY_CCE_REDUCE_TYPE(T)                                               \
  BELAY_CCE_REDUCE(vcadd, Sum, Repeat, T)                                      \
  BELAY_CCE_REDUCE(vcgadd, Sum, Block, T)                                      \
  BELAY_CCE_REDUCE(vcgmax, Max, Block, T)                                      \
  BELAY_CCE_REDUCE(vcgmin, Min, Block, T)                                      \
  BELAY_CCE_REDUCE(vcpadd, Sum, Pair, T)                                       \
  BELAY_CCE_REDUCE_ORDERED(vcmax, Max, T)                                      \
  BELAY_CCE_REDUCE_ORDERED(vcmin, Min, T)                                      \
  BELAY_API void vcadd(__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat,       \
                       uint16_t dstRepeatStride, uint16_t srcBlockStride,      \
                       uint16_t srcRepeatStride, bool mode) {                  \
    if (mode)                                                                  \
      AscendC::belay_detail::rawSum(src, repeat, srcBlockStride,               \
                                    srcRepeatStride);                          \
    else                                                                       \
      vcadd(dst, src, repeat, dstRepeatStride, srcBlockStride,                 \
            srcRepeatStride);                                                  \
  }
BELAY_CCE_REDUCE_TYPE(half)
BELAY_CCE_REDUCE_TYPE(float)
#undef BELAY_CCE_REDUCE_TYPE
#undef BELAY_CCE_REDUCE_ORDERED
#undef BELAY_CCE_REDUCE

BELAY_API uint64_t get_acc_val() { return AscendC::GetAccVal<uint64_t>(); }

#endif // BELAY_ASCENDC_API_REDUCE_H

//===- compare.h - Comparing and selecting ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_COMPARE_H
#define BELAY_ASCENDC_API_COMPARE_H

#include "api/vector.h"

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t {
  VSEL_CMPMASK_SPR = 0,
  VSEL_TENSOR_SCALAR_MODE,
  VSEL_TENSOR_TENSOR_MODE,
};

namespace belay_detail {

BELAY_API belay::sim::CompareOp compareOf(CMPMODE m) {
  return static_cast<belay::sim::CompareOp>(m);
}
/// scalar op x is x reversed(op) scalar.
BELAY_API CMPMODE reversed(CMPMODE m) {
  switch (m) {
  case CMPMODE::LT:
    return CMPMODE::GT;
  case CMPMODE::GT:
    return CMPMODE::LT;
  case CMPMODE::LE:
    return CMPMODE::GE;
  case CMPMODE::GE:
    return CMPMODE::LE;
  default:
    return m;
  }
}
BELAY_API belay::sim::SelectMode selectOf(SELMODE m) {
  return static_cast<belay::sim::SelectMode>(m);
}

template <typename T>
BELAY_API void compare(CMPMODE mode, void *dst, const LocalTensor<T> &src0,
                       const LocalTensor<T> &src1, const Walk &w) {
  belay_sim_compare(compareOf(mode), elem<PrimT<T>>, dst, src0.data(),
                    src1.data(), belay::sim::Second::Vector, &w, "Compare");
}
template <typename T>
BELAY_API void compares(CMPMODE mode, void *dst, const LocalTensor<T> &src,
                        PrimT<T> s, const Walk &w, const char *name) {
  belay_sim_compare(compareOf(mode), elem<PrimT<T>>, dst, src.data(), &s,
                    belay::sim::Second::Scalar, &w, name);
}
template <int8_t index, typename S, typename V>
BELAY_API void comparesEither(CMPMODE mode, void *dst, const S &src0,
                              const V &src1, const Walk &w, const char *name) {
  if constexpr (isTensor<S> && (!isTensor<V> || index == 1))
    compares(mode, dst, src0, scalarOf<typename S::PrimType>(src1), w, name);
  else
    compares(reversed(mode), dst, src1, scalarOf<typename V::PrimType>(src0), w,
             name);
}
/// The type whose size decides the walk: that of the tensor among the two.
template <typename S, typename V> struct TensorOf {
  using type = typename S::PrimType;
};
template <typename S, typename T> struct TensorOf<S, LocalTensor<T>> {
  using type = PrimT<T>;
};

} // namespace belay_detail

// --- two tensors, into bits --------------------------------------------------
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0,
                       const LocalTensor<T> &src1, CMPMODE cmpMode,
                       const uint64_t mask[], belay_detail::Repeat repeatTime,
                       const BinaryRepeatParams &repeatParams) {
  belay_detail::compare(
      cmpMode, dst.data(), src0, src1,
      belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0,
                       const LocalTensor<T> &src1, CMPMODE cmpMode,
                       const uint64_t mask, belay_detail::Repeat repeatTime,
                       const BinaryRepeatParams &repeatParams) {
  belay_detail::compare(
      cmpMode, dst.data(), src0, src1,
      belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));
}
template <typename T, typename U>
BELAY_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0,
                       const LocalTensor<T> &src1, CMPMODE cmpMode,
                       uint32_t count) {
  belay_detail::compare(cmpMode, dst.data(), src0, src1,
                        belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}

// --- two tensors, one repeat, into the compare register ----------------------
template <typename T, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                       CMPMODE cmpMode, const uint64_t mask[],
                       const BinaryRepeatParams &repeatParams) {
  belay_detail::compare(
      cmpMode, nullptr, src0, src1,
      belay_detail::repeatWalk<isSetMask>(mask, 1, repeatParams));
}
template <typename T, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                       CMPMODE cmpMode, const uint64_t mask,
                       const BinaryRepeatParams &repeatParams) {
  belay_detail::compare(
      cmpMode, nullptr, src0, src1,
      belay_detail::repeatWalk<isSetMask>(mask, 1, repeatParams));
}
template <typename T> BELAY_API void GetCmpMask(const LocalTensor<T> &dst) {
  belay_sim_get_cmp_mask(dst.data());
}
template <typename T> BELAY_API void SetCmpMask(const LocalTensor<T> &src) {
  belay_sim_set_cmp_mask(src.data());
}

// --- a tensor and a scalar ---------------------------------------------------
// CompareScalar is the old name of Compares.
#if __NPU_ARCH__ == 3510
// The scalar may stand on either side, be of any type, and be the first element
// of a tensor.
#define BELAY_ASCENDC_COMPARES(Name)                                           \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,  \
            bool isSetMask = true,                                             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<U> &dst, const S &src0, const V &src1, \
                      CMPMODE cmpMode, const uint64_t mask[],                  \
                      belay_detail::Repeat repeatTime,                         \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::comparesEither<config.scalarTensorIndex>(                    \
        cmpMode, dst.data(), src0, src1,                                       \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams),   \
        #Name);                                                                \
  }                                                                            \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,  \
            bool isSetMask = true,                                             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<U> &dst, const S &src0, const V &src1, \
                      CMPMODE cmpMode, const uint64_t mask,                    \
                      belay_detail::Repeat repeatTime,                         \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::comparesEither<config.scalarTensorIndex>(                    \
        cmpMode, dst.data(), src0, src1,                                       \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams),   \
        #Name);                                                                \
  }                                                                            \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,  \
            bool isSetMask = true,                                             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<U> &dst, const S &src0, const V &src1, \
                      CMPMODE cmpMode, uint32_t count) {                       \
    using E = typename belay_detail::TensorOf<S, V>::type;                     \
    belay_detail::comparesEither<config.scalarTensorIndex>(                    \
        cmpMode, dst.data(), src0, src1, belay_detail::countWalk<E, E>(count), \
        #Name);                                                                \
  }
#else
#define BELAY_ASCENDC_COMPARES(Name)                                           \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0,   \
                      const T src1Scalar, CMPMODE cmpMode,                     \
                      const uint64_t mask[], belay_detail::Repeat repeatTime,  \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::compares(                                                    \
        cmpMode, dst.data(), src0, src1Scalar,                                 \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams),   \
        #Name);                                                                \
  }                                                                            \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0,   \
                      const T src1Scalar, CMPMODE cmpMode,                     \
                      const uint64_t mask, belay_detail::Repeat repeatTime,    \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::compares(                                                    \
        cmpMode, dst.data(), src0, src1Scalar,                                 \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams),   \
        #Name);                                                                \
  }                                                                            \
  template <typename T, typename U>                                            \
  BELAY_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0,   \
                      const T src1Scalar, CMPMODE cmpMode, uint32_t count) {   \
    belay_detail::compares(cmpMode, dst.data(), src0, src1Scalar,              \
                           belay_detail::countWalk<PrimT<T>, PrimT<T>>(count), \
                           #Name);                                             \
  }                                                                            \
  template <int = 0, typename T, typename U, typename S, typename... Rest,     \
            belay_detail::IfOther<T, S> = 0>                                   \
  BELAY_API void Name(const LocalTensor<U> &, const LocalTensor<T> &,          \
                      const S &, CMPMODE, const Rest &...) =                   \
      delete (BELAY_OTHER_SCALAR);                                             \
  template <int = 0, typename T, typename U, typename S, typename M,           \
            belay_detail::IfOther<T, S> = 0>                                   \
  BELAY_API void Name(const LocalTensor<U> &, const LocalTensor<T> &,          \
                      const S &, CMPMODE, const M &, belay_detail::Repeat,     \
                      const UnaryRepeatParams &) =                             \
      delete (BELAY_OTHER_SCALAR);
#endif
BELAY_ASCENDC_COMPARES(Compares)
BELAY_ASCENDC_COMPARES(CompareScalar)
#undef BELAY_ASCENDC_COMPARES

// --- choosing by bits --------------------------------------------------------
namespace belay_detail {

template <typename T, typename U>
BELAY_API void selectTensors(SELMODE mode, const LocalTensor<T> &dst,
                             const LocalTensor<U> &sel,
                             const LocalTensor<T> &src0,
                             const LocalTensor<T> &src1, const Walk &w) {
  belay_sim_select(selectOf(mode), elem<PrimT<T>>, dst.data(), sel.data(),
                   src0.data(), src1.data(), belay::sim::Second::Vector, &w);
}
template <typename T, typename U>
BELAY_API void
selectScalar(SELMODE mode, const LocalTensor<T> &dst, const LocalTensor<U> &sel,
             const LocalTensor<T> &src0, PrimT<T> s, const Walk &w) {
  belay_sim_select(selectOf(mode), elem<PrimT<T>>, dst.data(), sel.data(),
                   src0.data(), &s, belay::sim::Second::Scalar, &w);
}
/// The scalar where the bit is 1, the tensor where it is 0.
template <typename T, typename U>
BELAY_API void selectFirstScalar(SELMODE mode, const LocalTensor<T> &dst,
                                 const LocalTensor<U> &sel, PrimT<T> s,
                                 const LocalTensor<T> &src1, const Walk &w) {
  belay_sim_select(selectOf(mode), elem<PrimT<T>>, dst.data(), sel.data(), &s,
                   src1.data(), belay::sim::Second::ScalarFirst, &w);
}
/// Both sources tensors, or the second a number.
template <typename T, typename U, typename V>
BELAY_API void
selectEither(SELMODE mode, const LocalTensor<T> &dst, const LocalTensor<U> &sel,
             const LocalTensor<T> &src0, const V &src1, const Walk &w) {
  if constexpr (isTensor<V>) {
    if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE)
      selectScalar(mode, dst, sel, src0, scalarOf<PrimT<T>>(src1), w);
    else
      selectTensors(mode, dst, sel, src0, src1, w);
  } else {
    selectScalar(mode, dst, sel, src0, scalarOf<PrimT<T>>(src1), w);
  }
}

} // namespace belay_detail

#define BELAY_ASCENDC_SELECT(Second)                                           \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void Select(                                                       \
      const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                \
      const LocalTensor<T> &src0, Second src1, SELMODE selMode, uint64_t mask, \
      belay_detail::Repeat repeatTime,                                         \
      const BinaryRepeatParams &repeatParams) {                                \
    belay_detail::selectEither(                                                \
        selMode, dst, selMask, src0, src1,                                     \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void Select(                                                       \
      const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                \
      const LocalTensor<T> &src0, Second src1, SELMODE selMode,                \
      const uint64_t mask[], belay_detail::Repeat repeatTime,                  \
      const BinaryRepeatParams &repeatParams) {                                \
    belay_detail::selectEither(                                                \
        selMode, dst, selMask, src0, src1,                                     \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, typename U>                                            \
  BELAY_API void Select(const LocalTensor<T> &dst,                             \
                        const LocalTensor<U> &selMask,                         \
                        const LocalTensor<T> &src0, Second src1,               \
                        SELMODE selMode, uint32_t count) {                     \
    belay_detail::selectEither(                                                \
        selMode, dst, selMask, src0, src1,                                     \
        belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));                   \
  }
BELAY_ASCENDC_SELECT(const LocalTensor<T> &)
BELAY_ASCENDC_SELECT(T)
#undef BELAY_ASCENDC_SELECT
template <int = 0, typename T, typename U, typename S, typename... Rest,
          belay_detail::IfOther<T, S> = 0>
BELAY_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,
                      const LocalTensor<T> &src0, const S &src1,
                      SELMODE selMode, const Rest &...rest)
#if __NPU_ARCH__ == 3510
{
  Select(dst, selMask, src0, static_cast<T>(src1), selMode, rest...);
}
#else
    = delete (BELAY_OTHER_SCALAR);
#endif

// Without masks: SetVectorMask gave the lanes, SetCmpMask the bits (mode 0),
// the address of the bits (mode 2) or the scalar (mode 1).
template <typename T, SELMODE selMode>
BELAY_API void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1,
                      belay_detail::Repeat repeatTime,
                      const BinaryRepeatParams &repeatParams) {
  auto w =
      belay_detail::repeatWalk<false>(uint64_t(0), repeatTime, repeatParams);
  belay_sim_select(belay_detail::selectOf(selMode),
                   belay_detail::elem<PrimT<T>>, dst.data(), nullptr,
                   src0.data(), src1.data(), belay::sim::Second::Vector, &w);
}
template <typename T, typename U>
BELAY_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,
                      const LocalTensor<T> &src0,
                      belay_detail::Repeat repeatTime,
                      const BinaryRepeatParams &repeatParams) {
  auto w =
      belay_detail::repeatWalk<false>(uint64_t(0), repeatTime, repeatParams);
  belay_sim_select(belay::sim::SelectMode::Scalar, belay_detail::elem<PrimT<T>>,
                   dst.data(), selMask.data(), src0.data(), nullptr,
                   belay::sim::Second::Scalar, &w);
}

// The scalar on either side, named by the configuration (950). With the scalar
// first the bits choose it.
template <typename T0, typename T1, const BinaryConfig &config, typename T2,
          typename T3, typename T4>
BELAY_API void Select(const LocalTensor<T2> &dst,
                      const LocalTensor<T1> &selMask, const T3 &src0,
                      const T4 &src1, SELMODE selMode, uint32_t count) {
  auto w = belay_detail::countWalk<PrimT<T2>, PrimT<T2>>(count);
  if constexpr (belay_detail::isTensor<T3> && config.scalarTensorIndex == 1)
    belay_detail::selectScalar(selMode, dst, selMask, src0,
                               belay_detail::scalarOf<PrimT<T2>>(src1), w);
  else
    belay_detail::selectFirstScalar(selMode, dst, selMask,
                                    belay_detail::scalarOf<PrimT<T2>>(src0),
                                    src1, w);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_COMPARE_H

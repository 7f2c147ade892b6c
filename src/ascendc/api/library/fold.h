//===- fold.h - Sums, means and other reductions of a matrix ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_FOLD_H
#define BELAY_ASCENDC_API_LIBRARY_FOLD_H

#include "api/library/math.h"

namespace AscendC {

struct SumParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};

/// Which axes are reduced (R) and which stay (A), first axis first.
namespace Pattern {
namespace Reduce {
struct AR {};
struct RA {};
struct R {};
struct ARA {};
struct ARAR {};
struct ARARA {};
struct ARARAR {};
struct ARARARA {};
struct ARARARAR {};
struct ARARARARA {};
struct RAR {};
struct RARA {};
struct RARAR {};
struct RARARA {};
struct RARARAR {};
struct RARARARA {};
} // namespace Reduce
} // namespace Pattern

namespace belay_detail {

using belay::sim::FoldOp;

template <typename T, typename P>
BELAY_API void foldRows(FoldOp op, const LocalTensor<T> &dst,
                        const LocalTensor<T> &src, const P &p, bool reuse,
                        Scratch tmp = {}) {
  belay::sim::FoldCall c{
      op,      false, dst.data(), src.data(), elem<PrimT<T>>, p.outter, p.n,
      p.inner, false, reuse,      tmp};
  belay_sim_fold(&c);
}

/// Rows of an unpadded matrix start at multiples of 32 bytes only if they end
/// there: srcShape holds the length to compute, which srcInnerPad says is
/// padded in memory.
template <typename T, typename Axes>
BELAY_API void foldPattern(FoldOp op, const LocalTensor<T> &dst,
                           const LocalTensor<T> &src, const uint32_t *shape,
                           bool padded, bool reuse, Scratch tmp = {}) {
  constexpr bool firstAxis = std::is_same_v<Axes, Pattern::Reduce::RA>;
  static_assert(firstAxis || std::is_same_v<Axes, Pattern::Reduce::AR>,
                "reductions have the patterns AR and RA");
  constexpr uint32_t perBlock = 32 / sizeof(PrimT<T>);
  uint32_t stride =
      padded ? (shape[1] + perBlock - 1) / perBlock * perBlock : shape[1];
  belay::sim::FoldCall c{
      op,       true,     dst.data(), src.data(), elem<PrimT<T>>,
      shape[0], shape[1], stride,     firstAxis,  reuse,
      tmp};
  belay_sim_fold(&c);
}

} // namespace belay_detail

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false,
          bool isBasicBlock = false>
BELAY_API void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const LocalTensor<uint8_t> &sharedTmpBuffer,
                   const SumParams &sumParams) {
  belay_detail::foldRows(belay_detail::FoldOp::Sum, dst, src, sumParams,
                         isReuseSource, belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false,
          bool isBasicBlock = false>
BELAY_API void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const SumParams &sumParams) {
  belay_detail::foldRows(belay_detail::FoldOp::Sum, dst, src, sumParams,
                         isReuseSource);
}
template <typename T, typename accType = T, bool isReuseSource = false,
          bool isBasicBlock = false, int32_t reduceDim = -1>
BELAY_API void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    const LocalTensor<uint8_t> &sharedTmpBuffer,
                    const MeanParams &meanParams) {
  belay_detail::foldRows(belay_detail::FoldOp::Mean, dst, src, meanParams,
                         isReuseSource, belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, typename accType = T, bool isReuseSource = false,
          bool isBasicBlock = false, int32_t reduceDim = -1>
BELAY_API void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    const MeanParams &meanParams) {
  belay_detail::foldRows(belay_detail::FoldOp::Mean, dst, src, meanParams,
                         isReuseSource);
}

#define BELAY_FOLD(Name, Op)                                                   \
  template <class T, class pattern, bool isReuseSource = false>                \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const uint32_t srcShape[], bool srcInnerPad) {           \
    belay_detail::foldPattern<T, pattern>(                                     \
        belay_detail::FoldOp::Op, dst, src, srcShape, srcInnerPad,             \
        isReuseSource, belay_detail::scratch(sharedTmpBuffer));                \
  }                                                                            \
  template <class T, class pattern, bool isReuseSource = false>                \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint32_t srcShape[], bool srcInnerPad) {           \
    belay_detail::foldPattern<T, pattern>(belay_detail::FoldOp::Op, dst, src,  \
                                          srcShape, srcInnerPad,               \
                                          isReuseSource);                      \
  }
BELAY_FOLD(ReduceSum, Sum)
BELAY_FOLD(ReduceMean, Mean)
BELAY_FOLD(ReduceMax, Max)
BELAY_FOLD(ReduceMin, Min)
BELAY_FOLD(ReduceProd, Prod)
BELAY_FOLD(ReduceAny, Any)
BELAY_FOLD(ReduceAll, All)
#undef BELAY_FOLD

template <typename T, bool isReuseSource = false>
BELAY_API void ReduceXorSum(const LocalTensor<T> &dst,
                            const LocalTensor<T> &src0,
                            const LocalTensor<T> &src1,
                            const LocalTensor<uint8_t> &sharedTmpBuffer,
                            const uint32_t calCount) {
  belay::sim::XorSumCall c{dst.data(),  src0.data(),
                           src1.data(), belay_detail::elem<PrimT<T>>,
                           calCount,    belay_detail::scratch(sharedTmpBuffer)};
  belay_sim_xor_sum(&c);
}
template <typename T, bool isReuseSource = false>
BELAY_API void
ReduceXorSum(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
             const LocalTensor<T> &src1, const uint32_t calCount) {
  belay::sim::XorSumCall c{dst.data(),  src0.data(),
                           src1.data(), belay_detail::elem<PrimT<T>>,
                           calCount,    {}};
  belay_sim_xor_sum(&c);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_FOLD_H

//===- math.h - Element-wise routines ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_MATH_H
#define BELAY_ASCENDC_API_LIBRARY_MATH_H

#include "abi/Library.h"
#include "api/tensor.h"

namespace AscendC {

namespace belay_detail {

using belay::sim::MathCall;
using belay::sim::MathOp;
using belay::sim::Scratch;
using belay::sim::Source;

BELAY_API Scratch scratch(const LocalTensor<uint8_t> &t) {
  return {t.data(), t.GetLength()};
}

/// A tensor, or one element.
template <typename T> BELAY_API Source source(const LocalTensor<T> &t) {
  return {t.data(), false};
}
template <typename T> BELAY_API Source source(const T &scalar) {
  return {&scalar, true};
}

template <typename T> struct IsTensor : std::false_type {};
template <typename T> struct IsTensor<LocalTensor<T>> : std::true_type {};

/// The element type of a tensor, or of a scalar.
template <typename T> struct ElementOf {
  using type = T;
};
template <typename T> struct ElementOf<LocalTensor<T>> {
  using type = PrimT<T>;
};

template <MathOp op, bool reuse, typename D, typename T>
BELAY_API void math(const LocalTensor<D> &dst, Source a, Source b, Source c,
                    uint32_t count, Scratch tmp = {}, float param = 0) {
  MathCall call{dst.data(), {a, b, c}, elem<PrimT<D>>, elem<T>, count,
                reuse,      param,     nullptr,        tmp};
  belay_sim_math(op, &call);
}

} // namespace belay_detail

// --- one source --------------------------------------------------------------
// With or without scratch memory, with or without a count: without, the whole
// source is computed.
#define BELAY_MATH_COUNTED(Name, Parameters, Arguments)                        \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const uint32_t calCount) {                               \
    belay_detail::math<belay_detail::MathOp::Name, Arguments, T, PrimT<T>>(    \
        dst, belay_detail::source(src), {}, {}, calCount,                      \
        belay_detail::scratch(sharedTmpBuffer));                               \
  }                                                                            \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint32_t calCount) {                               \
    belay_detail::math<belay_detail::MathOp::Name, Arguments, T, PrimT<T>>(    \
        dst, belay_detail::source(src), {}, {}, calCount);                     \
  }
#define BELAY_MATH_WHOLE(Name, Parameters, Arguments)                          \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer) {           \
    belay_detail::math<belay_detail::MathOp::Name, Arguments, T, PrimT<T>>(    \
        dst, belay_detail::source(src), {}, {}, src.GetSize(),                 \
        belay_detail::scratch(sharedTmpBuffer));                               \
  }                                                                            \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src) {  \
    belay_detail::math<belay_detail::MathOp::Name, Arguments, T, PrimT<T>>(    \
        dst, belay_detail::source(src), {}, {}, src.GetSize());                \
  }
#define BELAY_PLAIN typename T, bool isReuseSource = false
#define BELAY_MATH_UNARY(Name)                                                 \
  BELAY_MATH_COUNTED(Name, BELAY_PLAIN, isReuseSource)                         \
  BELAY_MATH_WHOLE(Name, BELAY_PLAIN, isReuseSource)
BELAY_MATH_UNARY(Tan)
BELAY_MATH_UNARY(Asin)
BELAY_MATH_UNARY(Acos)
BELAY_MATH_UNARY(Sinh)
BELAY_MATH_UNARY(Cosh)
BELAY_MATH_UNARY(Asinh)
BELAY_MATH_UNARY(Acosh)
BELAY_MATH_UNARY(Atanh)
BELAY_MATH_UNARY(Erfc)
BELAY_MATH_UNARY(Log)
BELAY_MATH_UNARY(Log2)
BELAY_MATH_UNARY(Log10)
BELAY_MATH_UNARY(Trunc)
BELAY_MATH_UNARY(Frac)
BELAY_MATH_UNARY(Sign)
BELAY_MATH_UNARY(Sigmoid)
BELAY_MATH_COUNTED(Floor, BELAY_PLAIN, isReuseSource)
BELAY_MATH_COUNTED(Ceil, BELAY_PLAIN, isReuseSource)
BELAY_MATH_COUNTED(Round, BELAY_PLAIN, isReuseSource)
BELAY_MATH_COUNTED(Lgamma, BELAY_PLAIN, isReuseSource)
BELAY_MATH_COUNTED(Digamma, BELAY_PLAIN, isReuseSource)
#undef BELAY_MATH_UNARY

// Some take the algorithm as a template argument. The model has one result for
// all of them: the correctly rounded one, or one next to it.
enum class TanhAlgo { INTRINSIC = 0, SUBSECTION_COMPENSATION };
enum class SinAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class CosAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class AtanAlgo { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
enum class ErfAlgo {
  PADE_APPROXIMATION = 0,
  SUBSECTION_POLYNOMIAL_APPROXIMATION
};
enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };
struct TanhConfig {
  TanhAlgo algo = TanhAlgo::INTRINSIC;
};
struct SinConfig {
  SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
struct CosConfig {
  CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};
struct AtanConfig {
  AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
struct ErfConfig {
  ErfAlgo algo = ErfAlgo::PADE_APPROXIMATION;
};
struct PowerConfig {
  PowerAlgo algo = PowerAlgo::INTRINSIC;
};
constexpr uint32_t FMOD_ITERATION_NUM_MAX = 11;
struct FmodConfig {
  FmodAlgo algo = FmodAlgo::NORMAL;
  uint32_t iterationNum = FMOD_ITERATION_NUM_MAX;
};
constexpr TanhConfig DEFAULT_TANH_CONFIG{};
constexpr SinConfig defaultSinConfig{};
constexpr CosConfig defaultCosConfig{};
constexpr AtanConfig defaultAtanConfig{};
constexpr ErfConfig defaultErfConfig{};
constexpr PowerConfig defaultPowerConfig{};
constexpr FmodConfig DEFAULT_FMOD_CONFIG{};

#define BELAY_CONFIGURED(Config, Default)                                      \
  typename T, bool isReuseSource = false, const Config &config = Default
#define BELAY_MATH_CONFIGURED(Name, Config, Default)                           \
  BELAY_MATH_COUNTED(Name, BELAY_CONFIGURED(Config, Default), isReuseSource)   \
  BELAY_MATH_WHOLE(Name, BELAY_CONFIGURED(Config, Default), isReuseSource)
BELAY_MATH_CONFIGURED(Tanh, TanhConfig, DEFAULT_TANH_CONFIG)
BELAY_MATH_CONFIGURED(Sin, SinConfig, defaultSinConfig)
BELAY_MATH_CONFIGURED(Cos, CosConfig, defaultCosConfig)
BELAY_MATH_CONFIGURED(Atan, AtanConfig, defaultAtanConfig)
BELAY_MATH_CONFIGURED(Erf, ErfConfig, defaultErfConfig)
#undef BELAY_MATH_CONFIGURED
#undef BELAY_MATH_COUNTED
#undef BELAY_MATH_WHOLE

/// e^x, with a series for the fraction of x.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
BELAY_API void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const uint32_t calCount) {
  belay_detail::math<belay_detail::MathOp::Exp, isReuseSource, T, PrimT<T>>(
      dst, belay_detail::source(src), {}, {}, calCount, {}, taylorExpandLevel);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
BELAY_API void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const LocalTensor<uint8_t> &sharedTmpBuffer,
                   const uint32_t calCount) {
  belay_detail::math<belay_detail::MathOp::Exp, isReuseSource, T, PrimT<T>>(
      dst, belay_detail::source(src), {}, {}, calCount,
      belay_detail::scratch(sharedTmpBuffer), taylorExpandLevel);
}

// --- two sources, either of which may be a scalar ----------------------------
#define BELAY_MATH_BINARY(Name, Parameters, A, B, Counting)                    \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, A src0, B src1,               \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const uint32_t calCount) {                               \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(dst, belay_detail::source(src0),              \
                                 belay_detail::source(src1), {}, calCount,     \
                                 belay_detail::scratch(sharedTmpBuffer));      \
  }                                                                            \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, A src0, B src1,               \
                      const uint32_t calCount) {                               \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(dst, belay_detail::source(src0),              \
                                 belay_detail::source(src1), {}, calCount);    \
  }                                                                            \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, A src0, B src1,               \
                      const LocalTensor<uint8_t> &sharedTmpBuffer) {           \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(                                              \
        dst, belay_detail::source(src0), belay_detail::source(src1), {},       \
        Counting.GetSize(), belay_detail::scratch(sharedTmpBuffer));           \
  }                                                                            \
  template <Parameters>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, A src0, B src1) {             \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(dst, belay_detail::source(src0),              \
                                 belay_detail::source(src1), {},               \
                                 Counting.GetSize());                          \
  }
#define BELAY_POWER BELAY_CONFIGURED(PowerConfig, defaultPowerConfig)
BELAY_MATH_BINARY(Power, BELAY_POWER, const LocalTensor<T> &,
                  const LocalTensor<T> &, src0)
BELAY_MATH_BINARY(Power, BELAY_POWER, const LocalTensor<T> &, const T &, src0)
BELAY_MATH_BINARY(Power, BELAY_POWER, const T &, const LocalTensor<T> &, src1)
#undef BELAY_POWER
BELAY_MATH_BINARY(Fmod, BELAY_CONFIGURED(FmodConfig, DEFAULT_FMOD_CONFIG),
                  const LocalTensor<T> &, const LocalTensor<T> &, src0)
BELAY_MATH_BINARY(Hypot, BELAY_PLAIN, const LocalTensor<T> &,
                  const LocalTensor<T> &, src0)
BELAY_MATH_BINARY(Xor, BELAY_PLAIN, const LocalTensor<T> &,
                  const LocalTensor<T> &, src0)
BELAY_MATH_BINARY(GeGLU, BELAY_PLAIN, const LocalTensor<T> &,
                  const LocalTensor<T> &, src0)
BELAY_MATH_BINARY(ReGlu, BELAY_PLAIN, const LocalTensor<T> &,
                  const LocalTensor<T> &, src0)
#undef BELAY_PLAIN
#undef BELAY_CONFIGURED
#undef BELAY_MATH_BINARY

#define BELAY_MATH_CLAMP(Name)                                                 \
  template <typename T, bool isReuseSource = false>                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const T scalar, const uint32_t calCount) {               \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(dst, belay_detail::source(src),               \
                                 belay_detail::source(scalar), {}, calCount,   \
                                 belay_detail::scratch(sharedTmpBuffer));      \
  }                                                                            \
  template <typename T, bool isReuseSource = false>                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const T scalar, const uint32_t calCount) {               \
    belay_detail::math<belay_detail::MathOp::Name, isReuseSource, T,           \
                       PrimT<T>>(dst, belay_detail::source(src),               \
                                 belay_detail::source(scalar), {}, calCount);  \
  }
BELAY_MATH_CLAMP(ClampMax)
BELAY_MATH_CLAMP(ClampMin)
#undef BELAY_MATH_CLAMP

/// dst += src * scalar, the product rounded first.
template <typename T, typename U, bool isReuseSource = false>
BELAY_API void
Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U scalarValue,
     const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) {
  belay_detail::math<belay_detail::MathOp::Axpy, isReuseSource, T, PrimT<U>>(
      dst, belay_detail::source(src), belay_detail::source(scalarValue), {},
      calCount, belay_detail::scratch(sharedTmpBuffer));
}

// --- since arch 3510 ---------------------------------------------------------
#define BELAY_CONFIG(Name, Default)                                            \
  struct Name {                                                                \
    bool isReuseSource;                                                        \
  };                                                                           \
  constexpr Name Default = {false};
BELAY_CONFIG(RintConfig, DEFAULT_RINT_CONFIG)
BELAY_CONFIG(FmaConfig, DEFAULT_FMA_CONFIG)
BELAY_CONFIG(SinCosConfig, DEFAULT_SINCOS_CONFIG)
BELAY_CONFIG(ClampConfig, DEFAULT_CLAMP_CONFIG)
BELAY_CONFIG(IsInfConfig, DEFAULT_IS_INF_CONFIG)
BELAY_CONFIG(IsNanConfig, DEFAULT_IS_NAN_CONFIG)
BELAY_CONFIG(BitwiseNotConfig, DEFAULT_BITWISE_NOT_CONFIG)
BELAY_CONFIG(BitwiseAndConfig, DEFAULT_BITWISE_AND_CONFIG)
BELAY_CONFIG(BitwiseOrConfig, DEFAULT_BITWISE_OR_CONFIG)
BELAY_CONFIG(BitwiseXorConfig, DEFAULT_BITWISE_XOR_CONFIG)
BELAY_CONFIG(LogicalNotConfig, DEFAULT_LOGICAL_NOT_CONFIG)
BELAY_CONFIG(LogicalAndConfig, DEFAULT_LOGICAL_AND_CONFIG)
BELAY_CONFIG(LogicalOrConfig, DEFAULT_LOGICAL_OR_CONFIG)
BELAY_CONFIG(LogicalXorConfig, DEFAULT_LOGICAL_XOR_CONFIG)
#undef BELAY_CONFIG
struct LogicalAndsConfig {
  bool isReuseSource;
  int8_t scalarTensorIndex;
};
struct LogicalOrsConfig {
  bool isReuseSource;
  int8_t scalarTensorIndex;
};
constexpr LogicalAndsConfig DEFAULT_LOGICAL_ANDS_CONFIG = {false, 1};
constexpr LogicalOrsConfig DEFAULT_LOGICAL_ORS_CONFIG = {false, 1};

#define BELAY_MATH_NEW1(Name, Config, Default)                                 \
  template <const Config &config = Default, typename T, typename U>            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      const uint32_t count) {                                  \
    belay_detail::math<belay_detail::MathOp::Name, config.isReuseSource, T,    \
                       PrimT<U>>(dst, belay_detail::source(src), {}, {},       \
                                 count);                                       \
  }                                                                            \
  template <const Config &config = Default, typename T, typename U>            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const uint32_t count) {                                  \
    belay_detail::math<belay_detail::MathOp::Name, config.isReuseSource, T,    \
                       PrimT<U>>(dst, belay_detail::source(src), {}, {},       \
                                 count,                                        \
                                 belay_detail::scratch(sharedTmpBuffer));      \
  }
BELAY_MATH_NEW1(Rint, RintConfig, DEFAULT_RINT_CONFIG)
// Only where they exist: kernels for other cores have their own of these names.
#if __NPU_ARCH__ == 3510
BELAY_MATH_NEW1(IsNan, IsNanConfig, DEFAULT_IS_NAN_CONFIG)
BELAY_MATH_NEW1(IsInf, IsInfConfig, DEFAULT_IS_INF_CONFIG)
#endif
BELAY_MATH_NEW1(BitwiseNot, BitwiseNotConfig, DEFAULT_BITWISE_NOT_CONFIG)
BELAY_MATH_NEW1(LogicalNot, LogicalNotConfig, DEFAULT_LOGICAL_NOT_CONFIG)
#undef BELAY_MATH_NEW1

#define BELAY_MATH_NEW2(Name, Config, Default)                                 \
  template <const Config &config = Default, typename T, typename U>            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, const uint32_t count) {      \
    belay_detail::math<belay_detail::MathOp::Name, config.isReuseSource, T,    \
                       PrimT<U>>(dst, belay_detail::source(src0),              \
                                 belay_detail::source(src1), {}, count);       \
  }
BELAY_MATH_NEW2(BitwiseAnd, BitwiseAndConfig, DEFAULT_BITWISE_AND_CONFIG)
BELAY_MATH_NEW2(BitwiseOr, BitwiseOrConfig, DEFAULT_BITWISE_OR_CONFIG)
BELAY_MATH_NEW2(BitwiseXor, BitwiseXorConfig, DEFAULT_BITWISE_XOR_CONFIG)
BELAY_MATH_NEW2(LogicalAnd, LogicalAndConfig, DEFAULT_LOGICAL_AND_CONFIG)
BELAY_MATH_NEW2(LogicalOr, LogicalOrConfig, DEFAULT_LOGICAL_OR_CONFIG)
BELAY_MATH_NEW2(LogicalXor, LogicalXorConfig, DEFAULT_LOGICAL_XOR_CONFIG)
#undef BELAY_MATH_NEW2

// A tensor and a scalar in either order; the scalar may be the first element of
// a tensor, which scalarTensorIndex then names.
#define BELAY_MATH_SCALARS(Name, Config, Default)                              \
  template <const Config &config = Default, typename T, typename U,            \
            typename S>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const U &src0, const S &src1, \
                      const uint32_t count) {                                  \
    auto a = belay_detail::source(src0), b = belay_detail::source(src1);       \
    if constexpr (belay_detail::IsTensor<U>::value &&                          \
                  belay_detail::IsTensor<S>::value)                            \
      (config.scalarTensorIndex == 0 ? a : b).Scalar = true;                   \
    belay_detail::math<belay_detail::MathOp::Name, config.isReuseSource, T,    \
                       typename belay_detail::ElementOf<U>::type>(dst, a, b,   \
                                                                  {}, count);  \
  }
BELAY_MATH_SCALARS(LogicalAnds, LogicalAndsConfig, DEFAULT_LOGICAL_ANDS_CONFIG)
BELAY_MATH_SCALARS(LogicalOrs, LogicalOrsConfig, DEFAULT_LOGICAL_ORS_CONFIG)
#undef BELAY_MATH_SCALARS

#if __NPU_ARCH__ == 3510
template <typename T, typename U>
BELAY_API void IsFinite(const LocalTensor<U> &dst, const LocalTensor<T> &src,
                        uint32_t calCount) {
  belay_detail::math<belay_detail::MathOp::IsFinite, false, U, PrimT<T>>(
      dst, belay_detail::source(src), {}, {}, calCount);
}
#endif
template <const FmaConfig &config = DEFAULT_FMA_CONFIG, typename T>
BELAY_API void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, const LocalTensor<T> &src2,
                   const LocalTensor<uint8_t> &sharedTmpBuffer,
                   const uint32_t count) {
  belay_detail::math<belay_detail::MathOp::Fma, config.isReuseSource, T,
                     PrimT<T>>(dst, belay_detail::source(src0),
                               belay_detail::source(src1),
                               belay_detail::source(src2), count,
                               belay_detail::scratch(sharedTmpBuffer));
}
template <const FmaConfig &config = DEFAULT_FMA_CONFIG, typename T>
BELAY_API void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, const LocalTensor<T> &src2,
                   const uint32_t count) {
  belay_detail::math<belay_detail::MathOp::Fma, config.isReuseSource, T,
                     PrimT<T>>(dst, belay_detail::source(src0),
                               belay_detail::source(src1),
                               belay_detail::source(src2), count);
}
template <const ClampConfig &config = DEFAULT_CLAMP_CONFIG, typename T,
          typename U, typename S>
BELAY_API void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                     const U &min, const S &max, const uint32_t count) {
  belay_detail::math<belay_detail::MathOp::Clamp, config.isReuseSource, T,
                     PrimT<T>>(dst, belay_detail::source(src),
                               belay_detail::source(min),
                               belay_detail::source(max), count);
}
template <typename T, typename U, typename S, typename V>
BELAY_API void Where(const LocalTensor<T> &dst, const U &src0, const S &src1,
                     const LocalTensor<V> &condition, const uint32_t count) {
  belay_detail::math<belay_detail::MathOp::Where, false, T, PrimT<T>>(
      dst, belay_detail::source(src0), belay_detail::source(src1),
      belay_detail::source(condition), count);
}

namespace belay_detail {
template <bool reuse, typename T>
BELAY_API void sinCos(const LocalTensor<T> &sin, const LocalTensor<T> &cos,
                      const LocalTensor<T> &src, uint32_t count,
                      Scratch tmp = {}) {
  MathCall call{sin.data(),
                {source(src), {}, {}},
                elem<PrimT<T>>,
                elem<PrimT<T>>,
                count,
                reuse,
                0,
                cos.data(),
                tmp};
  belay_sim_math(MathOp::SinCos, &call);
}
} // namespace belay_detail
template <const SinCosConfig &config = DEFAULT_SINCOS_CONFIG, typename T>
BELAY_API void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1,
                      const LocalTensor<T> &src,
                      const LocalTensor<uint8_t> &sharedTmpBuffer,
                      const uint32_t count) {
  belay_detail::sinCos<config.isReuseSource>(
      dst0, dst1, src, count, belay_detail::scratch(sharedTmpBuffer));
}
template <const SinCosConfig &config = DEFAULT_SINCOS_CONFIG, typename T>
BELAY_API void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1,
                      const LocalTensor<T> &src, const uint32_t count) {
  belay_detail::sinCos<config.isReuseSource>(dst0, dst1, src, count);
}

// --- prefix sums -------------------------------------------------------------
enum class CumSumAlgorithm {
  CUMSUM_ALGORITHM_LINEBYLINE = 0,
  CUMSUM_ALGORITHM_SKLANSKY = 1
};
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, true};

namespace belay_detail {
template <const CumSumConfig &config, typename T>
BELAY_API void cumSum(const LocalTensor<T> &dst, const LocalTensor<T> &lastRow,
                      const LocalTensor<T> &src, const CumSumInfo &info,
                      Scratch tmp = {}) {
  belay::sim::CumSumCall call{
      dst.data(),        config.outputLastRow ? lastRow.data() : nullptr,
      src.data(),        elem<PrimT<T>>,
      info.outter,       info.inner,
      config.isLastAxis, tmp};
  belay_sim_cumsum(&call);
}
} // namespace belay_detail
template <typename T, const CumSumConfig &config = defaultCumSumConfig>
BELAY_API void CumSum(const LocalTensor<T> &dst, const LocalTensor<T> &lastRow,
                      const LocalTensor<T> &src,
                      const LocalTensor<uint8_t> &sharedTmpBuffer,
                      const CumSumInfo &cumSumInfo) {
  belay_detail::cumSum<config>(dst, lastRow, src, cumSumInfo,
                               belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, const CumSumConfig &config = defaultCumSumConfig>
BELAY_API void CumSum(const LocalTensor<T> &dst, const LocalTensor<T> &lastRow,
                      const LocalTensor<T> &src, const CumSumInfo &cumSumInfo) {
  belay_detail::cumSum<config>(dst, lastRow, src, cumSumInfo);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_MATH_H

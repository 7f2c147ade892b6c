//===- quantization.h - To and from scaled integers -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_QUANTIZATION_H
#define BELAY_ASCENDC_API_LIBRARY_QUANTIZATION_H

#include "api/cast.h"
#include "api/library/math.h"

namespace AscendC {

struct AscendQuantConfig {
  __aicore__ constexpr AscendQuantConfig(
      const uint32_t calcCount, const uint32_t offsetCount,
      const uint32_t scaleCount, const uint32_t workLocalSize,
      const bool hasOffset = false, const int32_t kDim = 1,
      const RoundMode roundMode = RoundMode::CAST_RINT)
      : calcCount(calcCount), offsetCount(offsetCount), scaleCount(scaleCount),
        workLocalSize(workLocalSize), hasOffset(hasOffset), kDim(kDim),
        roundMode(roundMode) {}
  __aicore__ constexpr AscendQuantConfig(
      const bool hasOffset, const int32_t kDim = 1,
      const RoundMode roundMode = RoundMode::CAST_RINT)
      : hasOffset(hasOffset), kDim(kDim), roundMode(roundMode) {}
  uint32_t calcCount = 0;
  uint32_t offsetCount = 0;
  uint32_t scaleCount = 0;
  uint32_t workLocalSize = 0;
  bool hasOffset = false;
  int32_t kDim = 1;
  RoundMode roundMode = RoundMode::CAST_RINT;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0u, 0u, 0u, 0u};

#define BELAY_QUANT_PARAMS(Name)                                               \
  struct Name {                                                                \
    uint32_t m;                                                                \
    uint32_t n;                                                                \
    uint32_t calCount;                                                         \
    uint32_t groupSize = 0;                                                    \
  };
BELAY_QUANT_PARAMS(AscendQuantParam)
BELAY_QUANT_PARAMS(AscendDeQuantParam)
BELAY_QUANT_PARAMS(AscendAntiQuantParam)
#undef BELAY_QUANT_PARAMS

enum class AscendQuantPolicy : int32_t {
  PER_TENSOR,
  PER_CHANNEL,
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
enum class AscendAntiQuantPolicy : int32_t {
  PER_TENSOR,
  PER_CHANNEL,
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
enum class AscendDeQuantPolicy : int32_t {
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
struct AscendDeQuantConfig {
  bool hasOffset;
  int32_t kDim = 1;
};
struct AscendAntiQuantConfig {
  bool hasOffset;
  bool isTranspose;
  int32_t kDim = 1;
};
struct DequantParams {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
};
enum class DeQuantMode : uint8_t {
  DEQUANT_WITH_SINGLE_ROW = 0,
  DEQUANT_WITH_MULTI_ROW,
};
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};

#define BELAY_QUANT_FAMILY(Name)                                               \
  enum class Name##Policy : int32_t{PER_TENSOR, PER_CHANNEL, PER_TOKEN,        \
                                    PER_GROUP};                                \
  struct Name##Params {                                                        \
    uint32_t m;                                                                \
    uint32_t n;                                                                \
    uint32_t groupSize = 0;                                                    \
  };
BELAY_QUANT_FAMILY(Quantize)
BELAY_QUANT_FAMILY(Dequantize)
BELAY_QUANT_FAMILY(AntiQuantize)
#undef BELAY_QUANT_FAMILY
struct QuantizeConfig {
  QuantizePolicy policy;
  bool hasOffset;
  RoundMode roundMode = RoundMode::CAST_RINT;
  int32_t kDim = 1;
};
struct DequantizeConfig {
  DequantizePolicy policy;
  bool hasOffset = false;
  int32_t kDim = 1;
};
struct AntiQuantizeConfig {
  AntiQuantizePolicy policy;
  bool hasOffset;
  int32_t kDim = 1;
};

namespace belay_detail {

using belay::sim::QuantCall;
using belay::sim::QuantOp;
using belay::sim::QuantPolicy;

template <typename D, typename S, typename P>
BELAY_API QuantCall quantCall(QuantOp op, const char *name,
                              const LocalTensor<D> &dst,
                              const LocalTensor<S> &src, Source scale,
                              Source offset, Scratch tmp) {
  QuantCall c{op, name, dst.data(), src.data(), scale, offset};
  c.DstType = elem<PrimT<D>>;
  c.SrcType = elem<PrimT<S>>;
  c.ParamType = elem<P>;
  c.Policy = QuantPolicy::Tensor;
  c.GroupSize = 0;
  c.GroupRows = false;
  c.HalfSteps = c.Modern = false;
  c.Round = belay::sim::Rounding::Rint;
  c.Tmp = tmp;
  return c;
}
BELAY_API void rowsOf(QuantCall &c, uint32_t rows, uint32_t columns) {
  c.Rows = rows;
  c.Columns = c.Computed = c.SrcStride = c.DstStride = columns;
}

/// AscendQuant computes in half, whatever the types are.
template <typename D, typename T, typename P>
BELAY_API void ascendQuant(const LocalTensor<D> &dst, const LocalTensor<T> &src,
                           Source scale, Source offset, RoundMode round,
                           uint32_t channels, uint32_t count,
                           Scratch tmp = {}) {
  QuantCall c = quantCall<D, T, P>(QuantOp::Quant, "AscendQuant", dst, src,
                                   scale, offset, tmp);
  if (channels) {
    c.Policy = QuantPolicy::Channel;
    rowsOf(c, count / channels, channels);
  } else {
    rowsOf(c, 1, count);
  }
  c.HalfSteps = true;
  c.Round = roundingOf(round);
  belay_sim_quant(&c);
}

/// Token and group forms of all three directions, since arch 3510.
template <typename P, typename D, typename S>
BELAY_API void quantRows(QuantOp op, const char *name,
                         const LocalTensor<D> &dst, const LocalTensor<S> &src,
                         Source scale, Source offset, QuantPolicy policy,
                         uint32_t m, uint32_t n, uint32_t groupSize, bool rows,
                         RoundMode round, Scratch tmp = {}) {
  QuantCall c = quantCall<D, S, P>(op, name, dst, src, scale, offset, tmp);
  rowsOf(c, m, n);
  c.Modern = true;
  c.Policy = policy;
  c.GroupSize = groupSize;
  c.GroupRows = rows;
  c.Round = roundingOf(round);
  belay_sim_quant(&c);
}

} // namespace belay_detail

// --- AscendQuant -------------------------------------------------------------
#define BELAY_TMP const LocalTensor<uint8_t> &sharedTmpBuffer,
#define BELAY_NO_TMP
#define BELAY_QUANT(Template, D, T, Round, Tmp, Scratch)                       \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const float scale, const float offset, const uint32_t calCount) {    \
    belay_detail::ascendQuant<D, T, float>(                                    \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, 0, calCount, Scratch);                                          \
  }                                                                            \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const float scale, const float offset) {                             \
    belay_detail::ascendQuant<D, T, float>(                                    \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, 0, src.GetSize(), Scratch);                                     \
  }                                                                            \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const LocalTensor<T> &scale, const T offset,                         \
      const uint32_t scaleCount, const uint32_t calCount) {                    \
    belay_detail::ascendQuant<D, T, PrimT<T>>(                                 \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, scaleCount, calCount, Scratch);                                 \
  }                                                                            \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const LocalTensor<T> &scale, const T offset) {                       \
    belay_detail::ascendQuant<D, T, PrimT<T>>(                                 \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, scale.GetSize(), src.GetSize(), Scratch);                       \
  }                                                                            \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const LocalTensor<T> &scale, const LocalTensor<T> &offset,           \
      const uint32_t scaleCount, const uint32_t offsetCount,                   \
      const uint32_t calCount) {                                               \
    belay_detail::ascendQuant<D, T, PrimT<T>>(                                 \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, scaleCount, calCount, Scratch);                                 \
  }                                                                            \
  Template BELAY_API void AscendQuant(                                         \
      const LocalTensor<D> &dst, const LocalTensor<T> &src,                    \
      Tmp const LocalTensor<T> &scale, const LocalTensor<T> &offset) {         \
    belay_detail::ascendQuant<D, T, PrimT<T>>(                                 \
        dst, src, belay_detail::source(scale), belay_detail::source(offset),   \
        Round, scale.GetSize(), src.GetSize(), Scratch);                       \
  }
#define BELAY_TO_INT8                                                          \
  template <typename T, bool isReuseSource = false,                            \
            const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG>
#define BELAY_TO_ANY                                                           \
  template <typename dstT, typename srcT, bool isReuseSource = false>
BELAY_QUANT(BELAY_TO_INT8, int8_t, T, config.roundMode, BELAY_NO_TMP, {})
BELAY_QUANT(BELAY_TO_INT8, int8_t, T, config.roundMode, BELAY_TMP,
            belay_detail::scratch(sharedTmpBuffer))
BELAY_QUANT(BELAY_TO_ANY, dstT, srcT, RoundMode::CAST_RINT, BELAY_NO_TMP, {})
BELAY_QUANT(BELAY_TO_ANY, dstT, srcT, RoundMode::CAST_RINT, BELAY_TMP,
            belay_detail::scratch(sharedTmpBuffer))
#undef BELAY_QUANT
#undef BELAY_TO_INT8
#undef BELAY_TO_ANY

#define BELAY_QUANT_POLICY(Tmp, Scratch, Offset)                               \
  template <typename dstT, typename srcT, typename scaleT, bool isReuseSource, \
            const AscendQuantConfig &config, const AscendQuantPolicy &policy>  \
  BELAY_API void AscendQuant(const LocalTensor<dstT> &dst,                     \
                             const LocalTensor<srcT> &src,                     \
                             Tmp const LocalTensor<scaleT> &scale,             \
                             Offset offset, const AscendQuantParam &para) {    \
    belay_detail::quantRows<PrimT<scaleT>>(                                    \
        belay_detail::QuantOp::Quant, "AscendQuant", dst, src,                 \
        belay_detail::source(scale),                                           \
        config.hasOffset ? belay_detail::source(offset)                        \
                         : belay_detail::Source{},                             \
        static_cast<belay_detail::QuantPolicy>(policy),                        \
        para.calCount / para.n, para.n, para.groupSize, config.kDim == 0,      \
        config.roundMode, Scratch);                                            \
  }
BELAY_QUANT_POLICY(BELAY_NO_TMP, {}, const LocalTensor<scaleT> &)
BELAY_QUANT_POLICY(BELAY_TMP, belay_detail::scratch(sharedTmpBuffer),
                   const LocalTensor<scaleT> &)
BELAY_QUANT_POLICY(BELAY_NO_TMP, {}, const scaleT)
BELAY_QUANT_POLICY(BELAY_TMP, belay_detail::scratch(sharedTmpBuffer),
                   const scaleT)
#undef BELAY_QUANT_POLICY

// --- AscendDequant -----------------------------------------------------------
namespace belay_detail {
/// A single row of n may stand for n / calCount rows.
template <DeQuantMode mode, typename P, typename D>
BELAY_API void dequant(const LocalTensor<D> &dst,
                       const LocalTensor<int32_t> &src, Source scale,
                       DequantParams p, Scratch tmp = {}) {
  constexpr uint32_t perBlock = 32 / sizeof(PrimT<D>);
  if (mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW && p.m == 1 && p.calCount &&
      p.calCount % perBlock == 0 && p.n % p.calCount == 0) {
    p.m = p.n / p.calCount;
    p.n = p.calCount;
  }
  QuantCall c = quantCall<D, int32_t, P>(QuantOp::Dequant, "AscendDequant", dst,
                                         src, scale, {}, tmp);
  rowsOf(c, p.m, p.n);
  c.Computed = p.calCount;
  c.DstStride = (p.n + perBlock - 1) / perBlock * perBlock;
  c.Policy = scale.Scalar ? QuantPolicy::Tensor : QuantPolicy::Channel;
  belay_sim_quant(&c);
}
} // namespace belay_detail

#define BELAY_DEQUANT_TEMPLATE                                                 \
  template <typename dstT, typename scaleT,                                    \
            DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
#define BELAY_DEQUANT(Last, Params, Scratch)                                   \
  BELAY_DEQUANT_TEMPLATE                                                       \
  BELAY_API void AscendDequant(const LocalTensor<dstT> &dst,                   \
                               const LocalTensor<int32_t> &src,                \
                               const LocalTensor<scaleT> &deqScale Last) {     \
    belay_detail::dequant<mode, PrimT<scaleT>>(                                \
        dst, src, belay_detail::source(deqScale), Params, Scratch);            \
  }
#define BELAY_COMMA ,
BELAY_DEQUANT(BELAY_COMMA DequantParams params, params, {})
BELAY_DEQUANT(BELAY_COMMA const LocalTensor<uint8_t> &sharedTmpBuffer
                  BELAY_COMMA DequantParams params,
              params, belay_detail::scratch(sharedTmpBuffer))
// Without a shape, the source is rows as long as there are scales.
#define BELAY_DEQUANT_SHAPE(Count)                                             \
  (DequantParams{(Count) ? src.GetSize() / (Count) : 0, (Count), (Count)})
BELAY_DEQUANT(BELAY_COMMA const uint32_t calCount,
              BELAY_DEQUANT_SHAPE(calCount), {})
BELAY_DEQUANT(BELAY_COMMA const LocalTensor<uint8_t> &sharedTmpBuffer
                  BELAY_COMMA const uint32_t calCount,
              BELAY_DEQUANT_SHAPE(calCount),
              belay_detail::scratch(sharedTmpBuffer))
BELAY_DEQUANT(BELAY_COMMA const LocalTensor<uint8_t> &sharedTmpBuffer,
              BELAY_DEQUANT_SHAPE(deqScale.GetSize()),
              belay_detail::scratch(sharedTmpBuffer))
BELAY_DEQUANT(, BELAY_DEQUANT_SHAPE(deqScale.GetSize()), {})
#undef BELAY_DEQUANT
#undef BELAY_DEQUANT_SHAPE
#undef BELAY_COMMA
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT> &dst,
                             const LocalTensor<int32_t> &src,
                             const scaleT deqScale,
                             const LocalTensor<uint8_t> &sharedTmpBuffer,
                             DequantParams params) {
  belay_detail::dequant<mode, scaleT>(dst, src, belay_detail::source(deqScale),
                                      params,
                                      belay_detail::scratch(sharedTmpBuffer));
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT> &dst,
                             const LocalTensor<int32_t> &src,
                             const scaleT deqScale, DequantParams params) {
  belay_detail::dequant<mode, scaleT>(dst, src, belay_detail::source(deqScale),
                                      params);
}
#undef BELAY_DEQUANT_TEMPLATE

#define BELAY_DEQUANT_POLICY(Tmp, Scratch)                                     \
  template <typename dstT, typename srcT, typename scaleT,                     \
            const AscendDeQuantConfig &config,                                 \
            const AscendDeQuantPolicy &policy>                                 \
  BELAY_API void AscendDequant(                                                \
      const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src,              \
      const LocalTensor<scaleT> &scale, const LocalTensor<scaleT> &offset,     \
      Tmp const AscendDeQuantParam &para) {                                    \
    belay_detail::quantRows<PrimT<scaleT>>(                                    \
        belay_detail::QuantOp::Dequant, "AscendDequant", dst, src,             \
        belay_detail::source(scale), {},                                       \
        policy == AscendDeQuantPolicy::PER_TOKEN                               \
            ? belay_detail::QuantPolicy::Token                                 \
            : belay_detail::QuantPolicy::Group,                                \
        para.calCount / para.n, para.n, para.groupSize, config.kDim == 0,      \
        RoundMode::CAST_RINT, Scratch);                                        \
  }
BELAY_DEQUANT_POLICY(BELAY_NO_TMP, {})
BELAY_DEQUANT_POLICY(BELAY_TMP, belay_detail::scratch(sharedTmpBuffer))
#undef BELAY_DEQUANT_POLICY

// --- AscendAntiQuant ---------------------------------------------------------
namespace belay_detail {
/// Without transposition, src is [k, n] and k is split into groups; with it,
/// src is [n, k].
template <bool transpose, typename D, typename S>
BELAY_API void antiQuant(const LocalTensor<D> &dst, const LocalTensor<S> &src,
                         Source offset, Source scale, uint32_t k,
                         const AntiQuantShapeInfo &shape, uint32_t scales,
                         Scratch tmp = {}) {
  QuantCall c = quantCall<D, S, PrimT<D>>(QuantOp::AntiQuant, "AscendAntiQuant",
                                          dst, src, scale, offset, tmp);
  // Half results are computed in half, bfloat16 ones in float.
  c.HalfSteps = std::is_same_v<PrimT<D>, half>;
  uint32_t n = k ? dst.GetSize() / k : 0;
  if (transpose)
    rowsOf(c, shape.scaleHeight ? shape.scaleHeight : n, k);
  else
    rowsOf(c, k, shape.scaleWidth ? shape.scaleWidth : n);
  if (scale.Scalar) {
    belay_sim_quant(&c);
    return;
  }
  uint32_t groups = transpose ? shape.scaleWidth : shape.scaleHeight;
  if (!groups)
    groups = scales / (transpose ? c.Rows : c.Columns);
  c.Policy = QuantPolicy::Group;
  c.GroupRows = !transpose;
  c.GroupSize = groups ? k / groups : 0;
  belay_sim_quant(&c);
}
} // namespace belay_detail

#define BELAY_ANTIQUANT(Tmp, Scratch)                                          \
  template <typename InputDataType, typename OutputDataType, bool isTranspose> \
  BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType> &dst,       \
                                 const LocalTensor<InputDataType> &src,        \
                                 const LocalTensor<OutputDataType> &offset,    \
                                 const LocalTensor<OutputDataType> &scale,     \
                                 Tmp const uint32_t k,                         \
                                 const AntiQuantShapeInfo &shapeInfo = {}) {   \
    belay_detail::antiQuant<isTranspose>(                                      \
        dst, src, belay_detail::source(offset), belay_detail::source(scale),   \
        k, shapeInfo, scale.GetSize(), Scratch);                               \
  }                                                                            \
  template <typename InputDataType, typename OutputDataType, bool isTranspose> \
  BELAY_API void AscendAntiQuant(                                              \
      const LocalTensor<OutputDataType> &dst,                                  \
      const LocalTensor<InputDataType> &src, const OutputDataType offset,      \
      const OutputDataType scale, Tmp const uint32_t k,                        \
      const AntiQuantShapeInfo &shapeInfo = {}) {                              \
    belay_detail::antiQuant<isTranspose>(                                      \
        dst, src, belay_detail::source(offset), belay_detail::source(scale),   \
        k, shapeInfo, 1, Scratch);                                             \
  }
BELAY_ANTIQUANT(BELAY_NO_TMP, {})
BELAY_ANTIQUANT(BELAY_TMP, belay_detail::scratch(sharedTmpBuffer))
#undef BELAY_ANTIQUANT
template <typename InputDataType, typename OutputDataType, bool isTranspose>
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType> &dst,
                               const LocalTensor<InputDataType> &src,
                               const LocalTensor<OutputDataType> &scale,
                               BELAY_TMP const uint32_t k,
                               const AntiQuantShapeInfo &shapeInfo = {}) {
  belay_detail::antiQuant<isTranspose>(
      dst, src, {}, belay_detail::source(scale), k, shapeInfo, scale.GetSize(),
      belay_detail::scratch(sharedTmpBuffer));
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType> &dst,
                               const LocalTensor<InputDataType> &src,
                               const OutputDataType scale,
                               BELAY_TMP const uint32_t k,
                               const AntiQuantShapeInfo &shapeInfo = {}) {
  belay_detail::antiQuant<isTranspose>(
      dst, src, {}, belay_detail::source(scale), k, shapeInfo, 1,
      belay_detail::scratch(sharedTmpBuffer));
}

#define BELAY_ANTIQUANT_POLICY(Tmp, Scratch)                                   \
  template <typename dstT, typename srcT, typename scaleT,                     \
            const AscendAntiQuantConfig &config,                               \
            const AscendAntiQuantPolicy &policy>                               \
  BELAY_API void AscendAntiQuant(                                              \
      const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src,              \
      const LocalTensor<scaleT> &scale, const LocalTensor<scaleT> &offset,     \
      Tmp const AscendAntiQuantParam &para) {                                  \
    belay_detail::quantRows<PrimT<scaleT>>(                                    \
        belay_detail::QuantOp::AntiQuant, "AscendAntiQuant", dst, src,         \
        belay_detail::source(scale),                                           \
        config.hasOffset ? belay_detail::source(offset)                        \
                         : belay_detail::Source{},                             \
        static_cast<belay_detail::QuantPolicy>(policy),                        \
        para.calCount / para.n, para.n, para.groupSize,                        \
        (config.kDim == 0) != config.isTranspose, RoundMode::CAST_RINT,        \
        Scratch);                                                              \
  }
BELAY_ANTIQUANT_POLICY(BELAY_NO_TMP, {})
BELAY_ANTIQUANT_POLICY(BELAY_TMP, belay_detail::scratch(sharedTmpBuffer))
#undef BELAY_ANTIQUANT_POLICY

// --- one form for all policies -----------------------------------------------
#define BELAY_QUANTIZE(Name, Op, Round, Tmp, Scratch)                          \
  template <const Name##Config &config, typename DstT, typename SrcT,          \
            typename ScaleT, typename OffsetT>                                 \
  BELAY_API void Name(const LocalTensor<DstT> &dst,                            \
                      const LocalTensor<SrcT> &src, const ScaleT &scale,       \
                      const OffsetT &offset, Tmp const Name##Params &params) { \
    belay_detail::quantRows<typename belay_detail::ElementOf<ScaleT>::type>(   \
        belay_detail::QuantOp::Op, #Name, dst, src,                            \
        belay_detail::source(scale),                                           \
        config.hasOffset ? belay_detail::source(offset)                        \
                         : belay_detail::Source{},                             \
        static_cast<belay_detail::QuantPolicy>(config.policy), params.m,       \
        params.n, params.groupSize, config.kDim == 0, Round, Scratch);         \
  }
#define BELAY_QUANTIZE_BOTH(Name, Op, Round)                                   \
  BELAY_QUANTIZE(Name, Op, Round, BELAY_NO_TMP, {})                            \
  BELAY_QUANTIZE(Name, Op, Round, BELAY_TMP,                                   \
                 belay_detail::scratch(sharedTmpBuffer))
BELAY_QUANTIZE_BOTH(Quantize, Quant, config.roundMode)
BELAY_QUANTIZE_BOTH(Dequantize, Dequant, RoundMode::CAST_RINT)
BELAY_QUANTIZE_BOTH(AntiQuantize, AntiQuant, RoundMode::CAST_RINT)
#undef BELAY_QUANTIZE_BOTH
#undef BELAY_QUANTIZE
#undef BELAY_TMP
#undef BELAY_NO_TMP

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_QUANTIZATION_H

//===- normalization.h - Normalisations -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_NORMALIZATION_H
#define BELAY_ASCENDC_API_LIBRARY_NORMALIZATION_H

#include "api/library/math.h"
#include "api/library/options.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
struct LayerNormPara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};
struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false, false,
                                        false};
struct NormalizePara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};

struct WelfordUpdateParam {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t abComputeLength;
  float nRec;
};
struct WelfordUpdateConfig {
  __aicore__ constexpr WelfordUpdateConfig(const bool isInplaceIn)
      : isInplace(isInplaceIn) {}
  bool isInplace = false;
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
struct WelfordFinalizePara {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t headCount;
  uint32_t headCountLength;
  uint32_t tailCount;
  uint32_t tailCountLength;
  float abRec;
  float rRec;
  float rRecWithCorrection;
};
struct WelfordFinalizeConfig {
  __aicore__ constexpr WelfordFinalizeConfig(const bool isCorrectionIn)
      : isCorrection(isCorrectionIn) {}
  bool isCorrection = false;
};
constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};

namespace belay_detail {

using belay::sim::NormCall;
using belay::sim::NormOp;

template <typename T, typename U, typename S>
BELAY_API NormCall normCall(NormOp op, const LocalTensor<T> &dst,
                            const LocalTensor<T> &src, Scratch tmp) {
  NormCall c{op};
  c.Dst = dst.data();
  c.Src = src.data();
  c.Type = elem<PrimT<T>>;
  c.GammaType = elem<PrimT<U>>;
  c.StatType = elem<PrimT<S>>;
  c.Tmp = tmp;
  return c;
}

template <typename Tiling> BELAY_API void rows(NormCall &c, const Tiling &t) {
  c.Rows = t.bLength * t.sLength;
  c.Columns = t.hLength;
  c.Valid = t.originalHLength ? t.originalHLength : t.hLength;
}

template <bool reuse, typename T>
BELAY_API void
layerNorm(const LocalTensor<T> &output, const LocalTensor<T> &mean,
          const LocalTensor<T> &variance, const LocalTensor<T> &x,
          const LocalTensor<T> &gamma, const LocalTensor<T> &beta, T epsilon,
          const LayerNormTiling &tiling, Scratch tmp = {}) {
  NormCall c = normCall<T, T, T>(NormOp::LayerNorm, output, x, tmp);
  rows(c, tiling);
  c.Mean = mean.data();
  c.Spread = variance.data();
  c.Gamma = gamma.data();
  c.Beta = beta.data();
  c.Epsilon = static_cast<float>(epsilon);
  c.OverwritesSource = reuse;
  belay_sim_norm(&c);
}

template <const LayerNormConfig &config, typename U, typename T>
BELAY_API void
layerNormRstd(const LocalTensor<T> &output, const LocalTensor<float> &mean,
              const LocalTensor<float> &rstd, const LocalTensor<T> &x,
              const LocalTensor<U> &gamma, const LocalTensor<U> &beta,
              float epsilon, const LayerNormPara &para, Scratch tmp = {}) {
  NormCall c = normCall<T, U, float>(NormOp::LayerNormRstd, output, x, tmp);
  c.Rows = para.aLength;
  c.Columns = para.rLengthWithPadding;
  c.Valid = para.rLength;
  if (!config.isOnlyOutput) {
    c.Mean = mean.data();
    c.Spread = rstd.data();
  }
  c.SpreadIsRstd = config.isOutputRstd;
  c.Gamma = config.isNoGamma ? nullptr : gamma.data();
  c.Beta = config.isNoBeta ? nullptr : beta.data();
  c.Epsilon = epsilon;
  belay_sim_norm(&c);
}

template <typename T>
BELAY_API void rmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<T> &gamma, T epsilon,
                       const RmsNormTiling &tiling, Scratch tmp = {}) {
  NormCall c = normCall<T, T, T>(NormOp::RmsNorm, dst, src, tmp);
  rows(c, tiling);
  c.Gamma = gamma.data();
  c.Epsilon = static_cast<float>(epsilon);
  belay_sim_norm(&c);
}

template <typename T>
BELAY_API void
batchNorm(const LocalTensor<T> &output, const LocalTensor<T> &mean,
          const LocalTensor<T> &variance, const LocalTensor<T> &x,
          const LocalTensor<T> &gamma, const LocalTensor<T> &beta, T epsilon,
          const BatchNormTiling &tiling, Scratch tmp = {}) {
  NormCall c = normCall<T, T, T>(NormOp::BatchNorm, output, x, tmp);
  c.Rows = tiling.originalBLength;
  c.Columns = c.Valid = tiling.meanVarSize;
  c.Mean = mean.data();
  c.Spread = variance.data();
  c.Gamma = gamma.data();
  c.Beta = beta.data();
  c.Epsilon = static_cast<float>(epsilon);
  belay_sim_norm(&c);
}

template <bool reuse, typename T>
BELAY_API void deepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &mean,
                        const LocalTensor<T> &rstd, const LocalTensor<T> &src,
                        const LocalTensor<T> &gx, const LocalTensor<T> &beta,
                        const LocalTensor<T> &gamma, T alpha, T epsilon,
                        const DeepNormTiling &tiling, Scratch tmp = {}) {
  NormCall c = normCall<T, T, T>(NormOp::DeepNorm, dst, src, tmp);
  rows(c, tiling);
  c.Residual = gx.data();
  c.Mean = mean.data();
  c.Spread = rstd.data(); // its name in the API; it gets the variance
  c.Gamma = gamma.data();
  c.Beta = beta.data();
  c.Alpha = static_cast<float>(alpha);
  c.Epsilon = static_cast<float>(epsilon);
  c.OverwritesSource = reuse;
  belay_sim_norm(&c);
}

template <bool reuse, typename T>
BELAY_API void
groupNorm(const LocalTensor<T> &output, const LocalTensor<T> &mean,
          const LocalTensor<T> &variance, const LocalTensor<T> &x,
          const LocalTensor<T> &gamma, const LocalTensor<T> &beta, T epsilon,
          const GroupNormTiling &tiling, Scratch tmp = {}) {
  NormCall c = normCall<T, T, T>(NormOp::GroupNorm, output, x, tmp);
  c.Rows = tiling.n * tiling.c;
  c.Channels = tiling.d;
  c.GammaPeriod = tiling.c;
  c.Columns = tiling.hwAlignSize;
  c.Valid = tiling.hw;
  c.Mean = mean.data();
  c.Spread = variance.data();
  c.Gamma = gamma.data();
  c.Beta = beta.data();
  c.Epsilon = static_cast<float>(epsilon);
  c.OverwritesSource = reuse;
  belay_sim_norm(&c);
}

template <const NormalizeConfig &config, typename U, typename T>
BELAY_API void
normalize(const LocalTensor<T> &output, const LocalTensor<float> &rstd,
          const LocalTensor<float> &mean, const LocalTensor<float> &variance,
          const LocalTensor<T> &x, const LocalTensor<U> &gamma,
          const LocalTensor<U> &beta, float epsilon, const NormalizePara &para,
          Scratch tmp = {}) {
  NormCall c = normCall<T, U, float>(NormOp::Normalize, output, x, tmp);
  c.Rows =
      config.aLength > 0 ? static_cast<uint32_t>(config.aLength) : para.aLength;
  c.Columns = para.rLengthWithPadding;
  c.Valid = para.rLength;
  c.InMean = mean.data();
  c.InVariance = variance.data();
  c.Spread = config.isOnlyOutput ? nullptr : rstd.data();
  c.SpreadIsRstd = true;
  c.Gamma = config.isNoGamma ? nullptr : gamma.data();
  c.Beta = config.isNoBeta ? nullptr : beta.data();
  c.Epsilon = epsilon;
  belay_sim_norm(&c);
}

template <bool reuse, typename T>
BELAY_API void
layerNormGrad(const LocalTensor<T> &pdX, const LocalTensor<T> &resForGamma,
              const LocalTensor<T> &dy, const LocalTensor<T> &x,
              const LocalTensor<T> &variance, const LocalTensor<T> &mean,
              const LocalTensor<T> &gamma, T epsilon,
              const LayerNormGradTiling &t, Scratch tmp = {}) {
  belay::sim::LayerNormGradCall c{pdX.data(),
                                  resForGamma.data(),
                                  dy.data(),
                                  x.data(),
                                  variance.data(),
                                  mean.data(),
                                  gamma.data(),
                                  elem<PrimT<T>>,
                                  t.bLength * t.sLength,
                                  t.hLength,
                                  t.originalHLength ? t.originalHLength
                                                    : t.hLength,
                                  static_cast<float>(epsilon),
                                  reuse,
                                  tmp};
  belay_sim_layer_norm_grad(&c);
}

template <bool reuse, typename T>
BELAY_API void
layerNormGradBeta(const LocalTensor<T> &pdGamma, const LocalTensor<T> &pdBeta,
                  const LocalTensor<T> &resForGamma, const LocalTensor<T> &dy,
                  const LayerNormGradBetaTiling &t, Scratch tmp = {}) {
  belay::sim::LayerNormGradBetaCall c{
      pdGamma.data(), pdBeta.data(),  resForGamma.data(),
      dy.data(),      elem<PrimT<T>>, t.bLength * t.sLength,
      t.hLength,      reuse,          tmp};
  belay_sim_layer_norm_grad_beta(&c);
}

template <const WelfordUpdateConfig &config, bool reuse, typename T>
BELAY_API void welfordUpdate(const LocalTensor<float> &outMean,
                             const LocalTensor<float> &outVariance,
                             const LocalTensor<float> &inMean,
                             const LocalTensor<float> &inVariance,
                             const LocalTensor<T> &x,
                             const WelfordUpdateParam &para, Scratch tmp = {}) {
  belay::sim::WelfordUpdateCall c{
      outMean.data(), outVariance.data(), inMean.data(), inVariance.data(),
      x.data(),       elem<PrimT<T>>,     para.abLength, para.abComputeLength,
      para.nRec,      config.isInplace,   reuse,         tmp};
  belay_sim_welford_update(&c);
}

template <const WelfordFinalizeConfig &config>
BELAY_API void welfordFinalize(const LocalTensor<float> &outMean,
                               const LocalTensor<float> &outVariance,
                               const LocalTensor<float> &inMean,
                               const LocalTensor<float> &inVariance,
                               const int32_t *counts,
                               const WelfordFinalizePara &p, Scratch tmp = {}) {
  belay::sim::WelfordFinalizeCall c{
      outMean.data(), outVariance.data(), inMean.data(), inVariance.data(),
      counts, p.abLength,
      // Without a tail, every element stands for one of each part.
      p.tailCountLength ? p.headCount : p.rnLength, p.headCountLength,
      p.tailCount, p.tailCountLength, p.abRec, p.rRec,
      config.isCorrection ? p.rRecWithCorrection : p.rRec, tmp};
  belay_sim_welford_finalize(&c);
}

} // namespace belay_detail

// Each comes with scratch memory of the caller and without.
#define BELAY_TMP const LocalTensor<uint8_t> &sharedTmpBuffer
#define BELAY_SCRATCH belay_detail::scratch(sharedTmpBuffer)

#define BELAY_NORM(Name, Implementation, Tiling)                               \
  template <typename T, bool isReuseSource = false>                            \
  BELAY_API void Name(                                                         \
      const LocalTensor<T> &output, const LocalTensor<T> &outputMean,          \
      const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,      \
      const LocalTensor<T> &gamma, const LocalTensor<T> &beta, BELAY_TMP,      \
      const T epsilon, const Tiling &tiling) {                                 \
    belay_detail::Implementation<isReuseSource>(                               \
        output, outputMean, outputVariance, inputX, gamma, beta, epsilon,      \
        tiling, BELAY_SCRATCH);                                                \
  }                                                                            \
  template <typename T, bool isReuseSource = false>                            \
  BELAY_API void Name(                                                         \
      const LocalTensor<T> &output, const LocalTensor<T> &outputMean,          \
      const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,      \
      const LocalTensor<T> &gamma, const LocalTensor<T> &beta,                 \
      const T epsilon, const Tiling &tiling) {                                 \
    belay_detail::Implementation<isReuseSource>(output, outputMean,            \
                                                outputVariance, inputX, gamma, \
                                                beta, epsilon, tiling);        \
  }
BELAY_NORM(LayerNorm, layerNorm, LayerNormTiling)
BELAY_NORM(GroupNorm, groupNorm, GroupNormTiling)
#undef BELAY_NORM

template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig &config = LNCFG_NORM>
BELAY_API void
LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean,
          const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX,
          const LocalTensor<U> &gamma, const LocalTensor<U> &beta,
          const float epsilon, const LayerNormPara &para,
          const LayerNormSeparateTiling &tiling) {
  belay_detail::layerNormRstd<config>(output, outputMean, outputRstd, inputX,
                                      gamma, beta, epsilon, para);
}
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig &config = LNCFG_NORM>
BELAY_API void
LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean,
          const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX,
          const LocalTensor<U> &gamma, const LocalTensor<U> &beta,
          const float epsilon, BELAY_TMP, const LayerNormPara &para,
          const LayerNormSeparateTiling &tiling) {
  belay_detail::layerNormRstd<config>(output, outputMean, outputRstd, inputX,
                                      gamma, beta, epsilon, para,
                                      BELAY_SCRATCH);
}

template <typename T, bool isBasicBlock = false>
BELAY_API void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<T> &gamma, BELAY_TMP, const T epsilon,
                       const RmsNormTiling &tiling) {
  belay_detail::rmsNorm(dst, src, gamma, epsilon, tiling, BELAY_SCRATCH);
}
template <typename T, bool isBasicBlock = false>
BELAY_API void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<T> &gamma, const T epsilon,
                       const RmsNormTiling &tiling) {
  belay_detail::rmsNorm(dst, src, gamma, epsilon, tiling);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
BELAY_API void
BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,
          const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,
          const LocalTensor<T> &gamm, const LocalTensor<T> &beta, BELAY_TMP,
          const T epsilon, const BatchNormTiling &tiling) {
  belay_detail::batchNorm(output, outputMean, outputVariance, inputX, gamm,
                          beta, epsilon, tiling, BELAY_SCRATCH);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
BELAY_API void
BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,
          const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,
          const LocalTensor<T> &gamm, const LocalTensor<T> &beta,
          const T epsilon, const BatchNormTiling &tiling) {
  belay_detail::batchNorm(output, outputMean, outputVariance, inputX, gamm,
                          beta, epsilon, tiling);
}

template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
BELAY_API void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &mean,
                        const LocalTensor<T> &rstd, const LocalTensor<T> &src,
                        const LocalTensor<T> &gx, const LocalTensor<T> &beta,
                        const LocalTensor<T> &gamma, BELAY_TMP, const T alpha,
                        const T epsilon, const DeepNormTiling &tiling) {
  belay_detail::deepNorm<isReuseSrc>(dst, mean, rstd, src, gx, beta, gamma,
                                     alpha, epsilon, tiling, BELAY_SCRATCH);
}
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
BELAY_API void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &mean,
                        const LocalTensor<T> &rstd, const LocalTensor<T> &src,
                        const LocalTensor<T> &gx, const LocalTensor<T> &beta,
                        const LocalTensor<T> &gamma, const T alpha,
                        const T epsilon, const DeepNormTiling &tiling) {
  belay_detail::deepNorm<isReuseSrc>(dst, mean, rstd, src, gx, beta, gamma,
                                     alpha, epsilon, tiling);
}

template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig &config = NLCFG_NORM>
BELAY_API void
Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd,
          const LocalTensor<float> &inputMean,
          const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX,
          const LocalTensor<U> &gamma, const LocalTensor<U> &beta, BELAY_TMP,
          const float epsilon, const NormalizePara &para) {
  belay_detail::normalize<config>(output, outputRstd, inputMean, inputVariance,
                                  inputX, gamma, beta, epsilon, para,
                                  BELAY_SCRATCH);
}
template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig &config = NLCFG_NORM>
BELAY_API void
Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd,
          const LocalTensor<float> &inputMean,
          const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX,
          const LocalTensor<U> &gamma, const LocalTensor<U> &beta,
          const float epsilon, const NormalizePara &para) {
  belay_detail::normalize<config>(output, outputRstd, inputMean, inputVariance,
                                  inputX, gamma, beta, epsilon, para);
}

template <typename T, bool isReuseSource = false>
BELAY_API void
LayerNormGrad(const LocalTensor<T> &outputPdX,
              const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,
              const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance,
              const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma,
              BELAY_TMP, T epsilon, const LayerNormGradTiling &tiling,
              const LayerNormGradShapeInfo &shapeInfo = {}) {
  belay_detail::layerNormGrad<isReuseSource>(
      outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean,
      inputGamma, epsilon, tiling, BELAY_SCRATCH);
}
template <typename T, bool isReuseSource = false>
BELAY_API void
LayerNormGrad(const LocalTensor<T> &outputPdX,
              const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,
              const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance,
              const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma,
              T epsilon, const LayerNormGradTiling &tiling,
              const LayerNormGradShapeInfo &shapeInfo = {}) {
  belay_detail::layerNormGrad<isReuseSource>(outputPdX, resForGamma, inputDy,
                                             inputX, inputVariance, inputMean,
                                             inputGamma, epsilon, tiling);
}
template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma,
                                 const LocalTensor<T> &outputPdBeta,
                                 const LocalTensor<T> &resForGamma,
                                 const LocalTensor<T> &inputDy, BELAY_TMP,
                                 const LayerNormGradBetaTiling &tiling) {
  belay_detail::layerNormGradBeta<isReuseSource>(
      outputPdGamma, outputPdBeta, resForGamma, inputDy, tiling, BELAY_SCRATCH);
}
template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma,
                                 const LocalTensor<T> &outputPdBeta,
                                 const LocalTensor<T> &resForGamma,
                                 const LocalTensor<T> &inputDy,
                                 const LayerNormGradBetaTiling &tiling) {
  belay_detail::layerNormGradBeta<isReuseSource>(outputPdGamma, outputPdBeta,
                                                 resForGamma, inputDy, tiling);
}

// --- mean and variance piece by piece ----------------------------------------
#define BELAY_WELFORD(U)                                                       \
  const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance,      \
      const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance
#define BELAY_WELFORD_ARGUMENTS                                                \
  outputMean, outputVariance, inputMean, inputVariance
template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG>
BELAY_API void WelfordUpdate(BELAY_WELFORD(U), const LocalTensor<T> &inputX,
                             const WelfordUpdateParam &para) {
  belay_detail::welfordUpdate<config, isReuseSource>(BELAY_WELFORD_ARGUMENTS,
                                                     inputX, para);
}
template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG>
BELAY_API void WelfordUpdate(BELAY_WELFORD(U), const LocalTensor<T> &inputX,
                             BELAY_TMP, const WelfordUpdateParam &para) {
  belay_detail::welfordUpdate<config, isReuseSource>(
      BELAY_WELFORD_ARGUMENTS, inputX, para, BELAY_SCRATCH);
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(BELAY_WELFORD(float), BELAY_TMP,
                               const WelfordFinalizePara &para) {
  belay_detail::welfordFinalize<config>(BELAY_WELFORD_ARGUMENTS, nullptr, para,
                                        BELAY_SCRATCH);
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(BELAY_WELFORD(float),
                               const LocalTensor<int32_t> &counts, BELAY_TMP,
                               const WelfordFinalizePara &para) {
  belay_detail::welfordFinalize<config>(BELAY_WELFORD_ARGUMENTS, counts.data(),
                                        para, BELAY_SCRATCH);
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(BELAY_WELFORD(float),
                               const WelfordFinalizePara &para) {
  belay_detail::welfordFinalize<config>(BELAY_WELFORD_ARGUMENTS, nullptr, para);
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(BELAY_WELFORD(float),
                               const LocalTensor<int32_t> &counts,
                               const WelfordFinalizePara &para) {
  belay_detail::welfordFinalize<config>(BELAY_WELFORD_ARGUMENTS, counts.data(),
                                        para);
}
#undef BELAY_WELFORD
#undef BELAY_WELFORD_ARGUMENTS
#undef BELAY_TMP
#undef BELAY_SCRATCH

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_NORMALIZATION_H

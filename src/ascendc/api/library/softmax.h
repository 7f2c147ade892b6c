//===- softmax.h - Softmax and its relatives --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_SOFTMAX_H
#define BELAY_ASCENDC_API_LIBRARY_SOFTMAX_H

#include "abi/SoftmaxTiling.h"
#include "api/library/math.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };

struct SoftmaxConfig {
  __aicore__ constexpr SoftmaxConfig(
      const bool isCheckTilingIn, const uint32_t oriSrcMIn = 0,
      const uint32_t oriSrcKIn = 0,
      const SoftmaxMode modeIn = SoftmaxMode::SOFTMAX_NORMAL)
      : isCheckTiling(isCheckTilingIn), oriSrcM(oriSrcMIn), oriSrcK(oriSrcKIn),
        mode(modeIn) {}
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0,
                                               SoftmaxMode::SOFTMAX_NORMAL};

struct SoftMaxParams {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
  uint32_t loopCnt{1};
  uint32_t splitMeanCnt{8};
  float alpha{0.9375};
};
struct SoftMaxShapeInfo {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
};

namespace belay_detail {

using belay::sim::RowShape;
using belay::sim::SoftmaxCall;
using belay::sim::SoftmaxOp;

/// The shape of the call: what the caller says, else what the tensor says, else
/// what the tiling says. Padding rows are rows like others.
template <typename T, typename Tiling>
BELAY_API RowShape rowShape(const SoftMaxShapeInfo &info,
                            const LocalTensor<T> &src, const Tiling &tiling,
                            bool nz, uint32_t constValid = 0) {
  RowShape s{info.srcM, info.srcK, info.oriSrcK, nz};
  if (!s.Rows || !s.Columns) {
    const ShapeInfo &shape = src.shapeInfo_;
    s = {tiling.srcM, tiling.srcK, tiling.srcK, nz};
    if (shape.shapeDim) {
      s.Rows = 1;
      for (int i = 0; i + 1 < shape.shapeDim; ++i)
        s.Rows *= shape.shape[i];
      s.Columns = shape.shape[shape.shapeDim - 1];
      s.Valid = shape.originalShapeDim
                    ? shape.originalShape[shape.originalShapeDim - 1]
                    : s.Columns;
    }
  }
  if (constValid)
    s.Valid = constValid;
  if (!s.Valid)
    s.Valid = s.Columns;
  return s;
}

template <typename T, typename U>
BELAY_API SoftmaxCall softmaxCall(SoftmaxOp op, const LocalTensor<T> &dst,
                                  const LocalTensor<T> &src, RowShape shape,
                                  Scratch tmp) {
  SoftmaxCall c{op};
  c.Dst = dst.data();
  c.Src = src.data();
  c.Type = elem<PrimT<T>>;
  c.StatType = elem<PrimT<U>>;
  c.Shape = shape;
  c.Tmp = tmp;
  return c;
}

template <typename T, typename U>
BELAY_API void softmax(SoftmaxOp op, const LocalTensor<T> &dst,
                       const LocalTensor<U> *sum, const LocalTensor<U> *max,
                       const LocalTensor<T> &src, RowShape shape, Scratch tmp) {
  SoftmaxCall c = softmaxCall<T, U>(op, dst, src, shape, tmp);
  if (op == SoftmaxOp::SimpleSoftMax) {
    c.InSum = sum->data();
    c.InMax = max->data();
  } else if (sum) {
    c.Sum = sum->data();
    c.Max = max->data();
  }
  belay_sim_softmax(&c);
}

template <typename T, typename U>
BELAY_API void
softmaxFlash(SoftmaxOp op, bool update, bool packed, const LocalTensor<T> &dst,
             const LocalTensor<U> *reduceMax, const LocalTensor<U> &sum,
             const LocalTensor<U> &max, const LocalTensor<T> &src,
             const LocalTensor<T> &expMax, const LocalTensor<U> &inSum,
             const LocalTensor<U> &inMax, RowShape shape, Scratch tmp) {
  SoftmaxCall c = softmaxCall<T, U>(op, dst, src, shape, tmp);
  c.Update = update;
  c.Packed = packed;
  c.Sum = sum.data();
  c.Max = max.data();
  if (update) {
    c.ExpMax = expMax.data();
    c.InSum = inSum.data();
    c.InMax = inMax.data();
    c.ReduceMax = reduceMax ? reduceMax->data() : nullptr;
  }
  belay_sim_softmax(&c);
}

} // namespace belay_detail

// Statistics are of the data's type, or float beside half data; scratch memory
// is the caller's or the framework's.
#define BELAY_SOFTMAX(Name, D, S)                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, \
            bool isDataFormatNZ = false,                                       \
            const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                 \
  BELAY_API void Name(const LocalTensor<D> &dst, const LocalTensor<S> &sum,    \
                      const LocalTensor<S> &max, const LocalTensor<D> &src,    \
                      const SoftMaxTiling &tiling,                             \
                      const SoftMaxShapeInfo &softmaxShapeInfo = {}) {         \
    belay_detail::softmax(belay_detail::SoftmaxOp::Name, dst, &sum, &max, src, \
                          belay_detail::rowShape(softmaxShapeInfo, src,        \
                                                 tiling, isDataFormatNZ,       \
                                                 config.oriSrcK),              \
                          {});                                                 \
  }                                                                            \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, \
            bool isDataFormatNZ = false,                                       \
            const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                 \
  BELAY_API void Name(const LocalTensor<D> &dst, const LocalTensor<S> &sum,    \
                      const LocalTensor<S> &max, const LocalTensor<D> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const SoftMaxTiling &tiling,                             \
                      const SoftMaxShapeInfo &softmaxShapeInfo = {}) {         \
    belay_detail::softmax(belay_detail::SoftmaxOp::Name, dst, &sum, &max, src, \
                          belay_detail::rowShape(softmaxShapeInfo, src,        \
                                                 tiling, isDataFormatNZ,       \
                                                 config.oriSrcK),              \
                          belay_detail::scratch(sharedTmpBuffer));             \
  }
BELAY_SOFTMAX(SoftMax, T, T)
BELAY_SOFTMAX(SoftMax, half, float)
BELAY_SOFTMAX(SimpleSoftMax, T, T)
BELAY_SOFTMAX(SimpleSoftMax, half, float)
#undef BELAY_SOFTMAX

template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const SoftMaxTiling &tiling,
                       const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmax<T, T>(
      belay_detail::SoftmaxOp::SoftMax, dst, nullptr, nullptr, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, false,
                             config.oriSrcK),
      {});
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                       const LocalTensor<uint8_t> &sharedTmpBuffer,
                       const SoftMaxTiling &tiling,
                       const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmax<T, T>(
      belay_detail::SoftmaxOp::SoftMax, dst, nullptr, nullptr, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, false,
                             config.oriSrcK),
      belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sum,
                          const LocalTensor<T> &max, const LocalTensor<T> &src,
                          const LocalTensor<uint8_t> &sharedTmpBuffer,
                          const LogSoftMaxTiling &tiling,
                          const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmax(
      belay_detail::SoftmaxOp::LogSoftMax, dst, &sum, &max, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ),
      belay_detail::scratch(sharedTmpBuffer));
}

// --- tiling in the kernel ----------------------------------------------------
/// The scratch space counts floats; the kind of the call changes nothing here.
BELAY_API constexpr SoftMaxTiling SoftMaxFlashV2TilingFuncImpl(
    const uint32_t srcM, const uint32_t srcK, const uint32_t,
    const uint32_t statBytes, const uint32_t scratch, const bool = false,
    const bool = false, const bool = false, const bool = false) {
  const uint32_t block = ONE_BLK_SIZE / statBytes;
  const uint32_t rows = belay::sim::softmaxRows(srcM, srcK, scratch, true);
  const uint32_t tail = srcM % rows, reduce = belay::sim::SoftmaxReduceK;
  SoftMaxTiling t;
  t.srcM = t.outMaxM = srcM;
  t.srcK = t.splitK = srcK;
  t.srcSize = srcM * srcK;
  t.outMaxK = block;
  t.outMaxSize = srcM * block;
  t.splitM = t.reduceM = rows;
  t.splitSize = rows * srcK;
  t.reduceK = reduce;
  t.reduceSize = rows * reduce;
  t.rangeM = srcM / rows;
  t.tailM = tail;
  t.tailSplitSize = tail * srcK;
  t.tailReduceSize = tail * reduce;
  return t;
}
BELAY_API constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(
    const SoftMaxShapeInfo &shape, const uint32_t dataBytes,
    const uint32_t statBytes, const uint32_t scratchBytes,
    const bool isUpdate = false, const bool isBasicBlock = false,
    const bool isDataFormatNZ = false, const bool isFlashOutputBrc = false) {
  return SoftMaxFlashV2TilingFuncImpl(shape.srcM, shape.srcK, dataBytes,
                                      statBytes, scratchBytes / sizeof(float),
                                      isUpdate, isBasicBlock, isDataFormatNZ,
                                      isFlashOutputBrc);
}

// --- softmax in pieces -------------------------------------------------------
#define BELAY_FLASH(D, S)                                                      \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false> \
  BELAY_API void SoftmaxFlash(                                                 \
      const LocalTensor<D> &dst, const LocalTensor<S> &sum,                    \
      const LocalTensor<S> &max, const LocalTensor<D> &src,                    \
      const LocalTensor<D> &expMax, const LocalTensor<S> &inSum,               \
      const LocalTensor<S> &inMax, const SoftMaxTiling &tiling,                \
      bool isUpdate = false, const SoftMaxShapeInfo &softmaxShapeInfo = {}) {  \
    belay_detail::softmaxFlash<D, S>(                                          \
        belay_detail::SoftmaxOp::SoftmaxFlash, isUpdate, false, dst, nullptr,  \
        sum, max, src, expMax, inSum, inMax,                                   \
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, false), {});     \
  }                                                                            \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false> \
  BELAY_API void SoftmaxFlash(                                                 \
      const LocalTensor<D> &dst, const LocalTensor<S> &sum,                    \
      const LocalTensor<S> &max, const LocalTensor<D> &src,                    \
      const LocalTensor<D> &expMax, const LocalTensor<S> &inSum,               \
      const LocalTensor<S> &inMax,                                             \
      const LocalTensor<uint8_t> &sharedTmpBuffer,                             \
      const SoftMaxTiling &tiling, bool isUpdate = false,                      \
      const SoftMaxShapeInfo &softmaxShapeInfo = {}) {                         \
    belay_detail::softmaxFlash<D, S>(                                          \
        belay_detail::SoftmaxOp::SoftmaxFlash, isUpdate, false, dst, nullptr,  \
        sum, max, src, expMax, inSum, inMax,                                   \
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, false),          \
        belay_detail::scratch(sharedTmpBuffer));                               \
  }
BELAY_FLASH(T, T)
BELAY_FLASH(half, float)
#undef BELAY_FLASH

#define BELAY_FLASH_TEMPLATE                                                   \
  template <typename T, bool isUpdate = false, bool isReuseSource = false,     \
            bool isBasicBlock = false, bool isDataFormatNZ = false,            \
            const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
#define BELAY_PACKED (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC)
#define BELAY_FLASH_V2(D, S)                                                   \
  BELAY_FLASH_TEMPLATE                                                         \
  BELAY_API void SoftmaxFlashV2(                                               \
      const LocalTensor<D> &dst, const LocalTensor<S> &expSum,                 \
      const LocalTensor<S> &max, const LocalTensor<D> &src,                    \
      const LocalTensor<D> &expMax, const LocalTensor<S> &inExpSum,            \
      const LocalTensor<S> &inMax, const SoftMaxTiling &tiling,                \
      const SoftMaxShapeInfo &softmaxShapeInfo = {}) {                         \
    belay_detail::softmaxFlash<D, S>(                                          \
        belay_detail::SoftmaxOp::SoftmaxFlashV2, isUpdate, BELAY_PACKED, dst,  \
        nullptr, expSum, max, src, expMax, inExpSum, inMax,                    \
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ,  \
                               config.oriSrcK),                                \
        {});                                                                   \
  }                                                                            \
  BELAY_FLASH_TEMPLATE                                                         \
  BELAY_API void SoftmaxFlashV2(                                               \
      const LocalTensor<D> &dst, const LocalTensor<S> &expSum,                 \
      const LocalTensor<S> &max, const LocalTensor<D> &src,                    \
      const LocalTensor<D> &expMax, const LocalTensor<S> &inExpSum,            \
      const LocalTensor<S> &inMax,                                             \
      const LocalTensor<uint8_t> &sharedTmpBuffer,                             \
      const SoftMaxTiling &tiling,                                             \
      const SoftMaxShapeInfo &softmaxShapeInfo = {}) {                         \
    belay_detail::softmaxFlash<D, S>(                                          \
        belay_detail::SoftmaxOp::SoftmaxFlashV2, isUpdate, BELAY_PACKED, dst,  \
        nullptr, expSum, max, src, expMax, inExpSum, inMax,                    \
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ,  \
                               config.oriSrcK),                                \
        belay_detail::scratch(sharedTmpBuffer));                               \
  }
BELAY_FLASH_V2(T, T)
BELAY_FLASH_V2(half, float)
#undef BELAY_FLASH_V2

// The form with outReduceMax does nothing unless statistics are packed.
BELAY_FLASH_TEMPLATE
BELAY_API void
SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax,
               const LocalTensor<T> &outExpSum, const LocalTensor<T> &outMax,
               const LocalTensor<T> &src, const LocalTensor<T> &outExpMax,
               const LocalTensor<T> &inExpSum, const LocalTensor<T> &inMax,
               const SoftMaxTiling &tiling,
               const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  if constexpr (BELAY_PACKED)
    belay_detail::softmaxFlash<T, T>(
        belay_detail::SoftmaxOp::SoftmaxFlashV2, isUpdate, true, dst,
        &outReduceMax, outExpSum, outMax, src, outExpMax, inExpSum, inMax,
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, false,
                               config.oriSrcK),
        {});
}
BELAY_FLASH_TEMPLATE
BELAY_API void
SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax,
               const LocalTensor<T> &outExpSum, const LocalTensor<T> &outMax,
               const LocalTensor<T> &src, const LocalTensor<T> &outExpMax,
               const LocalTensor<T> &inExpSum, const LocalTensor<T> &inMax,
               const LocalTensor<uint8_t> &sharedTmpBuffer,
               const SoftMaxTiling &tiling,
               const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  if constexpr (BELAY_PACKED)
    belay_detail::softmaxFlash<T, T>(
        belay_detail::SoftmaxOp::SoftmaxFlashV2, isUpdate, true, dst,
        &outReduceMax, outExpSum, outMax, src, outExpMax, inExpSum, inMax,
        belay_detail::rowShape(softmaxShapeInfo, src, tiling, false,
                               config.oriSrcK),
        belay_detail::scratch(sharedTmpBuffer));
}
#undef BELAY_FLASH_TEMPLATE
#undef BELAY_PACKED

namespace belay_detail {
template <bool update, typename T, typename U>
BELAY_API void
softmaxFlashV3(const LocalTensor<T> &dst, const LocalTensor<U> &mean,
               const LocalTensor<U> &sum, const LocalTensor<U> &max,
               const LocalTensor<T> &src, const LocalTensor<T> &expMax,
               const LocalTensor<U> &inMean, const LocalTensor<U> &inSum,
               const LocalTensor<U> &inMax, const SoftMaxParams &p,
               Scratch tmp = {}) {
  SoftmaxCall c = softmaxCall<T, U>(SoftmaxOp::SoftmaxFlashV3, dst, src,
                                    {p.srcM, p.srcK, p.srcK, false}, tmp);
  c.Update = update;
  c.Mean = mean.data();
  c.Sum = sum.data();
  c.Max = max.data();
  if (update) {
    c.ExpMax = expMax.data();
    c.InMean = inMean.data();
    c.InSum = inSum.data();
    c.InMax = inMax.data();
  }
  c.LoopCount = p.loopCnt;
  c.Splits = p.splitMeanCnt;
  c.Alpha = p.alpha;
  belay_sim_softmax(&c);
}
} // namespace belay_detail
template <typename T, typename U, bool isUpdate = false,
          bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
BELAY_API void
SoftmaxFlashV3(const LocalTensor<T> &dst, const LocalTensor<U> &mean,
               const LocalTensor<U> &expSum, const LocalTensor<U> &max,
               const LocalTensor<T> &src, const LocalTensor<T> &expMax,
               const LocalTensor<U> &inMean, const LocalTensor<U> &inExpSum,
               const LocalTensor<U> &inMax, const SoftMaxTiling &tiling,
               const SoftMaxParams &params) {
  belay_detail::softmaxFlashV3<isUpdate>(dst, mean, expSum, max, src, expMax,
                                         inMean, inExpSum, inMax, params);
}
template <typename T, typename U, bool isUpdate = false,
          bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
BELAY_API void
SoftmaxFlashV3(const LocalTensor<T> &dst, const LocalTensor<U> &mean,
               const LocalTensor<U> &expSum, const LocalTensor<U> &max,
               const LocalTensor<T> &src, const LocalTensor<T> &expMax,
               const LocalTensor<U> &inMean, const LocalTensor<U> &inExpSum,
               const LocalTensor<U> &inMax,
               const LocalTensor<uint8_t> &sharedTmpBuffer,
               const SoftMaxTiling &tiling, const SoftMaxParams &params) {
  belay_detail::softmaxFlashV3<isUpdate>(
      dst, mean, expSum, max, src, expMax, inMean, inExpSum, inMax, params,
      belay_detail::scratch(sharedTmpBuffer));
}

// --- gradient and repair -----------------------------------------------------
namespace belay_detail {
template <typename T>
BELAY_API void softmaxGrad(const char *name, const LocalTensor<T> &dst,
                           const LocalTensor<T> &grad,
                           const LocalTensor<T> &src, RowShape shape,
                           bool front, Scratch tmp = {}) {
  belay::sim::SoftmaxGradCall c{dst.data(),     grad.data(), src.data(),
                                elem<PrimT<T>>, shape,       front,
                                name,           tmp};
  belay_sim_softmax_grad(&c);
}
} // namespace belay_detail
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGrad(const LocalTensor<T> &dst,
                           const LocalTensor<T> &grad,
                           const LocalTensor<T> &src,
                           const SoftMaxTiling &tiling, bool isFront = false,
                           const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmaxGrad(
      "SoftmaxGrad", dst, grad, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ),
      isFront);
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGrad(const LocalTensor<T> &dst,
                           const LocalTensor<T> &grad,
                           const LocalTensor<T> &src,
                           const LocalTensor<uint8_t> &sharedTmpBuffer,
                           const SoftMaxTiling &tiling, bool isFront = false,
                           const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmaxGrad(
      "SoftmaxGrad", dst, grad, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ),
      isFront, belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
BELAY_API void
SoftmaxGradFront(const LocalTensor<T> &dst, const LocalTensor<T> &grad,
                 const LocalTensor<T> &src, const SoftMaxTiling &tiling,
                 const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmaxGrad(
      "SoftmaxGradFront", dst, grad, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ),
      true);
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGradFront(const LocalTensor<T> &dst,
                                const LocalTensor<T> &grad,
                                const LocalTensor<T> &src,
                                const LocalTensor<uint8_t> &sharedTmpBuffer,
                                const SoftMaxTiling &tiling,
                                const SoftMaxShapeInfo &softmaxShapeInfo = {}) {
  belay_detail::softmaxGrad(
      "SoftmaxGradFront", dst, grad, src,
      belay_detail::rowShape(softmaxShapeInfo, src, tiling, isDataFormatNZ),
      true, belay_detail::scratch(sharedTmpBuffer));
}

/// Rows whose maximum has the bits `from` become `to`; true if there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false,
          uint8_t stepSizeMode = 0>
BELAY_API bool AdjustSoftMaxRes(const LocalTensor<T1> &softMaxRes,
                                const LocalTensor<T2> &max, const uint32_t from,
                                const T1 to,
                                const SoftMaxShapeInfo &softmaxShapeInfo) {
  belay::sim::AdjustSoftmaxCall c{softMaxRes.data(),
                                  max.data(),
                                  &to,
                                  belay_detail::elem<PrimT<T1>>,
                                  belay_detail::elem<PrimT<T2>>,
                                  from,
                                  {softmaxShapeInfo.srcM, softmaxShapeInfo.srcK,
                                   softmaxShapeInfo.srcK, isDataFormatNZ},
                                  stepSizeMode != 0};
  return belay_sim_adjust_softmax(&c);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_SOFTMAX_H

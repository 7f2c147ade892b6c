//===- load_data_params.h - Parameters of LoadData --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LOAD_DATA_PARAMS_H
#define BELAY_ASCENDC_API_LOAD_DATA_PARAMS_H

#include "api/tensor.h"

/// Whether fractals follow each other upwards or downwards.
enum addr_cal_mode_t : uint8_t { inc = 0, dec = 1 };

namespace AscendC {

constexpr int32_t PAD_SIZE = 4;

/// Strides in fractals of 512 bytes.
struct LoadData2DParams {
  LoadData2DParams() = default;
  BELAY_API LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t stride,
                             uint8_t sidIn, uint16_t gap, bool transpose,
                             uint8_t mode)
      : startIndex(start), dstGap(gap), srcStride(stride),
        ifTranspose(transpose), repeatTimes(repeat), sid(sidIn),
        addrMode(mode) {}
  uint16_t startIndex = 0;
  uint16_t dstGap = 0;
  uint16_t srcStride = 0;
  bool ifTranspose = false;
  uint8_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

struct LoadData2DParamsV2 {
  LoadData2DParamsV2() = default;
  BELAY_API LoadData2DParamsV2(uint32_t mStart, uint32_t kStart, uint16_t m,
                               uint16_t k, int32_t src, uint16_t dst,
                               bool transpose, uint8_t sidIn)
      : mStartPosition(mStart), kStartPosition(kStart), mStep(m), kStep(k),
        srcStride(src), dstStride(dst), ifTranspose(transpose), sid(sidIn) {}
  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};

struct LoadData2dTransposeParams {
  LoadData2dTransposeParams() = default;
  BELAY_API LoadData2dTransposeParams(uint16_t start, uint8_t repeat,
                                      uint16_t stride, uint16_t gap,
                                      uint16_t fracGap, uint8_t mode = 0)
      : startIndex(start), repeatTimes(repeat), srcStride(stride), dstGap(gap),
        dstFracGap(fracGap), addrMode(mode) {}
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};

struct LoadData2dTransposeParamsV2 {
  LoadData2dTransposeParamsV2() = default;
  BELAY_API LoadData2dTransposeParamsV2(uint16_t start, uint8_t repeat,
                                        uint16_t stride, uint16_t gap,
                                        uint16_t dstFrac, uint16_t srcFrac,
                                        uint8_t mode = 0)
      : startIndex(start), repeatTimes(repeat), srcStride(stride), dstGap(gap),
        dstFracGap(dstFrac), srcFracGap(srcFrac), addrMode(mode) {}
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint16_t srcFracGap = 0;
  uint8_t addrMode = 0;
};

template <typename T> struct LoadData3DParamsV1 {
  LoadData3DParamsV1() = default;
  BELAY_API LoadData3DParamsV1(const uint8_t pads[PAD_SIZE], uint16_t h,
                               uint16_t w, uint16_t c1, uint8_t fetchW,
                               uint8_t fetchH, int16_t leftW, int16_t topH,
                               uint8_t stepW, uint8_t stepH, uint8_t kernelW,
                               uint8_t kernelH, uint8_t dilationW,
                               uint8_t dilationH, uint8_t jump, uint8_t mode,
                               uint8_t times, uint8_t cSizeIn, T padIn)
      : strideW(stepW), strideH(stepH), filterW(kernelW), filterH(kernelH),
        dilationFilterW(dilationW), dilationFilterH(dilationH),
        jumpStride(jump), repeatMode(mode), repeatTime(times), cSize(cSizeIn),
        padValue(padIn), fetchFilterW(fetchW), fetchFilterH(fetchH), l1H(h),
        l1W(w), c1Index(c1), leftTopW(leftW), leftTopH(topH) {
    for (int i = 0; i < PAD_SIZE; ++i)
      padList[i] = pads[i];
  }
  uint8_t padList[PAD_SIZE] = {};
  uint8_t strideW = 0;
  uint8_t strideH = 0;
  uint8_t filterW = 0;
  uint8_t filterH = 0;
  uint8_t dilationFilterW = 0;
  uint8_t dilationFilterH = 0;
  uint8_t jumpStride = 0;
  uint8_t repeatMode = 0;
  uint8_t repeatTime = 0;
  uint8_t cSize = 0;
  T padValue = T(0);
  uint8_t fetchFilterW = 0;
  uint8_t fetchFilterH = 0;
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t c1Index = 0;
  int16_t leftTopW = 0;
  int16_t leftTopH = 0;
};

template <typename T> struct LoadData3DParamsV2 {
  LoadData3DParamsV2() = default;
  BELAY_API LoadData3DParamsV2(const uint8_t pads[PAD_SIZE], uint16_t h,
                               uint16_t w, uint16_t channels, uint16_t kExt,
                               uint16_t mExt, uint16_t kStart, uint16_t mStart,
                               uint8_t stepW, uint8_t stepH, uint8_t kernelW,
                               uint8_t kernelH, uint8_t dilationW,
                               uint8_t dilationH, bool transpose, bool smallK,
                               T padIn)
      : l1H(h), l1W(w), channelSize(channels), kExtension(kExt),
        mExtension(mExt), kStartPt(kStart), mStartPt(mStart), strideW(stepW),
        strideH(stepH), filterW(kernelW), filterH(kernelH),
        dilationFilterW(dilationW), dilationFilterH(dilationH),
        enTranspose(transpose), enSmallK(smallK), padValue(padIn) {
    for (int i = 0; i < PAD_SIZE; ++i)
      padList[i] = pads[i];
  }
  BELAY_API LoadData3DParamsV2(const uint8_t pads[PAD_SIZE], uint16_t h,
                               uint16_t w, uint16_t channels, uint16_t kExt,
                               uint16_t mExt, uint16_t kStart, uint16_t mStart,
                               uint8_t stepW, uint8_t stepH, uint8_t kernelW,
                               uint8_t kernelH, uint8_t dilationW,
                               uint8_t dilationH, bool transpose, bool smallK,
                               T padIn, bool sizeW, bool sizeH, bool rightMap)
      : LoadData3DParamsV2(pads, h, w, channels, kExt, mExt, kStart, mStart,
                           stepW, stepH, kernelW, kernelH, dilationW, dilationH,
                           transpose, smallK, padIn) {
    filterSizeW = sizeW;
    filterSizeH = sizeH;
    fMatrixCtrl = rightMap;
  }
  uint8_t padList[PAD_SIZE] = {};
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0;
  uint16_t mExtension = 0;
  uint16_t kStartPt = 0;
  uint16_t mStartPt = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = T(0);
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
};

/// The same with its numbers packed into two words.
struct LoadData3DParamsV2Pro {
  LoadData3DParamsV2Pro() = default;
  BELAY_API LoadData3DParamsV2Pro(uint16_t channels, bool transpose,
                                  bool smallK, bool sizeW, bool sizeH,
                                  bool rightMap, uint64_t ext, uint64_t filter)
      : channelSize(channels), enTranspose(transpose), enSmallK(smallK),
        filterSizeW(sizeW), filterSizeH(sizeH), fMatrixCtrl(rightMap),
        extConfig(ext), filterConfig(filter) {}
  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;
  uint64_t filterConfig = 0x10101010101;
};

struct IsResetLoad3dConfig {
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true,
                                                                       true};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

struct LoadDataRepeatParam {
  LoadDataRepeatParam() = default;
  BELAY_API LoadDataRepeatParam(uint16_t stride, uint8_t times, uint8_t mode)
      : repeatStride(stride), repeatTime(times), repeatMode(mode) {}
  BELAY_API LoadDataRepeatParam(uint16_t stride, uint8_t times, uint8_t mode,
                                uint16_t dst)
      : repeatStride(stride), repeatTime(times), repeatMode(mode),
        dstStride(dst) {}
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint8_t reserved = 0;
  uint16_t dstStride = 0;
};
using LoadDataRepeatParamWithStride = LoadDataRepeatParam;

template <typename T> struct InitConstValueParams {
  InitConstValueParams() = default;
  BELAY_API InitConstValueParams(uint16_t repeat, uint16_t blocks, uint16_t gap,
                                 T value)
      : repeatTimes(repeat), blockNum(blocks), dstGap(gap), initValue(value) {}
  BELAY_API InitConstValueParams(uint16_t repeat, T value)
      : repeatTimes(repeat), initValue(value) {}
  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;
  uint16_t dstGap = 0;
  T initValue = T(0);
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LOAD_DATA_PARAMS_H

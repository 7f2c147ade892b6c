//===- fixpipe_params.h - Parameters of Fixpipe -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_FIXPIPE_PARAMS_H
#define BELAY_ASCENDC_API_FIXPIPE_PARAMS_H

#include "abi/Cube.h"
#include "api/tensor.h"

/// How numbers change on their way out of L0C; V: one parameter per column.
enum QuantMode_t {
  NoQuant = 0,
  F322F16,
  F322BF16,
  DEQF16,
  VDEQF16,
  QF322B8_PRE,
  VQF322B8_PRE,
  REQ8,
  VREQ8,
  QF322FP8_PRE,
  VQF322FP8_PRE,
  QF322HIF8_PRE,
  VQF322HIF8_PRE,
  QF322HIF8_PRE_HYBRID,
  VQF322HIF8_PRE_HYBRID,
  QS322BF16_PRE,
  VQS322BF16_PRE,
  QF322F16_PRE,
  VQF322F16_PRE,
  QF322BF16_PRE,
  VQF322BF16_PRE,
  QF322F32_PRE,
  VQF322F32_PRE,
};

enum class pad_t : uint8_t {
  PAD_NONE = 0,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8,
};

namespace AscendC {

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
enum class ReluMode { NO_RELU = 0, NORMAL_RELU, SCALAR_RELU, VECTOR_RELU };
enum class ClipReluMode { NOCLIP_RELU = 0, CLIP_RELU };

struct FixpipeConfig {
  CO2Layout format;
  bool isToUB = false;
  constexpr FixpipeConfig(CO2Layout f, bool toUB = false)
      : format(f), isToUB(toUB) {}
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

struct FixpipeParamsV220 {
  FixpipeParamsV220() = default;
  BELAY_API FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src,
                              uint32_t dst, bool relu)
      : nSize(n), mSize(m), srcStride(src), dstStride(dst), reluEn(relu) {}
  BELAY_API FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src,
                              uint32_t dst, bool relu, QuantMode_t quant,
                              int64_t scalar, uint16_t nd, uint16_t srcNd,
                              uint16_t dstNd, uint8_t flag, bool split = false)
      : nSize(n), mSize(m), srcStride(src), dstStride(dst), quantPre(quant),
        deqScalar(static_cast<uint64_t>(scalar)), ndNum(nd), srcNdStride(srcNd),
        dstNdStride(dstNd), reluEn(relu), unitFlag(flag),
        isChannelSplit(split) {}
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;

struct Nz2NdParams {
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint32_t dstNdStride = 0;
};
struct Nz2DnParams {
  uint16_t dnNum = 1;
  uint16_t srcNzMatrixStride = 0;
  uint32_t dstDnMatrixStride = 0;
  uint16_t srcNzC0Stride = 1;
};

template <CO2Layout format> struct TransformParams {
  using PARAMS = uint8_t;
};
template <> struct TransformParams<CO2Layout::ROW_MAJOR> {
  using PARAMS = Nz2NdParams;
};
template <> struct TransformParams<CO2Layout::COLUMN_MAJOR> {
  using PARAMS = Nz2DnParams;
};

template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
  FixpipeParamsArch3510() = default;
  BELAY_API FixpipeParamsArch3510(uint16_t n, uint16_t m, uint16_t src,
                                  uint32_t dst)
      : nSize(n), mSize(m), srcStride(src), dstStride(dst) {}
  ReluMode preReluMode = ReluMode::NO_RELU;
  ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
  uint64_t reluScalar = 0;
  uint64_t vectorRelu = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;
  uint8_t dualDstCtl = 0;
  bool subBlockId = false;
  typename TransformParams<format>::PARAMS params = {};
  bool isChannelSplit = false;
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsC310 : FixpipeParamsArch3510<format> {
  using FixpipeParamsArch3510<format>::FixpipeParamsArch3510;
};

struct DataCopyCO12DstParams {
  DataCopyCO12DstParams() = default;
  BELAY_API DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst,
                                  uint16_t src, QuantMode_t quant, uint8_t relu,
                                  bool split, bool nz2nd)
      : nSize(n), mSize(m), dstStride(dst), srcStride(src), quantPre(quant),
        reluPre(relu), channelSplit(split), nz2ndEn(nz2nd) {}
  uint8_t sid = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint8_t reluPre = 0;
  bool channelSplit = false;
  bool nz2ndEn = false;
};

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL = 0,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE,
};
enum class DeqScale : uint8_t {
  DEQ_NONE = 0,
  DEQ,
  VDEQ,
  DEQ8,
  VDEQ8,
  DEQ16,
  VDEQ16,
};

struct DataCopyEnhancedParams {
  DataCopyEnhancedParams() = default;
  BELAY_API DataCopyEnhancedParams(BlockMode mode, DeqScale deq, uint64_t value,
                                   uint8_t store, bool relu, pad_t pad,
                                   uint64_t padIn)
      : blockMode(mode), deqScale(deq), deqValue(value), sidStoreMode(store),
        isRelu(relu), padMode(pad), padValue(padIn) {}
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
  uint64_t deqTensorAddr = 0;
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_FIXPIPE_PARAMS_H

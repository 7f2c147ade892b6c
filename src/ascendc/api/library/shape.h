//===- shape.h - Broadcast, pad, transpose ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_SHAPE_H
#define BELAY_ASCENDC_API_LIBRARY_SHAPE_H

#include "api/library/math.h"
#include "api/transpose.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

// --- broadcast ---------------------------------------------------------------
namespace belay_detail {
template <typename T>
BELAY_API void broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         uint32_t rank, const uint32_t *dstShape,
                         const uint32_t *srcShape, bool reuse,
                         Scratch tmp = {}) {
  belay::sim::BroadcastCall c{dst.data(), src.data(), elem<PrimT<T>>, rank,
                              {},         {},         reuse,          tmp};
  for (uint32_t i = 0; i < rank && i < belay::sim::MaxBroadcastRank; ++i) {
    c.DstShape[i] = dstShape[i];
    c.SrcShape[i] = srcShape[i];
  }
  belay_sim_broadcast(&c);
}
} // namespace belay_detail

// BroadCast is the older spelling.
#define BELAY_BROADCAST(Name)                                                  \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint32_t dstShape[dim],                            \
                      const uint32_t srcShape[dim],                            \
                      const LocalTensor<uint8_t> &sharedTmpBuffer) {           \
    static_assert(dim == 1 || dim == 2, #Name " has one or two dimensions");   \
    belay_detail::broadcast(dst, src, dim, dstShape, srcShape, isReuseSource,  \
                            belay_detail::scratch(sharedTmpBuffer));           \
  }                                                                            \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint32_t dstShape[dim],                            \
                      const uint32_t srcShape[dim]) {                          \
    static_assert(dim == 1 || dim == 2, #Name " has one or two dimensions");   \
    belay_detail::broadcast(dst, src, dim, dstShape, srcShape, isReuseSource); \
  }
BELAY_BROADCAST(Broadcast)
BELAY_BROADCAST(BroadCast)
#undef BELAY_BROADCAST

// The form of arch 3510, for up to nine dimensions.
struct BroadcastTiling {
  uint32_t oriRank;
  uint32_t rank;
  uint32_t dstSize;
  uint32_t srcSize;
  uint32_t loopNum = 0;
  uint32_t oriSrcShape[9];
  uint32_t oriDstShape[9];
  uint32_t dstShape[9];
  uint32_t dstStride[9];
  uint32_t srcStride[10];
};
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr,
          uint32_t *constSrcShape = nullptr>
__aicore__ inline void
GetBroadcastTilingInfo(uint32_t rank, const uint32_t *dstShape,
                       const uint32_t *srcShape, bool srcInnerPad,
                       BroadcastTiling &tiling) {
  tiling.oriRank = tiling.rank = constRank > 0 ? constRank : rank;
  tiling.dstSize = tiling.srcSize = 1;
  for (uint32_t i = tiling.rank; i-- > 0;) {
    tiling.oriDstShape[i] = tiling.dstShape[i] = dstShape[i];
    tiling.oriSrcShape[i] = srcShape[i];
    tiling.dstStride[i] = tiling.dstSize;
    tiling.srcStride[i] = srcShape[i] == 1 ? 0 : tiling.srcSize;
    tiling.dstSize *= dstShape[i];
    tiling.srcSize *= srcShape[i];
  }
}
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr,
          uint32_t *constSrcShape = nullptr, bool constSrcInnerPad = false>
BELAY_API void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const uint32_t *dstShape, const uint32_t *srcShape,
                         BroadcastTiling *tiling) {
  belay_detail::broadcast(dst, src, tiling->rank, dstShape, srcShape, false);
}

// --- rows to and from a multiple of 32 bytes ---------------------------------
struct PadParams {
  PadParams() = default;
  __aicore__ PadParams(const uint16_t left, const uint16_t right,
                       const int32_t value)
      : leftPad(left), rightPad(right), padValue(value) {}
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};
struct UnPadParams {
  UnPadParams() = default;
  __aicore__ UnPadParams(const uint16_t left, const uint16_t right)
      : leftPad(left), rightPad(right) {}
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
};

namespace belay_detail {
/// A width that is aligned already has its last columns overwritten; any other
/// grows.
template <typename T>
BELAY_API void pad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const PadParams &p, const PadTiling &t, Scratch tmp = {}) {
  constexpr uint32_t perBlock = 32 / sizeof(PrimT<T>);
  bool aligned = t.srcWidth % perBlock == 0;
  uint32_t width = aligned ? t.srcWidth : t.srcWidth + p.leftPad + p.rightPad;
  PrimT<T> value = static_cast<PrimT<T>>(p.padValue);
  belay::sim::PadCall c{"Pad",
                        dst.data(),
                        src.data(),
                        elem<PrimT<T>>,
                        t.srcHeight,
                        t.srcWidth,
                        width,
                        aligned ? t.srcWidth - p.rightPad : t.srcWidth,
                        aligned ? 0u : p.leftPad,
                        &value,
                        true,
                        tmp};
  belay_sim_pad(&c);
}
template <typename T>
BELAY_API void unPad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                     const UnPadParams &p, const UnPadTiling &t,
                     Scratch tmp = {}) {
  uint32_t width = t.srcWidth - p.rightPad;
  belay::sim::PadCall c{"UnPad",     dst.data(), src.data(), elem<PrimT<T>>,
                        t.srcHeight, t.srcWidth, width,      width,
                        0,           nullptr,    false,      tmp};
  belay_sim_pad(&c);
}
} // namespace belay_detail

template <typename T>
BELAY_API void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const PadParams &padParams,
                   const LocalTensor<uint8_t> &sharedTmpBuffer,
                   const PadTiling &tiling) {
  belay_detail::pad(dst, src, padParams, tiling,
                    belay_detail::scratch(sharedTmpBuffer));
}
template <typename T>
BELAY_API void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                   const PadParams &padParams, const PadTiling &tiling) {
  belay_detail::pad(dst, src, padParams, tiling);
}
template <typename T>
BELAY_API void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                     const UnPadParams &unPadParams,
                     const LocalTensor<uint8_t> &sharedTmpBuffer,
                     const UnPadTiling &tiling) {
  belay_detail::unPad(dst, src, unPadParams, tiling,
                      belay_detail::scratch(sharedTmpBuffer));
}
template <typename T>
BELAY_API void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                     const UnPadParams &unPadParams,
                     const UnPadTiling &tiling) {
  belay_detail::unPad(dst, src, unPadParams, tiling);
}

// --- transpose ---------------------------------------------------------------
namespace belay_detail {
/// Where the host put the shape in the tiling differs from kind to kind.
template <typename T>
BELAY_API void transposeKind(const LocalTensor<T> &dst,
                             const LocalTensor<T> &src, TransposeType type,
                             const ConfusionTransposeTiling &t,
                             Scratch tmp = {}) {
  belay::sim::TransposeCall c{static_cast<belay::sim::TransposeKind>(type),
                              dst.data(),
                              src.data(),
                              elem<PrimT<T>>,
                              t.param1,
                              t.param2,
                              0,
                              t.param3,
                              tmp};
  switch (type) {
  case TransposeType::TRANSPOSE_NZ2ND_0213:
  case TransposeType::TRANSPOSE_NZ2NZ_0213:
    c.S = t.param4;
    break;
  case TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N:
    c.S = t.param9;
    break;
  case TransposeType::TRANSPOSE_ND2ND_ONLY:
    c.B = 1;
    c.N = t.param1;
    c.S = t.param2;
    break;
  case TransposeType::TRANSPOSE_ND2ND_021:
  case TransposeType::TRANSPOSE_ND2ND_102:
  case TransposeType::TRANSPOSE_ND2ND_210:
    c.B = t.param0;
    c.N = t.param1;
    c.S = t.param2;
    break;
  default:
    c.S = t.param6 * BLOCK_CUBE;
  }
  belay_sim_transpose_kind(&c);
}
} // namespace belay_detail

// Transpose is the newer name of ConfusionTranspose.
#define BELAY_TRANSPOSE(Name)                                                  \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      TransposeType transposeType,                             \
                      const ConfusionTransposeTiling &tiling) {                \
    belay_detail::transposeKind(dst, src, transposeType, tiling,               \
                                belay_detail::scratch(sharedTmpBuffer));       \
  }                                                                            \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      TransposeType transposeType,                             \
                      const ConfusionTransposeTiling &tiling) {                \
    belay_detail::transposeKind(dst, src, transposeType, tiling);              \
  }
BELAY_TRANSPOSE(ConfusionTranspose)
BELAY_TRANSPOSE(Transpose)
#undef BELAY_TRANSPOSE

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_SHAPE_H

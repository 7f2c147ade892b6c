//===- activation.h - Activations -------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_ACTIVATION_H
#define BELAY_ASCENDC_API_LIBRARY_ACTIVATION_H

#include "api/library/math.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void Silu(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                    uint32_t dataSize) {
  belay_detail::math<belay_detail::MathOp::Silu, isReuseSource, T, PrimT<T>>(
      dst, belay_detail::source(src), {}, {}, dataSize);
}
template <typename T, bool isReuseSource = false>
BELAY_API void Swish(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                     uint32_t dataSize, const T scalarValue) {
  belay_detail::math<belay_detail::MathOp::Swish, isReuseSource, T, PrimT<T>>(
      dst, belay_detail::source(src), {}, {}, dataSize, {},
      static_cast<float>(scalarValue));
}

// Precision and speed are one here: all forms compute in float.
#define BELAY_GELU(Name)                                                       \
  template <typename T, bool highPrecision = false,                            \
            bool highPerformance = false>                                      \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const LocalTensor<uint8_t> &sharedTmpBuffer,             \
                      const uint32_t dataSize) {                               \
    belay_detail::math<belay_detail::MathOp::Name, false, T, PrimT<T>>(        \
        dst, belay_detail::source(src), {}, {}, dataSize,                      \
        belay_detail::scratch(sharedTmpBuffer));                               \
  }                                                                            \
  template <typename T, bool highPrecision = false,                            \
            bool highPerformance = false>                                      \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint32_t dataSize) {                               \
    belay_detail::math<belay_detail::MathOp::Name, false, T, PrimT<T>>(        \
        dst, belay_detail::source(src), {}, {}, dataSize);                     \
  }
BELAY_GELU(Gelu)
BELAY_GELU(FasterGelu)
BELAY_GELU(FasterGeluV2)
#undef BELAY_GELU

namespace belay_detail {
template <bool reuse, typename T>
BELAY_API void swiGlu(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1, float beta, uint32_t count,
                      Scratch tmp = {}) {
  math<MathOp::SwiGLU, reuse, T, PrimT<T>>(dst, source(src0), source(src1), {},
                                           count, tmp, beta);
}
} // namespace belay_detail
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1, const float &scalarValue) {
  belay_detail::swiGlu<isReuseSource>(dst, src0, src1, scalarValue,
                                      src0.GetSize());
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1, const float &scalarValue,
                      const LocalTensor<uint8_t> &sharedTmpBuffer) {
  belay_detail::swiGlu<isReuseSource>(dst, src0, src1, scalarValue,
                                      src0.GetSize(),
                                      belay_detail::scratch(sharedTmpBuffer));
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1, const float &scalarValue,
                      const uint32_t calCount) {
  belay_detail::swiGlu<isReuseSource>(dst, src0, src1, scalarValue, calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                      const LocalTensor<T> &src1, const float &scalarValue,
                      const LocalTensor<uint8_t> &sharedTmpBuffer,
                      const uint32_t calCount) {
  belay_detail::swiGlu<isReuseSource>(dst, src0, src1, scalarValue, calCount,
                                      belay_detail::scratch(sharedTmpBuffer));
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_ACTIVATION_H

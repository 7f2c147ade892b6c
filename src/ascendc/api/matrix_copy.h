//===- matrix_copy.h - DataCopy from ND to NZ -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_MATRIX_COPY_H
#define BELAY_ASCENDC_API_MATRIX_COPY_H

#include "abi/Cube.h"
#include "api/tensor.h"

namespace AscendC {

namespace belay_detail {
// 950 widened the numbers that speak of global memory.
#if __NPU_ARCH__ == 3510
using NdCount = uint32_t;
using NdStride = uint64_t;
using NzStride = uint32_t;
#else
using NdCount = uint16_t;
using NdStride = uint16_t;
using NzStride = uint16_t;
#endif
} // namespace belay_detail

struct Nd2NzParams {
  Nd2NzParams() = default;
  BELAY_API Nd2NzParams(uint16_t nd, uint16_t n, belay_detail::NdCount d,
                        belay_detail::NdStride srcMatrix,
                        belay_detail::NdStride srcD, uint16_t dstC0,
                        uint16_t dstN, belay_detail::NzStride dstMatrix)
      : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcMatrix),
        srcDValue(srcD), dstNzC0Stride(dstC0), dstNzNStride(dstN),
        dstNzMatrixStride(dstMatrix) {}
  uint16_t ndNum = 0;
  uint16_t nValue = 0;
  belay_detail::NdCount dValue = 0;
  belay_detail::NdStride srcNdMatrixStride = 0;
  belay_detail::NdStride srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  belay_detail::NzStride dstNzMatrixStride = 0;
};

struct Dn2NzParams {
  Dn2NzParams() = default;
  BELAY_API Dn2NzParams(uint16_t dn, uint16_t n, uint32_t d, uint64_t srcMatrix,
                        uint64_t srcD, uint16_t dstC0, uint16_t dstN,
                        uint32_t dstMatrix)
      : dnNum(dn), nValue(n), dValue(d), srcDnMatrixStride(srcMatrix),
        srcDValue(srcD), dstNzC0Stride(dstC0), dstNzNStride(dstN),
        dstNzMatrixStride(dstMatrix) {}
  uint16_t dnNum = 0;
  uint16_t nValue = 0;
  uint32_t dValue = 0;
  uint64_t srcDnMatrixStride = 0;
  uint64_t srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  uint32_t dstNzMatrixStride = 0;
};

namespace belay_detail {
template <bool smallC0, typename T>
BELAY_API void nd2nz(T *dst, const T *src, const Nd2NzParams &p) {
  belay::sim::NdToNz n = {dst,
                          src,
                          elem<T>,
                          false,
                          smallC0,
                          p.ndNum,
                          p.nValue,
                          p.dValue,
                          p.srcNdMatrixStride,
                          p.srcDValue,
                          p.dstNzC0Stride,
                          p.dstNzNStride,
                          p.dstNzMatrixStride};
  belay_sim_cube_nd2nz(&n);
}
} // namespace belay_detail

template <typename T, bool enableSmallC0 = false>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const Nd2NzParams &intriParams) {
  belay_detail::nd2nz<enableSmallC0, PrimT<T>>(dst.data(), src.GetPhyAddr(),
                                               intriParams);
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const Nd2NzParams &intriParams) {
  belay_detail::nd2nz<false, PrimT<T>>(dst.data(), src.data(), intriParams);
}
template <typename T, bool enableSmallC0 = false>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const Dn2NzParams &p) {
  belay::sim::NdToNz n = {dst.data(),
                          src.GetPhyAddr(),
                          belay_detail::elem<PrimT<T>>,
                          true,
                          enableSmallC0,
                          p.dnNum,
                          p.nValue,
                          p.dValue,
                          p.srcDnMatrixStride,
                          p.srcDValue,
                          p.dstNzC0Stride,
                          p.dstNzNStride,
                          p.dstNzMatrixStride};
  belay_sim_cube_nd2nz(&n);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_MATRIX_COPY_H

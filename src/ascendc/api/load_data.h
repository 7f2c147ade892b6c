//===- load_data.h - LoadData: fractals into L1 and L0 ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LOAD_DATA_H
#define BELAY_ASCENDC_API_LOAD_DATA_H

#include "abi/Cube.h"
#include "api/load_data_params.h"

namespace AscendC {

namespace belay_detail {

template <typename T> BELAY_API uint64_t bitsOfValue(T value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
BELAY_API void load2d(T *dst, const T *src, const LoadData2DParams &p) {
  int32_t stride = p.addrMode == 1 ? -int32_t(p.srcStride) : p.srcStride;
  belay::sim::LoadFractals l = {
      dst,          src,           elem<T>, p.ifTranspose,
      p.startIndex, p.repeatTimes, stride,  uint32_t(p.dstGap) + 1};
  belay_sim_cube_load_fractals(&l);
}

template <typename T>
BELAY_API void load2d(T *dst, const T *src, const LoadData2DParamsV2 &p) {
  belay::sim::LoadMatrix l = {dst,
                              src,
                              elem<T>,
                              p.ifTranspose,
                              p.mStartPosition,
                              p.kStartPosition,
                              p.mStep,
                              p.kStep,
                              p.srcStride,
                              p.dstStride};
  belay_sim_cube_load_matrix(&l);
}

template <typename T>
BELAY_API belay::sim::LoadImage imageOf(T *dst, const T *src,
                                        const LoadData3DParamsV2<T> &p,
                                        const char *name) {
  belay::sim::LoadImage l;
  l.Dst = dst;
  l.Src = src;
  l.Type = elem<T>;
  l.Transpose = p.enTranspose;
  l.RightMap = p.fMatrixCtrl;
  l.UseDstStride = __NPU_ARCH__ == 3510;
  l.Channels = p.channelSize;
  l.RowStart = p.mStartPt;
  l.ColumnStart = p.kStartPt;
  l.Rows = p.mExtension;
  l.Columns = p.kExtension;
  l.Filter = {p.strideW,
              p.strideH,
              p.dilationFilterW,
              p.dilationFilterH,
              static_cast<uint16_t>(p.filterW + (p.filterSizeW ? 256 : 0)),
              static_cast<uint16_t>(p.filterH + (p.filterSizeH ? 256 : 0))};
  l.Name = name;
  return l;
}

template <typename T, const IsResetLoad3dConfig &config, typename P>
BELAY_API void setMap(const P &p, bool right) {
  if constexpr (config.isSetFMatrix)
    belay_sim_cube_set_fmatrix(right, p.l1H, p.l1W, p.padList);
  if constexpr (config.isSetPadding)
    belay_sim_cube_set(belay::sim::CubeRegister::LoadPadding,
                       bitsOfValue(p.padValue));
}

} // namespace belay_detail

template <typename T>
BELAY_API void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LoadData2DParams &loadDataParams) {
  belay_detail::load2d<PrimT<T>>(dst.data(), src.data(), loadDataParams);
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const LoadData2DParams &loadDataParams) {
  belay_detail::load2d<PrimT<T>>(dst.data(), src.GetPhyAddr(), loadDataParams);
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LoadData2DParamsV2 &loadDataParams) {
  belay_detail::load2d<PrimT<T>>(dst.data(), src.data(), loadDataParams);
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const LoadData2DParamsV2 &loadDataParams) {
  belay_detail::load2d<PrimT<T>>(dst.data(), src.GetPhyAddr(), loadDataParams);
}

template <typename T,
          const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LoadData3DParamsV2<U> &loadDataParams) {
  belay_detail::setMap<U, config>(loadDataParams, loadDataParams.fMatrixCtrl);
  auto l = belay_detail::imageOf<U>(dst.data(), src.data(), loadDataParams,
                                    "LoadData");
  belay_sim_cube_load_image(&l);
}
template <typename T,
          const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void LoadDataWithStride(const LocalTensor<T> &dst,
                                  const LocalTensor<T> &src,
                                  const LoadData3DParamsV2<U> &loadDataParams) {
  belay_detail::setMap<U, config>(loadDataParams, loadDataParams.fMatrixCtrl);
  auto l = belay_detail::imageOf<U>(dst.data(), src.data(), loadDataParams,
                                    "LoadDataWithStride");
  belay_sim_cube_load_image(&l);
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LoadData3DParamsV2Pro &p) {
  LoadData3DParamsV2<PrimT<T>> q;
  q.channelSize = p.channelSize;
  q.enTranspose = p.enTranspose;
  q.filterSizeW = p.filterSizeW;
  q.filterSizeH = p.filterSizeH;
  q.fMatrixCtrl = p.fMatrixCtrl;
  q.kExtension = static_cast<uint16_t>(p.extConfig);
  q.mExtension = static_cast<uint16_t>(p.extConfig >> 16);
  q.kStartPt = static_cast<uint16_t>(p.extConfig >> 32);
  q.mStartPt = static_cast<uint16_t>(p.extConfig >> 48);
  q.strideW = static_cast<uint8_t>(p.filterConfig);
  q.strideH = static_cast<uint8_t>(p.filterConfig >> 8);
  q.filterW = static_cast<uint8_t>(p.filterConfig >> 16);
  q.filterH = static_cast<uint8_t>(p.filterConfig >> 24);
  q.dilationFilterW = static_cast<uint8_t>(p.filterConfig >> 32);
  q.dilationFilterH = static_cast<uint8_t>(p.filterConfig >> 40);
  auto l =
      belay_detail::imageOf<PrimT<T>>(dst.data(), src.data(), q, "LoadData");
  belay_sim_cube_load_image(&l);
}
template <typename T,
          const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LoadData3DParamsV1<U> &p) {
  if (p.cSize)
    belay_sim_fail("unsupported-api", "LoadData with cSize is not simulated",
                   "use LoadData3DParamsV2 with the true channelSize");
  belay_detail::setMap<U, config>(p, false);
  belay::sim::LoadWindow l;
  l.Dst = dst.data();
  l.Src = src.data();
  l.Type = belay_detail::elem<U>;
  l.ChannelBlock = p.c1Index;
  l.FetchW = p.fetchFilterW;
  l.FetchH = p.fetchFilterH;
  l.LeftTopW = p.leftTopW;
  l.LeftTopH = p.leftTopH;
  l.Filter = {p.strideW,         p.strideH, p.dilationFilterW,
              p.dilationFilterH, p.filterW, p.filterH};
  l.JumpStride = p.jumpStride;
  l.AlongRows = p.repeatMode == 1;
  l.Repeat = p.repeatTime;
  belay_sim_cube_load_window(&l);
}

/// Starts and strides count squares: as many fractals as their sides need.
template <typename T>
BELAY_API void LoadDataWithTranspose(const LocalTensor<T> &dst,
                                     const LocalTensor<T> &src,
                                     const LoadData2dTransposeParams &p) {
  constexpr belay::sim::Elem type = belay_detail::elem<PrimT<T>>;
  constexpr uint32_t fractals = type == belay::sim::Elem::S4 ? 4
                                : sizeof(PrimT<T>) == 2      ? 1
                                                             : 2;
  int32_t stride = int32_t(p.srcStride) * int32_t(fractals);
  belay::sim::LoadSquares l = {dst.data(),
                               src.data(),
                               type,
                               p.startIndex * fractals,
                               p.repeatTimes,
                               p.addrMode == 1 ? -stride : stride,
                               1,
                               uint32_t(p.dstGap) + 1,
                               uint32_t(p.dstFracGap) + 1};
  belay_sim_cube_load_squares(&l);
}
/// Here they count fractals.
template <typename T>
BELAY_API void LoadDataWithTranspose(const LocalTensor<T> &dst,
                                     const LocalTensor<T> &src,
                                     const LoadData2dTransposeParamsV2 &p) {
  int32_t stride = p.srcStride;
  belay::sim::LoadSquares l = {dst.data(),
                               src.data(),
                               belay_detail::elem<PrimT<T>>,
                               p.startIndex,
                               p.repeatTimes,
                               p.addrMode == 1 ? -stride : stride,
                               uint32_t(p.srcFracGap) + 1,
                               uint32_t(p.dstGap) + 1,
                               uint32_t(p.dstFracGap) + 1};
  belay_sim_cube_load_squares(&l);
}

// --- what LoadData 3D reads besides its parameters
// -----------------------------
BELAY_API void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                          const FmatrixMode &fmatrixMode) {
  belay_sim_cube_set_fmatrix(fmatrixMode == FmatrixMode::FMATRIX_RIGHT, l1H,
                             l1W, padList);
}
template <typename T> BELAY_API void SetLoadDataPaddingValue(const T padValue) {
  belay_sim_cube_set(belay::sim::CubeRegister::LoadPadding,
                     belay_detail::bitsOfValue(padValue));
}
BELAY_API void SetLoadDataBoundary(uint32_t boundaryValue) {
  belay_sim_cube_set(belay::sim::CubeRegister::LoadBoundary, boundaryValue);
}
BELAY_API void SetLoadDataRepeat(const LoadDataRepeatParam &p) {
  belay_sim_cube_set_repeat(p.repeatStride, p.repeatTime, p.repeatMode,
                            p.dstStride);
}
BELAY_API void
SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride &p) {
  SetLoadDataRepeat(p);
}

template <typename T, typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void Fill(const LocalTensor<T> &dst,
                    const InitConstValueParams<U> &p) {
  belay::sim::FillBlocks f = {dst.data(),
                              belay_detail::elem<U>,
                              belay_detail::bitsOfValue(p.initValue),
                              p.repeatTimes,
                              p.blockNum,
                              p.dstGap};
  belay_sim_cube_fill(&f);
}
template <typename T, typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void InitConstValue(const LocalTensor<T> &dst,
                              const InitConstValueParams<U> &p) {
  Fill(dst, p);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LOAD_DATA_H

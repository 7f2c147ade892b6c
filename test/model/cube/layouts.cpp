// What lies in L1 after a copy, and convolutions through LoadData 3D.
#include "simple_product.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void show(const GlobalTensor<T> &gm, const LocalTensor<T> &l1,
                            uint32_t count) {
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(gm, l1, count);
}

/// ND (or, on 950, DN) to NZ, then L1 as it is.
template <typename T>
__global__ __aicore__ void
nd2nz(GM_ADDR src, GM_ADDR dst, uint32_t columnMajor, uint32_t num,
      uint32_t rows, uint32_t columns, uint32_t srcMatrix, uint32_t srcRow,
      uint32_t dstColumn, uint32_t dstRow, uint32_t dstMatrix, uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, count * sizeof(T));
  LocalTensor<T> l1 = buffer.Get<T>();
  GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T *)src);
  to.SetGlobalBuffer((__gm__ T *)dst);
  // A background that shows what was not written.
  Fill(l1.template ReinterpretCast<int16_t>(),
       InitConstValueParams<int16_t>(1, count * sizeof(T) / 32, 0, 0x0101));
  PipeBarrier<PIPE_MTE2>();
  if (!columnMajor)
    DataCopy(l1, from,
             Nd2NzParams(num, rows, columns, srcMatrix, srcRow, dstColumn,
                         dstRow, dstMatrix));
  else
    DataCopy(l1, from,
             Dn2NzParams(num, rows, columns, srcMatrix, srcRow, dstColumn,
                         dstRow, dstMatrix));
  show(to, l1, count);
}

template <typename T>
__global__ __aicore__ void fill(GM_ADDR dst, uint32_t repeat, uint32_t blocks,
                                uint32_t gap, int32_t value, uint32_t oldName,
                                uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, count * sizeof(T));
  LocalTensor<T> l1 = buffer.Get<T>();
  GlobalTensor<T> to;
  to.SetGlobalBuffer((__gm__ T *)dst);
  InitConstValue(l1, InitConstValueParams<T>(1, count * sizeof(T) / 32, 0,
                                             static_cast<T>(1)));
  PipeBarrier<PIPE_MTE2>();
  InitConstValueParams<T> p(repeat, blocks, gap, static_cast<T>(value));
  if (oldName)
    InitConstValue(l1, p);
  else
    Fill(l1, p);
  show(to, l1, count);
}

/// Fractals of GM in L1 with gaps, taken backwards if addrMode is 1.
__global__ __aicore__ void apart(GM_ADDR src, GM_ADDR dst, uint32_t start,
                                 uint32_t repeat, uint32_t stride, uint32_t gap,
                                 uint32_t addrMode, uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, count * sizeof(::half));
  LocalTensor<::half> l1 = buffer.Get<::half>();
  GlobalTensor<::half> from, to;
  from.SetGlobalBuffer((__gm__ ::half *)src);
  to.SetGlobalBuffer((__gm__ ::half *)dst);
  Fill(l1, InitConstValueParams<::half>(1, count * 2 / 32, 0, ::half(7)));
  PipeBarrier<PIPE_MTE2>();
  LoadData(l1, from,
           LoadData2DParams(start, repeat, stride, 0, gap, false, addrMode));
  show(to, l1, count);
}

struct Convolution {
  uint32_t h, w, c, n;
  uint32_t filterH, filterW, strideH, strideW, dilationH, dilationW;
  uint32_t padLeft, padRight, padTop, padBottom;
};

/// The map is [C1][H][W][C0] in GM, the weights are fractals of L0B: ZN. Rows
/// of the result are computed `step` at a time.
template <typename T>
__global__ __aicore__ void
conv(GM_ADDR map, GM_ADDR weights, GM_ADDR shape, GM_ADDR out, uint32_t outH,
     uint32_t outW, uint32_t step, uint32_t explicitMap, uint32_t repeats) {
  TPipe pipe;
  constexpr uint32_t C0 = 32 / sizeof(T);
  Convolution x = *reinterpret_cast<__gm__ Convolution *>(shape);
  uint32_t m = outH * outW, n = x.n, k = x.c * x.filterH * x.filterW;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::B1> b1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  pipe.InitBuffer(a1, x.c * x.h * x.w * sizeof(T));
  pipe.InitBuffer(b1, k * up(n, 16) * sizeof(T));
  pipe.InitBuffer(a2, step * k * sizeof(T));
  pipe.InitBuffer(b2, k * up(n, 16) * sizeof(T));
  pipe.InitBuffer(co1, step * up(n, 16) * 4);
  LocalTensor<T> l1 = a1.Get<T>(), w1 = b1.Get<T>(), l0a = a2.Get<T>(),
                 l0b = b2.Get<T>();
  LocalTensor<float> c = co1.Get<float>();
  GlobalTensor<T> mapGm, weightsGm;
  GlobalTensor<float> outGm;
  mapGm.SetGlobalBuffer((__gm__ T *)map);
  weightsGm.SetGlobalBuffer((__gm__ T *)weights);
  outGm.SetGlobalBuffer((__gm__ float *)out);
  DataCopy(l1, mapGm, x.c * x.h * x.w);
  DataCopy(w1, weightsGm, k * up(n, 16));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  uint32_t fractals = k / C0 * up(n, 16) / 16;
  for (uint32_t f = 0; f < fractals; f += 255) {
    uint32_t now = fractals - f < 255 ? fractals - f : 255;
#if __NPU_ARCH__ == 3510
    LoadData(l0b[f * 16 * C0], w1[f * 16 * C0],
             LoadData2DParamsV2(0, 0, now, 1, now, now, false, 0));
#else
    LoadData(l0b[f * 16 * C0], w1, LoadData2DParams(f, now, 1, 0, 0, false, 0));
#endif
  }
  uint8_t pads[4] = {(uint8_t)x.padLeft, (uint8_t)x.padRight, (uint8_t)x.padTop,
                     (uint8_t)x.padBottom};
  for (uint32_t row = 0; row < m; row += step) {
    uint32_t rows = m - row < step ? m - row : step;
    LoadData3DParamsV2<T> p(pads, x.h, x.w, x.c, k, up(rows, 16), 0, row,
                            x.strideW, x.strideH, x.filterW, x.filterH,
                            x.dilationW, x.dilationH, false, false, T(0));
    SetFlag<HardEvent::M_MTE1>(0);
    WaitFlag<HardEvent::M_MTE1>(0);
#if __NPU_ARCH__ == 3510
    SetLoadDataRepeatWithStride({0, 1, 0, (uint16_t)(up(rows, 16) / 16)});
    LoadDataWithStride(l0a, l1, p);
#else
    if (explicitMap) {
      static constexpr IsResetLoad3dConfig keep = {false, false};
      SetFmatrix(x.h, x.w, pads, FmatrixMode::FMATRIX_LEFT);
      SetLoadDataPaddingValue<T>(T(0));
      SetLoadDataBoundary(0);
      if (repeats > 1 && up(rows, 16) % (16 * repeats) == 0) {
        // The same rows in several repeats, one below the other.
        p.mExtension = up(rows, 16) / repeats;
        SetLoadDataRepeat({(uint16_t)(p.mExtension / 16), (uint8_t)repeats, 0});
      } else
        SetLoadDataRepeat({0, 1, 0});
      p.l1H = p.l1W = 1; // ignored
      LoadData<T, keep>(l0a, l1, p);
    } else
      LoadData(l0a, l1, p);
#endif
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    MmadParams q;
    q.m = rows;
    q.n = n;
    q.k = k;
    q.disableGemv = true;
    Mmad(c, l0a, l0b, q);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(outGm[row * n], c,
            FixpipeParamsV220(n, rows, up(rows, 16), n, false));
    SetFlag<HardEvent::FIX_M>(0);
    WaitFlag<HardEvent::FIX_M>(0);
  }
}

/// One row times a matrix: the left factor lies in L0A as it is.
__global__ __aicore__ void gemv(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t n,
                                uint32_t k) {
  TPipe pipe;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::B1> b1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  uint32_t kUp = up(k, 256);
  pipe.InitBuffer(a1, kUp * 2);
  pipe.InitBuffer(b1, up(k, 16) * up(n, 16) * 2);
  pipe.InitBuffer(a2, kUp * 2);
  pipe.InitBuffer(b2, up(k, 16) * up(n, 16) * 2);
  pipe.InitBuffer(co1, up(n, 16) * 64);
  GlobalTensor<::half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ ::half *)a);
  bGm.SetGlobalBuffer((__gm__ ::half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  LocalTensor<::half> row = a1.Get<::half>(), l1 = b1.Get<::half>();
  DataCopy(row, aGm, kUp);
  DataCopy(l1, bGm, Nd2NzParams(1, n, k, 0, k, up(n, 16), 1, 0));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LocalTensor<::half> l0a = a2.Get<::half>(), l0b = b2.Get<::half>();
  uint16_t n1 = up(n, 16) / 16, k1 = up(k, 16) / 16;
#if __NPU_ARCH__ == 3510
  LoadData(l0a, row, LoadData2DParamsV2(0, 0, kUp / 256, 1, 1, 1, false, 0));
  LoadData(l0b, l1, LoadData2DParamsV2(0, 0, n1, k1, n1, n1, false, 0));
#else
  LoadData(l0a, row, LoadData2DParams(0, kUp / 256, 1, 0, 0, false, 0));
  LoadData(l0b, l1, LoadData2DParams(0, n1 * k1, 1, 0, 0, false, 0));
#endif
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  LocalTensor<float> sum = co1.Get<float>();
#if __NPU_ARCH__ == 3510
  MmadBitModeParams p;
  p.SetM(1);
  p.SetN(n);
  p.SetK(k);
  p.SetCmatrixInitVal(true);
#else
  MmadParams p(1, n, k, 0, false, true);
#endif
  SetMMLayoutTransform(true);
  Mmad(sum, l0a, l0b, p);
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  Fixpipe(cGm, sum, FixpipeParamsV220(n, 1, 16, n, false));
}

#if __NPU_ARCH__ == 2002
/// 310P: LoadData 3D V1, one fractal per repeat. The filter's points make up a
/// row of fractals (mode 0); rows of fractals follow each other.
__global__ __aicore__ void conv_310p(GM_ADDR map, GM_ADDR weights,
                                     GM_ADDR shape, GM_ADDR out, uint32_t outH,
                                     uint32_t outW, uint32_t alongRows) {
  TPipe pipe;
  constexpr uint32_t C0 = 16, Fractal = 256;
  Convolution x = *reinterpret_cast<__gm__ Convolution *>(shape);
  uint32_t m = outH * outW, mUp = up(m, 16), n = x.n;
  uint32_t points = x.c / C0 * x.filterH * x.filterW, k = points * C0;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::B1> b1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  TBuf<TPosition::VECCALC> ub;
  pipe.InitBuffer(a1, x.c * x.h * x.w * 2);
  pipe.InitBuffer(b1, k * up(n, 16) * 2);
  pipe.InitBuffer(a2, mUp * k * 2);
  pipe.InitBuffer(b2, k * up(n, 16) * 2);
  pipe.InitBuffer(co1, mUp * up(n, 16) * 4);
  pipe.InitBuffer(ub, mUp * up(n, 16) * 4);
  LocalTensor<::half> l1 = a1.Get<::half>(), w1 = b1.Get<::half>(),
                      l0a = a2.Get<::half>(), l0b = b2.Get<::half>();
  GlobalTensor<::half> mapGm, weightsGm;
  GlobalTensor<float> outGm;
  mapGm.SetGlobalBuffer((__gm__ ::half *)map);
  weightsGm.SetGlobalBuffer((__gm__ ::half *)weights);
  outGm.SetGlobalBuffer((__gm__ float *)out);
  DataCopy(l1, mapGm, x.c * x.h * x.w);
  DataCopy(w1, weightsGm, k * up(n, 16));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(l0b, w1,
           LoadData2DParams(0, points * up(n, 16) / 16, 1, 0, 0, false, 0));
  LoadData3DParamsV1<::half> p;
  p.padList[0] = x.padLeft;
  p.padList[1] = x.padRight;
  p.padList[2] = x.padTop;
  p.padList[3] = x.padBottom;
  p.l1H = x.h;
  p.l1W = x.w;
  p.strideW = x.strideW;
  p.strideH = x.strideH;
  p.filterW = x.filterW;
  p.filterH = x.filterH;
  p.dilationFilterW = x.dilationW;
  p.dilationFilterH = x.dilationH;
  if (alongRows) { // one point for all rows, then the next point
    p.repeatMode = 1;
    p.repeatTime = mUp / 16;
    p.jumpStride = points;
    p.leftTopW = -(int)x.padLeft;
    p.leftTopH = -(int)x.padTop;
    for (uint32_t q = 0; q < points; ++q) {
      uint32_t perBlock = x.filterH * x.filterW;
      p.c1Index = q / perBlock;
      p.fetchFilterH = q % perBlock / x.filterW;
      p.fetchFilterW = q % x.filterW;
      LoadData(l0a[q * Fractal], l1, p);
    }
  } else { // all points for sixteen rows, then the next sixteen
    p.repeatTime = points;
    p.jumpStride = 1;
    for (uint32_t row = 0; row < mUp; row += 16) {
      p.leftTopW = (int)(row % outW * x.strideW) - (int)x.padLeft;
      p.leftTopH = (int)(row / outW * x.strideH) - (int)x.padTop;
      LoadData(l0a[row / 16 * points * Fractal], l1, p);
    }
  }
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  LocalTensor<float> c = co1.Get<float>(), y = ub.Get<float>();
  Mmad(c, l0a, l0b, MmadParams(mUp, n, k, 0, false, true));
  SetFlag<HardEvent::M_V>(0);
  WaitFlag<HardEvent::M_V>(0);
  DataCopyEnhancedParams e;
  e.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  DataCopy(y, c, DataCopyParams(1, mUp * up(n, 16) / 256, 0, 0), e);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(outGm, y, mUp * up(n, 16));
}
#endif

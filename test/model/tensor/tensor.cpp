// LocalTensor and GlobalTensor: elements, views, sizes.
#include "kernel_operator.h"
using namespace AscendC;

// y = x[i] * 2 by the scalar unit, in the ways there are to write it.
template <typename T>
__global__ __aicore__ void elements(GM_ADDR x, GM_ADDR y, uint32_t n) {
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, n);
  yGm.SetGlobalBuffer((__gm__ T *)y); // of unknown size
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, n * sizeof(T));
  LocalTensor<T> t = buf.Get<T>(n);
  for (uint32_t i = 0; i < n; ++i) {
    switch (i % 4) {
    case 0:
      t.SetValue(i, xGm.GetValue(i));
      yGm.SetValue(i, t.GetValue(i) + t.GetValue(i));
      break;
    case 1:
      t(i) = xGm(i);
      yGm(i) = t(i) + t(i);
      break;
    case 2: { // a view's elements are counted from its start
      LocalTensor<T> view = t[i];
      view.SetValue(0, xGm[i - 1].GetValue(1));
      yGm[i].SetValue(0, t.GetValue(i) + view(0));
      break;
    }
    default:
      *((__gm__ T *)y + i) = *(xGm.GetPhyAddr() + i) + *xGm.GetPhyAddr(i);
    }
  }
}

// Backwards through a local tensor; the second half of x by a view.
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, uint32_t n) {
  GlobalTensor<int4b_t> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ int4b_t *)x, n);
  yGm.SetGlobalBuffer((__gm__ int4b_t *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, n / 2);
  LocalTensor<int4b_t> t = buf.Get<int4b_t>(n);
  GlobalTensor<int4b_t> second = xGm[n / 2];
  for (uint32_t i = 0; i < n; ++i)
    t.SetValue(i, i < n / 2 ? xGm.GetValue(i) : second.GetValue(i - n / 2));
  for (uint32_t i = 0; i < n; ++i)
    yGm.SetValue(n - 1 - i, t.GetValue(i));
}

extern "C" __global__ __aicore__ void views(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR seen) {
  GlobalTensor<int32_t> xGm, seenGm;
  GlobalTensor<int16_t> yGm;
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, 64);
  xGm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  yGm.SetGlobalBuffer((__gm__ int16_t *)y, 128);
  seenGm.SetGlobalBuffer((__gm__ int32_t *)seen, 64);
  uint32_t at = 0;
  auto see = [&](int64_t v) { seenGm.SetValue(at++, (int32_t)v); };

  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64 * sizeof(int32_t));
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  DataCopy(t, xGm, 64);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  // The same bytes as twice as many elements of half the size.
  LocalTensor<int16_t> narrow = t.ReinterpretCast<int16_t>();
  DataCopy(yGm, narrow, 128);
  see(t.GetSize());
  see(t.GetLength());
  see(narrow.GetSize());
  see(narrow.GetLength());
  see(narrow.GetPhyAddr() == t.GetPhyAddr());
  see(t[16].GetPhyAddr() - t.GetPhyAddr());
  see(t.GetPhyAddr(8) - t.GetPhyAddr());
  see(t[16].GetSize());
  t.SetSize(32);
  see(t.GetSize());
  t.SetBufferLen(64);
  see(t.GetSize());
  see(t.GetPosition() == (int32_t)TPosition::VECCALC);
  t.SetUserTag(7);
  see(t.GetUserTag());
  LocalTensor<int32_t> moved;
  moved.SetAddrWithOffset(t, 8);
  see(moved.GetPhyAddr() - t.GetPhyAddr());

  uint32_t dims[] = {4, 8};
  uint32_t original[] = {3, 7};
  t.SetShapeInfo(ShapeInfo(2, dims, 2, original, DataFormat::NZ));
  ShapeInfo s = t.GetShapeInfo();
  see(s.shapeDim);
  see(s.shape[0] * 10 + s.shape[1]);
  see(s.originalShape[0] * 10 + s.originalShape[1]);
  see(s.dataFormat == DataFormat::NZ);
  see(GetShapeSize(s));
  xGm.SetShapeInfo(ShapeInfo(2, original, DataFormat::ND));
  see(GetShapeSize(xGm.GetShapeInfo()));

  GlobalTensor<int16_t> narrowGm = xGm.ReinterpretCast<int16_t>();
  see(xGm.GetSize());
  see(narrowGm.GetSize());
  see(narrowGm.GetValue(2) == (int16_t)xGm.GetValue(1));
  see(xGm[5].GetPhyAddr() - xGm.GetPhyAddr());
}

// Scalar conversions that the host's CPU has no instruction for.
extern "C" __global__ __aicore__ void narrow(GM_ADDR x, GM_ADDR y, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    ((__gm__ bfloat16_t *)y)[i] = (bfloat16_t)((__gm__ double *)x)[i];
}

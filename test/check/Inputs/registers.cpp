// Vector functions and threads of the 3510.
#include "kernel_operator.h"
using namespace AscendC;

#if defined(VECTOR)
// A vector function on registers, between two copies.
__aicore__ inline void twice(__local_mem__ float *x, uint32_t n) {
  uint16_t rounds = (n + 63) / 64;
  __VEC_SCOPE__ {
    MicroAPI::RegTensor<float> a;
    for (uint16_t i = 0; i < rounds; ++i) {
      MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(n);
      MicroAPI::DataCopy(a, x + i * 64);
      MicroAPI::Muls(a, a, 2.0f, mask);
      MicroAPI::DataCopy(x + i * 64, a, mask);
    }
  }
}
extern "C" __global__ __aicore__ void vector(GM_ADDR x, GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 4096);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopyPad(t, xGm, {1, uint32_t(n * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  twice((__local_mem__ float *)t.GetPhyAddr(), n);
#ifndef RACE
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
#endif
  DataCopyPad(zGm, t, {1, uint32_t(n * sizeof(float)), 0, 0, 0});
}
#elif defined(THREADS)
// What each thread computes: an offset.
#ifdef WRAPS
using Offset = int32_t;
#else
using Offset = int64_t;
#endif
__simt_vf__ LAUNCH_BOUND(1024) inline void rows(__gm__ float *x,
                                                __gm__ float *z, Offset row,
                                                Offset width) {
  for (Offset i = threadIdx.x; i < width; i += blockDim.x)
    z[row * width + i] = x[row * width + i];
}
extern "C" __global__ __aicore__ void threads(GM_ADDR x, GM_ADDR z,
                                              int64_t width) {
  Offset own = width;
  asc_vf_call<rows>(dim3(1024), (__gm__ float *)x, (__gm__ float *)z,
                    static_cast<Offset>(GetBlockIdx()), own);
}
#elif defined(OFFSETS)
// Where the block's rows begin, in 32 bits or in 64.
extern "C" __global__ __aicore__ void offsets(GM_ADDR x, GM_ADDR z,
                                              uint32_t rows, uint32_t width) {
#ifdef WRAPS
  uint32_t block = GetBlockIdx();
#else
  uint64_t block = GetBlockIdx();
#endif
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + block * rows * width);
}
#elif defined(KEPT)
// The host's numbers have 64 bits. 32 are enough for a tile; for what comes
// before the last block they may not be.
extern "C" __global__ __aicore__ void kept(GM_ADDR x, GM_ADDR z, int64_t own,
                                           int64_t tile) {
#ifdef WRAPS
  uint32_t mine = own;
#else
  uint64_t mine = own;
#endif
  uint32_t length = tile;
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + mine * GetBlockIdx() + length);
}
#elif defined(LENGTHS)
// Lengths that the launch decides: the copy in does not wait for the copy out
// of the iteration before.
extern "C" __global__ __aicore__ void lengths(GM_ADDR x, GM_ADDR z, uint32_t n,
                                              uint32_t rounds) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  pipe.InitBuffer(in, 1, 4096);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  for (uint32_t i = 0; i < rounds; ++i) {
    LocalTensor<float> t = in.AllocTensor<float>();
    DataCopyPad(t, xGm[uint64_t(i) * n],
                {1, uint32_t(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    in.EnQue(t);
    t = in.DeQue<float>();
    DataCopyPad(zGm[uint64_t(i) * n], t,
                {1, uint32_t(n * sizeof(float)), 0, 0, 0});
#ifndef RACE
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
#endif
    in.FreeTensor(t);
  }
}
#endif

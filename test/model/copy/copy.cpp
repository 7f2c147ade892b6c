// Copies between global and local memory. Local tensors come in with a pattern
// and go out whole, so that every byte a copy touches is visible.
#include "../call.h"

using namespace AscendC;

/// p: op, blockCount, blockLen, srcGap, dstGap, isPad, left, right, offset of
/// the source and of the destination in elements.
struct Copies {
  __aicore__ inline explicit Copies(GM_ADDR address)
      : p((__gm__ int32_t *)address) {}
  __aicore__ inline DataCopyParams blocks() const {
    return {uint16_t(p[1]), uint16_t(p[2]), uint16_t(p[3]), uint16_t(p[4])};
  }
  __aicore__ inline DataCopyExtParams ext() const {
    DataCopyExtParams e;
    e.blockCount = p[1];
    e.blockLen = p[2];
    e.srcStride = p[3];
    e.dstStride = p[4];
    return e;
  }
  __gm__ int32_t *p;
};

template <typename T>
__global__ __aicore__ void in(GM_ADDR xIn, GM_ADDR vIn, GM_ADDR pIn,
                              GM_ADDR zOut, int32_t zCount) {
  Copies c(pIn);
  TPipe pipe;
  auto z = load<T>(pipe, zOut, zCount);
  GlobalTensor<T> x;
  x.SetGlobalBuffer((__gm__ T *)xIn);
  auto src = x[c.p[8]];
  auto dst = z[c.p[9]];
  T v = *(__gm__ T *)vIn;
  bool isPad = c.p[5] == 1;
  uint8_t left = c.p[6], right = c.p[7];
  if (c.p[5] == 2)
    SetPadValue(v);
  switch (c.p[0]) {
  case 0:
    DataCopy(dst, src, c.p[1]);
    break;
  case 1:
    DataCopy(dst, src, c.blocks());
    break;
  case 2:
    DataCopyPad(dst, src, c.ext(), DataCopyPadExtParams(isPad, left, right, v));
    break;
  case 3: {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &v, sizeof(T));
    DataCopyPad(dst, src, c.blocks(),
                DataCopyPadParams(isPad, left, right, bits));
    break;
  }
  case 4:
    DataCopyPad<T, PaddingMode::Compact>(dst, src, c.ext(),
                                         {isPad, left, right, v});
    break;
  case 5:
    SetLoopModePara(LoopModeParams(2, 3, 96, 128, 240, 416),
                    DataCopyMVType::OUT_TO_UB);
    DataCopyPad(dst, src, c.ext(), {isPad, left, right, v});
    ResetLoopModePara(DataCopyMVType::OUT_TO_UB);
    break;
  }
  store(z, zOut, zCount);
}

template <typename T>
__global__ __aicore__ void out(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut,
                               int32_t xCount) {
  Copies c(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, xCount);
  GlobalTensor<T> z;
  z.SetGlobalBuffer((__gm__ T *)zOut);
  auto src = x[c.p[8]];
  auto dst = z[c.p[9]];
  switch (c.p[0]) {
  case 0:
    DataCopy(dst, src, c.p[1]);
    break;
  case 1:
    DataCopy(dst, src, c.blocks());
    break;
  case 2:
    DataCopyPad(dst, src, c.ext());
    break;
  case 3:
    DataCopyPad(dst, src, c.blocks());
    break;
  case 4:
    DataCopyPad<T, PaddingMode::Compact>(dst, src, c.ext());
    break;
  }
  PipeBarrier<PIPE_ALL>();
}

/// Two dimensions cut out of a matrix, in and out again.
template <typename T>
__global__ __aicore__ void slices(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut,
                                  int32_t count) {
  auto *p = (__gm__ uint32_t *)pIn;
  SliceInfo src[2], dst[2];
  for (int d = 0; d < 2; ++d) {
    src[d] = {p[5 * d], p[5 * d + 1], p[5 * d + 2], p[5 * d + 3], p[5 * d + 4]};
    dst[d] = {p[10 + 5 * d], p[11 + 5 * d], p[12 + 5 * d], p[13 + 5 * d],
              p[14 + 5 * d]};
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, count * sizeof(T));
  GlobalTensor<T> x, z;
  x.SetGlobalBuffer((__gm__ T *)xIn);
  z.SetGlobalBuffer((__gm__ T *)zOut);
  DataCopy(buf.Get<T>(), x, dst, src, 2);
  PipeBarrier<PIPE_ALL>();
  DataCopy(z, buf.Get<T>(), dst, dst, 2);
  PipeBarrier<PIPE_ALL>();
}

template <typename T>
__global__ __aicore__ void nz2nd(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut,
                                 int32_t xCount) {
  auto *p = (__gm__ int32_t *)pIn;
  TPipe pipe;
  auto x = load<T>(pipe, xIn, xCount);
  GlobalTensor<T> z;
  z.SetGlobalBuffer((__gm__ T *)zOut);
  DataCopy(z, x, Nz2NdParamsFull(p[0], p[1], p[2], p[3], p[4], p[5], p[6]));
  PipeBarrier<PIPE_ALL>();
}

/// NDDMA: op 0 pads with a constant, 1 with the nearest, 2 transposes, 3
/// broadcasts.
template <typename T>
__global__ __aicore__ void multi(GM_ADDR xIn, GM_ADDR zOut, int32_t op,
                                 int32_t zCount) {
  TPipe pipe;
  auto z = load<T>(pipe, zOut, zCount);
  GlobalTensor<T> x;
  x.SetGlobalBuffer((__gm__ T *)xIn);
  NdDmaDci();
  static constexpr NdDmaConfig nearest = {true};
  if (op == 0)
    DataCopy<T, 2>(z, x,
                   NdDmaParams<T, 2>{{{1, 8}, {1, 16}, {8, 4}, {3, 1}, {2, 2}},
                                     static_cast<T>(7)});
  else if (op == 1)
    DataCopy<T, 2, nearest>(
        z, x,
        NdDmaParams<T, 2>{{{1, 8}, {1, 16}, {8, 4}, {3, 1}, {2, 2}},
                          static_cast<T>(7)});
  else if (op == 2)
    DataCopy<T, 2>(
        z, x,
        NdDmaParams<T, 2>{{{1, 8}, {4, 1}, {8, 4}, {0, 0}, {0, 0}}, T(0)});
  else
    DataCopy<T, 2>(
        z, x,
        NdDmaParams<T, 2>{{{1, 0}, {1, 8}, {8, 4}, {0, 0}, {0, 0}}, T(0)});
  store(z, zOut, zCount);
}

/// All blocks combine their row into z.
template <typename T>
__global__ __aicore__ void atomic(GM_ADDR xIn, GM_ADDR zOut, int32_t op,
                                  int32_t n) {
  TPipe pipe;
  auto x = load<T>(pipe, xIn + GetBlockIdx() * n * sizeof(T), n);
  if (op == 0)
    SetAtomicAdd<T>();
  else if (op == 1)
    SetAtomicMax<T>();
  else if (op == 2)
    SetAtomicMin<T>();
  else {
    SetAtomicAdd<float>();
    SetAtomicType<T>();
  }
  GlobalTensor<T> z;
  z.SetGlobalBuffer((__gm__ T *)zOut);
  DataCopy(z, x, n);
  SetAtomicNone();
  if (GetBlockIdx() == 0)
    DataCopy(z[n], x, n); // no longer atomic
  PipeBarrier<PIPE_ALL>();
}

/// Mistakes, each beside a good one.
__global__ __aicore__ void misaligned(GM_ADDR xIn, int32_t at) {
  TPipe pipe;
  auto z = load<float>(pipe, xIn, 64);
  GlobalTensor<float> x;
  x.SetGlobalBuffer((__gm__ float *)xIn, 64);
  DataCopy(z[at], x[3], 8); // global memory needs no alignment
}

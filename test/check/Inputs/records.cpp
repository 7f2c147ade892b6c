// Sorting and picking out: how far it goes, and what has values then.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 1024;

template <uint32_t SORTED, uint32_t MERGED>
__aicore__ inline void top(GM_ADDR x, GM_ADDR y, GM_ADDR at) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> values, indices, sorted, merged, one, two;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<uint32_t> atGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  atGm.SetGlobalBuffer((__gm__ uint32_t *)at, N);
  pipe.InitBuffer(values, N * 4);
  pipe.InitBuffer(indices, N * 4);
  pipe.InitBuffer(sorted, N * 8);
  pipe.InitBuffer(merged, N * 8);
  pipe.InitBuffer(one, N * 4);
  pipe.InitBuffer(two, N * 4);
  LocalTensor<float> v = values.Get<float>(), s = sorted.Get<float>(),
                     m = merged.Get<float>(), a = one.Get<float>();
  LocalTensor<uint32_t> i = indices.Get<uint32_t>(), b = two.Get<uint32_t>();
  DataCopy(v, xGm, N);
  PipeBarrier<PIPE_ALL>();
  ArithProgression(i.ReinterpretCast<int32_t>(), int32_t(0), int32_t(1),
                   int32_t(N));
  PipeBarrier<PIPE_V>();
  Sort32(s, v, i, SORTED / 32);
  PipeBarrier<PIPE_V>();
  // Lists of 32 to lists of 128.
  for (uint32_t k = 0; k < MERGED / 128; ++k) {
    MrgSort4Info info;
    for (uint32_t n = 0; n < 4; ++n)
      info.elementLengths[n] = 32;
    info.ifExhaustedSuspension = false;
    info.validBit = 15;
    info.repeatTimes = 1;
    uint32_t p = k * 256;
    MrgSort(m[p],
            MrgSortSrcList<float>(s[p], s[p + 64], s[p + 128], s[p + 192]),
            info);
  }
  PipeBarrier<PIPE_V>();
  Extract(a, b, m, N / 32);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, a, N);
  DataCopy(atGm, b, N);
}

extern "C" __global__ __aicore__ void sorted_whole(GM_ADDR x, GM_ADDR y,
                                                   GM_ADDR at) {
  top<N, N>(x, y, at);
}

// The last 32 are not sorted.
extern "C" __global__ __aicore__ void sorted_less(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR at) {
  top<N - 32, N>(x, y, at);
}

// The last lists are not merged.
extern "C" __global__ __aicore__ void merged_less(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR at) {
  top<N, N - 128>(x, y, at);
}

// More than there is.
extern "C" __global__ __aicore__ void sorted_more(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR at) {
  top<N + 32, N>(x, y, at);
}

// Every second element; as many as were kept are stored.
template <uint32_t MORE> __aicore__ inline void pick(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> values, kept;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  pipe.InitBuffer(values, N * 4);
  pipe.InitBuffer(kept, N * 4);
  LocalTensor<float> v = values.Get<float>(), k = kept.Get<float>();
  DataCopy(v, xGm, N);
  PipeBarrier<PIPE_ALL>();
  uint64_t count = 0;
  GatherMask(k, v, 1, true, N, {1, 1, 8, 0}, count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(yGm, k, {1, uint32_t((count + MORE) * 4), 0, 0, 0});
}

extern "C" __global__ __aicore__ void picked(GM_ADDR x, GM_ADDR y) {
  pick<0>(x, y);
}

extern "C" __global__ __aicore__ void picked_one_more(GM_ADDR x, GM_ADDR y) {
  pick<1>(x, y);
}

// One list of all: merging takes as much space again.
template <uint32_t SPACE> __aicore__ inline void sortAll(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> values, indices, sorted, space;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, 2 * N);
  pipe.InitBuffer(values, N * 4);
  pipe.InitBuffer(indices, N * 4);
  pipe.InitBuffer(sorted, N * 8);
  pipe.InitBuffer(space, SPACE);
  LocalTensor<float> v = values.Get<float>(), s = sorted.Get<float>(),
                     t = space.Get<float>();
  LocalTensor<uint32_t> i = indices.Get<uint32_t>();
  DataCopy(v, xGm, N);
  PipeBarrier<PIPE_ALL>();
  ArithProgression(i.ReinterpretCast<int32_t>(), int32_t(0), int32_t(1),
                   int32_t(N));
  PipeBarrier<PIPE_V>();
  Sort<float, true>(s, v, i, t, N / 32);
  PipeBarrier<PIPE_ALL>();
  if (GetBlockIdx() == 0)
    DataCopy(yGm, s, 2 * N);
}
extern "C" __global__ __aicore__ void one_list(GM_ADDR x, GM_ADDR y) {
  sortAll<N * 8>(x, y);
}
extern "C" __global__ __aicore__ void little_space(GM_ADDR x, GM_ADDR y) {
  sortAll<N * 8 - 32>(x, y);
}

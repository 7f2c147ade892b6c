// What reductions of repeats read and write.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256, Lanes = 64;

template <uint32_t Second>
__aicore__ inline void reduce(GM_ADDR x, GM_ADDR y, uint32_t repeats) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> tileBuffer, partBuffer;
  pipe.InitBuffer(tileBuffer, N * sizeof(float));
  pipe.InitBuffer(partBuffer, Lanes * sizeof(float));
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x, N);
  out.SetGlobalBuffer((__gm__ float *)y, 8);
  LocalTensor<float> tile = tileBuffer.Get<float>(),
                     part = partBuffer.Get<float>();
  DataCopy(tile, in, N);
  PipeBarrier<PIPE_ALL>();
  WholeReduceSum(part, tile, Lanes, repeats, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  WholeReduceSum(part, part, Second, 1, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  Duplicate(tile, part.GetValue(0), 8); // line 24
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, tile, 8);
}

extern "C" __global__ __aicore__ void all(GM_ADDR x, GM_ADDR y) {
  reduce<N / Lanes>(x, y, N / Lanes);
}

// 64 sums, of which four were made.
extern "C" __global__ __aicore__ void too_many(GM_ADDR x, GM_ADDR y) {
  reduce<Lanes>(x, y, N / Lanes);
}

// Four sums, of which two were made.
extern "C" __global__ __aicore__ void too_few(GM_ADDR x, GM_ADDR y) {
  reduce<4>(x, y, 2);
}

// As many as the launch says.
extern "C" __global__ __aicore__ void some(GM_ADDR x, GM_ADDR y,
                                           uint32_t repeats) {
  if (repeats >= 4)
    reduce<4>(x, y, repeats);
}

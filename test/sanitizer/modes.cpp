// Modes that outlive what they were set for, and tensors that use up ids.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

enum Counter : uint32_t {
  MASK_PER_REPEAT, // the defect
  BITS_PER_REPEAT, // the same with bits
  SWITCHED_BACK,   // fixed
  ELEMENTS,        // the mask counts elements, the repeat is 1
  ELEMENTS_AND_REPEATS,
  COUNT_FORM, // leaves normal mode on
  TO_THE_END,
};

extern "C" __global__ __aicore__ void counter(GM_ADDR z, uint32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  Duplicate(t, 1.0f, N);
  PipeBarrier<PIPE_V>();
  uint64_t bits[2] = {0xf, 0};
  SetMaskCount(); // switched on
  if (how == SWITCHED_BACK)
    SetMaskNorm();
  if (how == MASK_PER_REPEAT || how == SWITCHED_BACK)
    Adds(t, t, 1.0f, 64, N / 64, {1, 1, 8, 8}); // a mask per repeat
  if (how == BITS_PER_REPEAT)
    Adds(t, t, 1.0f, bits, N / 64, {1, 1, 8, 8}); // bits per repeat
  if (how == ELEMENTS)
    Adds(t, t, 1.0f, N, 1, {1, 1, 8, 8});
  if (how == ELEMENTS_AND_REPEATS)
    Adds(t, t, 1.0f, N, N / 64, {1, 1, 8, 8});
  if (how == COUNT_FORM)
    Adds(t, t, 1.0f, N);
  if (how != COUNT_FORM && how != TO_THE_END)
    SetMaskNorm();
  ResetMask();
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
}

extern "C" __global__ __aicore__ void atomic(GM_ADDR z, uint32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  Duplicate(t, 2.0f, N);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>(); // stays on
  DataCopy(zGm, t, N);
  if (how == 0)
    return;
  SetAtomicNone();
}

// Queues of one position hold `live` tensors at once; `rounds` times, with
// pipe.Reset() between the iterations.
extern "C" __global__ __aicore__ void tensors(GM_ADDR z, uint32_t live,
                                              uint32_t rounds) {
  constexpr uint32_t MOST = 9;
  TPipe pipe;
  for (uint32_t r = 0; r < rounds; ++r) {
    TQue<QuePosition::VECOUT, 1> q[MOST];
    for (uint32_t i = 0; i < live; ++i) {
      pipe.InitBuffer(q[i], 1, 32);
      LocalTensor<float> t = q[i].AllocTensor<float>(); // one more
      if (rounds > 1)
        continue; // Reset takes them back
      Duplicate(t, 1.0f, 8);
      q[i].EnQue(t);
    }
    if (rounds > 1) {
      pipe.Reset();
      continue;
    }
    for (uint32_t i = 0; i < live; ++i) {
      LocalTensor<float> t = q[i].DeQue<float>();
      q[i].FreeTensor(t);
    }
  }
}

// Two cores of a block hand global memory over by a cross-core flag.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

/// One vector core writes, the other reads. Which pipe waits for the flag is
/// the caller's choice.
template <pipe_t Waits> __aicore__ inline void HandOver(GM_ADDR z) {
  if ASCEND_IS_AIV {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, N * sizeof(float));
    LocalTensor<float> t = buf.Get<float>();
    GlobalTensor<float> zGm;
    zGm.SetGlobalBuffer((__gm__ float *)z);
    if (GetSubBlockIdx() == 0) {
      Duplicate(t, 1.0f, N);
      PipeBarrier<PIPE_ALL>();
      DataCopy(zGm, t, N); // written
    }
    CrossCoreSetFlag<1, PIPE_MTE3>(3);
    CrossCoreWaitFlag<1, Waits>(3);
    if (GetSubBlockIdx() == 1)
      DataCopy(t, zGm, N); // read
    PipeBarrier<PIPE_ALL>();
  }
}

extern "C" __global__ __aicore__ void load_waits(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  HandOver<PIPE_MTE2>(z);
}

extern "C" __global__ __aicore__ void vector_waits(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  HandOver<PIPE_V>(z);
}

/// The cube core reads, sets the flag and ends; the vector core overwrites.
extern "C" __global__ __aicore__ void ends_first(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  TPipe pipe;
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  if ASCEND_IS_AIC {
    TBuf<TPosition::A1> l1;
    pipe.InitBuffer(l1, N * sizeof(float));
    DataCopy(l1.Get<float>(), zGm, N);
    CrossCoreSetFlag<2, PIPE_MTE2>(0);
  }
  if ASCEND_IS_AIV {
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(ub, N * sizeof(float));
    LocalTensor<float> t = ub.Get<float>();
    Duplicate(t, 2.0f, N);
    PipeBarrier<PIPE_ALL>();
    CrossCoreWaitFlag<2, PIPE_MTE3>(0);
    DataCopy(zGm, t, N);
  }
}

/// The vector core copies a buffer out, and overwrites it when the cube core
/// has answered: the answer comes after the copy, which no flag of the vector
/// core itself says.
template <bool Awaits> __aicore__ inline void RoundTrip(GM_ADDR z) {
  TPipe pipe;
  if ASCEND_IS_AIC {
    CrossCoreWaitFlag<2, PIPE_S>(0);
    CrossCoreSetFlag<2, PIPE_MTE2>(1);
  }
  if ASCEND_IS_AIV {
    GlobalTensor<float> zGm;
    zGm.SetGlobalBuffer((__gm__ float *)z);
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(ub, N * sizeof(float));
    LocalTensor<float> t = ub.Get<float>();
    Duplicate(t, 2.0f, N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, t, N);
    CrossCoreSetFlag<2, PIPE_MTE3>(0);
    if (Awaits)
      CrossCoreWaitFlag<2, PIPE_S>(1);
    Duplicate(t, 3.0f, N); // overwritten
    if (!Awaits)
      CrossCoreWaitFlag<2, PIPE_S>(1);
  }
}

extern "C" __global__ __aicore__ void round_trip(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  RoundTrip<true>(z);
}

extern "C" __global__ __aicore__ void no_round_trip(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  RoundTrip<false>(z);
}

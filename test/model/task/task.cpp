// What the host tells a kernel: tiling data, tiling key, kind of task.
#include "kernel_operator.h"
using namespace AscendC;

struct Inner {
  int16_t small[3];
  double real;
};
struct Tiling {
  uint32_t rows;
  uint64_t columns;
  float scale;
  int8_t sign;
  uint32_t dims[4];
  Inner inner;
};
REGISTER_TILING_DEFAULT(Tiling);

__aicore__ inline void Write(GM_ADDR y, const Tiling &t) {
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)y, 16);
  gm.SetValue(0, t.rows);
  gm.SetValue(1, t.columns);
  gm.SetValue(2, t.scale);
  gm.SetValue(3, t.sign);
  for (int i = 0; i < 4; ++i)
    gm.SetValue(4 + i, t.dims[i]);
  for (int i = 0; i < 3; ++i)
    gm.SetValue(8 + i, t.inner.small[i]);
  gm.SetValue(11, t.inner.real);
}

extern "C" __global__ __aicore__ void by_default(GM_ADDR y, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  Write(y, t);
}
extern "C" __global__ __aicore__ void by_name(GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(Tiling, t, tiling);
  GET_TILING_DATA_MEMBER(Tiling, scale, scale, tiling);
  t.scale = scale * 2;
  Write(y, t);
}
extern "C" __global__ __aicore__ void by_value(GM_ADDR y, Tiling t) {
  Write(y, t);
}

// The workspace is memory of the launch: written by one step, read by the next.
extern "C" __global__ __aicore__ void
through_workspace(GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<float> yGm, work;
  yGm.SetGlobalBuffer((__gm__ float *)y, 16);
  work.SetGlobalBuffer((__gm__ float *)GetUserWorkspace(workspace), t.rows);
  for (uint32_t i = 0; i < t.rows; ++i)
    work.SetValue(i, i * t.scale);
  for (uint32_t i = 0; i < 16; ++i)
    yGm.SetValue(i, work.GetValue(t.rows - 1 - i));
}

template <typename T, int N, bool Twice>
__global__ __aicore__ void constant(GM_ADDR y) {
  GlobalTensor<T> gm;
  gm.SetGlobalBuffer((__gm__ T *)y, 1);
  gm.SetValue(0, T(Twice ? 2 * N : N));
}

// Which branch, on which cores: bit 0 of `seen[key]` for cubes, bit 1 for
// vector cores.
extern "C" __global__ __aicore__ void keyed(GM_ADDR seen) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  KERNEL_TASK_TYPE(2, KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)seen);
  int32_t at = 0;
  if (TILING_KEY_IS(1)) {
    at = 1;
  } else if (TILING_KEY_IS(2)) {
    at = 2;
  } else if (TILING_KEY_IS(10000000000000000100UL)) {
    at = 3;
  }
  if ASCEND_IS_AIC
    gm.SetValue(at * 2, gm.GetValue(at * 2) + 1);
  if ASCEND_IS_AIV
    if (GetSubBlockIdx() == 0)
      gm.SetValue(at * 2 + 1, gm.GetValue(at * 2 + 1) + 1);
}

// What it is marked with says how many vector cores a block has, though nothing
// in it needs a cube core.
__aicore__ inline void CountVectors(GM_ADDR seen) {
  if ASCEND_IS_AIV {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t *)seen, 4 * 8);
    gm.SetValue(8 * GetBlockIdx(), 1 + GetSubBlockIdx());
  }
}
extern "C" __global__ __mix__(1, 2) __aicore__ void marked_1_2(GM_ADDR seen) {
  CountVectors(seen);
}
extern "C" __mix__(1, 1) __global__ __aicore__ void marked_1_1(GM_ADDR seen) {
  CountVectors(seen);
}
template <int> __global__ __mix__(1, 2) void marked_template(GM_ADDR seen) {
  CountVectors(seen);
}
// Cube cores only: Fill, which needs vector cores, does nothing.
extern "C" __global__ __cube__ void marked_cube(GM_ADDR seen) {
  CountVectors(seen);
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)seen, 4 * 8);
  Fill(gm, 4 * 8, 7);
}
extern "C" __global__ __aicore__ void not_marked(GM_ADDR seen) {
  CountVectors(seen);
}

// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The device compiler's own names of vector instructions: four repeats of which
// every second block is used, under a mask that leaves out the last lanes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t BYTES = 4 * 512;

template <typename T>
__global__ __aicore__ void intrinsics(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                      uint32_t op, uint64_t mask, T value,
                                      uint32_t repeat) {
  constexpr uint32_t count = BYTES / sizeof(T);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[3];
  GlobalTensor<T> gm[3];
  __ubuf__ T *at[3];
  const GM_ADDR arguments[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) {
    pipe.InitBuffer(buffers[i], BYTES);
    gm[i].SetGlobalBuffer((__gm__ T *)arguments[i], count);
    DataCopy(buffers[i].Get<T>(), gm[i], count);
    at[i] = (__ubuf__ T *)buffers[i].Get<T>().GetPhyAddr();
  }
  pipe_barrier(PIPE_ALL);
  set_vector_mask(sizeof(T) == 2 ? mask : 0, mask);
  auto *a = at[0], *b = at[1], *c = at[2];
  switch (op) {
  case 0:
    vector_dup(c, value, repeat, 2, 0, 16, 0); // filled
    break;
#define CASE(Number, Name)                                                     \
  case Number:                                                                 \
    if constexpr (std::is_same_v<T, int16_t> == (Number > 6))                  \
      Name(c, a, b, repeat, 2, 2, 2, 16, 16, 16);                              \
    break;
    CASE(1, vadd)
    CASE(2, vsub)
    CASE(3, vmul)
    CASE(4, vdiv)
    CASE(5, vmax)
    CASE(6, vmin)
    CASE(7, vand)
    CASE(8, vor)
  }
  pipe_barrier(PIPE_ALL);
  DataCopy(gm[2], buffers[2].Get<T>(), count);
}

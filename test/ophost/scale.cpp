// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel_operator.h"
using namespace AscendC;

// What the host wrote into every kind of field has to arrive.
static __aicore__ inline void checkFields(const ScaleTilingData &t) {
  ASSERT(t.first == 0xA5 && t.second == 0xBEEF && t.piece.flag == 7);
#if ORIG_DTYPE_X == DT_FLOAT16
  static_assert(std::is_same_v<DTYPE_X, half>);
#else
  static_assert(std::is_same_v<DTYPE_Y, float>);
#endif
}

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR bias, GM_ADDR y,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  checkFields(t);
  ASSERT((bias != nullptr) == TILING_KEY_IS(1));
#ifdef BLOCKS
  ASSERT(GetBlockNum() == BLOCKS);
#endif
  GlobalTensor<DTYPE_X> in, add, out;
  in.SetGlobalBuffer(reinterpret_cast<__gm__ DTYPE_X *>(x), t.piece.total);
  add.SetGlobalBuffer(reinterpret_cast<__gm__ DTYPE_X *>(bias), t.piece.total);
  out.SetGlobalBuffer(reinterpret_cast<__gm__ DTYPE_X *>(y), t.piece.total);
  // The workspace is the kernel's own, to its last byte.
  GlobalTensor<float> scratch;
  scratch.SetGlobalBuffer(
      reinterpret_cast<__gm__ float *>(GetUserWorkspace(workspace)), 1024);
  if (GetBlockIdx() == 0)
    scratch.SetValue(1023, t.alpha);
  int64_t begin = GetBlockIdx() * t.perBlock;
  int64_t end = begin + t.perBlock;
  for (int64_t i = begin; i < end && i < t.piece.total; ++i) {
    float value = t.alpha * static_cast<float>(in.GetValue(i));
    if (TILING_KEY_IS(1))
      value += static_cast<float>(add.GetValue(i));
    out.SetValue(i, static_cast<DTYPE_X>(value));
  }
}

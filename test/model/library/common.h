// Tensors of a library test: local copies of global arrays, without queues.
#pragma once
#include "kernel_operator.h"

using namespace AscendC;

/// UB as one run of tensors, each starting at a multiple of 32 bytes.
class Desk {
public:
  template <typename T> __aicore__ LocalTensor<T> take(uint32_t count) {
    uint32_t bytes = (count * sizeof(T) + 31) / 32 * 32;
    LocalTensor<T> t(TPosition::VECCALC, used_, count);
    used_ += bytes;
    return t;
  }
  /// A copy of `count` elements at `gm`, by the scalar unit: these tests are
  /// not about copies, and 310P has none of odd sizes.
  template <typename T>
  __aicore__ LocalTensor<T> load(GM_ADDR gm, uint32_t count) {
    LocalTensor<T> t = take<T>(count);
    auto *g = reinterpret_cast<__gm__ T *>(gm);
    for (uint32_t i = 0; i < count; ++i)
      t.SetValue(i, g[i]);
    return t;
  }
  template <typename T>
  __aicore__ void store(GM_ADDR gm, const LocalTensor<T> &t, uint32_t count) {
    PipeBarrier<PIPE_ALL>();
    auto *g = reinterpret_cast<__gm__ T *>(gm);
    for (uint32_t i = 0; i < count; ++i)
      g[i] = t.GetValue(i);
  }

private:
  uint32_t used_ = 0;
};

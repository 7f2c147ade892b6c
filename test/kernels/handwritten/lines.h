// What the hand-written kernels share: vectors in tiles, this core's in turn,
// one queue in and one out, each with two buffers. All inputs of a tile lie in
// one buffer of the input queue, and all outputs in one of the output queue: so
// few queue operations as a tile can have.
#ifndef BELAY_TEST_HANDWRITTEN_LINES_H
#define BELAY_TEST_HANDWRITTEN_LINES_H

#include "kernel_operator.h"
using namespace AscendC;

// A pipe that depends on its own result has to be told, except on 3510.
__aicore__ inline void Then() {
#if __NPU_ARCH__ != 3510
  PipeBarrier<PIPE_V>();
#endif
}

template <typename T>
__aicore__ inline void In(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                          int64_t at, int64_t count) {
  DataCopyPad(dst, src[at], {1, uint32_t(count * sizeof(T)), 0, 0, 0},
              {false, 0, 0, 0});
}
template <typename T>
__aicore__ inline void Out(const GlobalTensor<T> &dst,
                           const LocalTensor<T> &src, int64_t at,
                           int64_t count) {
  DataCopyPad(dst[at], src, {1, uint32_t(count * sizeof(T)), 0, 0, 0});
}

/// Runs Body::Load, Compute and Save over tiles of N elements.
template <typename T, int64_t N, int Ins, int Outs> class Lines {
public:
  __aicore__ inline Lines() {
    pipe.InitBuffer(in, 2, Ins * N * sizeof(T));
    pipe.InitBuffer(out, 2, Outs * N * sizeof(T));
  }
  template <typename Load, typename Compute, typename Save>
  __aicore__ inline void Run(int64_t size, Load load, Compute compute,
                             Save save) {
    for (int64_t at = GetBlockIdx() * N; at < size; at += GetBlockNum() * N) {
      const int64_t count = size - at < N ? size - at : N;
      LocalTensor<T> loading = in.template AllocTensor<T>();
      load(loading, at, count);
      in.EnQue(loading);
      LocalTensor<T> loaded = in.template DeQue<T>();
      LocalTensor<T> made = out.template AllocTensor<T>();
      compute(made, loaded, count);
      out.EnQue(made);
      in.FreeTensor(loaded);
      LocalTensor<T> saving = out.template DeQue<T>();
      save(saving, at, count);
      out.FreeTensor(saving);
    }
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
};

template <typename T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, int64_t size) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(address), size);
  return tensor;
}

#endif // BELAY_TEST_HANDWRITTEN_LINES_H

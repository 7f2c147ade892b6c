// What the hand-written kernels share: tiles, this core's in turn, one queue in
// and one out, each with two buffers. All inputs of a tile lie in one buffer of
// the input queue, and all outputs in one of the output queue: so few queue
// operations as a tile can have.
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

/// Rows of a window to rows that are `pitch` elements apart. 2002 copies whole
/// blocks of 32 bytes only; so long are the rows that it is given here.
template <typename T>
__aicore__ inline void
InRows(const LocalTensor<T> &dst, const GlobalTensor<T> &src, int64_t at,
       int64_t rows, int64_t cols, int64_t stride, int64_t pitch) {
#if __NPU_ARCH__ == 2002
  constexpr int64_t block = 32 / sizeof(T);
  DataCopy(dst, src[at],
           DataCopyParams(rows, cols / block, (stride - cols) / block,
                          (pitch - cols) / block));
#else
  const uint32_t bytes = cols * sizeof(T);
  DataCopyPad(
      dst, src[at],
      {static_cast<uint16_t>(rows), bytes,
       static_cast<uint32_t>((stride - cols) * sizeof(T)),
       static_cast<uint32_t>(pitch * sizeof(T) / 32 - (bytes + 31) / 32), 0},
      {false, 0, 0, 0});
#endif
}
template <typename T>
__aicore__ inline void
OutRows(const GlobalTensor<T> &dst, const LocalTensor<T> &src, int64_t at,
        int64_t rows, int64_t cols, int64_t stride, int64_t pitch) {
#if __NPU_ARCH__ == 2002
  constexpr int64_t block = 32 / sizeof(T);
  DataCopy(dst[at], src,
           DataCopyParams(rows, cols / block, (pitch - cols) / block,
                          (stride - cols) / block));
#else
  const uint32_t bytes = cols * sizeof(T);
  DataCopyPad(
      dst[at], src,
      {static_cast<uint16_t>(rows), bytes,
       static_cast<uint32_t>(pitch * sizeof(T) / 32 - (bytes + 31) / 32),
       static_cast<uint32_t>((stride - cols) * sizeof(T)), 0});
#endif
}

template <typename T>
__aicore__ inline void In(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                          int64_t at, int64_t count) {
#if __NPU_ARCH__ == 2002
  DataCopy(dst, src[at], static_cast<uint32_t>(count));
#else
  DataCopyPad(dst, src[at], {1, uint32_t(count * sizeof(T)), 0, 0, 0},
              {false, 0, 0, 0});
#endif
}
template <typename T>
__aicore__ inline void Out(const GlobalTensor<T> &dst,
                           const LocalTensor<T> &src, int64_t at,
                           int64_t count) {
#if __NPU_ARCH__ == 2002
  DataCopy(dst[at], src, static_cast<uint32_t>(count));
#else
  DataCopyPad(dst[at], src, {1, uint32_t(count * sizeof(T)), 0, 0, 0});
#endif
}

template <typename T, int64_t N, int Ins, int Outs> class Lines {
public:
  __aicore__ inline Lines() {
    pipe.InitBuffer(in, 2, Ins * N * sizeof(T));
    pipe.InitBuffer(out, 2, Outs * N * sizeof(T));
  }
  /// Runs the three for each of this core's tiles, by number.
  template <typename Load, typename Compute, typename Save>
  __aicore__ inline void RunTiles(int64_t tiles, Load load, Compute compute,
                                  Save save) {
    for (int64_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
      LocalTensor<T> loading = in.template AllocTensor<T>();
      load(loading, tile);
      in.EnQue(loading);
      LocalTensor<T> loaded = in.template DeQue<T>();
      LocalTensor<T> made = out.template AllocTensor<T>();
      compute(made, loaded, tile);
      out.EnQue(made);
      in.FreeTensor(loaded);
      LocalTensor<T> saving = out.template DeQue<T>();
      save(saving, tile);
      out.FreeTensor(saving);
    }
  }
  /// The same for vectors, in tiles of N elements: where each begins, and how
  /// many elements it has.
  template <typename Load, typename Compute, typename Save>
  __aicore__ inline void Run(int64_t size, Load load, Compute compute,
                             Save save) {
    auto count = [&](int64_t at) { return size - at < N ? size - at : N; };
    RunTiles((size + N - 1) / N,
             [&](auto &t, int64_t tile) { load(t, tile * N, count(tile * N)); },
             [&](auto &made, auto &t, int64_t tile) {
               compute(made, t, count(tile * N));
             },
             [&](auto &made, int64_t tile) {
               save(made, tile * N, count(tile * N));
             });
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

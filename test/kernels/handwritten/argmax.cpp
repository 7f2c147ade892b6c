// Where the largest element of each row is.
#include "lines.h"

extern "C" __global__ __aicore__ void argmax(GM_ADDR xAt, GM_ADDR whereAt,
                                             int64_t n, int64_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t R = 8, C = 50, Pitch = 56;
  auto x = Global<float>(xAt, n * C);
  auto where = Global<int32_t>(whereAt, n);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, (R * Pitch + 64) * sizeof(float));
  pipe.InitBuffer(out, 2, 256);
  for (int64_t at = GetBlockIdx() * R; at < n; at += GetBlockNum() * R) {
    const int64_t rows = n - at < R ? n - at : R;
    LocalTensor<float> loading = in.AllocTensor<float>();
    InRows(loading, x, at * C, rows, C, C, Pitch);
    in.EnQue(loading);
    LocalTensor<float> t = in.DeQue<float>();
    LocalTensor<int32_t> made = out.AllocTensor<int32_t>();
    // Value and place of each row, side by side; then every second word. They
    // lie after the tile, so that the next one's have another place.
    LocalTensor<float> pairs = t[R * Pitch];
    WholeReduceMax(pairs, t, C, static_cast<uint8_t>(rows), 1, 1,
                   Pitch * sizeof(float) / 32);
    Then();
    uint64_t kept = 0;
    GatherMask(made, pairs.ReinterpretCast<int32_t>(), 2, true,
               static_cast<uint32_t>(rows * 2), {1, 1, 8, 8}, kept);
    out.EnQue(made);
    in.FreeTensor(t);
    LocalTensor<int32_t> saving = out.DeQue<int32_t>();
    Out(where, saving, at, rows);
    out.FreeTensor(saving);
  }
}

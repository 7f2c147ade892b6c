// The largest of 3 by 3 neighbours of planes of W columns, with a stride of 1
// and one row and column of padding. Rows are compared first, which begin whole
// blocks apart; the columns to both sides are gathered, since no instruction
// reads from the middle of a block. A column outside is the one at the edge,
// which every window with it has as well.
#include "../lines.h"

constexpr int64_t W = 128, R = 32, N = R * W;

extern "C" __global__ __aicore__ void max_pool(GM_ADDR xAt, GM_ADDR yAt,
                                               int64_t planes, int64_t h) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, planes * h * W),
       y = Global<float>(yAt, planes * h * W);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, (N + 2 * W) * sizeof(float));
  pipe.InitBuffer(out, 2, N * sizeof(float));
  pipe.InitBuffer(space, 5 * N * sizeof(float));
  auto most = space.GetWithOffset<float>(N, 0),
       before = space.GetWithOffset<float>(N, N * 4),
       after = space.GetWithOffset<float>(N, 4 * N * 4);
  auto left = space.GetWithOffset<int32_t>(N, 2 * N * 4),
       right = space.GetWithOffset<int32_t>(N, 3 * N * 4);
  for (int64_t c = 0; c < W; ++c) {
    left.SetValue(c, (c == 0 ? 0 : c - 1) * 4);
    right.SetValue(c, (c == W - 1 ? c : c + 1) * 4);
  }
  SetFlag<HardEvent::S_V>(EVENT_ID0);
  WaitFlag<HardEvent::S_V>(EVENT_ID0);
  for (int64_t n = W; n < N; n *= 2) {
    Adds(left[n], left, static_cast<int32_t>(n * 4), n);
    Adds(right[n], right, static_cast<int32_t>(n * 4), n);
    Then();
  }
  const int64_t parts = (h + R - 1) / R;
  for (int64_t tile = GetBlockIdx(); tile < planes * parts;
       tile += GetBlockNum()) {
    const int64_t plane = tile / parts, row = tile % parts * R;
    const int64_t rows = h - row < R ? h - row : R;
    const int64_t above = row > 0, below = row + rows < h;
    auto loading = in.AllocTensor<float>();
    In(loading[(1 - above) * W], x, (plane * h + row - above) * W,
       (rows + above + below) * W);
    in.EnQue(loading);
    auto t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    // Beyond the first and the last row there is nothing: two rows are
    // compared.
    if (above) {
      Max(most, t, t[W], rows * W);
    } else {
      Max(most[W], t[W], t[2 * W], (rows - 1) * W);
      Muls(most, t[W], 1.0f, W);
    }
    Then();
    Max(most, most, t[2 * W], (rows - !below) * W);
    Then();
    Gather(before, most, left.ReinterpretCast<uint32_t>(), 0, rows * W);
    Gather(after, most, right.ReinterpretCast<uint32_t>(), 0, rows * W);
    Then();
    Max(r, most, before, rows * W);
    Then();
    Max(r, r, after, rows * W);
    Then();
    out.EnQue(r);
    in.FreeTensor(t);
    auto saving = out.DeQue<float>();
    Out(y, saving, (plane * h + row) * W, rows * W);
    out.FreeTensor(saving);
  }
}

// Bilinear interpolation of planes of W columns to OW columns, and of h rows to
// at least twice as many. A tile has some rows of G planes, the same row of all
// planes one after the other: columns are gathered once for each row of the
// input, and a row of the output is two instructions for all planes. Weights
// and indices of columns are made once.
#include "../lines.h"

constexpr int64_t W = 64, OW = 128, G = 8, Rows = 8, InRowsMost = 6;
constexpr int64_t InMost = InRowsMost * G * W, Wide = InRowsMost * G * OW;

extern "C" __global__ __aicore__ void
bilinear(GM_ADDR xAt, GM_ADDR yAt, int64_t planes, int64_t h, int64_t oh) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, planes * h * W),
       y = Global<float>(yAt, planes * oh * OW);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, InMost * sizeof(float));
  pipe.InitBuffer(out, 2, Rows * G * OW * sizeof(float));
  pipe.InitBuffer(space, (4 * Wide + OW) * sizeof(float));
  auto near = space.GetWithOffset<float>(Wide, 0),
       far = space.GetWithOffset<float>(Wide, Wide * 4),
       along = space.GetWithOffset<float>(OW, 4 * Wide * 4);
  auto left = space.GetWithOffset<int32_t>(Wide, 2 * Wide * 4),
       right = space.GetWithOffset<int32_t>(Wide, 3 * Wide * 4);
  // Where output o of n lies among m inputs, in units of 1 / (2 n).
  auto source = [](int64_t o, int64_t m, int64_t n) {
    const int64_t at = (2 * o + 1) * m - n;
    return at < 0 ? 0 : at;
  };
  for (int64_t c = 0; c < OW; ++c) {
    const int64_t at = source(c, W, OW), from = at / (2 * OW);
    left.SetValue(c, from * 4);
    right.SetValue(c, (from < W - 1 ? from + 1 : from) * 4);
    along.SetValue(c, float(at % (2 * OW)) / float(2 * OW));
  }
  SetFlag<HardEvent::S_V>(EVENT_ID0);
  WaitFlag<HardEvent::S_V>(EVENT_ID0);
  for (int64_t n = 1; n < InRowsMost * G; n *= 2) {
    const int64_t more = InRowsMost * G - n < n ? InRowsMost * G - n : n;
    Adds(left[n * OW], left, static_cast<int32_t>(n * W * 4), more * OW);
    Adds(right[n * OW], right, static_cast<int32_t>(n * W * 4), more * OW);
    Then();
  }
  const int64_t parts = (oh + Rows - 1) / Rows, groups = (planes + G - 1) / G;
  for (int64_t tile = GetBlockIdx(); tile < groups * parts;
       tile += GetBlockNum()) {
    const int64_t plane = tile / parts * G, row = tile % parts * Rows;
    const int64_t some = planes - plane < G ? planes - plane : G;
    const int64_t rows = oh - row < Rows ? oh - row : Rows;
    auto above = [&](int64_t o) { return source(o, h, oh) / (2 * oh); };
    const int64_t first = above(row), last = above(row + rows - 1) + 1;
    const int64_t count = (last < h ? last : h - 1) - first + 1;
    auto loading = in.AllocTensor<float>();
    for (int64_t p = 0; p < some; ++p)
      InRows(loading[p * W], x, ((plane + p) * h + first) * W, count, W, W,
             some * W);
    in.EnQue(loading);
    auto t = in.DeQue<float>();
    Gather(near, t, left.ReinterpretCast<uint32_t>(), 0, count * some * OW);
    Gather(far, t, right.ReinterpretCast<uint32_t>(), 0, count * some * OW);
    in.FreeTensor(t);
    Then();
    Sub(far, far, near, count * some * OW);
    Then();
    for (int64_t c = 0; c < OW; c += 64)
      MulAddDst(near[c], far[c], along[c], uint64_t(64), uint8_t(count * some),
                {1, 1, 1, OW / 8, OW / 8, 0});
    Then();
    auto r = out.AllocTensor<float>();
    const int64_t line = some * OW;
    auto down = [&](int64_t o) {
      return float(source(row + o, h, oh) % (2 * oh)) / float(2 * oh);
    };
    for (int64_t o = 0; o < rows; ++o)
      Muls(r[o * line], near[(above(row + o) - first) * line], 1.0f - down(o),
           line);
    Then();
    for (int64_t o = 0; o < rows; ++o) {
      const int64_t from = above(row + o) + 1;
      Axpy(r[o * line], near[((from < h ? from : h - 1) - first) * line],
           down(o), line);
    }
    Then();
    out.EnQue(r);
    auto saving = out.DeQue<float>();
    for (int64_t p = 0; p < some; ++p)
      OutRows(y, saving[p * OW], ((plane + p) * oh + row) * OW, rows, OW, OW,
              some * OW);
    out.FreeTensor(saving);
  }
}

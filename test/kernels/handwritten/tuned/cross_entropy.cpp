// Cross entropy of each row of 1024 with the class that it should be: all
// classes and all losses of a core are copied at once, the scalar unit picks
// the element of each row.
#include "rows.h"

extern "C" __global__ __aicore__ void
cross_entropy(GM_ADDR xAt, GM_ADDR targetAt, GM_ADDR lossAt, int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t Most = 4096; // rows of a core
  auto x = Global<float>(xAt, n * C), loss = Global<float>(lossAt, n);
  auto target = Global<int32_t>(targetAt, n);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, R * C * sizeof(float));
  constexpr int64_t Tile = R * C * 4;
  pipe.InitBuffer(space, Tile + SpaceOfRows + 2 * Most * 4 + 512);
  auto e = space.GetWithOffset<float>(R * C, 0);
  RowSpace s(space, Tile);
  auto classes = space.GetWithOffset<int32_t>(Most, Tile + SpaceOfRows);
  auto losses = space.GetWithOffset<float>(Most, Tile + SpaceOfRows + Most * 4);
  auto top = space.GetWithOffset<float>(64, Tile + SpaceOfRows + Most * 8);
  auto picked =
      space.GetWithOffset<float>(64, Tile + SpaceOfRows + Most * 8 + 256);
  const int64_t groups = (n + R - 1) / R,
                first = groups * GetBlockIdx() / GetBlockNum() * R;
  int64_t last = groups * (GetBlockIdx() + 1) / GetBlockNum() * R;
  last = last < n ? last : n;
  if (first >= last)
    return;
  In(classes, target, first, last - first);
  SetFlag<HardEvent::MTE2_S>(0);
  WaitFlag<HardEvent::MTE2_S>(0);
  SetFlag<HardEvent::V_S>(1);
  // The next tile is on its way before the scalar unit waits for this one.
  auto load = [&](int64_t at) {
    LocalTensor<float> loading = in.AllocTensor<float>();
    In(loading, x, at * C, (last - at < R ? last - at : R) * C);
    in.EnQue(loading);
  };
  load(first);
  for (int64_t at = first; at < last; at += R) {
    const int32_t rows = last - at < R ? last - at : R, count = rows * C;
    if (at + R < last)
      load(at + R);
    LocalTensor<float> t = in.DeQue<float>();
    // The scalar unit picks while the vector unit works.
    WaitFlag<HardEvent::V_S>(1);
    SetFlag<HardEvent::MTE2_S>(1);
    WaitFlag<HardEvent::MTE2_S>(1);
    RowReduce<true>(s, t, rows);
    Adds(top, s.column, 0.0f, rows);
    Spread(s, rows);
    BY_ROW(Sub, e, t, rows);
    Then();
    Exp(e, e, count);
    Then();
    RowReduce<false>(s, e, rows);
    Ln(s.column, s.column, rows);
    Then();
    Add(s.column, s.column, top, rows);
    for (int32_t row = 0; row < rows; ++row)
      picked.SetValue(row,
                      t.GetValue(row * C + classes.GetValue(at - first + row)));
    SetFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_V>(0);
    Then();
    Sub(losses[at - first], s.column, picked, rows);
    in.FreeTensor(t);
    SetFlag<HardEvent::V_S>(1);
    Then();
  }
  WaitFlag<HardEvent::V_S>(1);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  Out(loss, losses, first, last - first);
}

// Where the first largest element of each row of 1024 is: the largest of each
// repeat with its lane, the first repeat of each row with the largest of those;
// the scalar unit puts both together.
#include "rows.h"

extern "C" __global__ __aicore__ void argmax(GM_ADDR xAt, GM_ADDR whereAt,
                                             int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n * C);
  auto where = Global<int32_t>(whereAt, n);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, R * C * sizeof(float));
  constexpr int64_t All = R * Repeats * 4;
  pipe.InitBuffer(space, 3 * All + 2 * 256);
  auto pairs = space.GetWithOffset<float>(2 * R * Repeats, 0),
       values = space.GetWithOffset<float>(R * Repeats, 2 * All),
       found = space.GetWithOffset<float>(64, 3 * All);
  auto made = space.GetWithOffset<int32_t>(64, 3 * All + 256);
  SetFlag<HardEvent::MTE3_S>(0);
  // The next tile is on its way before the scalar unit waits for this one.
  auto load = [&](int64_t at) {
    LocalTensor<float> loading = in.AllocTensor<float>();
    In(loading, x, at * C, (n - at < R ? n - at : R) * C);
    in.EnQue(loading);
  };
  const int64_t step = GetBlockNum() * R;
  if (GetBlockIdx() * R < n)
    load(GetBlockIdx() * R);
  for (int64_t at = GetBlockIdx() * R; at < n; at += step) {
    const int32_t rows = n - at < R ? n - at : R;
    if (at + step < n)
      load(at + step);
    LocalTensor<float> t = in.DeQue<float>();
    uint64_t kept = 0;
    WholeReduceMax(pairs, t, Lanes, rows * Repeats, 1, 1, 8);
    in.FreeTensor(t);
    Then();
    GatherMask(values, pairs, 1, true,
               static_cast<uint32_t>(rows * Repeats * 2), {1, 1, 8, 8}, kept);
    Then();
    WholeReduceMax(found, values, Repeats, rows, 1, 1, Repeats / 8);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::MTE3_S>(0);
    auto repeatOf = found.ReinterpretCast<int32_t>(),
         laneOf = pairs.ReinterpretCast<int32_t>();
    for (int32_t row = 0; row < rows; ++row) {
      const int32_t repeat = repeatOf.GetValue(2 * row + 1);
      made.SetValue(
          row, repeat * int32_t(Lanes) +
                   laneOf.GetValue(2 * (row * int32_t(Repeats) + repeat) + 1));
    }
    SetFlag<HardEvent::S_V>(0);
    SetFlag<HardEvent::S_MTE3>(0);
    WaitFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_MTE3>(0);
    Out(where, made, at, rows);
    SetFlag<HardEvent::MTE3_S>(0);
  }
  WaitFlag<HardEvent::MTE3_S>(0);
}

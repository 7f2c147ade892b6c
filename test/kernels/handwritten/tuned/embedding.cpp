// Rows of 1024 halves by index: all indices of a core at once, a copy in for
// each row, a copy out for ROWS of them; no vector instruction.
#include "../lines.h"

#ifndef ROWS
#define ROWS 32
#endif

extern "C" __global__ __aicore__ void embedding(GM_ADDR tableAt, GM_ADDR idsAt,
                                                GM_ADDR outAt, int64_t known,
                                                int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t C = 1024, R = ROWS, MostIds = 4096;
  auto table = Global<half>(tableAt, known * C),
       out = Global<half>(outAt, n * C);
  auto ids = Global<int32_t>(idsAt, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(space, 2 * R * C * 2 + MostIds * 4);
  auto mine = space.GetWithOffset<int32_t>(MostIds, 2 * R * C * 2);
  // Whole groups of R rows, so that indices and rows begin at blocks.
  const int64_t groups = (n + R - 1) / R,
                first = groups * GetBlockIdx() / GetBlockNum() * R;
  int64_t last = groups * (GetBlockIdx() + 1) / GetBlockNum() * R;
  last = last < n ? last : n;
  SetFlag<HardEvent::MTE3_MTE2>(0);
  SetFlag<HardEvent::MTE3_MTE2>(1);
  for (int64_t some = first; some < last; some += MostIds) {
    const int64_t count = last - some < MostIds ? last - some : MostIds;
    In(mine, ids, some, count);
    SetFlag<HardEvent::MTE2_S>(0);
    WaitFlag<HardEvent::MTE2_S>(0);
    int32_t slot = 0;
    for (int64_t at = 0; at < count; at += R) {
      const int64_t rows = count - at < R ? count - at : R;
      auto tile = space.GetWithOffset<half>(R * C, slot * R * C * 2);
      WaitFlag<HardEvent::MTE3_MTE2>(slot);
      for (int64_t row = 0; row < rows; ++row)
        DataCopy(tile[row * C], table[int64_t(mine.GetValue(at + row)) * C], C);
      SetFlag<HardEvent::MTE2_MTE3>(slot);
      WaitFlag<HardEvent::MTE2_MTE3>(slot);
      DataCopy(out[(some + at) * C], tile, rows * C);
      SetFlag<HardEvent::MTE3_MTE2>(slot);
      slot = 1 - slot;
    }
    SetFlag<HardEvent::S_MTE2>(0);
    WaitFlag<HardEvent::S_MTE2>(0);
  }
  WaitFlag<HardEvent::MTE3_MTE2>(0);
  WaitFlag<HardEvent::MTE3_MTE2>(1);
}

// Embedding lookup: row i of y is row index[i] of the table. Indices come into
// UB in batches and are read by the scalar unit; rows pass through UB without
// passing through the vector unit (TQueBind), longer ones in pieces.
#include "kernel_operator.h"
using namespace AscendC;

struct GatherTilingData {
  uint32_t tableRows;
  uint32_t count; // indices
  uint32_t width; // halves per row
  uint32_t piece; // halves per copy
};
REGISTER_TILING_DEFAULT(GatherTilingData);

class KernelGather {
public:
  static constexpr uint32_t BATCH = 128; // indices at a time

  __aicore__ inline void Init(GM_ADDR table, GM_ADDR index, GM_ADDR y,
                              const GatherTilingData &tiling) {
    t = tiling;
    first = t.count * GetBlockIdx() / GetBlockNum();
    last = t.count * (GetBlockIdx() + 1) / GetBlockNum();
    tableGm.SetGlobalBuffer((__gm__ half *)table,
                            uint64_t(t.tableRows) * t.width);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, t.count);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(t.count) * t.width);
    pipe.InitBuffer(indexBuf, BATCH * sizeof(int32_t));
    pipe.InitBuffer(rows, 2, t.piece * sizeof(half));
  }
  __aicore__ inline void Process() {
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    for (uint32_t at = first; at < last; at += BATCH) {
      uint32_t count = last - at < BATCH ? last - at : BATCH;
      DataCopyPad(index, indexGm[at],
                  {1, uint32_t(count * sizeof(int32_t)), 0, 0, 0},
                  {false, 0, 0, 0});
      SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
      WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
      for (uint32_t i = 0; i < count; ++i)
        CopyRow(index.GetValue(i), at + i);
      // The next batch overwrites what the scalar unit has read.
      SetFlag<HardEvent::S_MTE2>(EVENT_ID0);
      WaitFlag<HardEvent::S_MTE2>(EVENT_ID0);
    }
  }

private:
  __aicore__ inline void CopyRow(int32_t from, uint32_t to) {
    for (uint32_t at = 0; at < t.width; at += t.piece) {
      uint32_t count = t.width - at < t.piece ? t.width - at : t.piece;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(half)), 0, 0, 0};
      LocalTensor<half> row = rows.AllocTensor<half>();
      DataCopyPad(row, tableGm[uint64_t(from) * t.width + at], piece,
                  {false, 0, 0, 0});
      rows.EnQue(row);
      row = rows.DeQue<half>();
      DataCopyPad(yGm[uint64_t(to) * t.width + at], row, piece);
      rows.FreeTensor(row);
    }
  }

  GatherTilingData t;
  TPipe pipe;
  TBuf<TPosition::VECCALC> indexBuf;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
  GlobalTensor<half> tableGm, yGm;
  GlobalTensor<int32_t> indexGm;
  uint32_t first, last;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR table, GM_ADDR index,
                                                  GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelGather op;
  op.Init(table, index, y, t);
  op.Process();
}

// The k largest of each row (k up to 32) and where they are, for rows of any
// length: the best 32 so far are merged with three sorted groups of 32 new
// values at a time, and the first 32 of the result are the best again.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t GROUP = 32;           // what Sort32 sorts
constexpr uint32_t CHUNK = 3 * GROUP;    // new values per merge
constexpr uint32_t RECORD = 2;           // floats: a value and an index
constexpr float LOWEST = -3.4028235e38f; // sorts last

class KernelTopK {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR value, GM_ADDR index,
                              uint32_t rows, uint32_t columns, uint32_t k) {
    this->columns = columns;
    this->k = k;
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    valueGm.SetGlobalBuffer((__gm__ float *)value, uint64_t(rows) * k);
    indexGm.SetGlobalBuffer((__gm__ uint32_t *)index, uint64_t(rows) * k);
    pipe.InitBuffer(inX, 1, CHUNK * sizeof(float));
    pipe.InitBuffer(outValue, 1, GROUP * sizeof(float));
    pipe.InitBuffer(outIndex, 1, GROUP * sizeof(uint32_t));
    pipe.InitBuffer(indexBuf, CHUNK * sizeof(int32_t));
    pipe.InitBuffer(sortedBuf, CHUNK * RECORD * sizeof(float));
    pipe.InitBuffer(bestBuf[0], (CHUNK + GROUP) * RECORD * sizeof(float));
    pipe.InitBuffer(bestBuf[1], (CHUNK + GROUP) * RECORD * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      uint32_t current = 0;
      Forget(bestBuf[current].Get<float>());
      for (uint32_t at = 0; at < columns; at += CHUNK, current ^= 1) {
        uint32_t count = columns - at < CHUNK ? columns - at : CHUNK;
        Load(uint64_t(row) * columns + at, count);
        Merge(bestBuf[current ^ 1].Get<float>(), bestBuf[current].Get<float>(),
              at);
      }
      Store(row, bestBuf[current].Get<float>());
    }
  }

private:
  /// 32 records of the lowest value.
  __aicore__ inline void Forget(const LocalTensor<float> &best) {
    LocalTensor<float> values = sortedBuf.Get<float>();
    Duplicate(values, LOWEST, GROUP);
    CreateVecIndex(indexBuf.Get<int32_t>(), int32_t(0), GROUP);
    PipeBarrier<PIPE_V>();
    Sort32(best, values, indexBuf.Get<uint32_t>(), 1);
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Load(uint64_t at, uint32_t count) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    Duplicate(x, LOWEST, CHUNK);
    TEventID id = GetTPipePtr()->FetchEventID<HardEvent::V_MTE2>();
    SetFlag<HardEvent::V_MTE2>(id);
    WaitFlag<HardEvent::V_MTE2>(id);
    uint8_t rest = (count + 7) / 8 * 8 - count;
    DataCopyPad(x, xGm[at], {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                {true, 0, rest, LOWEST});
    inX.EnQue(x);
  }
  __aicore__ inline void Merge(const LocalTensor<float> &to,
                               const LocalTensor<float> &best, uint32_t first) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> sorted = sortedBuf.Get<float>();
    CreateVecIndex(indexBuf.Get<int32_t>(), int32_t(first), CHUNK);
    PipeBarrier<PIPE_V>();
    Sort32(sorted, x, indexBuf.Get<uint32_t>(), CHUNK / GROUP);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    constexpr uint32_t list = GROUP * RECORD;
    MrgSortSrcList<float> lists(best, sorted, sorted[list], sorted[2 * list]);
    uint16_t lengths[4] = {GROUP, GROUP, GROUP, GROUP};
    MrgSort(to, lists, MrgSort4Info(lengths, false, 0b1111, 1));
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Store(uint32_t row, const LocalTensor<float> &best) {
    LocalTensor<float> value = outValue.AllocTensor<float>();
    LocalTensor<uint32_t> index = outIndex.AllocTensor<uint32_t>();
    Extract(value, index, best, 1);
    PipeBarrier<PIPE_V>();
    outValue.EnQue(value);
    outIndex.EnQue(index);
    value = outValue.DeQue<float>();
    index = outIndex.DeQue<uint32_t>();
    DataCopyExtParams piece{1, uint32_t(k * sizeof(float)), 0, 0, 0};
    DataCopyPad(valueGm[uint64_t(row) * k], value, piece);
    DataCopyPad(indexGm[uint64_t(row) * k], index, piece);
    outValue.FreeTensor(value);
    outIndex.FreeTensor(index);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inX;
  TQue<TPosition::VECOUT, 1> outValue, outIndex;
  TBuf<TPosition::VECCALC> indexBuf, sortedBuf, bestBuf[2];
  GlobalTensor<float> xGm, valueGm;
  GlobalTensor<uint32_t> indexGm;
  uint32_t columns, k, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void topk(GM_ADDR x, GM_ADDR value,
                                           GM_ADDR index, uint32_t rows,
                                           uint32_t columns, uint32_t k) {
  KernelTopK op;
  op.Init(x, value, index, rows, columns, k);
  op.Process();
}

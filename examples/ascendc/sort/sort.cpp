// Sorts each row of floats from large to small and tells where every value came
// from. Sort works on whole groups of 32: rows are filled up with the smallest
// float, which sorts last.
#include "kernel_operator.h"
using namespace AscendC;

constexpr float LOWEST = -3.4028235e38f;

class KernelSort {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR value, GM_ADDR index,
                              uint32_t rows, uint32_t columns) {
    this->columns = columns;
    padded = (columns + 31) / 32 * 32;
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    valueGm.SetGlobalBuffer((__gm__ float *)value, uint64_t(rows) * columns);
    indexGm.SetGlobalBuffer((__gm__ uint32_t *)index, uint64_t(rows) * columns);
    pipe.InitBuffer(inX, 1, padded * sizeof(float));
    pipe.InitBuffer(outValue, 1, padded * sizeof(float));
    pipe.InitBuffer(outIndex, 1, padded * sizeof(uint32_t));
    pipe.InitBuffer(startBuf, padded * sizeof(uint32_t));
    // A record is a value and its index.
    uint32_t records = GetSortLen<float>(padded) * sizeof(float);
    pipe.InitBuffer(sortedBuf, records);
    pipe.InitBuffer(tmpBuf, records);
  }
  __aicore__ inline void Process() {
    CreateVecIndex(startBuf.Get<int32_t>(), int32_t(0), padded);
    PipeBarrier<PIPE_V>();
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    // The vector unit fills what the copy leaves; the copy comes second.
    Duplicate(x, LOWEST, padded);
    TEventID id = GetTPipePtr()->FetchEventID<HardEvent::V_MTE2>();
    SetFlag<HardEvent::V_MTE2>(id);
    WaitFlag<HardEvent::V_MTE2>(id);
    uint8_t rest = (columns + 7) / 8 * 8 - columns;
    DataCopyPad(x, xGm[uint64_t(row) * columns],
                {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                {true, 0, rest, LOWEST});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute() {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> sorted = sortedBuf.Get<float>();
    LocalTensor<float> tmp = tmpBuf.Get<float>();
    LocalTensor<float> value = outValue.AllocTensor<float>();
    LocalTensor<uint32_t> index = outIndex.AllocTensor<uint32_t>();
    uint32_t groups = padded / 32;
    LocalTensor<float> concat;
    Concat(concat, x, tmp, groups);
    PipeBarrier<PIPE_V>();
    Sort<float, true>(sorted, concat, startBuf.Get<uint32_t>(), tmp, groups);
    PipeBarrier<PIPE_V>();
    Extract(value, index, sorted, groups);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    outValue.EnQue(value);
    outIndex.EnQue(index);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<float> value = outValue.DeQue<float>();
    LocalTensor<uint32_t> index = outIndex.DeQue<uint32_t>();
    DataCopyExtParams piece{1, uint32_t(columns * sizeof(float)), 0, 0, 0};
    DataCopyPad(valueGm[uint64_t(row) * columns], value, piece);
    DataCopyPad(indexGm[uint64_t(row) * columns], index, piece);
    outValue.FreeTensor(value);
    outIndex.FreeTensor(index);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inX;
  TQue<TPosition::VECOUT, 1> outValue, outIndex;
  TBuf<TPosition::VECCALC> startBuf, sortedBuf, tmpBuf;
  GlobalTensor<float> xGm, valueGm;
  GlobalTensor<uint32_t> indexGm;
  uint32_t columns, padded, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void
sort(GM_ADDR x, GM_ADDR value, GM_ADDR index, uint32_t rows, uint32_t columns) {
  KernelSort op;
  op.Init(x, value, index, rows, columns);
  op.Process();
}

// Maximum of each row of halves and where it is: ReduceMax with calIndex leaves
// the value and, in the bits of the next element, its index.
#include "kernel_operator.h"
using namespace AscendC;

class KernelArgmax {
public:
  static constexpr uint32_t ROWS = 32; // results that are stored together

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR value, GM_ADDR index,
                              uint32_t rows, uint32_t columns) {
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ half *)x, uint64_t(rows) * columns);
    valueGm.SetGlobalBuffer((__gm__ half *)value, rows);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, rows);
    uint32_t bytes = (columns * sizeof(half) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(outValue, 1, ROWS * sizeof(half));
    pipe.InitBuffer(outIndex, 1, ROWS * sizeof(int32_t));
    pipe.InitBuffer(workBuf, bytes + 256);
    pipe.InitBuffer(pairBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; row += ROWS) {
      uint32_t rows = lastRow - row < ROWS ? lastRow - row : ROWS;
      LocalTensor<half> value = outValue.AllocTensor<half>();
      LocalTensor<int32_t> index = outIndex.AllocTensor<int32_t>();
      Order<HardEvent::MTE3_S>(); // the last results have left
      for (uint32_t i = 0; i < rows; ++i)
        FindMax(row + i, i, value, index);
      Order<HardEvent::S_MTE3>();
      outValue.EnQue(value);
      outIndex.EnQue(index);
      value = outValue.DeQue<half>();
      index = outIndex.DeQue<int32_t>();
      DataCopyPad(valueGm[row], value,
                  {1, uint32_t(rows * sizeof(half)), 0, 0, 0});
      DataCopyPad(indexGm[row], index,
                  {1, uint32_t(rows * sizeof(int32_t)), 0, 0, 0});
      outValue.FreeTensor(value);
      outIndex.FreeTensor(index);
    }
  }

private:
  __aicore__ inline void FindMax(uint32_t row, uint32_t at,
                                 const LocalTensor<half> &value,
                                 const LocalTensor<int32_t> &index) {
    LocalTensor<half> x = inX.AllocTensor<half>();
    DataCopyPad(x, xGm[uint64_t(row) * columns],
                {1, uint32_t(columns * sizeof(half)), 0, 0, 0},
                {false, 0, 0, 0});
    inX.EnQue(x);
    x = inX.DeQue<half>();
    LocalTensor<half> pair = pairBuf.Get<half>();
    ReduceMax(pair, x, workBuf.Get<half>(), columns, true);
    inX.FreeTensor(x);
    Order<HardEvent::V_S>();
    value.SetValue(at, pair.GetValue(0));
    index.SetValue(at, pair.ReinterpretCast<uint16_t>().GetValue(1));
    Order<HardEvent::S_V>(); // before the next reduction writes the pair
  }
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 1> outValue, outIndex;
  TBuf<TPosition::VECCALC> workBuf, pairBuf;
  GlobalTensor<half> xGm, valueGm;
  GlobalTensor<int32_t> indexGm;
  uint32_t firstRow, lastRow, columns;
};

extern "C" __global__ __aicore__ void argmax(GM_ADDR x, GM_ADDR value,
                                             GM_ADDR index, uint32_t rows,
                                             uint32_t columns) {
  KernelArgmax op;
  op.Init(x, value, index, rows, columns);
  op.Process();
}

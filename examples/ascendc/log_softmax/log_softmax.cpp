// log_softmax over the rows of a matrix of halves: y = (x - max) - ln(sum(exp(x
// - max))), computed in float. Raw flags only: buffers are laid out by hand in
// one TBuf, and every order between two pipes is spelled out.
#include "kernel_operator.h"
using namespace AscendC;

struct LogSoftmaxTilingData {
  uint32_t rows;
  uint32_t columns;
};
REGISTER_TILING_DEFAULT(LogSoftmaxTilingData);

class KernelLogSoftmax {
public:
  __aicore__ inline void Init(TPipe *pipe, GM_ADDR x, GM_ADDR y,
                              const LogSoftmaxTilingData &t) {
    columns = t.columns;
    firstRow = t.rows * GetBlockIdx() / GetBlockNum();
    lastRow = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ half *)x, uint64_t(t.rows) * columns);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(t.rows) * columns);
    uint32_t padded = (columns + 15) / 16 * 16;
    pipe->InitBuffer(buf, padded * (sizeof(half) + 3 * sizeof(float)) + 32);
    // half row | float row | exponentials | scratch | one scalar
    row = buf.GetWithOffset<half>(padded, 0);
    wide = buf.GetWithOffset<float>(padded, padded * 2);
    exps = buf.GetWithOffset<float>(padded, padded * 6);
    work = buf.GetWithOffset<float>(padded, padded * 10);
    scalar = buf.GetWithOffset<float>(8, padded * 14);
  }
  __aicore__ inline void Process() {
    DataCopyExtParams piece{1, uint32_t(columns * sizeof(half)), 0, 0, 0};
    for (uint32_t r = firstRow; r < lastRow; ++r) {
      uint64_t at = uint64_t(r) * columns;
      DataCopyPad(row, xGm[at], piece, {false, 0, 0, 0});
      SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
      WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
      Compute();
      SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
      WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
      DataCopyPad(yGm[at], row, piece);
      SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
      WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
  }

private:
  __aicore__ inline void Compute() {
    Cast(wide, row, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    ReduceMax(scalar, wide, work, columns);
    float max = Read();
    Adds(wide, wide, -max, columns);
    PipeBarrier<PIPE_V>();
    Exp(exps, wide, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, exps, work, columns);
    PipeBarrier<PIPE_V>();
    Ln(scalar, scalar, 1);
    float logSum = Read();
    Adds(wide, wide, -logSum, columns);
    PipeBarrier<PIPE_V>();
    Cast(row, wide, RoundMode::CAST_RINT, columns);
  }
  __aicore__ inline float Read() {
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    float value = scalar.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    return value;
  }

  TBuf<TPosition::VECCALC> buf;
  LocalTensor<half> row;
  LocalTensor<float> wide, exps, work, scalar;
  GlobalTensor<half> xGm, yGm;
  uint32_t columns, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void
log_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  KernelLogSoftmax op;
  op.Init(&pipe, x, y, t);
  op.Process();
}

// SwiGLU: each row of x holds a gate and a value of `width` halves each;
// y = silu(gate) * value. One strided DataCopyPad brings the gates of several
// rows, another one the values; rows are padded to whole blocks in UB.
#include "kernel_operator.h"
using namespace AscendC;

struct SwigluTilingData {
  uint32_t rows;
  uint32_t width;
  uint32_t rowsPerTile;
};
REGISTER_TILING_DEFAULT(SwigluTilingData);

class KernelSwiglu {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SwigluTilingData &t) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    firstRow = t.rows * core / cores;
    lastRow = t.rows * (core + 1) / cores;
    width = t.width;
    padded = (width + 15) / 16 * 16;
    rowsPerTile = t.rowsPerTile;
    xGm.SetGlobalBuffer((__gm__ half *)x, uint64_t(t.rows) * 2 * width);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(t.rows) * width);
    uint32_t tile = rowsPerTile * padded;
    pipe.InitBuffer(inGate, 2, tile * sizeof(half));
    pipe.InitBuffer(inValue, 2, tile * sizeof(half));
    pipe.InitBuffer(outY, 2, tile * sizeof(half));
    pipe.InitBuffer(gateBuf, tile * sizeof(float));
    pipe.InitBuffer(valueBuf, tile * sizeof(float));
    pipe.InitBuffer(tmpBuf, tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; row += rowsPerTile) {
      uint32_t left = lastRow - row;
      uint32_t rows = left < rowsPerTile ? left : rowsPerTile;
      CopyIn(row, rows);
      Compute(rows * padded);
      CopyOut(row, rows);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row, uint32_t rows) {
    LocalTensor<half> gate = inGate.AllocTensor<half>();
    LocalTensor<half> value = inValue.AllocTensor<half>();
    uint32_t bytes = width * sizeof(half);
    DataCopyExtParams halfRows(rows, bytes, bytes, 0, 0);
    // Lanes past the end of a row take part in the computation: they have to be
    // numbers.
    DataCopyPadExtParams<half> zeros(true, 0, uint8_t(padded - width), 0);
    uint64_t at = uint64_t(row) * 2 * width;
    DataCopyPad(gate, xGm[at], halfRows, zeros);
    DataCopyPad(value, xGm[at + width], halfRows, zeros);
    inGate.EnQue(gate);
    inValue.EnQue(value);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<half> gate = inGate.DeQue<half>();
    LocalTensor<half> value = inValue.DeQue<half>();
    LocalTensor<half> y = outY.AllocTensor<half>();
    LocalTensor<float> g = gateBuf.Get<float>();
    LocalTensor<float> v = valueBuf.Get<float>();
    LocalTensor<float> t = tmpBuf.Get<float>();
    Cast(g, gate, RoundMode::CAST_NONE, count);
    Cast(v, value, RoundMode::CAST_NONE, count);
    inGate.FreeTensor(gate);
    inValue.FreeTensor(value);
    Muls(t, g, -1.0f, count);
    Exp(t, t, count);
    Adds(t, t, 1.0f, count);
    Div(t, g, t, count);
    Mul(t, t, v, count);
    Cast(y, t, RoundMode::CAST_RINT, count);
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t row, uint32_t rows) {
    LocalTensor<half> y = outY.DeQue<half>();
    DataCopyExtParams out(rows, uint32_t(width * sizeof(half)), 0, 0, 0);
    DataCopyPad(yGm[uint64_t(row) * width], y, out);
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inGate, inValue;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> gateBuf, valueBuf, tmpBuf;
  GlobalTensor<half> xGm, yGm;
  uint32_t firstRow, lastRow, width, padded, rowsPerTile;
};

extern "C" __global__ __aicore__ void
swiglu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelSwiglu op;
  op.Init(x, y, t);
  op.Process();
}

// Constant padding of a matrix on its four sides. The constant is written once
// by the vector unit and stored as often as needed; the data pass through
// another buffer. Copies of different rows never overlap, so MTE3 needs no
// barrier.
#include "kernel_operator.h"
using namespace AscendC;

struct PadTilingData {
  uint32_t rows, columns; // of x
  uint32_t top, bottom, left, right;
  float value;
};
REGISTER_TILING_DEFAULT(PadTilingData);

class KernelPad {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y,
                              const PadTilingData &tiling) {
    t = tiling;
    width = t.left + t.columns + t.right;
    height = t.top + t.rows + t.bottom;
    first = height * GetBlockIdx() / GetBlockNum();
    last = height * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(t.rows) * t.columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(height) * width);
    uint32_t bytes = (width * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(que, 2, bytes);
    pipe.InitBuffer(constBuf, bytes);
  }
  __aicore__ inline void Process() {
    Duplicate(constBuf.Get<float>(), t.value, width);
    TEventID id = GetTPipePtr()->FetchEventID<HardEvent::V_MTE3>();
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    for (uint32_t row = first; row < last; ++row) {
      uint64_t at = uint64_t(row) * width;
      if (row < t.top || row >= t.top + t.rows) {
        Fill(at, width);
        continue;
      }
      Fill(at, t.left);
      Copy(row - t.top, at + t.left);
      Fill(at + t.left + t.columns, t.right);
    }
  }

private:
  __aicore__ inline void Fill(uint64_t at, uint32_t count) {
    if (count > 0)
      DataCopyPad(yGm[at], constBuf.Get<float>(),
                  {1, uint32_t(count * sizeof(float)), 0, 0, 0});
  }
  __aicore__ inline void Copy(uint32_t row, uint64_t to) {
    DataCopyExtParams piece{1, uint32_t(t.columns * sizeof(float)), 0, 0, 0};
    LocalTensor<float> x = que.AllocTensor<float>();
    DataCopyPad(x, xGm[uint64_t(row) * t.columns], piece, {false, 0, 0, 0});
    que.EnQue(x);
    x = que.DeQue<float>();
    DataCopyPad(yGm[to], x, piece);
    que.FreeTensor(x);
  }

  PadTilingData t;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  TBuf<TPosition::VECCALC> constBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t width, height, first, last;
};

extern "C" __global__ __aicore__ void pad(GM_ADDR x, GM_ADDR y,
                                          GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelPad op;
  op.Init(x, y, t);
  op.Process();
}

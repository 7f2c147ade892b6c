// Rotary embedding: a row is split into halves (x1, x2), and y1 = x1 cos - x2
// sin, y2 = x2 cos + x1 sin. One DataCopyPad with two bursts lays each half of
// the row at a whole block of UB, whatever its width.
#include "kernel_operator.h"
using namespace AscendC;

struct RopeTilingData {
  uint32_t tokens, heads, half; // x is tokens x heads x (2 * half)
};
REGISTER_TILING_DEFAULT(RopeTilingData);

class KernelRope {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR cos, GM_ADDR sin, GM_ADDR y,
                              const RopeTilingData &tiling) {
    t = tiling;
    padded = (t.half + 7) / 8 * 8;
    first = t.tokens * GetBlockIdx() / GetBlockNum();
    last = t.tokens * (GetBlockIdx() + 1) / GetBlockNum();
    uint64_t total = uint64_t(t.tokens) * t.heads * 2 * t.half;
    xGm.SetGlobalBuffer((__gm__ float *)x, total);
    yGm.SetGlobalBuffer((__gm__ float *)y, total);
    cosGm.SetGlobalBuffer((__gm__ float *)cos, uint64_t(t.tokens) * t.half);
    sinGm.SetGlobalBuffer((__gm__ float *)sin, uint64_t(t.tokens) * t.half);
    pipe.InitBuffer(inX, 2, 2 * padded * sizeof(float));
    pipe.InitBuffer(inAngle, 2, 2 * padded * sizeof(float));
    pipe.InitBuffer(outY, 2, 2 * padded * sizeof(float));
    pipe.InitBuffer(tmpBuf, padded * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t token = first; token < last; ++token) {
      LocalTensor<float> angle = LoadAngle(token);
      for (uint32_t head = 0; head < t.heads; ++head) {
        uint64_t row = (uint64_t(token) * t.heads + head) * 2 * t.half;
        CopyIn(row);
        Compute(angle[0], angle[padded]);
        CopyOut(row);
      }
      inAngle.FreeTensor(angle);
    }
  }

private:
  __aicore__ inline DataCopyExtParams Halves(uint16_t count) {
    return DataCopyExtParams(count, t.half * sizeof(float), 0, 0, 0);
  }
  __aicore__ inline LocalTensor<float> LoadAngle(uint32_t token) {
    LocalTensor<float> angle = inAngle.AllocTensor<float>();
    uint64_t at = uint64_t(token) * t.half;
    DataCopyPad(angle, cosGm[at], Halves(1), {false, 0, 0, 0});
    DataCopyPad(angle[padded], sinGm[at], Halves(1), {false, 0, 0, 0});
    inAngle.EnQue(angle);
    return inAngle.DeQue<float>();
  }
  __aicore__ inline void CopyIn(uint64_t row) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    DataCopyPad(x, xGm[row], Halves(2), {false, 0, 0, 0});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute(const LocalTensor<float> &cos,
                                 const LocalTensor<float> &sin) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> y = outY.AllocTensor<float>();
    LocalTensor<float> x1 = x[0], x2 = x[padded], y1 = y[0], y2 = y[padded];
    LocalTensor<float> tmp = tmpBuf.Get<float>();
    Mul(y1, x1, cos, t.half);
    Mul(tmp, x2, sin, t.half);
    PipeBarrier<PIPE_V>();
    Sub(y1, y1, tmp, t.half);
    Mul(y2, x2, cos, t.half);
    PipeBarrier<PIPE_V>();
    Mul(tmp, x1, sin, t.half);
    PipeBarrier<PIPE_V>();
    Add(y2, y2, tmp, t.half);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint64_t row) {
    LocalTensor<float> y = outY.DeQue<float>();
    DataCopyPad(yGm[row], y, Halves(2));
    outY.FreeTensor(y);
  }

  RopeTilingData t;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECIN, 1> inAngle;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> tmpBuf;
  GlobalTensor<float> xGm, cosGm, sinGm, yGm;
  uint32_t padded, first, last;
};

extern "C" __global__ __aicore__ void rope(GM_ADDR x, GM_ADDR cos, GM_ADDR sin,
                                           GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelRope op;
  op.Init(x, cos, sin, y, t);
  op.Process();
}

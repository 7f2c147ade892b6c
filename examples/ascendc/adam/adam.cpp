// One step of Adam with decoupled weight decay: weights, first and second
// moments are updated in place. Four inputs and three outputs per tile; the
// hyper-parameters come by value in one structure.
#include "kernel_operator.h"
using namespace AscendC;

struct AdamTilingData {
  uint32_t total;
  uint32_t tile;
  float lr, beta1, beta2, eps, decay;
  float correction1, correction2; // 1 - beta^step
};

class KernelAdam {
public:
  __aicore__ inline KernelAdam(const AdamTilingData &t) : t(t) {}
  __aicore__ inline void Init(GM_ADDR w, GM_ADDR g, GM_ADDR m, GM_ADDR v) {
    uint32_t blocks = (t.total + 7) / 8;
    begin = blocks * GetBlockIdx() / GetBlockNum() * 8;
    end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * 8;
    end = end < t.total ? end : t.total;
    wGm.SetGlobalBuffer((__gm__ float *)w, t.total);
    gGm.SetGlobalBuffer((__gm__ float *)g, t.total);
    mGm.SetGlobalBuffer((__gm__ float *)m, t.total);
    vGm.SetGlobalBuffer((__gm__ float *)v, t.total);
    uint32_t bytes = t.tile * sizeof(float);
    pipe.InitBuffer(inW, 2, bytes);
    pipe.InitBuffer(inG, 2, bytes);
    pipe.InitBuffer(inM, 2, bytes);
    pipe.InitBuffer(inV, 2, bytes);
    pipe.InitBuffer(outW, 2, bytes);
    pipe.InitBuffer(outM, 2, bytes);
    pipe.InitBuffer(outV, 2, bytes);
    pipe.InitBuffer(tmpBuf, bytes);
  }
  __aicore__ inline void Process() {
    for (uint32_t at = begin; at < end; at += t.tile) {
      uint32_t count = end - at < t.tile ? end - at : t.tile;
      CopyIn(inW, wGm[at], count);
      CopyIn(inG, gGm[at], count);
      CopyIn(inM, mGm[at], count);
      CopyIn(inV, vGm[at], count);
      Compute(count);
      CopyOut(outW, wGm[at], count);
      CopyOut(outM, mGm[at], count);
      CopyOut(outV, vGm[at], count);
    }
  }

private:
  using InQueue = TQue<TPosition::VECIN, 2>;
  using OutQueue = TQue<TPosition::VECOUT, 2>;

  __aicore__ inline void CopyIn(InQueue &que, const GlobalTensor<float> &from,
                                uint32_t count) {
    LocalTensor<float> local = que.AllocTensor<float>();
    DataCopyPad(local, from, {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    que.EnQue(local);
  }
  __aicore__ inline void CopyOut(OutQueue &que, const GlobalTensor<float> &to,
                                 uint32_t count) {
    LocalTensor<float> local = que.DeQue<float>();
    DataCopyPad(to, local, {1, uint32_t(count * sizeof(float)), 0, 0, 0});
    que.FreeTensor(local);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> g = inG.DeQue<float>();
    LocalTensor<float> m = inM.DeQue<float>(), mNew = outM.AllocTensor<float>();
    LocalTensor<float> tmp = tmpBuf.Get<float>();
    // m = beta1 m + (1 - beta1) g
    Muls(mNew, m, t.beta1, count);
    PipeBarrier<PIPE_V>();
    Axpy(mNew, g, 1.0f - t.beta1, count);
    inM.FreeTensor(m);
    // v = beta2 v + (1 - beta2) g^2
    LocalTensor<float> v = inV.DeQue<float>(), vNew = outV.AllocTensor<float>();
    Muls(vNew, v, t.beta2, count);
    Mul(g, g, g, count);
    PipeBarrier<PIPE_V>();
    Axpy(vNew, g, 1.0f - t.beta2, count);
    PipeBarrier<PIPE_V>();
    inV.FreeTensor(v);
    inG.FreeTensor(g);
    // w = (1 - lr decay) w - lr (m / c1) / (sqrt(v / c2) + eps)
    LocalTensor<float> w = inW.DeQue<float>(), wNew = outW.AllocTensor<float>();
    Muls(tmp, vNew, 1.0f / t.correction2, count);
    PipeBarrier<PIPE_V>();
    Sqrt(tmp, tmp, count);
    PipeBarrier<PIPE_V>();
    Adds(tmp, tmp, t.eps, count);
    PipeBarrier<PIPE_V>();
    Div(tmp, mNew, tmp, count);
    Muls(wNew, w, 1.0f - t.lr * t.decay, count);
    PipeBarrier<PIPE_V>();
    Axpy(wNew, tmp, -t.lr / t.correction1, count);
    PipeBarrier<PIPE_V>();
    inW.FreeTensor(w);
    outW.EnQue(wNew);
    outM.EnQue(mNew);
    outV.EnQue(vNew);
  }

  AdamTilingData t;
  TPipe pipe;
  InQueue inW, inG, inM, inV;
  OutQueue outW, outM, outV;
  TBuf<TPosition::VECCALC> tmpBuf;
  GlobalTensor<float> wGm, gGm, mGm, vGm;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void adam(GM_ADDR w, GM_ADDR g, GM_ADDR m,
                                           GM_ADDR v, AdamTilingData tiling) {
  KernelAdam op(tiling);
  op.Init(w, g, m, v);
  op.Process();
}

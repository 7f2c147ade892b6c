// Batch normalisation for inference on NCHW: y = x * scale[c] + shift[c] with
// scale = gamma / sqrt(var + eps), shift = beta - mean * scale. Scale and shift
// of all channels are computed by the vector unit once; each plane then takes
// its two numbers as scalars.
#include "kernel_operator.h"
using namespace AscendC;

struct BatchNormTilingData {
  uint32_t batch, channels, plane; // plane = H * W
  uint32_t tile;
  float eps;
};
REGISTER_TILING_DEFAULT(BatchNormTilingData);

class KernelBatchNorm {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta,
                              GM_ADDR mean, GM_ADDR var, GM_ADDR y,
                              const BatchNormTilingData &tiling) {
    t = tiling;
    uint64_t total = uint64_t(t.batch) * t.channels * t.plane;
    xGm.SetGlobalBuffer((__gm__ float *)x, total);
    yGm.SetGlobalBuffer((__gm__ float *)y, total);
    GM_ADDR vectors[4] = {gamma, beta, mean, var};
    uint32_t bytes = (t.channels * sizeof(float) + 31) / 32 * 32;
    for (int i = 0; i < 4; ++i) {
      channelGm[i].SetGlobalBuffer((__gm__ float *)vectors[i], t.channels);
      pipe.InitBuffer(channelBuf[i], bytes);
    }
    pipe.InitBuffer(inX, 2, t.tile * sizeof(float));
    pipe.InitBuffer(outY, 2, t.tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    PrepareChannels();
    LocalTensor<float> scale = channelBuf[0].Get<float>();
    LocalTensor<float> shift = channelBuf[1].Get<float>();
    uint32_t planes = t.batch * t.channels;
    uint32_t first = planes * GetBlockIdx() / GetBlockNum();
    uint32_t last = planes * (GetBlockIdx() + 1) / GetBlockNum();
    for (uint32_t p = first; p < last; ++p) {
      uint32_t c = p % t.channels;
      Normalise(p, scale.GetValue(c), shift.GetValue(c));
    }
  }

private:
  __aicore__ inline void PrepareChannels() {
    LocalTensor<float> gamma = channelBuf[0].Get<float>();
    LocalTensor<float> beta = channelBuf[1].Get<float>();
    LocalTensor<float> mean = channelBuf[2].Get<float>();
    LocalTensor<float> var = channelBuf[3].Get<float>();
    for (int i = 0; i < 4; ++i)
      DataCopyPad(channelBuf[i].Get<float>(), channelGm[i],
                  {1, uint32_t(t.channels * sizeof(float)), 0, 0, 0},
                  {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(var, var, t.eps, t.channels);
    PipeBarrier<PIPE_V>();
    Sqrt(var, var, t.channels);
    PipeBarrier<PIPE_V>();
    Div(gamma, gamma, var, t.channels);
    PipeBarrier<PIPE_V>();
    Mul(mean, mean, gamma, t.channels);
    PipeBarrier<PIPE_V>();
    Sub(beta, beta, mean, t.channels);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
  }
  __aicore__ inline void Normalise(uint32_t plane, float scale, float shift) {
    uint64_t base = uint64_t(plane) * t.plane;
    for (uint32_t at = 0; at < t.plane; at += t.tile) {
      uint32_t count = t.plane - at < t.tile ? t.plane - at : t.tile;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[base + at], piece, {false, 0, 0, 0});
      inX.EnQue(x);
      x = inX.DeQue<float>();
      LocalTensor<float> y = outY.AllocTensor<float>();
      Muls(y, x, scale, count);
      PipeBarrier<PIPE_V>();
      Adds(y, y, shift, count);
      inX.FreeTensor(x);
      outY.EnQue(y);
      y = outY.DeQue<float>();
      DataCopyPad(yGm[base + at], y, piece);
      outY.FreeTensor(y);
    }
  }

  BatchNormTilingData t;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> channelBuf[4]; // gamma, beta, mean, var
  GlobalTensor<float> xGm, yGm, channelGm[4];
};

extern "C" __global__ __aicore__ void
batch_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR mean, GM_ADDR var,
           GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelBatchNorm op;
  op.Init(x, gamma, beta, mean, var, y, t);
  op.Process();
}

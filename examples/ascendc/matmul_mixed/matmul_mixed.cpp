// y = leaky_relu(A x B), half: the cube core writes tiles of A x B to the
// workspace, the two vector cores of the block take half of the rows each. Two
// slots of the workspace let the cube core run one tile ahead; a flag in each
// direction says when a slot is full and when it is free again.
#include "kernel_operator.h"
using namespace AscendC;

struct MatmulMixedTilingData {
  uint32_t m, n, k;
  uint32_t tileM; // rows at a time: a multiple of 32
  float slope;
};
REGISTER_TILING_DEFAULT(MatmulMixedTilingData);

constexpr uint16_t FULL = 0, EMPTY = 1; // flags between the two sides
constexpr uint32_t SLOTS = 2;
constexpr uint32_t FRACTAL = 16 * 16;

__aicore__ inline uint32_t RoundUp(uint32_t a, uint32_t to) {
  return (a + to - 1) / to * to;
}

class KernelMatmulMixed {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR y,
                              GM_ADDR workspace,
                              const MatmulMixedTilingData &tiling) {
    t = tiling;
    // The vector cores of a block have the numbers of two blocks.
    block = GetBlockIdx() / GetTaskRation();
    aGm.SetGlobalBuffer((__gm__ half *)a, uint64_t(t.m) * t.k);
    bGm.SetGlobalBuffer((__gm__ half *)b, uint64_t(t.k) * t.n);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(t.m) * t.n);
    scratch.SetGlobalBuffer((__gm__ float *)workspace +
                            uint64_t(block) * SLOTS * t.tileM * t.n);
    nUp = RoundUp(t.n, 16);
    kUp = RoundUp(t.k, 16);
    if ASCEND_IS_AIC {
      pipe.InitBuffer(inA1, 1, t.tileM * kUp * sizeof(half));
      pipe.InitBuffer(inB1, 1, kUp * nUp * sizeof(half));
      pipe.InitBuffer(inA2, 1, t.tileM * kUp * sizeof(half));
      pipe.InitBuffer(inB2, 1, kUp * nUp * sizeof(half));
      pipe.InitBuffer(outCO1, 1, t.tileM * nUp * sizeof(float));
    }
    if ASCEND_IS_AIV {
      pipe.InitBuffer(inX, 1, t.tileM / 2 * nUp * sizeof(float));
      pipe.InitBuffer(outY, 1, t.tileM / 2 * nUp * sizeof(half));
    }
  }

  __aicore__ inline void Process() {
    uint32_t tiles = (t.m + t.tileM - 1) / t.tileM, done = 0;
    if ASCEND_IS_AIC
      LoadB();
    for (uint32_t tile = block; tile < tiles; tile += GetBlockNum(), ++done) {
      uint32_t row = tile * t.tileM;
      uint32_t rows = t.m - row < t.tileM ? t.m - row : t.tileM;
      GlobalTensor<float> slot = scratch[done % SLOTS * t.tileM * t.n];
      if ASCEND_IS_AIC {
        if (done >= SLOTS) // the vector cores must have emptied it
          CrossCoreWaitFlag<2, PIPE_FIX>(EMPTY);
        Multiply(slot, row, rows);
        CrossCoreSetFlag<2, PIPE_FIX>(FULL);
      }
      if ASCEND_IS_AIV {
        CrossCoreWaitFlag<2, PIPE_MTE2>(FULL);
        Activate(slot, row, rows);
        CrossCoreSetFlag<2, PIPE_MTE2>(EMPTY);
      }
    }
    if ASCEND_IS_AIC {
      // Leave no flag after for the next kernel.
      for (uint32_t i = 0; i < (done < SLOTS ? done : SLOTS); ++i)
        CrossCoreWaitFlag<2, PIPE_FIX>(EMPTY);
      inB2.FreeTensor(b2);
    }
  }

private:
  /// B stays in L0B for all tiles.
  __aicore__ inline void LoadB() {
    LocalTensor<half> b1 = inB1.AllocTensor<half>();
    DataCopy(b1, bGm, Nd2NzParams(1, t.k, t.n, 0, t.n, kUp, 1, 0));
    inB1.EnQue(b1);
    b1 = inB1.DeQue<half>();
    b2 = inB2.AllocTensor<half>();
    LoadData2DParams load(0, nUp / 16, kUp / 16, 0, 0, true, 0);
    for (uint32_t k = 0; k < kUp / 16; ++k)
      LoadData(b2[k * nUp * 16], b1[k * FRACTAL], load);
    inB2.EnQue(b2);
    b2 = inB2.DeQue<half>();
    inB1.FreeTensor(b1);
  }

  __aicore__ inline void Multiply(const GlobalTensor<float> &slot, uint32_t row,
                                  uint32_t rows) {
    uint32_t mBlocks = RoundUp(rows, 16) / 16;
    LocalTensor<half> a1 = inA1.AllocTensor<half>();
    DataCopy(a1, aGm[uint64_t(row) * t.k],
             Nd2NzParams(1, rows, t.k, 0, t.k, mBlocks * 16, 1, 0));
    inA1.EnQue(a1);
    a1 = inA1.DeQue<half>();
    LocalTensor<half> a2 = inA2.AllocTensor<half>();
    for (uint32_t m = 0; m < mBlocks; ++m)
      LoadData(a2[m * kUp * 16], a1[m * FRACTAL],
               LoadData2DParams(0, kUp / 16, mBlocks, 0, 0, false, 0));
    inA2.EnQue(a2);
    inA1.FreeTensor(a1);
    a2 = inA2.DeQue<half>();
    LocalTensor<float> c = outCO1.AllocTensor<float>();
    Mmad(c, a2, b2, MmadParams(rows, t.n, t.k, 0, false, true));
    outCO1.EnQue(c);
    inA2.FreeTensor(a2);
    c = outCO1.DeQue<float>();
    Fixpipe(slot, c, FixpipeParamsV220(t.n, rows, mBlocks * 16, t.n, false));
    outCO1.FreeTensor(c);
  }

  __aicore__ inline void Activate(const GlobalTensor<float> &slot, uint32_t row,
                                  uint32_t rows) {
    uint32_t half_ = t.tileM / 2, first = GetSubBlockIdx() * half_;
    if (first >= rows)
      return;
    uint32_t count = (rows - first < half_ ? rows - first : half_) * t.n;
    LocalTensor<float> x = inX.AllocTensor<float>();
    DataCopyPad(x, slot[first * t.n],
                DataCopyExtParams(1, count * sizeof(float), 0, 0, 0),
                DataCopyPadExtParams<float>(false, 0, 0, 0));
    inX.EnQue(x);
    x = inX.DeQue<float>();
    LeakyRelu(x, x, t.slope, count);
    LocalTensor<half> y = outY.AllocTensor<half>();
    PipeBarrier<PIPE_V>();
    Cast(y, x, RoundMode::CAST_RINT, count);
    inX.FreeTensor(x);
    outY.EnQue(y);
    y = outY.DeQue<half>();
    DataCopyPad(yGm[uint64_t(row + first) * t.n], y,
                DataCopyExtParams(1, count * sizeof(half), 0, 0, 0));
    outY.FreeTensor(y);
  }

  MatmulMixedTilingData t;
  TPipe pipe;
  TQue<TPosition::A1, 1> inA1;
  TQue<TPosition::B1, 1> inB1;
  TQue<TPosition::A2, 1> inA2;
  TQue<TPosition::B2, 1> inB2;
  TQue<TPosition::CO1, 1> outCO1;
  TQue<TPosition::VECIN, 1> inX;
  TQue<TPosition::VECOUT, 1> outY;
  GlobalTensor<half> aGm, bGm, yGm;
  GlobalTensor<float> scratch;
  LocalTensor<half> b2;
  uint32_t block, nUp, kUp;
};

extern "C" __global__ __aicore__ void matmul_mixed(GM_ADDR a, GM_ADDR b,
                                                   GM_ADDR y, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(t, tiling);
  KernelMatmulMixed op;
  op.Init(a, b, y, workspace, t);
  op.Process();
}

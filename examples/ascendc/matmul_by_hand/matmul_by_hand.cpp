// C = A x B + bias, half to float, by the instructions of the cube core. Each
// block computes tiles of C. A and B come to L1 in strips of k (ND becomes NZ
// on the way), from there to L0 in smaller steps; products add up in L0C and
// leave through the fixpipe. Strips and steps are double-buffered by queues.
#include "kernel_operator.h"
using namespace AscendC;

struct MatmulByHandTilingData {
  uint32_t m, n, k;
  uint32_t tileM, tileN; // one tile of C: multiples of 16
  uint32_t stripK;       // in L1: a multiple of stepK
  uint32_t stepK;        // in L0: a multiple of 16
};
REGISTER_TILING_DEFAULT(MatmulByHandTilingData);

constexpr uint32_t CUBE = 16; // rows and columns of a fractal of halves
constexpr uint32_t FRACTAL = CUBE * CUBE;

__aicore__ inline uint32_t CeilDiv(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}
__aicore__ inline uint32_t Min(uint32_t a, uint32_t b) { return a < b ? a : b; }

class KernelMatmulByHand {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                              const MatmulByHandTilingData &tiling) {
    t = tiling;
    aGm.SetGlobalBuffer((__gm__ half *)a, uint64_t(t.m) * t.k);
    bGm.SetGlobalBuffer((__gm__ half *)b, uint64_t(t.k) * t.n);
    biasGm.SetGlobalBuffer((__gm__ float *)bias, t.n);
    cGm.SetGlobalBuffer((__gm__ float *)c, uint64_t(t.m) * t.n);
    pipe.InitBuffer(inA1, 2, t.tileM * t.stripK * sizeof(half));
    pipe.InitBuffer(inB1, 2, t.stripK * t.tileN * sizeof(half));
    pipe.InitBuffer(inA2, 2, t.tileM * t.stepK * sizeof(half));
    pipe.InitBuffer(inB2, 2, t.stepK * t.tileN * sizeof(half));
    pipe.InitBuffer(inC1, 1, t.tileN * sizeof(float));
    pipe.InitBuffer(inC2, 1, t.tileN * sizeof(float));
    pipe.InitBuffer(outCO1, 1, t.tileM * t.tileN * sizeof(float));
  }

  __aicore__ inline void Process() {
    uint32_t wide = CeilDiv(t.n, t.tileN), tiles = CeilDiv(t.m, t.tileM) * wide;
    for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum())
      ComputeTile(tile / wide * t.tileM, tile % wide * t.tileN);
  }

private:
  __aicore__ inline void ComputeTile(uint32_t row, uint32_t column) {
    rows = Min(t.tileM, t.m - row);
    columns = Min(t.tileN, t.n - column);
    LocalTensor<float> bias = LoadBias(column);
    LocalTensor<float> c = outCO1.AllocTensor<float>();
    for (uint32_t k = 0; k < t.k; k += t.stripK) {
      uint32_t depth = Min(t.stripK, t.k - k);
      CopyStrip(row, column, k, depth);
      LocalTensor<half> a1 = inA1.DeQue<half>();
      LocalTensor<half> b1 = inB1.DeQue<half>();
      for (uint32_t step = 0; step < depth; step += t.stepK) {
        uint32_t now = Min(t.stepK, depth - step);
        LoadStep(a1, b1, step, now, depth);
        Multiply(c, bias, now, k == 0 && step == 0);
      }
      inA1.FreeTensor(a1);
      inB1.FreeTensor(b1);
    }
    inC2.FreeTensor(bias);
    outCO1.EnQue(c);
    CopyOut(row, column);
  }

  /// The bias of one tile: GM to L1 to the bias table.
  __aicore__ inline LocalTensor<float> LoadBias(uint32_t column) {
    LocalTensor<float> l1 = inC1.AllocTensor<float>();
    DataCopyExtParams row(1, columns * sizeof(float), 0, 0, 0);
    DataCopyPad(l1, biasGm[column], row, {false, 0, 0, 0});
    inC1.EnQue(l1);
    l1 = inC1.DeQue<float>();
    LocalTensor<float> table = inC2.AllocTensor<float>();
    constexpr uint32_t unit = __NPU_ARCH__ == 3510 ? 32 : 64;
    uint16_t length = CeilDiv(columns * sizeof(float), unit);
    DataCopy(table, l1, DataCopyParams(1, length, 0, 0));
    inC2.EnQue(table);
    inC1.FreeTensor(l1);
    return inC2.DeQue<float>();
  }

  __aicore__ inline void CopyStrip(uint32_t row, uint32_t column, uint32_t k,
                                   uint32_t depth) {
    LocalTensor<half> a1 = inA1.AllocTensor<half>();
    LocalTensor<half> b1 = inB1.AllocTensor<half>();
    // Rows of the source, its columns, one after the other; NZ in L1 has
    // columns of fractals as tall as the rows are rounded up.
    Nd2NzParams a(1, rows, depth, 0, t.k, CeilDiv(rows, CUBE) * CUBE, 1, 0);
    DataCopy(a1, aGm[uint64_t(row) * t.k + k], a);
    Nd2NzParams b(1, depth, columns, 0, t.n, CeilDiv(depth, CUBE) * CUBE, 1, 0);
    DataCopy(b1, bGm[uint64_t(k) * t.n + column], b);
    inA1.EnQue(a1);
    inB1.EnQue(b1);
  }

  /// L0A wants rows of fractals (ZZ), L0B rows of transposed fractals (ZN).
  __aicore__ inline void LoadStep(const LocalTensor<half> &a1,
                                  const LocalTensor<half> &b1, uint32_t step,
                                  uint32_t now, uint32_t depth) {
    uint32_t mBlocks = CeilDiv(rows, CUBE), nBlocks = CeilDiv(columns, CUBE);
    uint32_t kBlocks = CeilDiv(now, CUBE), tall = CeilDiv(depth, CUBE);
    uint32_t first = step / CUBE;
    LocalTensor<half> a2 = inA2.AllocTensor<half>();
    LocalTensor<half> b2 = inB2.AllocTensor<half>();
    LoadData2DParams load;
#if __NPU_ARCH__ == 3510
    // The 950 keeps columns of fractals (NZ) there, as L1 does.
    load.repeatTimes = mBlocks;
    load.srcStride = 1;
    for (uint32_t k = 0; k < kBlocks; ++k)
      LoadData(a2[k * mBlocks * FRACTAL], a1[(first + k) * mBlocks * FRACTAL],
               load);
#else
    load.repeatTimes = kBlocks;
    load.srcStride = mBlocks;
    for (uint32_t m = 0; m < mBlocks; ++m)
      LoadData(a2[m * kBlocks * FRACTAL], a1[(first * mBlocks + m) * FRACTAL],
               load);
#endif
    load.repeatTimes = nBlocks;
    load.srcStride = tall;
    load.ifTranspose = true;
    for (uint32_t k = 0; k < kBlocks; ++k)
      LoadData(b2[k * nBlocks * FRACTAL], b1[(first + k) * FRACTAL], load);
    inA2.EnQue(a2);
    inB2.EnQue(b2);
  }

  __aicore__ inline void Multiply(const LocalTensor<float> &c,
                                  const LocalTensor<float> &bias, uint32_t now,
                                  bool first) {
    LocalTensor<half> a2 = inA2.DeQue<half>();
    LocalTensor<half> b2 = inB2.DeQue<half>();
    MmadParams mmad;
    mmad.m = rows;
    mmad.n = columns;
    mmad.k = now;
    mmad.cmatrixInitVal = false; // start from the bias, go on from C
    if (first)
      Mmad(c, a2, b2, bias, mmad);
    else
      Mmad(c, a2, b2, mmad);
    // The next product reads what this one writes.
    PipeBarrier<PIPE_M>();
    inA2.FreeTensor(a2);
    inB2.FreeTensor(b2);
  }

  __aicore__ inline void CopyOut(uint32_t row, uint32_t column) {
    LocalTensor<float> c = outCO1.DeQue<float>();
    FixpipeParamsV220 fixpipe;
    fixpipe.nSize = columns;
    fixpipe.mSize = rows;
    fixpipe.srcStride = CeilDiv(rows, CUBE) * CUBE;
    fixpipe.dstStride = t.n;
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm[uint64_t(row) * t.n + column], c,
                                         fixpipe);
    outCO1.FreeTensor(c);
  }

  MatmulByHandTilingData t;
  TPipe pipe;
  TQue<TPosition::A1, 2> inA1;
  TQue<TPosition::B1, 2> inB1;
  TQue<TPosition::A2, 2> inA2;
  TQue<TPosition::B2, 2> inB2;
  TQue<TPosition::C1, 1> inC1;
  TQue<TPosition::C2, 1> inC2;
  TQue<TPosition::CO1, 1> outCO1;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> biasGm, cGm;
  uint32_t rows, columns; // of the current tile
};

extern "C" __global__ __aicore__ void matmul_by_hand(GM_ADDR a, GM_ADDR b,
                                                     GM_ADDR bias, GM_ADDR c,
                                                     GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GET_TILING_DATA(t, tiling);
  KernelMatmulByHand op;
  op.Init(a, b, bias, c, t);
  op.Process();
}

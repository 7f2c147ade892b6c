// c = a * transposed b in L0, of which parts were never loaded. How much is
// loaded and how much is multiplied and stored is chosen from outside.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, COLS = 32, K = 32, C0 = 16;
constexpr uint32_t FRACTAL = 16 * C0;

extern "C" __global__ __aicore__ void
product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t leftRows, uint32_t rightRows,
        uint32_t depth, uint32_t m, uint32_t n, uint32_t k, uint32_t zero,
        uint32_t outRows, uint32_t outCols) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf, b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> cBuf;
  pipe.InitBuffer(a1Buf, ROWS * K * sizeof(half));
  pipe.InitBuffer(b1Buf, COLS * K * sizeof(half));
  pipe.InitBuffer(a2Buf, ROWS * K * sizeof(half));
  pipe.InitBuffer(b2Buf, COLS * K * sizeof(half));
  pipe.InitBuffer(cBuf, ROWS * COLS * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> acc = cBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, ROWS * K);
  bGm.SetGlobalBuffer((__gm__ half *)b, COLS * K);
  cGm.SetGlobalBuffer((__gm__ float *)c, ROWS * COLS);

  // Only some rows and columns become NZ matrices of 32 rows in L1.
  DataCopy(a1, aGm, Nd2NzParams(1, leftRows, depth, 0, K, ROWS, 1, 0));
  DataCopy(b1, bGm, Nd2NzParams(1, rightRows, depth, 0, K, COLS, 1, 0));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  for (uint32_t row = 0; row < ROWS / 16; ++row) // NZ to ZZ
    LoadData(a2[row * K / C0 * FRACTAL], a1[row * FRACTAL],
             LoadData2DParams(0, K / C0, ROWS / 16, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, K / C0 * COLS / 16, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  Mmad(acc, a2, b2, MmadParams(m, n, k, 0, false, zero));
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  FixpipeParamsV220 f(outCols, outRows, ROWS, COLS, false);
  Fixpipe(cGm, acc, f); // carries out
}

#include "kernel_operator.h"
using namespace AscendC;

struct Plan {
  uint32_t usedCores;
  uint32_t rowsPerCore;
  uint32_t rowsOfLast;
};
constexpr uint32_t COLS = 64;

extern "C" __global__ __aicore__ void
increment(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(Plan, plan, tiling);
  uint32_t me = GetBlockIdx();
  if (me >= plan.usedCores)
    return;
  uint32_t rows = me + 1 == plan.usedCores ? plan.rowsOfLast : plan.rowsPerCore;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, COLS * sizeof(float));
  pipe.InitBuffer(out, 1, COLS * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + me * plan.rowsPerCore * COLS);
  zGm.SetGlobalBuffer((__gm__ float *)z + me * plan.rowsPerCore * COLS);

  for (uint32_t r = 0; r < rows; ++r) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[r * COLS], COLS); // site
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, COLS);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(zGm[r * COLS], b, COLS);
    out.FreeTensor(b);
  }
}

#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void sum_parts(GM_ADDR x, GM_ADDR z,
                                                GM_ADDR workspace) {
  uint32_t me = GetBlockIdx();
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm, partGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  partGm.SetGlobalBuffer((__gm__ float *)GetUserWorkspace(workspace));

  LocalTensor<float> t = in.AllocTensor<float>();
  DataCopy(t, xGm[me * N], N);
  in.EnQue(t);
  t = in.DeQue<float>();
  LocalTensor<float> sum = out.AllocTensor<float>();
  Mul(sum, t, t, N);
  in.FreeTensor(t);
  out.EnQue(sum);
  sum = out.DeQue<float>();
  DataCopy(partGm[me * N], sum, N);
  out.FreeTensor(sum);
  SyncAll(); // without: race-between-cores
  if (me != 0)
    return;
  sum = out.AllocTensor<float>();
  Duplicate(sum, 0.0f, N);
  for (uint32_t i = 0; i < GetBlockNum(); ++i) {
    t = in.AllocTensor<float>();
    DataCopy(t, partGm[i * N], N);
    in.EnQue(t);
    t = in.DeQue<float>(); // without: missing-sync
    PipeBarrier<PIPE_V>();
    Add(sum, sum, t, N);
    in.FreeTensor(t);
  }
  out.EnQue(sum);
  sum = out.DeQue<float>();
  DataCopy(zGm, sum, N);
  out.FreeTensor(sum);
}

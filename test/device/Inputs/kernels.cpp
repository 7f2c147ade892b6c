// Kernels for the tests of the simulated device.
#include "kernel_operator.h"
using namespace AscendC;

// z = x + y for n floats; n is a multiple of 8 times the number of blocks.
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                          int32_t n) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> qx, qy;
  TQue<QuePosition::VECOUT, 1> qz;
  int32_t count = n / GetBlockNum();
  int32_t start = count * GetBlockIdx();
  GlobalTensor<float> gx, gy, gz;
  gx.SetGlobalBuffer((__gm__ float *)x + start, count);
  gy.SetGlobalBuffer((__gm__ float *)y + start, count);
  gz.SetGlobalBuffer((__gm__ float *)z + start, count);
  pipe.InitBuffer(qx, 1, count * sizeof(float));
  pipe.InitBuffer(qy, 1, count * sizeof(float));
  pipe.InitBuffer(qz, 1, count * sizeof(float));
  LocalTensor<float> a = qx.AllocTensor<float>();
  DataCopy(a, gx, count);
  qx.EnQue(a);
  LocalTensor<float> b = qy.AllocTensor<float>();
  DataCopy(b, gy, count);
  qy.EnQue(b);
  a = qx.DeQue<float>();
  b = qy.DeQue<float>();
  LocalTensor<float> c = qz.AllocTensor<float>();
  Add(c, a, b, count);
  qz.EnQue(c);
  qx.FreeTensor(a);
  qy.FreeTensor(b);
  c = qz.DeQue<float>();
  DataCopy(gz, c, count);
  qz.FreeTensor(c);
}

// The same for 1024 floats on 8 blocks, as a model has it.
extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  add(x, y, z, 1024);
}

// Nothing at all: what a launch costs.
extern "C" __global__ __aicore__ void nothing() {}
extern "C" __global__ __aicore__ void ignore(GM_ADDR, GM_ADDR, GM_ADDR,
                                             int32_t) {}

struct Scale {
  float factor;
  int32_t n;
};

// y *= factor; the structure lies beside the arguments. One block.
extern "C" __global__ __aicore__ void scale(GM_ADDR y, GM_ADDR parameters) {
  auto *p = (__gm__ Scale *)parameters;
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue;
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)y, p->n);
  pipe.InitBuffer(queue, 1, p->n * sizeof(float));
  LocalTensor<float> t = queue.AllocTensor<float>();
  DataCopy(t, g, p->n);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  Muls(t, t, p->factor, p->n);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  DataCopy(g, t, p->n);
  queue.FreeTensor(t);
}

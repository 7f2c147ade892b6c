// A file in device memory: its first number says where its table begins.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ENTRIES = 32;

extern "C" __global__ __aicore__ void read_table(GM_ADDR file, GM_ADDR table) {
  GlobalTensor<int32_t> fileGm, tableGm;
  fileGm.SetGlobalBuffer((__gm__ int32_t *)file);
  tableGm.SetGlobalBuffer((__gm__ int32_t *)table, ENTRIES);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, ENTRIES * sizeof(int32_t));
  int32_t begin = fileGm.GetValue(0);
  LocalTensor<int32_t> t = queue.AllocTensor<int32_t>();
  DataCopy(t, fileGm[begin], ENTRIES); // as far as the file wants
  queue.EnQue(t);
  t = queue.DeQue<int32_t>();
  DataCopy(tableGm, t, ENTRIES);
  queue.FreeTensor(t);
}

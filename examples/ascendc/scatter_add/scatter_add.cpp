// y[index[i]] += x[i] for rows of floats, from all cores at once: the copies to
// global memory add instead of overwriting. The order of additions is not
// fixed, so the last bits may differ from run to run.
#include "kernel_operator.h"
using namespace AscendC;

class KernelScatterAdd {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR index, GM_ADDR y,
                              uint32_t count, uint32_t width) {
    this->width = width;
    first = count * GetBlockIdx() / GetBlockNum();
    last = count * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(count) * width);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index, count);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(rows, 2, (width * sizeof(float) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    DataCopyExtParams row{1, uint32_t(width * sizeof(float)), 0, 0, 0};
    SetAtomicAdd<float>();
    for (uint32_t i = first; i < last; ++i) {
      LocalTensor<float> t = rows.AllocTensor<float>();
      DataCopyPad(t, xGm[uint64_t(i) * width], row, {false, 0, 0, 0});
      rows.EnQue(t);
      t = rows.DeQue<float>();
      DataCopyPad(yGm[uint64_t(indexGm.GetValue(i)) * width], t, row);
      rows.FreeTensor(t);
    }
    SetAtomicNone();
  }

private:
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<int32_t> indexGm;
  uint32_t first, last, width;
};

extern "C" __global__ __aicore__ void scatter_add(GM_ADDR x, GM_ADDR index,
                                                  GM_ADDR y, uint32_t count,
                                                  uint32_t width) {
  KernelScatterAdd op;
  op.Init(x, index, y, count, width);
  op.Process();
}

// y = alpha * a * b, the kernel of an operator project: its tiling structure is
// defined by the host code beside it, and so are blocks and tiling key.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> class KernelScaledMul {
public:
  template <typename Tiling>
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR y,
                              const Tiling &t) {
    uint64_t begin = t.perCore * GetBlockIdx();
    uint64_t left = t.total - begin;
    length = left < t.perCore ? left : t.perCore;
    tile = t.tile;
    alpha = static_cast<T>(t.alpha);
    aGm.SetGlobalBuffer((__gm__ T *)a + begin, length);
    bGm.SetGlobalBuffer((__gm__ T *)b + begin, length);
    yGm.SetGlobalBuffer((__gm__ T *)y + begin, length);
    pipe.InitBuffer(inA, 2, tile * sizeof(T));
    pipe.InitBuffer(inB, 2, tile * sizeof(T));
    pipe.InitBuffer(outY, 2, tile * sizeof(T));
  }
  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < length; at += tile) {
      uint32_t count = length - at < tile ? length - at : tile;
      CopyIn(at, count);
      Compute(count);
      CopyOut(at, count);
    }
  }

private:
  __aicore__ inline DataCopyExtParams Piece(uint32_t count) {
    return {1, uint32_t(count * sizeof(T)), 0, 0, 0};
  }
  __aicore__ inline void CopyIn(uint64_t at, uint32_t count) {
    LocalTensor<T> a = inA.template AllocTensor<T>();
    LocalTensor<T> b = inB.template AllocTensor<T>();
    DataCopyPadExtParams<T> noPad{false, 0, 0, 0};
    DataCopyPad(a, aGm[at], Piece(count), noPad);
    DataCopyPad(b, bGm[at], Piece(count), noPad);
    inA.EnQue(a);
    inB.EnQue(b);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> a = inA.template DeQue<T>();
    LocalTensor<T> b = inB.template DeQue<T>();
    LocalTensor<T> y = outY.template AllocTensor<T>();
    Mul(y, a, b, count);
    PipeBarrier<PIPE_V>();
    Muls(y, y, alpha, count);
    PipeBarrier<PIPE_V>();
    inA.FreeTensor(a);
    inB.FreeTensor(b);
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint64_t at, uint32_t count) {
    LocalTensor<T> y = outY.template DeQue<T>();
    DataCopyPad(yGm[at], y, Piece(count));
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inA, inB;
  TQue<TPosition::VECOUT, 2> outY;
  GlobalTensor<T> aGm, bGm, yGm;
  uint64_t length;
  uint32_t tile;
  T alpha;
};

extern "C" __global__ __aicore__ void
scaled_mul(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  if (TILING_KEY_IS(0)) {
    KernelScaledMul<float> op;
    op.Init(a, b, y, t);
    op.Process();
  } else if (TILING_KEY_IS(1)) {
    KernelScaledMul<half> op;
    op.Init(a, b, y, t);
    op.Process();
  }
}

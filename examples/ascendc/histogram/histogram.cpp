// Histogram of bytes: every core counts in UB by the scalar unit, 256 counters
// of its own, and adds them to the result with one atomic copy.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t BINS = 256;
constexpr uint32_t TILE = 8192;

class KernelHistogram {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR counts, uint32_t total) {
    uint32_t blocks = (total + 31) / 32;
    begin = blocks * GetBlockIdx() / GetBlockNum() * 32;
    end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * 32;
    end = end < total ? end : total;
    xGm.SetGlobalBuffer((__gm__ uint8_t *)x, total);
    countsGm.SetGlobalBuffer((__gm__ int32_t *)counts, BINS);
    pipe.InitBuffer(inBuf, TILE);
    pipe.InitBuffer(countBuf, BINS * sizeof(int32_t));
  }
  __aicore__ inline void Process() {
    LocalTensor<uint8_t> x = inBuf.Get<uint8_t>();
    LocalTensor<int32_t> counts = countBuf.Get<int32_t>();
    Duplicate(counts, int32_t(0), BINS);
    Order<HardEvent::V_S>();
    for (uint32_t at = begin; at < end; at += TILE) {
      uint32_t count = end - at < TILE ? end - at : TILE;
      DataCopyPad(x, xGm[at], {1, count, 0, 0, 0}, {false, 0, 0, 0});
      Order<HardEvent::MTE2_S>();
      for (uint32_t i = 0; i < count; ++i) {
        uint8_t bin = x.GetValue(i);
        counts.SetValue(bin, counts.GetValue(bin) + 1);
      }
      Order<HardEvent::S_MTE2>();
    }
    Order<HardEvent::S_MTE3>();
    SetAtomicAdd<int32_t>();
    DataCopy(countsGm, counts, BINS);
    SetAtomicNone();
  }

private:
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf, countBuf;
  GlobalTensor<uint8_t> xGm;
  GlobalTensor<int32_t> countsGm;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void histogram(GM_ADDR x, GM_ADDR counts,
                                                uint32_t total) {
  KernelHistogram op;
  op.Init(x, counts, total);
  op.Process();
}

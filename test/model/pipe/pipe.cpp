// TPipe: memory and event ids. Each kernel writes what it saw to `seen`.
#include "kernel_operator.h"
using namespace AscendC;

class Seen {
public:
  __aicore__ inline Seen(GM_ADDR seen) {
    gm.SetGlobalBuffer((__gm__ int32_t *)seen, 64);
  }
  __aicore__ inline void operator()(int64_t value) {
    gm.SetValue(at++, static_cast<int32_t>(value));
  }

private:
  GlobalTensor<int32_t> gm;
  uint32_t at = 0;
};

// A free function that only knows the pipe by GetTPipePtr.
__aicore__ inline TEventID TakeId() {
  return GetTPipePtr()->AllocEventID<HardEvent::V_S>();
}

extern "C" __global__ __aicore__ void event_ids(GM_ADDR seen) {
  TPipe pipe;
  Seen see(seen);
  see(GetTPipePtr() == &pipe);
  // Fetch tells an id without taking it; Alloc takes it.
  see(pipe.FetchEventID(HardEvent::MTE2_V) ==
      pipe.FetchEventID<HardEvent::MTE2_V>());
  TEventID first = pipe.AllocEventID<HardEvent::MTE2_V>();
  TEventID second = pipe.AllocEventID<HardEvent::MTE2_V>();
  see(first != second);
  see(pipe.FetchEventID<HardEvent::MTE2_V>() != first);
  see(pipe.FetchEventID<HardEvent::MTE2_V>() != second);
  // Each pair of pipes has ids of its own.
  TEventID other = pipe.AllocEventID<HardEvent::V_MTE3>();
  see(other == first);
  pipe.ReleaseEventID<HardEvent::MTE2_V>(first);
  see(pipe.AllocEventID<HardEvent::MTE2_V>() == first);
  see(TakeId() != TakeId());
  // A new start gives everything back.
  pipe.Reset();
  see(pipe.FetchEventID<HardEvent::MTE2_V>() == first);
}

extern "C" __global__ __aicore__ void memory(GM_ADDR x, GM_ADDR y, GM_ADDR seen,
                                             uint32_t n) {
  Seen see(seen);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  // Most of UB, three times: possible only because Reset and Destroy give it
  // back.
  for (int round = 0; round < 3; ++round) {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
    see(pipe.InitBuffer(que, 1, 128 * 1024));
    LocalTensor<float> t = que.AllocTensor<float>();
    see(t.GetSize());
    DataCopy(t, round == 0 ? xGm : yGm, n);
    que.EnQue<TPosition::GM, TPosition::VECIN, float>(t);
    t = que.DeQue<TPosition::GM, TPosition::VECIN, float>();
    Adds(t, t, 1.0f, n);
    que.EnQue<TPosition::VECOUT, TPosition::GM, float>(t);
    t = que.DeQue<TPosition::VECOUT, TPosition::GM, float>();
    DataCopy(yGm, t, n);
    que.FreeTensor(t);
    PipeBarrier<PIPE_ALL>();
    if (round == 0) {
      pipe.Reset();
    } else {
      pipe.Destroy();
      pipe.Init();
    }
  }
  // Buffers are rounded up to 32 bytes and follow each other.
  TBuf<TPosition::VECCALC> a, b;
  pipe.InitBuffer(a, 40);
  pipe.InitBuffer(b, 32);
  LocalTensor<uint8_t> ta = a.Get<uint8_t>(), tb = b.Get<uint8_t>();
  see(tb.GetPhyAddr() - ta.GetPhyAddr());
  // What is left can be borrowed: it begins where the last buffer ends.
  LocalTensor<uint8_t> rest;
  see(PopStackBuffer<uint8_t, TPosition::LCM>(rest));
  see(rest.GetPhyAddr() - tb.GetPhyAddr());
  see(rest.GetSize() > 50 * 1024);
}

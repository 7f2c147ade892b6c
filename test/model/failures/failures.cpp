// Mistakes, each with a correct neighbour. `op` chooses the rule; `bad` whether
// it is broken.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" void *malloc(size_t);

enum Op : uint32_t {
  EMPTY_QUEUE,
  EXHAUSTED_QUEUE,
  DOUBLE_FREE,
  FOREIGN_TENSOR,
  QUEUE_DEPTH,
  ENQUE_TWICE,
  CAPACITY,
  POOL_CAPACITY,
  NO_BUFFERS,
  EVENT_ID,
  EVENT_IDS_LEFT,
  FLAG_ID,
  DEADLOCK,
  FLAG_DEADLOCK,
  ALL_CORES,
  ENDLESS,
  NULL_POINTER,
  WILD_POINTER,
  MEMORY,
  COPY_PAST_END,
  READ_PAST_END,
  COPY_PAST_SLACK,
  COPY_FROM_NOWHERE,
  ELEMENT_PAST_END,
  WRAPPED_OFFSET,
  LOCAL_ELEMENT,
  LOCAL_FAR_ELEMENT,
  LOCAL_VECTOR,
  MISALIGNED,
  NO_MEMORY,
  RECURSION,
  WRITE_INPUT,
  POKE_INPUT,
  SELECT_RESERVED,
};

__aicore__ __attribute__((noinline)) uint32_t
Descend(volatile uint32_t *depth) {
  volatile uint32_t here[256];
  here[*depth % 256] = *depth;
  if (*depth == 0)
    return 0;
  *depth = *depth - 1;
  return Descend(depth) + here[0]; // each call needs its own frame
}

class Faults {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t n) {
    xGm.SetGlobalBuffer((__gm__ float *)x, n);
    yGm.SetGlobalBuffer((__gm__ float *)y, n);
    length = n;
    raw = (__gm__ float *)y;
    rawInput = (__gm__ float *)x;
  }

  __aicore__ inline void Queue(uint32_t op, bool bad) {
    TQue<TPosition::VECIN, 1> que, other;
    uint8_t buffers = op == NO_BUFFERS && bad ? 0 : 2;
    pipe.InitBuffer(que, buffers, 256); // none at all
    pipe.InitBuffer(other, 1, 256);
    LocalTensor<float> a = que.AllocTensor<float>();
    if (op == EMPTY_QUEUE) {
      if (!bad)
        que.EnQue(a);
      a = que.DeQue<float>(); // nothing was enqueued
    }
    LocalTensor<float> b = que.AllocTensor<float>();
    if (op == EXHAUSTED_QUEUE) {
      if (!bad)
        que.FreeTensor(b);
      b = que.AllocTensor<float>(); // both are taken
    }
    if (op == DOUBLE_FREE) {
      que.FreeTensor(b);
      if (!bad)
        b = que.AllocTensor<float>();
      que.FreeTensor(b); // for the second time
      b = que.AllocTensor<float>();
    }
    if (op == FOREIGN_TENSOR) {
      LocalTensor<float> c = other.AllocTensor<float>();
      if (bad)
        que.FreeTensor(c); // belongs to the other queue
      else
        other.FreeTensor(c);
    }
    if (op == QUEUE_DEPTH) {
      que.EnQue(a);
      if (!bad)
        a = que.DeQue<float>();
      que.EnQue(b); // deeper than the queue
      b = que.DeQue<float>();
    }
    if (op == ENQUE_TWICE) {
      que.EnQue(a);
      if (!bad)
        a = que.DeQue<float>();
      que.EnQue(a); // is in the queue
      a = que.DeQue<float>();
    }
    que.FreeTensor(a);
    que.FreeTensor(b);
  }

  __aicore__ inline void Memory(uint32_t op, bool bad) {
    TBuf<TPosition::VECCALC> first, second;
    TBufPool<TPosition::VECCALC> pool, shared;
    if (op == NO_MEMORY) {
      if (!bad)
        pipe.InitBuffer(first, 64);
      LocalTensor<float> t = first.Get<float>();
      return Duplicate(t, 1.0f, 8); // before InitBuffer
    }
    if (op == POOL_CAPACITY) {
      pipe.InitBufPool(pool, 1024);
      pipe.InitBufPool(shared, bad ? 2048 : 1024, pool); // more than is shared
      return;
    }
    if (op == SELECT_RESERVED) {
      pipe.InitBuffer(first, 1024);
      LocalTensor<float> t = first.Get<float>();
      pipe.InitBuffer(second, (bad ? 184 : 183) * 1024);
      Duplicate(t, 0.0f, 256);
      PipeBarrier<PIPE_ALL>();
      LocalTensor<uint8_t> bits = t.ReinterpretCast<uint8_t>()[512];
      constexpr SELMODE mode = SELMODE::VSEL_TENSOR_SCALAR_MODE;
      return Select(t, bits, t, 1.0f, mode, 64); // wants 8 KB
    }
    pipe.InitBuffer(first, 100 * 1024);
    pipe.InitBuffer(second, bad ? 100 * 1024 : 64 * 1024); // does not fit
  }

  __aicore__ inline void Events(uint32_t op, bool bad) {
    if (op == EVENT_ID) {
      SetFlag<HardEvent::V_MTE3>(bad ? 8 : 7); // ids end at 7
      WaitFlag<HardEvent::V_MTE3>(bad ? 8 : 7);
    }
    if (op == EVENT_IDS_LEFT)
      for (int i = 0; i < 20; ++i) {
        TEventID id = pipe.AllocEventID<HardEvent::V_S>(); // never released
        if (!bad)
          pipe.ReleaseEventID<HardEvent::V_S>(id);
      }
    if (op == FLAG_ID) {
      CrossCoreSetFlag<0, PIPE_MTE3>(bad ? 99 : 9); // no such flag
      CrossCoreWaitFlag(9);
    }
  }

  __aicore__ inline void Cores(uint32_t op, bool bad) {
    if (op == DEADLOCK && bad && GetBlockIdx() == 1)
      return;
    if (op == FLAG_DEADLOCK) {
      if (!bad)
        CrossCoreSetFlag<0, PIPE_MTE3>(4);
      CrossCoreWaitFlag(4); // never set
      return;
    }
    SyncAll(); // all meet here
  }

  __aicore__ inline void Host(uint32_t op, bool bad) {
    if (op == ENDLESS)
      for (volatile uint32_t i = 0; bad || i < 10; i = i + 1) { // for ever
      }
    if (op == NULL_POINTER)
      *(bad ? (volatile __gm__ float *)nullptr : raw) = 1; // no such address
    if (op == WILD_POINTER)
      raw[bad ? 1 << 20 : 0] = 1; // far outside
    if (op == MEMORY)
      for (uint32_t i = 0; i < (bad ? 4096 : 16); ++i) {
        auto *block = (volatile uint8_t *)malloc(1 << 20);
        for (uint32_t at = 0; at < 1 << 20; at += 4096)
          block[at] = 1; // one more MiB
      }
    if (op == RECURSION) {
      volatile uint32_t depth = bad ? 100000000 : 10;
      Descend(&depth);
    }
  }

  __aicore__ inline void Bounds(uint32_t op, bool bad) {
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, length * sizeof(float));
    LocalTensor<float> t = buf.Get<float>();
    GlobalTensor<float> nowhere;
    nowhere.SetGlobalBuffer((__gm__ float *)0x1000, length);
    Duplicate(t, 1.0f, length);
    PipeBarrier<PIPE_ALL>();
    uint32_t wrapped = 0u - 16;
    switch (op) {
    case COPY_PAST_END:
      return DataCopy(yGm[bad ? 8 : 0], t, length); // the last 8 too many
    case READ_PAST_END:
      DataCopy(t, xGm[bad ? 8 : 0], length); // 8 that belong to nobody
      PipeBarrier<PIPE_ALL>();
      return DataCopy(yGm, t, length);
    case COPY_PAST_SLACK:
      return DataCopy(yGm[bad ? 16 : 0], t, length); // the last 16 too many
    case COPY_FROM_NOWHERE:
      return DataCopy(t, bad ? nowhere : xGm, length); // not an argument
    case ELEMENT_PAST_END:
      return yGm.SetValue(bad ? length : length - 1, 1.0f); // one past the end
    case WRAPPED_OFFSET:
      return DataCopy(t, bad ? xGm[wrapped] : xGm[0], 16); // negative, unsigned
    case LOCAL_ELEMENT:
      return t.SetValue(bad ? length : length - 1, 1.0f); // outside its tensor
    case LOCAL_FAR_ELEMENT:
      return t.SetValue(bad ? 64 * 1024 : 0, 1.0f); // an element outside UB
    case LOCAL_VECTOR:
      return Adds(t, t, 1.0f, bad ? 64 * 1024 : length); // outside UB
    case WRITE_INPUT:
      return DataCopy(bad ? xGm : yGm, t, 8); // to the wrong one
    case POKE_INPUT:
      (bad ? rawInput : raw)[3] = 1; // past the API
      return;
    case MISALIGNED:
      return Adds(t[bad ? 1 : 8], t[bad ? 1 : 8], 1.0f, 8); // not at a block
    }
  }

private:
  TPipe pipe;
  GlobalTensor<float> xGm, yGm;
  uint32_t length;
  volatile __gm__ float *raw, *rawInput;
};

extern "C" __global__ __aicore__ void faults(GM_ADDR x, GM_ADDR y, uint32_t op,
                                             bool bad, uint32_t n) {
  Faults f;
  f.Init(x, y, n);
  if (op <= ENQUE_TWICE || op == NO_BUFFERS)
    f.Queue(op, bad);
  else if (op == CAPACITY || op == POOL_CAPACITY || op == NO_MEMORY ||
           op == SELECT_RESERVED)
    f.Memory(op, bad);
  else if (op >= EVENT_ID && op <= FLAG_ID)
    f.Events(op, bad);
  else if (op >= DEADLOCK && op <= ALL_CORES)
    f.Cores(op, bad);
  else if ((op >= ENDLESS && op <= MEMORY) || op == RECURSION)
    f.Host(op, bad);
  else
    f.Bounds(op, bad);
}

// Queues and buffers: what passes through them, and what they tell of
// themselves. `op` chooses the part; x and y have n elements, and `seen` takes
// what the queue answered.
#include "kernel_operator.h"
using namespace AscendC;

enum Op : uint32_t {
  FIFO,
  STATES,
  BIND,
  IN_PLACE,
  HANDLES,
  EMPTY_SCRATCH,
  POOLS,
  MANY_TILES,
  USER_POSITIONS,
};

template <typename T> class Queues {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR seen, uint32_t n) {
    xGm.SetGlobalBuffer((__gm__ T *)x, n);
    yGm.SetGlobalBuffer((__gm__ T *)y, n);
    seenGm.SetGlobalBuffer((__gm__ int32_t *)seen, 32);
    length = n;
  }

  __aicore__ inline void Run(uint32_t op) {
    switch (op) {
    case FIFO:
      return Fifo();
    case STATES:
      return States();
    case BIND:
      return Bind();
    case IN_PLACE:
      return InPlace();
    case HANDLES:
      return Handles();
    case EMPTY_SCRATCH:
      return Scratch();
    case POOLS:
      return Pools();
    case MANY_TILES:
      return ManyTiles();
    case USER_POSITIONS:
      return UserPositions();
    }
  }

private:
  __aicore__ inline void See(int32_t value) { seenGm.SetValue(at++, value); }

  // Three tensors go in before the first comes out: they come out in order.
  __aicore__ inline void Fifo() {
    TQue<TPosition::VECIN, 3> in;
    TQue<TPosition::VECOUT, 3> out;
    uint32_t part = length / 3;
    pipe.InitBuffer(in, 3, part * sizeof(T));
    pipe.InitBuffer(out, 3, part * sizeof(T));
    for (uint32_t i = 0; i < 3; ++i) {
      LocalTensor<T> t = in.AllocTensor<T>();
      DataCopy(t, xGm[i * part], part);
      in.EnQue(t);
    }
    for (uint32_t i = 0; i < 3; ++i) {
      LocalTensor<T> t = in.DeQue<T>();
      LocalTensor<T> z = out.AllocTensor<T>();
      Adds(z, t, T(i), part);
      out.EnQue(z);
      in.FreeTensor(t);
    }
    for (uint32_t i = 0; i < 3; ++i) {
      LocalTensor<T> z = out.DeQue<T>();
      DataCopy(yGm[i * part], z, part);
      out.FreeTensor(z);
    }
  }

  // Two places in the queue, three buffers.
  __aicore__ inline void States() {
    TQue<TPosition::VECIN, 2> que;
    pipe.InitBuffer(que, 3, 1024);
    auto look = [&]() {
      See(que.HasTensorInQue());
      See(que.GetTensorCountInQue());
      See(que.VacantInQue());
      See(que.HasIdleBuffer());
    };
    look();
    LocalTensor<T> a = que.AllocTensor<T>();
    LocalTensor<T> b = que.AllocTensor<T>();
    LocalTensor<T> c = que.AllocTensor<T>();
    look();
    que.EnQue(a);
    que.EnQue(b);
    look();
    a = que.DeQue<T>();
    que.FreeTensor(a);
    look();
    b = que.DeQue<T>();
    que.FreeTensor(b);
    que.FreeTensor(c);
    que.FreeAllEvent();
    look();
  }

  // In and out through the same buffer, no vector unit between.
  __aicore__ inline void Bind() {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> bind;
    uint32_t half = length / 2;
    pipe.InitBuffer(bind, 2, half * sizeof(T));
    for (uint32_t i = 0; i < 2; ++i) {
      LocalTensor<T> t = bind.AllocTensor<T>();
      DataCopy(t, xGm[i * half], half);
      bind.EnQue(t);
      t = bind.DeQue<T>();
      DataCopy(yGm[i * half], t, half);
      bind.FreeTensor(t);
    }
  }

  // Depth 0: the caller owns the tensor object.
  __aicore__ inline void InPlace() {
    TQue<TPosition::VECIN, 0> in;
    TQue<TPosition::VECOUT, 0> out;
    pipe.InitBuffer(in, 1, length * sizeof(T));
    pipe.InitBuffer(out, 1, length * sizeof(T));
    LocalTensor<T> x, y;
    in.template AllocTensor<T>(x);
    DataCopy(x, xGm, length);
    in.EnQue(x);
    in.template DeQue<T>(x);
    out.template AllocTensor<T>(y);
    Adds(y, x, T(1), length);
    in.FreeTensor(x);
    out.EnQue(y);
    out.template DeQue<T>(y);
    DataCopy(yGm, y, length);
    out.FreeTensor(y);
  }

  // The same, through handles.
  __aicore__ inline void Handles() {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    pipe.InitBuffer(bind, 1, length * sizeof(T));
    TBufHandle h = bind.AllocBuffer();
    LocalTensor<T> t;
    t.SetAddr(bind.GetBufferAddr(h));
    DataCopy(t, xGm, length);
    bind.EnQue(h);
    h = bind.DeQue();
    DataCopy(yGm, t, length);
    bind.FreeBuffer(h);
  }

  // TBuf: Get is always the same place; GetWithOffset is another one.
  __aicore__ inline void Scratch() {
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2 * length * sizeof(T));
    LocalTensor<T> whole = buf.Get<T>();
    LocalTensor<T> first = buf.Get<T>(length);
    LocalTensor<T> second = buf.GetWithOffset<T>(length, length * sizeof(T));
    See(whole.GetSize());
    See(first.GetSize());
    See(second.GetSize());
    See(first.GetPhyAddr() - whole.GetPhyAddr());
    See(second.GetPhyAddr() - whole.GetPhyAddr());
    DataCopy(first, xGm, length);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(second, first, T(2), length);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, whole[length], length);
  }

  // Two pools over the same memory, one after the other; a pool inside a pool.
  __aicore__ inline void Pools() {
    TBufPool<TPosition::VECCALC> first, second;
    uint32_t bytes = length * sizeof(T);
    pipe.InitBufPool(first, 2 * bytes);
    pipe.InitBufPool(second, 2 * bytes, first);
    TQue<TPosition::VECIN, 1> in, again;
    TQue<TPosition::VECOUT, 1> out;
    TBufPool<TPosition::VECCALC> inner;
    TBuf<TPosition::VECCALC> scratch;
    first.InitBuffer(in, 1, bytes);
    first.InitBufPool(inner, bytes);
    inner.InitBuffer(scratch, bytes);
    LocalTensor<T> x = in.AllocTensor<T>();
    LocalTensor<T> s = scratch.Get<T>();
    See(s.GetPhyAddr() - x.GetPhyAddr());
    DataCopy(x, xGm, length);
    in.EnQue(x);
    x = in.DeQue<T>();
    Adds(s, x, T(3), length);
    in.FreeTensor(x);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, s, length);
    first.Reset();
    PipeBarrier<PIPE_ALL>();
    second.InitBuffer(again, 1, bytes);
    second.InitBuffer(out, 1, bytes);
    LocalTensor<T> x2 = again.AllocTensor<T>();
    See(x2.GetPhyAddr() - x.GetPhyAddr());
    DataCopy(x2, yGm, length);
    again.EnQue(x2);
    x2 = again.DeQue<T>();
    LocalTensor<T> y = out.AllocTensor<T>();
    Adds(y, x2, T(1), length);
    again.FreeTensor(x2);
    out.EnQue(y);
    y = out.DeQue<T>();
    DataCopy(yGm, y, length);
    out.FreeTensor(y);
    second.Reset();
  }

  // Many more tiles than buffers: a freed buffer is used again.
  __aicore__ inline void ManyTiles() {
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    uint32_t tile = 32 / sizeof(T);
    pipe.InitBuffer(in, 2, tile * sizeof(T));
    pipe.InitBuffer(out, 2, tile * sizeof(T));
    for (uint32_t i = 0; i < length; i += tile) {
      LocalTensor<T> x = in.AllocTensor<T>();
      DataCopy(x, xGm[i], tile);
      in.EnQue(x);
      x = in.DeQue<T>();
      LocalTensor<T> y = out.AllocTensor<T>();
      Adds(y, x, T(1), tile);
      in.FreeTensor(x);
      out.EnQue<T>(y);
      y = out.DeQue<T>();
      DataCopy(yGm[i], y, tile);
      out.FreeTensor(y);
    }
  }

  // One buffer as input and as output of the vector unit.
  __aicore__ inline void UserPositions() {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    pipe.InitBuffer(bind, 1, length * sizeof(T));
    LocalTensor<T> t = bind.AllocTensor<T>();
    DataCopy(t, xGm, length);
    bind.template EnQue<TPosition::GM, TPosition::VECIN, T>(t);
    t = bind.template DeQue<TPosition::GM, TPosition::VECIN, T>();
    Adds(t, t, T(5), length);
    bind.template EnQue<TPosition::VECOUT, TPosition::GM, T>(t);
    t = bind.template DeQue<TPosition::VECOUT, TPosition::GM, T>();
    DataCopy(yGm, t, length);
    bind.FreeTensor(t);
  }

  TPipe pipe;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<int32_t> seenGm;
  uint32_t length, at = 0;
};

template <typename T>
__global__ __aicore__ void queues(GM_ADDR x, GM_ADDR y, GM_ADDR seen,
                                  uint32_t op, uint32_t n) {
  Queues<T> q;
  q.Init(x, y, seen, n);
  q.Run(op);
}

#include "kernel_operator.h"
using namespace AscendC;

// Arguments are lists of tensors: the first word says how far on their
// addresses begin. Numbers of elements are data, so that no condition on them
// is one of the launch.
template <class T>
__aicore__ inline __gm__ T *tensorOf(GM_ADDR list, uint32_t index) {
  __gm__ uint64_t *words = reinterpret_cast<__gm__ uint64_t *>(list);
  __gm__ uint64_t *addresses = words + (*words >> 3);
  return reinterpret_cast<__gm__ T *>(*(addresses + index));
}

/// What is wrong, on one of many paths only.
enum Fault { None, RestIsNotWaitedFor, FirstOfLaterTiles };

template <class T, Fault Is> class Lists {
public:
  __aicore__ inline Lists(TPipe *pipe, GM_ADDR x, GM_ADDR y, GM_ADDR counts,
                          uint32_t tile)
      : x(x), y(y), tile(tile) {
    this->counts.SetGlobalBuffer((__gm__ uint32_t *)counts);
    pipe->InitBuffer(ins, 2, tile * sizeof(T));
    pipe->InitBuffer(scratch, tile * sizeof(T));
  }

  __aicore__ inline void run() {
    uint32_t first = counts.GetValue(GetBlockIdx());
    uint32_t last = counts.GetValue(GetBlockIdx() + 64);
    SetFlag<HardEvent::MTE3_V>(0);
    for (uint32_t i = first; i <= last; ++i) {
      from.SetGlobalBuffer(tensorOf<T>(x, i));
      to.SetGlobalBuffer(tensorOf<T>(y, i));
      tensor(counts.GetValue(128 + i));
    }
    WaitFlag<HardEvent::MTE3_V>(0);
  }

private:
  __aicore__ inline void tensor(uint32_t length) {
    uint32_t tiles = length / tile, rest = length % tile;
    if (rest > 0)
      ++tiles;
    for (uint32_t k = 0; k < tiles; ++k) {
      bool isRest = k == tiles - 1 && rest > 0;
      one(k, isRest, isRest ? rest : tile);
    }
  }

  __aicore__ inline void one(uint32_t k, bool isRest, uint32_t now) {
    LocalTensor<T> a = ins.AllocTensor<T>();
    if (isRest)
      DataCopyPad(a, from[k * tile],
                  {1, static_cast<uint32_t>(now * sizeof(T)), 0, 0, 0},
                  {false, 0, 0, 0});
    else
      DataCopy(a, from[k * tile], now);
    ins.EnQue(a);
    a = ins.DeQue<T>();
    // The next tile waits for what this one stores.
    bool waits = Is != RestIsNotWaitedFor || !isRest;
    if (waits)
      WaitFlag<HardEvent::MTE3_V>(0);
    LocalTensor<T> b = scratch.Get<T>();
    compute(k, a, b, now);
    ins.FreeTensor(a);
    SetFlag<HardEvent::V_MTE3>(1);
    WaitFlag<HardEvent::V_MTE3>(1);
    if (isRest)
      DataCopyPad(to[k * tile], b,
                  {1, static_cast<uint32_t>(now * sizeof(T)), 0, 0, 0});
    else
      DataCopy(to[k * tile], b, now);
    if (waits)
      SetFlag<HardEvent::MTE3_V>(0);
  }

  __aicore__ inline void compute(uint32_t k, const LocalTensor<T> &a,
                                 const LocalTensor<T> &b, uint32_t now) {
    bool first = counts.GetValue(512 + k) > 0;
    bool second = counts.GetValue(1024 + k) > 0;
    Muls(b, a, static_cast<T>(2), now);
    if (!(Is == FirstOfLaterTiles && first && !second && k > 0))
      PipeBarrier<PIPE_V>();
    if (first)
      Adds(b, b, static_cast<T>(1), now);
    PipeBarrier<PIPE_V>();
    if (second)
      Adds(b, b, static_cast<T>(2), now);
    PipeBarrier<PIPE_V>();
  }

  TQue<QuePosition::VECIN, 2> ins;
  TBuf<> scratch;
  GM_ADDR x;
  GM_ADDR y;
  GlobalTensor<T> from, to;
  GlobalTensor<uint32_t> counts;
  uint32_t tile;
};

#define KERNEL(name, fault)                                                    \
  extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y,             \
                                             GM_ADDR counts, uint32_t tile) {  \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                            \
    TPipe pipe;                                                                \
    Lists<half, fault> op(&pipe, x, y, counts, tile);                          \
    op.run();                                                                  \
  }

KERNEL(each_tensor, None)
KERNEL(rest_is_not_waited_for, RestIsNotWaitedFor)
KERNEL(first_of_later_tiles, FirstOfLaterTiles)

// Nothing but the queue holds stores back: to one tensor, the next may be done
// before the one before it.
#define STORES(name, index)                                                    \
  extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y,             \
                                             uint32_t tensors) {               \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                            \
    TPipe pipe;                                                                \
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;                \
    pipe.InitBuffer(queue, 2, 1024);                                           \
    for (uint32_t i = 0; i < tensors; ++i) {                                   \
      GlobalTensor<half> from, to;                                             \
      from.SetGlobalBuffer(tensorOf<half>(x, i));                              \
      to.SetGlobalBuffer(tensorOf<half>(y, index));                            \
      LocalTensor<half> a = queue.AllocTensor<half>();                         \
      DataCopy(a, from, 512);                                                  \
      queue.EnQue(a);                                                          \
      a = queue.DeQue<half>();                                                 \
      DataCopy(to, a, 512);                                                    \
      queue.FreeTensor(a);                                                     \
    }                                                                          \
  }

STORES(stores_to_each, i)
STORES(stores_to_one, 0)
STORES(stores_to_pairs, i / 2)

// Where the tensors are, the kernel itself says.
extern "C" __global__ __aicore__ void writes_addresses(GM_ADDR x, GM_ADDR y) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 1024);
  GlobalTensor<half> from, to;
  from.SetGlobalBuffer(tensorOf<half>(x, 0));
  to.SetGlobalBuffer(tensorOf<half>(y, 0));
  LocalTensor<half> a = queue.AllocTensor<half>();
  DataCopy(a, from, 512);
  queue.EnQue(a);
  a = queue.DeQue<half>();
  DataCopy(to, a, 512);
  queue.FreeTensor(a);
  GlobalTensor<uint64_t> list;
  list.SetGlobalBuffer((__gm__ uint64_t *)y);
  list.SetValue(3, 0);
}

// Sorting in one kernel: x and index in, y and n out. p holds the numbers
// of a call.
#include "kernel_operator.h"

using namespace AscendC;

enum Slot {
  XCount,
  YCount,
  NCount,
  Op,
  Repeat,
  Queue,              // four starts, in elements
  Length = Queue + 4, // four lengths, in records
  Suspend = Length + 4,
  ValidBit,
  Mode,
  YInX, // y starts here in x instead, if not negative
  ConcatRepeat,
};

template <typename T> class Calls {
public:
  __aicore__ inline Calls(GM_ADDR xIn, GM_ADDR iIn, GM_ADDR pIn, GM_ADDR yIn,
                          GM_ADDR nIn) {
    p.SetGlobalBuffer((__gm__ int32_t *)pIn);
    xGm.SetGlobalBuffer((__gm__ T *)xIn, at(XCount));
    iGm.SetGlobalBuffer((__gm__ uint32_t *)iIn, at(NCount));
    yGm.SetGlobalBuffer((__gm__ T *)yIn, at(YCount));
    nGm.SetGlobalBuffer((__gm__ uint32_t *)nIn, at(NCount));
    pipe.InitBuffer(xBuf, at(XCount) * sizeof(T));
    pipe.InitBuffer(iBuf, at(NCount) * 4);
    pipe.InitBuffer(yBuf, at(YCount) * sizeof(T));
    pipe.InitBuffer(nBuf, at(NCount) * 4);
    pipe.InitBuffer(sortBuf, 32768);
    pipe.InitBuffer(tmpBuf, 32768);
    x = xBuf.Get<T>();
    index = iBuf.Get<uint32_t>();
    y = at(YInX) >= 0 ? x[at(YInX)] : yBuf.Get<T>();
    n = nBuf.Get<uint32_t>();
    DataCopy(x, xGm, at(XCount));
    DataCopy(index, iGm, at(NCount));
    DataCopy(yBuf.Get<T>(), yGm, at(YCount));
    DataCopy(n, nGm, at(NCount));
    PipeBarrier<PIPE_ALL>();
  }
  __aicore__ inline void Run() {
    int32_t op = at(Op);
    if (op == 0)
      Sort32(y, x, index, at(Repeat)); // pairs
    else if (op == 1)
      SortAll<false>();
    else if (op == 2)
      SortAll<true>();
    else if (op < 6)
      Merge(op);
    else if (op == 6)
      ProposalConcat(y, x, at(Repeat), at(Mode));
    else if (op == 7)
      ProposalExtract(y, x, at(Repeat), at(Mode));
    else if (op == 8)
      RpSort16(y, x, at(Repeat));
    else
      Sizes();
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, yBuf.Get<T>(), at(YCount));
    DataCopy(nGm, n, at(NCount));
  }

private:
  __aicore__ inline int32_t at(int32_t slot) { return p.GetValue(slot); }

  template <bool full> __aicore__ inline void SortAll() {
    LocalTensor<T> concat;
    LocalTensor<T> sorted = sortBuf.Get<T>(), tmp = tmpBuf.Get<T>();
    TBuf<TPosition::VECCALC> proposals;
    pipe.InitBuffer(proposals, 32768);
    Concat(concat, x, proposals.Get<T>(), at(ConcatRepeat));
    PipeBarrier<PIPE_ALL>();
    Sort<T, full>(sorted, concat, index, tmp, at(Repeat));
    PipeBarrier<PIPE_ALL>();
    Extract(y, n, sorted, at(Repeat));
  }

  __aicore__ inline void Merge(int32_t op) {
    uint16_t lengths[4];
    for (int i = 0; i < 4; ++i)
      lengths[i] = at(Length + i);
    MrgSortSrcList<T> list;
    list.src1 = x[at(Queue)];
    list.src2 = x[at(Queue + 1)];
    if (at(ValidBit) > 3)
      list.src3 = x[at(Queue + 2)];
    if (at(ValidBit) > 7)
      list.src4 = x[at(Queue + 3)];
    if (op == 4) {
      uint32_t sorted[4] = {99, 99, 99, 99};
      if (at(Suspend))
        MrgSort<T, true>(y, list, lengths, sorted, at(ValidBit), at(Repeat));
      else
        MrgSort<T>(y, list, lengths, sorted, at(ValidBit), at(Repeat));
      for (int i = 0; i < 4; ++i)
        n.SetValue(i, sorted[i]);
      return;
    }
    MrgSort4Info info(lengths, at(Suspend), at(ValidBit), at(Repeat));
    if (op == 3)
      MrgSort(y, list, info); // merge
    else
      MrgSort4(y, list, info);
    PipeBarrier<PIPE_ALL>();
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    for (int i = 0; i < 4; ++i)
      n.SetValue(i, taken[i]);
  }

  __aicore__ inline void Sizes() {
    n.SetValue(0, GetSortLen<T>(100));
    n.SetValue(1, GetSortOffset<T>(32));
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, iBuf, yBuf, nBuf, sortBuf, tmpBuf;
  GlobalTensor<int32_t> p;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<uint32_t> iGm, nGm;
  LocalTensor<T> x, y;
  LocalTensor<uint32_t> index, n;
};

template <typename T>
__global__ __aicore__ void sort(GM_ADDR x, GM_ADDR index, GM_ADDR p, GM_ADDR y,
                                GM_ADDR n) {
  Calls<T> calls(x, index, p, y, n);
  calls.Run();
}

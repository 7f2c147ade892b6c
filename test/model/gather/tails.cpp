// Instructions that move elements in an order of their own, over buffers that
// were loaded in part: what comes from the loaded part has a value.
#include "kernel_operator.h"

using namespace AscendC;

// 512 floats, of which the first half is loaded. Eight results from place
// `from` on are stored.
extern "C" __global__ __aicore__ void
tails(GM_ADDR x, GM_ADDR offsets, GM_ADDR y, int32_t op, int32_t from) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, offsetBuf;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<uint32_t> offsetGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 256);
  yGm.SetGlobalBuffer((__gm__ float *)y, 8);
  offsetGm.SetGlobalBuffer((__gm__ uint32_t *)offsets, 64);
  pipe.InitBuffer(xBuf, 2048);
  pipe.InitBuffer(yBuf, 2048);
  pipe.InitBuffer(offsetBuf, 256);
  auto in = xBuf.Get<float>(), out = yBuf.Get<float>();
  auto offset = offsetBuf.Get<uint32_t>();
  DataCopy(in, xGm, 256);
  DataCopy(offset, offsetGm, 64);
  PipeBarrier<PIPE_ALL>();
  uint64_t kept = 0;
  if (op == 0) {
    GatherMask(out, in, 1, false, 0, {1, 8, 8, 0}, kept);
  } else if (op == 1) {
    Gather(out, in, offset, 0u, 64u);
  } else if (op == 2) { // sixteen rows of sixteen floats, eight of them loaded
    uint64_t to[16], row[16];
    for (int i = 0; i < 16; ++i) {
      to[i] = (uint64_t)out[i * 8].GetPhyAddr();
      row[i] = (uint64_t)in[i * 32].GetPhyAddr();
    }
    TransDataTo5HD<float>(to, row, {false, false, 1, 0, 0});
  } else if (op == 3) {
    WholeReduceMax<float>(out, in, 64, 8, 1, 1, 8,
                          ReduceOrder::ORDER_VALUE_INDEX);
  } else if (op == 4) {
    BlockReduceSum<float>(out, in, 8, 64, 1, 1, 8);
  } else {
    PairReduceSum<float>(out, in, 8, 64, 1, 1, 8);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, out[from], 8); // store
}

// Proposals of which only the score and the index are ever written.
extern "C" __global__ __aicore__ void proposals(GM_ADDR x, GM_ADDR y,
                                                int32_t field) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, aBuf, bBuf;
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, 64);
  yGm.SetGlobalBuffer((__gm__ half *)y, 64);
  pipe.InitBuffer(xBuf, 128);
  pipe.InitBuffer(yBuf, 128);
  pipe.InitBuffer(aBuf, 1024);
  pipe.InitBuffer(bBuf, 1024);
  auto in = xBuf.Get<half>(), out = yBuf.Get<half>();
  auto a = aBuf.Get<half>(), b = bBuf.Get<half>();
  DataCopy(in, xGm, 64);
  PipeBarrier<PIPE_ALL>();
  ProposalConcat(a, in, 4, 4);
  ProposalConcat(a, in, 4, 0);
  PipeBarrier<PIPE_ALL>();
  RpSort16(b, a, 4);
  PipeBarrier<PIPE_ALL>();
  uint16_t lengths[4] = {16, 16, 16, 16};
  MrgSort4(a, MrgSortSrcList<half>(b, b[128], b[256], b[384]),
           MrgSort4Info(lengths, false, 15, 1));
  PipeBarrier<PIPE_ALL>();
  ProposalExtract(out, a, 4, field);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, out, 64);
}

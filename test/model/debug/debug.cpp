// What a kernel says while it runs, and how it stops itself.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void say(GM_ADDR x) {
  AscendC::printf("block %d of %ld\n", (int32_t)GetBlockIdx(), GetBlockNum());
  PRINTF("%u %x %5.2f %s 100%%\n", 7u, 255, 1.5f, "text");
  printf("%f %d %lld %llu\n", (half)0.5, (int8_t)-3, (int64_t)-5000000000,
         (uint64_t)18446744073709551615u);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)x, 16);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64);
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, gm, 16);
  PipeBarrier<PIPE_ALL>();
  DumpTensor(t, 5, 4);
  DumpTensor(t.ReinterpretCast<int32_t>(), 6, 2);
  DumpTensor(gm[8], 7, 3);
  uint32_t shape[] = {2, 3};
  DumpTensor(gm, 8, 6, ShapeInfo(2, shape));
}

extern "C" __global__ __aicore__ void stop(GM_ADDR x, uint32_t how, bool bad) {
  int32_t three = bad ? 2 : 3;
  if (how == 0)
    assert(three == 3); // plain
  if (how == 1)
    assert(three == 3, "three is %d\n", three); // with text
  if (how == 2)
    ASCENDC_ASSERT((three == 3), { PRINTF("logged %d\n", three); }); // handler
  if (how == 3 && bad)
    trap(); // trap
  if (how == 4 && bad)
    Trap(); // Trap
  if (how == 5)
    ASSERT(three == 3); // old
  if (how == 6 && bad)
    asm("trap"); // asm
}

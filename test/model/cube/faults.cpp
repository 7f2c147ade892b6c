// One mistake each.
#include "kernel_operator.h"

using namespace AscendC;

__global__ __aicore__ void fault(GM_ADDR a, GM_ADDR c, uint32_t which) {
  TPipe pipe;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  pipe.InitBuffer(a1, 64 * 1024);
  if (which == 1)
    pipe.InitBuffer(a2, 65 * 1024); // too much for L0A
  else
    pipe.InitBuffer(a2, 64 * 1024);
  pipe.InitBuffer(b2, 64 * 1024);
  pipe.InitBuffer(co1, 64 * 1024);
  LocalTensor<half> l1 = a1.Get<half>(), l0a = a2.Get<half>(),
                    l0b = b2.Get<half>();
  LocalTensor<float> l0c = co1.Get<float>();
  GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half *)a);
  DataCopy(l1, gm, Nd2NzParams(1, 32, 32, 0, 32, 32, 1, 0));
  LoadData2DParams load(0, 4, 1, 0, 0, false, 0);
  if (which == 2)
    LoadData(l0a[126 * 256], l1, load); // beyond L0A
  if (which == 3)
    LoadData(l0a[16], l1, load); // not at a fractal
  if (which == 4)
    LoadData(l1, l0a, load); // backwards
  MmadParams p(32, 32, 32, 0, false, true);
  if (which == 5)
    Mmad(l0c, l1, l0b, p); // from L1
  if (which == 6)
    Mmad(l0c[16], l0a, l0b, p); // between fractals
  if (which == 7) {
    p.m = 4096;
    Mmad(l0c, l0a, l0b, p); // too high
  }
  if (which == 8) {
    LocalTensor<bfloat16_t> x = l0a.ReinterpretCast<bfloat16_t>();
    Mmad(l0c, x, l0b, p); // two types
  }
  if (which == 9)
    LoadData(l0a, l1, LoadData2DParamsV2(0, 0, 2, 2, 2, 2, false, 0)); // 950's
  if (which == 10) {
    load.ifTranspose = true;
    LocalTensor<float> wide = l1.ReinterpretCast<float>();
    LocalTensor<float> to = l0b.ReinterpretCast<float>();
    LoadData(to, wide, load); // transposes 16 bits only
  }
  if (which == 11)
    DataCopy(l1, gm, Nd2NzParams(1, 33, 32, 0, 32, 48, 1, 0)); // past the end
  PipeBarrier<PIPE_ALL>();
  LoadData(l0a, l1, load);
  LoadData(l0b, l1, load);
  PipeBarrier<PIPE_ALL>();
  Mmad(l0c, l0a, l0b, p);
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float *)c);
  Fixpipe(out, l0c, FixpipeParamsV220(32, 32, 32, 32, false));
}

// Fields that have no room for their number.
#include "kernel_operator.h"
using namespace AscendC;

#if defined(PADDING)
#define COPY_PAD {1, 4, 0, 0, 0}, {true, 0, 9, 0.0f}
#define COMPARED 64
#define LANES 64
#elif defined(BLOCKS)
#define COPY_PAD {4096, 4, 0, 0, 0}, {false, 0, 0, 0.0f}
#define COMPARED 64
#define LANES 64
#elif defined(COUNT)
#define COPY_PAD {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f}
#define COMPARED 50
#define LANES 64
#elif defined(MASK)
#define COPY_PAD {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f}
#define COMPARED 64
#define LANES 65
#elif defined(LAUNCH)
#define COPY_PAD {1, 4, 0, 0, 0}, {true, 0, right, 0.0f}
#define COMPARED count
#define LANES 64
#else
#define COPY_PAD {1, 4, 0, 0, 0}, {true, 0, 7, 0.0f}
#define COMPARED 64
#define LANES 64
#endif

extern "C" __global__ __aicore__ void fields(GM_ADDR x, GM_ADDR y,
                                             uint8_t right, uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> from, to, bits;
  pipe.InitBuffer(from, 4096 * 32);
  pipe.InitBuffer(to, 1024);
  pipe.InitBuffer(bits, 1024);
  GlobalTensor<float> in;
  in.SetGlobalBuffer((__gm__ float *)x, 4096);
  LocalTensor<float> a = from.Get<float>(), b = to.Get<float>();
  Duplicate(a, 0.0f, 1024);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(a, in, COPY_PAD);
  PipeBarrier<PIPE_ALL>();
  CompareScalar(bits.Get<uint8_t>(), a, 0.0f, CMPMODE::GT, COMPARED);
  WholeReduceMax(b, a, LANES, 1, 1, 1, 8);
}

// Kernels that end badly, one way each.
#include "kernel_operator.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

static int spin(volatile int *flag) {
  while (*flag == 0) { // SPIN
  }
  return *flag;
}
extern "C" __global__ __aicore__ void endless(GM_ADDR x) {
  volatile int zero = 0;
  spin(&zero);
}

static void poke(int *address) {
  *address = 1; // POKE
}
extern "C" __global__ __aicore__ void crash(GM_ADDR x) {
  if (AscendC::GetBlockIdx() == 1)
    poke((int *)16); // CALL
}

static char *volatile kept;
extern "C" __global__ __aicore__ void hog(GM_ADDR x) {
  for (;;) {
    kept = (char *)malloc(16 << 20);
    memset(kept, 1, 16 << 20);
  }
}

extern "C" __global__ __aicore__ void hog_shared(GM_ADDR x) {
  for (;;) {
    kept = (char *)mmap(nullptr, 16 << 20, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(kept, 1, 16 << 20);
  }
}

extern "C" __global__ __aicore__ void leave(GM_ADDR x) { std::exit(0); }

extern "C" __global__ __aicore__ void beyond(GM_ADDR x) {
  AscendC::GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half *)x);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 2048);
  AscendC::LocalTensor<half> tile = buffer.Get<half>();
  AscendC::DataCopy(tile, gm[512], 1024); // BEYOND
}

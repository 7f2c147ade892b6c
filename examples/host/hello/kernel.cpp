// Each core says hello.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void hello(int32_t answer) {
  AscendC::printf("hello from block %d: %d\n", int32_t(AscendC::GetBlockIdx()),
                  answer);
}

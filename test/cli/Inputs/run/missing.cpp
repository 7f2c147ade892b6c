#include "kernel_operator.h"
namespace library {
int missing(int);
}
extern "C" __global__ __aicore__ void calls(GM_ADDR x) {
  if (x)
    library::missing(3);
}

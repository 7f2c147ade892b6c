#include "kernel_operator.h"
extern "C" __global__ __aicore__ void broken(GM_ADDR x) {
  int y = no_such_thing + 1;
}

// Kernels that read and write global memory through plain pointers:
// test/check/pointers.test.
#include "kernel_operator.h"
using namespace AscendC;

struct Plan {
  uint32_t n;
  uint32_t rows;
};

// As many as the argument says, of an argument whose size nothing says.
extern "C" __global__ __aicore__ void as_many(GM_ADDR x, GM_ADDR z,
                                              uint32_t n) {
  auto p = (__gm__ float *)x;
  auto q = (__gm__ float *)z;
  float s = 0;
  for (uint32_t i = 0; i < n; ++i)
    s += p[i];
  *(q + n) = s;
}

// A field, and all of them.
extern "C" __global__ __aicore__ void fields(GM_ADDR x, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  auto t = (__gm__ Plan *)tiling;
  uint32_t n = t->n;
  Plan all = *t;
  auto p = (__gm__ float *)x;
  p[0] = n + all.rows;
}

// All blocks write the same element.
extern "C" __global__ __aicore__ void same_place(GM_ADDR x, uint32_t n) {
  auto p = (__gm__ float *)x;
  if (GetBlockIdx() < n)
    p[3] = 1.0f;
}

// Each its own.
extern "C" __global__ __aicore__ void own_place(GM_ADDR x) {
  auto p = (__gm__ float *)x;
  p[16 * GetBlockIdx()] = 1.0f;
}

// Each its own, but in lines of the cache that several blocks write back.
extern "C" __global__ __aicore__ void own_element(GM_ADDR x) {
  auto p = (__gm__ float *)x;
  p[GetBlockIdx()] = 1.0f;
}

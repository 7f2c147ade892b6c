// Functions of threads, each with one mistake that WRONG leaves in.
#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

using Gm = __gm__ float *;
using GmInt = __gm__ uint32_t *;
using Ub = __ubuf__ float *;

#ifdef WRONG
constexpr bool Wrong = true;
#else
constexpr bool Wrong = false;
#endif

/// Runs a function with a buffer of 256 floats in front of another one.
template <auto Function>
__aicore__ inline void started(GM_ADDR x, GM_ADDR z, dim3 threads) {
  TPipe pipe;
  TBuf<> buf, more;
  pipe.InitBuffer(buf, 1024); // set up
  asc_vf_call<Function>(threads, (Gm)z, (Gm)x,
                        (Ub)buf.Get<float>().GetPhyAddr());
}

// Bytes of one word, by different threads.
__simt_vf__ inline void bytes(Gm z, Gm x, Ub part) {
  auto *own = (__ubuf__ uint8_t *)part;
  uint32_t t = threadIdx.x;
  own[t] = 1;
  if (Wrong && t == 40)
    own[41] = 2; // another's byte
  asc_syncthreads();
  if (t < 64)
    z[t] = part[t] == 0.0f;
}
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR z) {
  started<bytes>(x, z, dim3(256));
}

// The first who reads and a later one who writes, over many readers.
__simt_vf__ inline void shared(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  if (t == 0)
    part[0] = x[0];
  asc_syncthreads();
  z[t] = part[0] + x[t]; // reads
  if (!Wrong)
    asc_syncthreads();
  if (t == 200)
    part[0] = 1; // writes
}
extern "C" __global__ __aicore__ void readers(GM_ADDR x, GM_ADDR z) {
  started<shared>(x, z, dim3(256));
}

// An exchange orders the threads of a warp, and no others.
__simt_vf__ inline void inWarp(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = x[t]; // stores
  asc_activemask();
  uint32_t from = Wrong ? (t + 32) % 256 : t ^ 1;
  z[t] = part[from]; // takes
}
extern "C" __global__ __aicore__ void warp(GM_ADDR x, GM_ADDR z) {
  started<inWarp>(x, z, dim3(256));
}

// A flag that one thread sets and another waits for.
__simt_vf__ inline void handed(Gm z, Gm x, Ub part) {
  auto *flag = (__ubuf__ uint32_t *)(part + 128);
  uint32_t t = threadIdx.x;
  if (t == 0)
    *flag = 0;
  asc_syncthreads();
  if (t == 33) {
    part[0] = x[0]; // hands over
    if (!Wrong)
      asc_threadfence_block();
    asc_atomic_exch(flag, 1u);
  }
  if (t == 0) {
    while (asc_atomic_add(flag, 0u) == 0u) {
    }
    z[0] = part[0]; // receives
  }
}
extern "C" __global__ __aicore__ void handover(GM_ADDR x, GM_ADDR z) {
  started<handed>(x, z, dim3(64));
}

// Threads are named as the kernel numbers them.
__simt_vf__ inline void grid(Gm z, Gm x, Ub part) {
  uint32_t i = threadIdx.y * (Wrong ? 8 : 16) + threadIdx.x;
  z[i] = x[i]; // overlaps
}
extern "C" __global__ __aicore__ void grids(GM_ADDR x, GM_ADDR z) {
  started<grid>(x, z, dim3(16, 4));
}

// Past the buffer, into no other.
__simt_vf__ inline void past(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = x[t];
  asc_syncthreads();
  float next = 0;
  if (Wrong || t < 255)
    next = part[t + 1]; // leaves the buffer
  z[t] = next;
}
extern "C" __global__ __aicore__ void bounds(GM_ADDR x, GM_ADDR z) {
  started<past>(x, z, dim3(256));
}
__simt_vf__ inline void pastGlobal(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  if (Wrong || t < 256)
    z[t] = x[t]; // leaves global
}
extern "C" __global__ __aicore__ void global_bounds(GM_ADDR x, GM_ADDR z) {
  started<pastGlobal>(x, z, dim3(257));
}
__simt_vf__ inline void unwritten(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  if (!Wrong || t != 77)
    part[t] = x[t];
  asc_syncthreads();
  z[t] = part[t]; // has no value
}
extern "C" __global__ __aicore__ void values(GM_ADDR x, GM_ADDR z) {
  started<unwritten>(x, z, dim3(256));
}
// A read-modify-write is a load and a store.
__simt_vf__ inline void both(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  z[Wrong ? t / 2 : t] += x[t]; // adds
}
extern "C" __global__ __aicore__ void additions(GM_ADDR x, GM_ADDR z) {
  started<both>(x, z, dim3(256));
}
// Barriers at two places, as many for each thread.
__simt_vf__ inline void elsewhere(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  if (Wrong && t < 32)
    asc_syncthreads(); // one
  else
    asc_syncthreads(); // other
  z[t] = x[t];
}
extern "C" __global__ __aicore__ void places(GM_ADDR x, GM_ADDR z) {
  started<elsewhere>(x, z, dim3(256));
}
// A barrier in a function that two branches call, and in a loop.
__aicore__ inline void meet() { asc_syncthreads(); }
__simt_vf__ inline void helpers(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  for (uint32_t i = 0; i < 4; ++i) {
    if (t < 100 + i)
      part[t] = x[t];
    else
      part[t] = 2 * x[t];
    meet();
  }
  z[t] = part[t];
}
extern "C" __global__ __aicore__ void helper(GM_ADDR x, GM_ADDR z) {
  started<helpers>(x, z, dim3(256));
}

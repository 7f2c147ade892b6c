// Functions that many threads execute.
#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

using Gm = __gm__ float *;
using GmInt = __gm__ int32_t *;
using Ub = __ubuf__ float *;
using UbInt = __ubuf__ int32_t *;

// --- indices -----------------------------------------------------------------
__simt_vf__ __launch_bounds__(2048) inline void number(GmInt z, int32_t n) {
  int32_t i =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  z[i] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z;
}
extern "C" __global__ __aicore__ void numbers(GM_ADDR z, uint32_t x, uint32_t y,
                                              uint32_t depth, int32_t n) {
  asc_vf_call<number>(dim3(x, y, depth), (GmInt)z, n);
}
// As many iterations as the data says; each thread of all blocks its own.
__simt_vf__ inline void collatz(GmInt z, GmInt x, int32_t n) {
  int32_t threads = Simt::GetThreadNum();
  for (int32_t i = Simt::GetThreadIdx() + block_idx * threads; i < n;
       i += block_num * threads) {
    int32_t steps = 0;
    for (int64_t v = x[i]; v != 1; ++steps)
      v = v % 2 ? 3 * v + 1 : v / 2;
    z[i] = steps;
  }
}
extern "C" __global__ __aicore__ void steps(GM_ADDR x, GM_ADDR z, int32_t n) {
  Simt::VF_CALL<collatz>(Simt::Dim3{128, 1, 1}, (GmInt)z, (GmInt)x, n);
}

// --- barriers ----------------------------------------------------------------
__simt_vf__ __launch_bounds__(2048) inline void halve(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = x[t];
  for (uint32_t n = blockDim.x / 2; n > 0; n /= 2) {
    asc_syncthreads();
    if (t < n)
      part[t] += part[t + n];
  }
  if (t == 0)
    z[0] = part[0];
}
extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR z,
                                            uint32_t threads) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2048 * sizeof(float));
  asc_vf_call<halve>(dim3(threads), (Gm)z, (Gm)x,
                     (Ub)buf.Get<float>().GetPhyAddr());
}

// --- warps -------------------------------------------------------------------
__simt_vf__ inline void exchange(GmInt z, int32_t width) {
  int32_t t = threadIdx.x, n = blockDim.x;
  z[0 * n + t] = asc_shfl(t, 5, width);
  z[1 * n + t] = asc_shfl_up(t, 3, width);
  z[2 * n + t] = asc_shfl_down(t, 3, width);
  z[3 * n + t] = asc_shfl_xor(t, 6, width);
  z[4 * n + t] = asc_reduce_add(t);
  z[5 * n + t] = asc_reduce_max(-t);
  z[6 * n + t] = asc_reduce_min(-t);
  z[7 * n + t] = asc_ballot(t % 3 == 0);
  z[8 * n + t] = asc_all(t < 64) + 2 * asc_any(t == 70);
  z[9 * n + t] = laneid();
}
extern "C" __global__ __aicore__ void warps(GM_ADDR z, int32_t width) {
  asc_vf_call<exchange>(dim3(96), (GmInt)z, width);
}
// Only those of a branch take part, and those that are still in a loop come
// before those that have left it.
__simt_vf__ inline void diverge(GmInt z) {
  int32_t t = threadIdx.x, n = blockDim.x;
  int32_t mine = 0;
  if (t % 2)
    mine = asc_reduce_add(1);
  else
    mine = -asc_reduce_add(t);
  z[t] = mine;
  int32_t rounds = 0;
  for (int32_t i = 0; i < t % 5; ++i)
    rounds += asc_reduce_add(1);
  z[n + t] = rounds;
  z[2 * n + t] = asc_reduce_add(1);
  if (t % 32 >= 20)
    return;
  z[3 * n + t] = static_cast<int32_t>(asc_activemask());
}
extern "C" __global__ __aicore__ void branches(GM_ADDR z) {
  asc_vf_call<diverge>(dim3(64), (GmInt)z);
}
__simt_vf__ inline void sumHalf(__gm__ half *z, __gm__ half *x, Gm f) {
  z[threadIdx.x] = asc_reduce_add(x[threadIdx.x]);
  f[threadIdx.x] = asc_shfl_down(f[threadIdx.x], 1);
}
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR z, GM_ADDR f) {
  asc_vf_call<sumHalf>(dim3(32), (__gm__ half *)z, (__gm__ half *)x, (Gm)f);
}

// --- atomics -----------------------------------------------------------------
__simt_vf__ inline void count(__gm__ uint32_t *bins, GmInt x, UbInt local,
                              int32_t n) {
  uint32_t t = threadIdx.x;
  for (uint32_t b = t; b < 16; b += blockDim.x)
    local[b] = 0;
  asc_syncthreads();
  for (int32_t i = t; i < n; i += blockDim.x)
    asc_atomic_add(local + x[i], 1);
  asc_syncthreads();
  if (t < 16)
    asc_atomic_add(bins + t, static_cast<uint32_t>(local[t]));
}
extern "C" __global__ __aicore__ void histogram(GM_ADDR x, GM_ADDR bins,
                                                int32_t n) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 64);
  asc_vf_call<count>(dim3(256), (__gm__ uint32_t *)bins,
                     (GmInt)x + GetBlockIdx() * n,
                     (UbInt)buf.Get<int32_t>().GetPhyAddr(), n);
}
__simt_vf__ inline void everyAtomic(__gm__ uint32_t *u, Gm f) {
  uint32_t t = threadIdx.x;
  asc_atomic_add(u + 0, t);
  asc_atomic_sub(u + 1, t);
  asc_atomic_max(u + 2, t);
  asc_atomic_min(u + 3, t);
  asc_atomic_inc(u + 4, 9u);
  asc_atomic_dec(u + 5, 9u);
  asc_atomic_and(u + 6, ~(1u << (t % 16)));
  asc_atomic_or(u + 7, 1u << (t % 32));
  asc_atomic_xor(u + 8, t);
  asc_atomic_exch(u + 9, 7u);
  asc_atomic_cas(u + 10, 0u, 8u);
  asc_atomic_add(f, 0.5f);
  Simt::AtomicMax(f + 1, static_cast<float>(t));
}
extern "C" __global__ __aicore__ void atomics(GM_ADDR u, GM_ADDR f) {
  asc_vf_call<everyAtomic>(dim3(100), (__gm__ uint32_t *)u, (Gm)f);
}
// A lock: whoever finds it taken waits for another thread.
__simt_vf__ inline void locked(__gm__ uint32_t *lock, GmInt sum) {
  while (asc_atomic_cas(lock, 0u, 1u) != 0u) {
  }
  asc_threadfence();
  *sum = *sum + static_cast<int32_t>(threadIdx.x);
  asc_threadfence();
  asc_atomic_exch(lock, 0u);
}
extern "C" __global__ __aicore__ void locks(GM_ADDR lock, GM_ADDR sum) {
  asc_vf_call<locked>(dim3(64), (__gm__ uint32_t *)lock, (GmInt)sum);
}

// --- with the other units ----------------------------------------------------
__simt_vf__ __launch_bounds__(1024) inline void gather(Ub z, Gm x, UbInt index,
                                                       int32_t n) {
  for (int32_t i = threadIdx.x; i < n; i += blockDim.x)
    z[i] = x[index[i]];
}
extern "C" __global__ __aicore__ void gathered(GM_ADDR x, GM_ADDR index,
                                               GM_ADDR z, int32_t n) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 4096);
  pipe.InitBuffer(out, 4096);
  GlobalTensor<int32_t> indexGm;
  GlobalTensor<float> zGm;
  indexGm.SetGlobalBuffer((GmInt)index);
  zGm.SetGlobalBuffer((Gm)z);
  auto i = in.Get<int32_t>();
  auto c = out.Get<float>();
  DataCopyPad(i, indexGm, {1, uint32_t(n * 4), 0, 0, 0}, {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  asc_vf_call<gather>(dim3(256), (Ub)c.GetPhyAddr(), (Gm)x,
                      (UbInt)i.GetPhyAddr(), n);
  Muls(c, c, 2.0f, n);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(zGm, c, {1, uint32_t(n * 4), 0, 0, 0});
}

// --- how long it takes -------------------------------------------------------
__simt_vf__ inline void spin(GmInt z, int32_t times) {
  uint32_t v = threadIdx.x;
  for (int32_t i = 0; i < times; ++i)
    v = v * 1664525u + 1013904223u;
  z[threadIdx.x] = static_cast<int32_t>(v);
}
extern "C" __global__ __aicore__ void long_threads(GM_ADDR z, int32_t times) {
  asc_vf_call<spin>(dim3(1024), (GmInt)z, times);
}

//===- register/threads.h - Code for many threads ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 3510's functions for threads, and how vector functions are started. What
// a thread computes is followed for one thread that stands for all.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_THREADS_H
#define BELAY_ASCENDC_API_REGISTER_THREADS_H

#include "api/register/anywhere.h"
#include <cmath>
#include <limits>
#include <type_traits>

#define __simt_vf__ __aicore__
#define __simt_callee__ __aicore__
#define LAUNCH_BOUND(Threads)
#define __launch_bounds__(...)

struct dim3 {
  uint32_t x = 1, y = 1, z = 1;
  constexpr dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1)
      : x(x), y(y), z(z) {}
};

namespace belay_threads {

inline constexpr uint32_t MostThreads = 2048;

template <class T> BELAY_API T something(T value) {
  if constexpr (!std::is_integral_v<T>)
    return value;
  else
    return static_cast<T>(belay_sim_thread_value(
        0, static_cast<uint64_t>(std::numeric_limits<T>::max())));
}

struct Index {
  BELAY_API operator uint32_t() const {
    return static_cast<uint32_t>(belay_sim_thread_value(0, MostThreads - 1));
  }
};
struct Extent {
  BELAY_API operator uint32_t() const {
    return static_cast<uint32_t>(belay_sim_thread_value(1, MostThreads));
  }
};
struct Block {
  BELAY_API operator uint32_t() const { return belay_sim_block_idx(); }
};
struct Blocks {
  BELAY_API operator uint32_t() const { return belay_sim_block_num(); }
};
template <class T> struct Three {
  T x, y, z;
};

template <auto Function, class... A> BELAY_API void start(A &&...a) {
  belay_sim_threads_begin();
  Function(a...);
  belay_sim_threads_end();
}
template <auto Function, class... A> BELAY_API void startVector(A &&...a) {
  belay_sim_vector_begin();
  Function(a...);
  belay_sim_vector_end();
}

} // namespace belay_threads

inline constexpr belay_threads::Three<belay_threads::Index> threadIdx{};
inline constexpr belay_threads::Three<belay_threads::Extent> blockDim{};
inline constexpr belay_threads::Three<belay_threads::Block> blockIdx{};
inline constexpr belay_threads::Three<belay_threads::Blocks> gridDim{};
inline constexpr int32_t warpSize = 32;

/// Threads if their number comes first, a vector function else.
template <auto Function, class... A>
BELAY_API void asc_vf_call(dim3, A &&...a) {
  belay_threads::start<Function>(a...);
}
template <
    auto Function, class First, class... A,
    std::enable_if_t<!std::is_base_of_v<dim3, std::decay_t<First>>, int> = 0>
BELAY_API void asc_vf_call(First &&first, A &&...a) {
  belay_threads::startVector<Function>(first, a...);
}

// --- memory and order --------------------------------------------------------
#define BELAY_THREAD_ATOMIC(Name)                                              \
  template <class T, class U> BELAY_API T Name(T *address, U) {                \
    belay_sim_thread_store(address, sizeof(T));                                \
    return belay_threads::something(T());                                      \
  }
BELAY_THREAD_ATOMIC(asc_atomic_add)
BELAY_THREAD_ATOMIC(asc_atomic_sub)
BELAY_THREAD_ATOMIC(asc_atomic_exch)
BELAY_THREAD_ATOMIC(asc_atomic_max)
BELAY_THREAD_ATOMIC(asc_atomic_min)
BELAY_THREAD_ATOMIC(asc_atomic_inc)
BELAY_THREAD_ATOMIC(asc_atomic_dec)
BELAY_THREAD_ATOMIC(asc_atomic_and)
BELAY_THREAD_ATOMIC(asc_atomic_or)
BELAY_THREAD_ATOMIC(asc_atomic_xor)
template <class T, class U, class V>
BELAY_API T asc_atomic_cas(T *address, U, V) {
  belay_sim_thread_store(address, sizeof(T));
  return belay_threads::something(T());
}
template <class T> BELAY_API T asc_ldcg(T *address) { return *address; }
template <class T> BELAY_API T asc_ldca(T *address) { return *address; }
template <class T, class U> BELAY_API void asc_stcg(T *address, U value) {
  *address = value;
}
template <class T, class U> BELAY_API void asc_stwt(T *address, U value) {
  *address = value;
}
BELAY_API void asc_syncthreads() {
  belay_sim_thread_operation("asc_syncthreads");
}
BELAY_API void asc_threadfence() {
  belay_sim_thread_operation("asc_threadfence");
}
BELAY_API void asc_threadfence_block() {
  belay_sim_thread_operation("asc_threadfence_block");
}

// --- among the threads of a warp ---------------------------------------------
#define BELAY_WARP_MOVE(Name)                                                  \
  template <class T> BELAY_API T Name(T value, uint32_t, int32_t = warpSize) { \
    return belay_threads::something(value);                                    \
  }
BELAY_WARP_MOVE(asc_shfl)
BELAY_WARP_MOVE(asc_shfl_up)
BELAY_WARP_MOVE(asc_shfl_down)
BELAY_WARP_MOVE(asc_shfl_xor)
#undef BELAY_WARP_MOVE
#define BELAY_WARP_REDUCE(Name)                                                \
  template <class T> BELAY_API T Name(T value) {                               \
    return belay_threads::something(value);                                    \
  }
BELAY_WARP_REDUCE(asc_reduce_add)
BELAY_WARP_REDUCE(asc_reduce_max)
BELAY_WARP_REDUCE(asc_reduce_min)
#undef BELAY_WARP_REDUCE
BELAY_API int32_t asc_all(int32_t value) {
  return belay_threads::something(value);
}
BELAY_API int32_t asc_any(int32_t value) {
  return belay_threads::something(value);
}
BELAY_API uint32_t asc_ballot(int32_t) { return belay_threads::something(0U); }
BELAY_API uint32_t asc_activemask() { return belay_threads::something(0U); }

// --- integers and reals ------------------------------------------------------
using std::isfinite;
using std::isinf;
using std::isnan;
#define BELAY_THREAD_HIGH(Name, T)                                             \
  BELAY_API T Name(T, T) { return belay_threads::something(T()); }
BELAY_THREAD_HIGH(__mulhi, int32_t)
BELAY_THREAD_HIGH(__umulhi, uint32_t)
BELAY_THREAD_HIGH(__mul64hi, int64_t)
BELAY_THREAD_HIGH(__umul64hi, uint64_t)
#undef BELAY_THREAD_HIGH

namespace AscendC {

template <auto Function, class... A> BELAY_API void VF_CALL(A &&...a) {
  belay_threads::startVector<Function>(a...);
}

namespace Simt {

struct Dim3 : ::dim3 {
  using ::dim3::dim3;
};
enum class SatMode : uint8_t { NO_SAT, SAT };
enum class MemMode : uint8_t { DEFAULT, L2_CACHE_HINT };

template <auto Function, class... A> BELAY_API void VF_CALL(::dim3, A &&...a) {
  belay_threads::start<Function>(a...);
}
template <int32_t Dim = 0> BELAY_API int32_t GetThreadIdx() {
  return static_cast<int32_t>(
      belay_sim_thread_value(0, belay_threads::MostThreads - 1));
}
template <int32_t Dim = 0> BELAY_API int32_t GetThreadNum() {
  return static_cast<int32_t>(
      belay_sim_thread_value(1, belay_threads::MostThreads));
}
BELAY_API int32_t GetBlockIdx() {
  return static_cast<int32_t>(belay_sim_block_idx());
}
BELAY_API int32_t GetBlockNum() {
  return static_cast<int32_t>(belay_sim_block_num());
}
BELAY_API void ThreadBarrier() { asc_syncthreads(); }
template <class T> BELAY_API T UintDiv(T value, T, T) {
  return static_cast<T>(belay_sim_thread_value(0, static_cast<T>(~T(0)) >> 1));
}
template <class T> BELAY_API T MulHi(T, T) {
  return belay_threads::something(T());
}
template <class T, class U, auto... Modes> BELAY_API T Cast(U value) {
  return static_cast<T>(value);
}
#define BELAY_SIMT_ATOMIC(Name)                                                \
  template <class T, class U> BELAY_API T Name(T *address, U) {                \
    belay_sim_thread_store(address, sizeof(T));                                \
    return belay_threads::something(T());                                      \
  }
BELAY_SIMT_ATOMIC(AtomicAdd)
BELAY_SIMT_ATOMIC(AtomicSub)
BELAY_SIMT_ATOMIC(AtomicMax)
BELAY_SIMT_ATOMIC(AtomicMin)
BELAY_SIMT_ATOMIC(AtomicExch)
#undef BELAY_SIMT_ATOMIC
template <class T, class U, class V> BELAY_API T AtomicCas(T *address, U, V) {
  belay_sim_thread_store(address, sizeof(T));
  return belay_threads::something(T());
}
#define BELAY_SIMT_MATH(Name)                                                  \
  template <class T, class... More> BELAY_API T Name(T value, More...) {       \
    return belay_threads::something(value);                                    \
  }
BELAY_SIMT_MATH(Abs)
BELAY_SIMT_MATH(Acos)
BELAY_SIMT_MATH(Asin)
BELAY_SIMT_MATH(Atan)
BELAY_SIMT_MATH(Ceil)
BELAY_SIMT_MATH(Cos)
BELAY_SIMT_MATH(Exp)
BELAY_SIMT_MATH(Exp2)
BELAY_SIMT_MATH(Expm1)
BELAY_SIMT_MATH(Floor)
BELAY_SIMT_MATH(Fma)
BELAY_SIMT_MATH(Log)
BELAY_SIMT_MATH(Log1p)
BELAY_SIMT_MATH(Log2)
BELAY_SIMT_MATH(Max)
BELAY_SIMT_MATH(Min)
BELAY_SIMT_MATH(Pow)
BELAY_SIMT_MATH(Rint)
BELAY_SIMT_MATH(Round)
BELAY_SIMT_MATH(Rsqrt)
BELAY_SIMT_MATH(Sin)
BELAY_SIMT_MATH(Sqrt)
BELAY_SIMT_MATH(Tan)
BELAY_SIMT_MATH(Tanh)
BELAY_SIMT_MATH(Trunc)
#undef BELAY_SIMT_MATH

} // namespace Simt
} // namespace AscendC
#undef BELAY_THREAD_ATOMIC

#endif // BELAY_ASCENDC_API_REGISTER_THREADS_H

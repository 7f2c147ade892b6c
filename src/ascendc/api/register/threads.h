//===- register/threads.h - Code for many threads ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 3510's functions for threads, and how vector functions are started. The
// threads run in the simulator (decision 20); the check follows one of them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_THREADS_H
#define BELAY_ASCENDC_API_REGISTER_THREADS_H

#include "api/register/anywhere.h"
#include <type_traits>

#define __simt_vf__ __aicore__
#define __simt_callee__ __aicore__
#ifndef __host__
#define __host__
#endif
#define LAUNCH_BOUND(Threads)
#define __launch_bounds__(...)

struct dim3 {
  uint32_t x = 1, y = 1, z = 1;
  constexpr dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1)
      : x(x), y(y), z(z) {}
};

namespace belay_threads {

using belay::sim::Elem;
using belay::sim::ThreadAtomic;
using belay::sim::WarpOp;

template <uint32_t Dimension> struct Index {
  BELAY_API operator uint32_t() const {
    return belay_sim_thread_index(Dimension);
  }
};
template <uint32_t Dimension> struct Extent {
  BELAY_API operator uint32_t() const {
    return belay_sim_thread_extent(Dimension);
  }
};
/// Blocks of a launch with threads, in y and z: one, unless the launch says so.
#if defined(BELAY_STATIC)
inline constexpr uint32_t gridY = 1, gridZ = 1;
#else
inline thread_local uint32_t gridY = 1, gridZ = 1;
#endif
template <uint32_t Dimension> struct Blocks {
  BELAY_API operator uint32_t() const {
    return Dimension == 0   ? belay_sim_block_num() / (gridY * gridZ)
           : Dimension == 1 ? gridY
                            : gridZ;
  }
};
template <uint32_t Dimension> struct Block {
  BELAY_API operator uint32_t() const {
    uint32_t n = belay_sim_block_idx(), x = Blocks<0>();
    return Dimension == 0   ? n % x
           : Dimension == 1 ? n / x % gridY
                            : n / x / gridY;
  }
};
template <template <uint32_t> class T> struct Three {
  T<0> x;
  T<1> y;
  T<2> z;
  BELAY_API operator dim3() const { return dim3(x, y, z); }
};

template <class F> BELAY_API void callBody(void *body) {
  (*static_cast<F *>(body))();
}
/// True if the caller is to follow one thread itself.
template <class F> BELAY_API void run(dim3 threads, F body) {
  if (belay_sim_threads_run(&callBody<F>, &body, threads.x, threads.y,
                            threads.z)) {
    body();
    belay_sim_threads_end();
  }
}

template <auto Function, class... A>
BELAY_API void start(dim3 threads, A &&...a) {
  run(threads, [&] { Function(a...); });
}
template <auto Function, class... A> BELAY_API void startVector(A &&...a) {
  AscendC::belay_detail::beginFunction();
  Function(a...);
  AscendC::belay_detail::endFunction();
}

// Values travel as bits.
template <class T> BELAY_API uint64_t bitsOf(T value) {
  static_assert(sizeof(T) <= 8);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(value);
  } else {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
  }
}
template <class T> BELAY_API T fromBits(uint64_t bits) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    T value;
    __builtin_memcpy(static_cast<void *>(&value), &bits, sizeof(T));
    return value;
  }
}
/// The type that an atomic or a reduction computes in.
template <class T> constexpr Elem elementOf() {
  if constexpr (std::is_same_v<T, half>)
    return Elem::F16;
  else if constexpr (std::is_floating_point_v<T>)
    return Elem::F32;
  else if constexpr (sizeof(T) == 8)
    return std::is_signed_v<T> ? Elem::S64 : Elem::U64;
  else
    return std::is_signed_v<T> ? Elem::S32 : Elem::U32;
}

template <class T>
BELAY_API T exchange(WarpOp op, T value, uint32_t argument = 0,
                     int32_t width = 32) {
  return fromBits<T>(belay_sim_thread_warp(op, elementOf<T>(), bitsOf(value),
                                           argument,
                                           static_cast<uint32_t>(width)));
}
template <class T>
BELAY_API T atomic(ThreadAtomic op, T *address, T value, T expected = T()) {
  using Plain = std::remove_volatile_t<T>;
  static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                "atomics of threads have 32 or 64 bits");
  return fromBits<Plain>(belay_sim_thread_atomic(
      op, elementOf<Plain>(), const_cast<Plain *>(address),
      bitsOf<Plain>(value), bitsOf<Plain>(expected)));
}

} // namespace belay_threads

inline constexpr belay_threads::Three<belay_threads::Index> threadIdx{};
inline constexpr belay_threads::Three<belay_threads::Extent> blockDim{};
inline constexpr belay_threads::Three<belay_threads::Block> blockIdx{};
inline constexpr belay_threads::Three<belay_threads::Blocks> gridDim{};
inline constexpr int32_t warpSize = 32;

/// Threads if their number comes first, a vector function else.
template <auto Function, class... A>
BELAY_API void asc_vf_call(dim3 threads, A &&...a) {
  belay_threads::start<Function>(threads, a...);
}
template <
    auto Function, class First, class... A,
    std::enable_if_t<!std::is_base_of_v<dim3, std::decay_t<First>>, int> = 0>
BELAY_API void asc_vf_call(First &&first, A &&...a) {
  belay_threads::startVector<Function>(first, a...);
}
template <auto Function> BELAY_API void asc_vf_call() {
  belay_threads::startVector<Function>();
}

// --- memory and order --------------------------------------------------------
#define BELAY_THREAD_ATOMIC(Name, Op)                                          \
  template <class T>                                                           \
  BELAY_API std::remove_volatile_t<T> Name(T *address,                         \
                                           std::remove_cv_t<T> value) {        \
    return belay_threads::atomic<T>(belay_threads::ThreadAtomic::Op, address,  \
                                    value);                                    \
  }
BELAY_THREAD_ATOMIC(asc_atomic_add, Add)
BELAY_THREAD_ATOMIC(asc_atomic_sub, Sub)
BELAY_THREAD_ATOMIC(asc_atomic_exch, Exchange)
BELAY_THREAD_ATOMIC(asc_atomic_max, Max)
BELAY_THREAD_ATOMIC(asc_atomic_min, Min)
BELAY_THREAD_ATOMIC(asc_atomic_inc, Inc)
BELAY_THREAD_ATOMIC(asc_atomic_dec, Dec)
BELAY_THREAD_ATOMIC(asc_atomic_and, And)
BELAY_THREAD_ATOMIC(asc_atomic_or, Or)
BELAY_THREAD_ATOMIC(asc_atomic_xor, Xor)
template <class T>
BELAY_API std::remove_volatile_t<T> asc_atomic_cas(T *address,
                                                   std::remove_cv_t<T> compare,
                                                   std::remove_cv_t<T> value) {
  return belay_threads::atomic<T>(belay_threads::ThreadAtomic::Compare, address,
                                  value, compare);
}
template <class T> BELAY_API std::remove_cv_t<T> asc_ldcg(T *address) {
  return *address;
}
template <class T> BELAY_API std::remove_cv_t<T> asc_ldca(T *address) {
  return *address;
}
template <class T>
BELAY_API void asc_stcg(T *address, std::remove_cv_t<T> value) {
  *address = value;
}
template <class T>
BELAY_API void asc_stwt(T *address, std::remove_cv_t<T> value) {
  *address = value;
}
BELAY_API void asc_syncthreads() { belay_sim_thread_barrier(); }
BELAY_API void asc_threadfence() { belay_sim_thread_fence(); }
BELAY_API void asc_threadfence_block() { belay_sim_thread_fence(); }
BELAY_API void asc_nop() {}

// --- among the threads of a warp ---------------------------------------------
BELAY_API uint32_t belay_thread_number() {
  return belay_sim_thread_index(0) +
         belay_sim_thread_extent(0) *
             (belay_sim_thread_index(1) +
              belay_sim_thread_extent(1) * belay_sim_thread_index(2));
}
BELAY_API uint32_t laneid() {
  return belay_thread_number() % static_cast<uint32_t>(warpSize);
}
BELAY_API uint32_t lanemask_eq() { return 1u << laneid(); }
BELAY_API uint32_t lanemask_lt() { return (1u << laneid()) - 1; }
BELAY_API uint32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
BELAY_API uint32_t lanemask_gt() { return ~lanemask_le(); }
BELAY_API uint32_t lanemask_ge() { return ~lanemask_lt(); }

#define BELAY_WARP_MOVE(Name, Op, A)                                           \
  template <class T>                                                           \
  BELAY_API T Name(T value, A argument, int32_t width = warpSize) {            \
    return belay_threads::exchange(belay_threads::WarpOp::Op, value,           \
                                   static_cast<uint32_t>(argument), width);    \
  }
BELAY_WARP_MOVE(asc_shfl, Shuffle, int32_t)
BELAY_WARP_MOVE(asc_shfl_up, Up, uint32_t)
BELAY_WARP_MOVE(asc_shfl_down, Down, uint32_t)
BELAY_WARP_MOVE(asc_shfl_xor, Xor, int32_t)
#undef BELAY_WARP_MOVE
#define BELAY_WARP_REDUCE(Name, Op)                                            \
  template <class T> BELAY_API T Name(T value) {                               \
    return belay_threads::exchange(belay_threads::WarpOp::Op, value);          \
  }
BELAY_WARP_REDUCE(asc_reduce_add, ReduceAdd)
BELAY_WARP_REDUCE(asc_reduce_max, ReduceMax)
BELAY_WARP_REDUCE(asc_reduce_min, ReduceMin)
#undef BELAY_WARP_REDUCE
BELAY_API int32_t asc_all(int32_t predicate) {
  return belay_threads::exchange(belay_threads::WarpOp::All, predicate);
}
BELAY_API int32_t asc_any(int32_t predicate) {
  return belay_threads::exchange(belay_threads::WarpOp::Any, predicate);
}
BELAY_API uint32_t asc_ballot(int32_t predicate) {
  return static_cast<uint32_t>(
      belay_threads::exchange(belay_threads::WarpOp::Ballot, predicate));
}
BELAY_API uint32_t asc_activemask() {
  return belay_threads::exchange(belay_threads::WarpOp::ActiveMask, 1u);
}

#include "api/register/thread_math.h"

namespace AscendC {

template <auto Function, class... A> BELAY_API void VF_CALL(A &&...a) {
  belay_threads::startVector<Function>(a...);
}

} // namespace AscendC

#include "api/register/simt.h"
#undef BELAY_THREAD_ATOMIC

#endif // BELAY_ASCENDC_API_REGISTER_THREADS_H

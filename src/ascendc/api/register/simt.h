//===- register/simt.h - Threads as AscendC::Simt names them ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_SIMT_H
#define BELAY_ASCENDC_API_REGISTER_SIMT_H

#include <cmath>

namespace AscendC::Simt {

struct Dim3 : ::dim3 {
  using ::dim3::dim3;
};
enum class SatMode : uint8_t { NO_SAT, SAT };
enum class MemMode : uint8_t { DEFAULT, L2_CACHE_HINT };

template <auto Function, class... A>
BELAY_API void VF_CALL(::dim3 threads, A &&...a) {
  belay_threads::start<Function>(threads, a...);
}
template <int32_t Dim = 0> BELAY_API int32_t GetThreadIdx() {
  return static_cast<int32_t>(belay_sim_thread_index(Dim));
}
template <int32_t Dim = 0> BELAY_API int32_t GetThreadNum() {
  return static_cast<int32_t>(belay_sim_thread_extent(Dim));
}
BELAY_API int32_t GetWarpSize() { return warpSize; }
BELAY_API int32_t GetBlockIdx() {
  return static_cast<int32_t>(belay_sim_block_idx());
}
BELAY_API int32_t GetBlockNum() {
  return static_cast<int32_t>(belay_sim_block_num());
}
BELAY_API void ThreadBarrier() { belay_sim_thread_barrier(); }
BELAY_API void ThreadFence() { belay_sim_thread_fence(); }

// --- among the threads of a warp ---------------------------------------------
BELAY_API int32_t WarpAllSync(int32_t predicate) { return asc_all(predicate); }
BELAY_API int32_t WarpAnySync(int32_t predicate) { return asc_any(predicate); }
BELAY_API uint32_t WarpBallotSync(int32_t predicate) {
  return asc_ballot(predicate);
}
BELAY_API uint32_t WarpActiveMask() { return asc_activemask(); }
#define BELAY_SIMT_MOVE(Name, Function, A)                                     \
  template <class T>                                                           \
  BELAY_API T Name(T value, A argument, int32_t width = warpSize) {            \
    return Function(value, argument, width);                                   \
  }
BELAY_SIMT_MOVE(WarpShflSync, asc_shfl, int32_t)
BELAY_SIMT_MOVE(WarpShflUpSync, asc_shfl_up, uint32_t)
BELAY_SIMT_MOVE(WarpShflDownSync, asc_shfl_down, uint32_t)
BELAY_SIMT_MOVE(WarpShflXorSync, asc_shfl_xor, int32_t)
#undef BELAY_SIMT_MOVE
template <class T> BELAY_API T WarpReduceAddSync(T value) {
  return asc_reduce_add(value);
}
template <class T> BELAY_API T WarpReduceMaxSync(T value) {
  return asc_reduce_max(value);
}
template <class T> BELAY_API T WarpReduceMinSync(T value) {
  return asc_reduce_min(value);
}

// --- atomics -----------------------------------------------------------------
BELAY_THREAD_ATOMIC(AtomicAdd, Add)
BELAY_THREAD_ATOMIC(AtomicSub, Sub)
BELAY_THREAD_ATOMIC(AtomicExch, Exchange)
BELAY_THREAD_ATOMIC(AtomicMax, Max)
BELAY_THREAD_ATOMIC(AtomicMin, Min)
BELAY_THREAD_ATOMIC(AtomicInc, Inc)
BELAY_THREAD_ATOMIC(AtomicDec, Dec)
BELAY_THREAD_ATOMIC(AtomicAnd, And)
BELAY_THREAD_ATOMIC(AtomicOr, Or)
BELAY_THREAD_ATOMIC(AtomicXor, Xor)
template <class T>
BELAY_API T AtomicCas(T *address, std::remove_cv_t<T> compare,
                      std::remove_cv_t<T> value) {
  return asc_atomic_cas(address, compare, value);
}

// --- integers and reals ------------------------------------------------------
/// Division by a number that the host has turned into a product and a shift.
template <class T> BELAY_API T UintDiv(T dividend, T magic, T shift) {
  static_assert(std::is_unsigned_v<T>);
  return static_cast<T>(dividend + belay_threads::mulHigh(dividend, magic)) >>
         shift;
}
template <class T> BELAY_API T MulHi(T a, T b) {
  return belay_threads::mulHigh(a, b);
}
template <class T> BELAY_API T Brev(T x) {
  return belay_threads::reverseBits(x);
}
template <class T> BELAY_API int32_t Clz(T x) {
  return belay_threads::leadingZeros(x);
}
template <class T> BELAY_API int32_t Popc(T x) {
  return __builtin_popcountll(static_cast<std::make_unsigned_t<T>>(x));
}
template <class T> BELAY_API int32_t Ffs(T x) {
  return __builtin_ffsll(static_cast<int64_t>(x));
}
template <class T, class U, auto... Modes> BELAY_API T Cast(U value) {
  return static_cast<T>(value);
}
template <class T> BELAY_API T Abs(T x) { return x < T(0) ? T(-x) : x; }
template <class T> BELAY_API T Max(T a, T b) { return a > b ? a : b; }
template <class T> BELAY_API T Min(T a, T b) { return a < b ? a : b; }
template <class T> BELAY_API T Fma(T a, T b, T c) {
  if constexpr (std::is_same_v<T, float>)
    return std::fma(a, b, c);
  else
    return static_cast<T>(std::fma(static_cast<double>(a),
                                   static_cast<double>(b),
                                   static_cast<double>(c)));
}
template <class T> BELAY_API T Mod(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a % b;
  else
    return static_cast<T>(
        std::fmod(static_cast<float>(a), static_cast<float>(b)));
}
template <class T> BELAY_API T Pow(T a, T b) {
  return static_cast<T>(std::pow(static_cast<float>(a), static_cast<float>(b)));
}
template <class T> BELAY_API T CopySign(T a, T b) {
  return static_cast<T>(
      std::copysign(static_cast<float>(a), static_cast<float>(b)));
}
template <class T> BELAY_API T Rsqrt(T x) {
  return static_cast<T>(1.0f / std::sqrt(static_cast<float>(x)));
}
// Half goes through float, as the device's functions do.
#define BELAY_SIMT_MATH(Name, Function)                                        \
  template <class T> BELAY_API T Name(T x) {                                   \
    return static_cast<T>(Function(static_cast<float>(x)));                    \
  }
BELAY_SIMT_MATH(Acos, std::acos)
BELAY_SIMT_MATH(Acosh, std::acosh)
BELAY_SIMT_MATH(Asin, std::asin)
BELAY_SIMT_MATH(Asinh, std::asinh)
BELAY_SIMT_MATH(Atan, std::atan)
BELAY_SIMT_MATH(Atanh, std::atanh)
BELAY_SIMT_MATH(Ceil, std::ceil)
BELAY_SIMT_MATH(Cos, std::cos)
BELAY_SIMT_MATH(Cosh, std::cosh)
BELAY_SIMT_MATH(Erf, std::erf)
BELAY_SIMT_MATH(Erfc, std::erfc)
BELAY_SIMT_MATH(Exp, std::exp)
BELAY_SIMT_MATH(Exp2, std::exp2)
BELAY_SIMT_MATH(Expm1, std::expm1)
BELAY_SIMT_MATH(Floor, std::floor)
BELAY_SIMT_MATH(Log, std::log)
BELAY_SIMT_MATH(Log10, std::log10)
BELAY_SIMT_MATH(Log1p, std::log1p)
BELAY_SIMT_MATH(Log2, std::log2)
BELAY_SIMT_MATH(Rint, std::rint)
BELAY_SIMT_MATH(Round, std::round)
BELAY_SIMT_MATH(Sin, std::sin)
BELAY_SIMT_MATH(Sinh, std::sinh)
BELAY_SIMT_MATH(Sqrt, std::sqrt)
BELAY_SIMT_MATH(Tan, std::tan)
BELAY_SIMT_MATH(Tanh, std::tanh)
BELAY_SIMT_MATH(Trunc, std::trunc)
#undef BELAY_SIMT_MATH

} // namespace AscendC::Simt

#endif // BELAY_ASCENDC_API_REGISTER_SIMT_H

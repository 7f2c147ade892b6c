//===- scalar.h - Helpers of the scalar unit --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SCALAR_H
#define BELAY_ASCENDC_API_SCALAR_H

#include "abi/Vector.h"
#include "api/tensor.h"

namespace AscendC {

// --- bits --------------------------------------------------------------------
template <int countValue> BELAY_API int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1);
  return __builtin_popcountll(countValue ? valueIn : ~valueIn);
}
template <int countValue>
BELAY_API int64_t ScalarGetCountOfValue(uint64_t valueIn) {
  return GetBitCount<countValue>(valueIn);
}
BELAY_API int64_t CountLeadingZero(uint64_t valueIn) {
  return valueIn ? __builtin_clzll(valueIn) : 64;
}
BELAY_API int64_t ScalarCountLeadingZero(uint64_t valueIn) {
  return CountLeadingZero(valueIn);
}
/// How many bits after the sign repeat it; -1 if all do.
BELAY_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
  uint64_t differing = static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
  return differing ? __builtin_clzll(differing) - 1 : -1;
}
/// The place of the lowest 0 or 1; -1 if there is none.
template <int countValue> BELAY_API int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1);
  uint64_t wanted = countValue ? valueIn : ~valueIn;
  return wanted ? __builtin_ctzll(wanted) : -1;
}
template <int countValue>
BELAY_API int64_t ScalarGetSFFValue(uint64_t valueIn) {
  return GetSFFValue<countValue>(valueIn);
}

// --- integers ----------------------------------------------------------------
/// Division by an invariant: x / divisor is (mulhi(x, magic) + x) >> shift.
template <typename T>
BELAY_API void GetUintDivMagicAndShift(T &magic, T &shift, T divisor) {
  constexpr unsigned bits = 8 * sizeof(T);
  T s = 0;
  while (s < bits && (static_cast<unsigned __int128>(1) << s) < divisor)
    ++s;
  auto one = static_cast<unsigned __int128>(1);
  magic =
      static_cast<T>(((one << bits) * ((one << s) - divisor)) / divisor + 1);
  shift = s;
}
template <int count = 1> BELAY_API void Nop() {
  belay_sim_pipe_barrier(belay::sim::Pipe::All);
}

// --- words in global memory --------------------------------------------------
namespace belay_detail {
template <typename T>
BELAY_API T globalAtomic(belay::sim::GlobalAtomic op, __gm__ T *address,
                         T value, const T *expected = nullptr) {
  T old;
  belay_sim_global_atomic(op, elem<T>, address, &value, expected, &old);
  return old;
}
} // namespace belay_detail
template <typename T> BELAY_API T AtomicAdd(__gm__ T *address, T value) {
  return belay_detail::globalAtomic(belay::sim::GlobalAtomic::Add, address,
                                    value);
}
template <typename T> BELAY_API T AtomicMax(__gm__ T *address, T value) {
  return belay_detail::globalAtomic(belay::sim::GlobalAtomic::Max, address,
                                    value);
}
template <typename T> BELAY_API T AtomicMin(__gm__ T *address, T value) {
  return belay_detail::globalAtomic(belay::sim::GlobalAtomic::Min, address,
                                    value);
}
template <typename T> BELAY_API T AtomicExch(__gm__ T *address, T value) {
  return belay_detail::globalAtomic(belay::sim::GlobalAtomic::Exchange, address,
                                    value);
}
/// Stores value2 if value1 was there.
template <typename T>
BELAY_API T AtomicCas(__gm__ T *address, T value1, T value2) {
  return belay_detail::globalAtomic(belay::sim::GlobalAtomic::Compare, address,
                                    value2, &value1);
}
template <typename T>
BELAY_API void WriteGmByPassDCache(__gm__ T *addr, T value) {
  belay_sim_uncached(addr, sizeof(T), true);
  *reinterpret_cast<volatile T *>(addr) = value;
}
template <typename T> BELAY_API T ReadGmByPassDCache(__gm__ T *addr) {
  belay_sim_uncached(addr, sizeof(T), false);
  return *reinterpret_cast<volatile T *>(addr);
}

} // namespace AscendC

// --- instructions of the scalar unit, by the compiler's names ----------------
BELAY_API int64_t bcnt0(uint64_t x) { return AscendC::GetBitCount<0>(x); }
BELAY_API int64_t bcnt1(uint64_t x) { return AscendC::GetBitCount<1>(x); }
BELAY_API int64_t clz(uint64_t x) { return AscendC::CountLeadingZero(x); }
BELAY_API int64_t sff0(uint64_t x) { return AscendC::GetSFFValue<0>(x); }
BELAY_API int64_t sff1(uint64_t x) { return AscendC::GetSFFValue<1>(x); }
BELAY_API int64_t sflbits(int64_t x) {
  return AscendC::CountBitsCntSameAsSignBit(x);
}

#endif // BELAY_ASCENDC_API_SCALAR_H

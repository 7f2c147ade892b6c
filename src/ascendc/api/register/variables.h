//===- register/variables.h - Variables in the unified buffer ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `__ubuf__ float tile[8];` in a function is one array for all threads of a
// block, and `extern __ubuf__ char rest[];` is what the launch asks for
// besides. Belay writes both as the macros below (toolchain/KernelScan.h). On
// the device the former come first; here the launch's part starts at 0 and the
// others lie above it, since nobody knows how many there are when the first is
// used.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_VARIABLES_H
#define BELAY_ASCENDC_API_REGISTER_VARIABLES_H

#include "api/basic.h"

namespace belay_threads {

/// Below the threads' data cache.
inline constexpr uint32_t CacheBytes = 32 << 10;

BELAY_API uint8_t *dynamicUb() {
  return belay_sim_memory(belay::sim::Space::UB);
}

#if defined(BELAY_STATIC)
template <class T> BELAY_API T &staticUb(uint32_t &) {
  return *reinterpret_cast<T *>(dynamicUb());
}
#define BELAY_UB_PLACE static uint32_t
#else
/// Bytes that variables of this core take.
inline thread_local uint32_t staticBytes = 0;

/// Place is that of the variable plus 1, once it has one.
template <class T> BELAY_API T &staticUb(uint32_t &place) {
  uint32_t top = belay_sim_memory_bytes(belay::sim::Space::UB) - CacheBytes;
  if (!place) {
    staticBytes += (sizeof(T) + 31) / 32 * 32;
    if (staticBytes > top)
      belay_sim_fail("local-capacity",
                     "the variables of this kernel do not fit into the UB, of "
                     "which threads need 32 KB for their data cache",
                     "make the arrays smaller");
    place = top - staticBytes + 1;
  }
  return *reinterpret_cast<T *>(dynamicUb() + place - 1);
}
#define BELAY_UB_PLACE static thread_local uint32_t
#endif

/// Outside of functions.
template <class T> struct DynamicUb {
  BELAY_API operator T *() const { return reinterpret_cast<T *>(dynamicUb()); }
};

} // namespace belay_threads

#define BELAY_UB_STATIC(Name, ...)                                             \
  using Name##_belayType = __VA_ARGS__;                                        \
  BELAY_UB_PLACE Name##_belayPlace = 0;                                        \
  Name##_belayType &Name =                                                     \
      belay_threads::staticUb<Name##_belayType>(Name##_belayPlace)
#define BELAY_UB_DYNAMIC(Name, ...)                                            \
  __VA_ARGS__ *const Name =                                                    \
      reinterpret_cast<__VA_ARGS__ *>(belay_threads::dynamicUb())
#define BELAY_UB_GLOBAL(Name, ...)                                             \
  inline constexpr belay_threads::DynamicUb<__VA_ARGS__> Name {}

#endif // BELAY_ASCENDC_API_REGISTER_VARIABLES_H

//===- Futex.h - Waiting for the other side of a ring -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_FUTEX_H
#define BELAY_SEALED_FUTEX_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace belay::sim::sealed {

/// How often to look before sleeping: a few microseconds.
inline constexpr unsigned Spins = 400;
inline constexpr uint64_t NeverWake = ~uint64_t(0);

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

/// Sleeps while the low word is that of Seen, and at most 20 ms: the other side
/// may be gone, or lie.
template <typename T> void sleepOn(std::atomic<T> &Word, T Seen) {
  timespec Most = {0, 20'000'000};
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&Word), FUTEX_WAIT,
          static_cast<uint32_t>(Seen), &Most, nullptr, 0);
}

template <typename T> void wake(std::atomic<T> &Word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&Word), FUTEX_WAKE, INT_MAX,
          nullptr, nullptr, 0);
}

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_FUTEX_H

//===- Pointers.h - What Clang says about loads and stores ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --check kernels are compiled with the outlined checks of Clang's kernel
// address sanitizer, so that `p[i]` of a plain __gm__ or __ubuf__ pointer is
// seen as GetValue and SetValue are. The functions are defined where the kernel
// is loaded, which says what becomes of an access.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_POINTERS_H
#define BELAY_ABI_POINTERS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace belay::sim {

/// What the API has just said about an element, which it touches itself by a
/// pointer right after.
struct AnnouncedAccess {
  const void *Address = nullptr;
  uint64_t Bytes = 0;
  bool Write = false;

  bool covers(const void *Of, uint64_t Length, bool Stores) const {
    auto Begin = reinterpret_cast<uintptr_t>(Address);
    auto At = reinterpret_cast<uintptr_t>(Of);
    return Stores == Write && At >= Begin && At - Begin < Bytes &&
           Length <= Bytes - (At - Begin);
  }
};

} // namespace belay::sim

#define BELAY_POINTER_CALL extern "C" __attribute__((visibility("default")))

/// Defines the functions that Clang calls, each with Tell(Address, Bytes,
/// Write).
#define BELAY_POINTER_HANDLERS(Tell)                                           \
  BELAY_POINTER_HANDLER(1, Tell)                                               \
  BELAY_POINTER_HANDLER(2, Tell)                                               \
  BELAY_POINTER_HANDLER(4, Tell)                                               \
  BELAY_POINTER_HANDLER(8, Tell)                                               \
  BELAY_POINTER_HANDLER(16, Tell)                                              \
  BELAY_POINTER_CALL void __asan_loadN_noabort(const void *A, size_t Bytes) {  \
    Tell(A, Bytes, false);                                                     \
  }                                                                            \
  BELAY_POINTER_CALL void __asan_storeN_noabort(const void *A, size_t Bytes) { \
    Tell(A, Bytes, true);                                                      \
  }                                                                            \
  BELAY_POINTER_CALL void *__asan_memcpy(void *To, const void *From,           \
                                         size_t Bytes) {                       \
    Tell(From, Bytes, false);                                                  \
    Tell(To, Bytes, true);                                                     \
    return std::memcpy(To, From, Bytes);                                       \
  }                                                                            \
  BELAY_POINTER_CALL void *__asan_memmove(void *To, const void *From,          \
                                          size_t Bytes) {                      \
    Tell(From, Bytes, false);                                                  \
    Tell(To, Bytes, true);                                                     \
    return std::memmove(To, From, Bytes);                                      \
  }                                                                            \
  BELAY_POINTER_CALL void *__asan_memset(void *To, int Value, size_t Bytes) {  \
    Tell(To, Bytes, true);                                                     \
    return std::memset(To, Value, Bytes);                                      \
  }                                                                            \
  BELAY_POINTER_CALL void __asan_handle_no_return() {}
#define BELAY_POINTER_HANDLER(Bytes, Tell)                                     \
  BELAY_POINTER_CALL void __asan_load##Bytes##_noabort(const void *A) {        \
    Tell(A, Bytes, false);                                                     \
  }                                                                            \
  BELAY_POINTER_CALL void __asan_store##Bytes##_noabort(const void *A) {       \
    Tell(A, Bytes, true);                                                      \
  }

#endif // BELAY_ABI_POINTERS_H

//===- securec.h - Bounded string functions ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_SECUREC_H
#define BELAY_OPHOST_SECUREC_H

#include <cstdarg>
#include <cstdio>
#include <cstring>

typedef int errno_t;
#ifndef EOK
#define EOK 0
#endif

inline errno_t memcpy_s(void *To, size_t Capacity, const void *From,
                        size_t Bytes) {
  if (!To || !From || Bytes > Capacity)
    return 22;
  std::memcpy(To, From, Bytes);
  return EOK;
}
inline errno_t memset_s(void *To, size_t Capacity, int Value, size_t Bytes) {
  if (!To || Bytes > Capacity)
    return 22;
  std::memset(To, Value, Bytes);
  return EOK;
}
inline errno_t strcpy_s(char *To, size_t Capacity, const char *From) {
  return memcpy_s(To, Capacity, From, std::strlen(From) + 1);
}
__attribute__((format(printf, 4, 5))) inline int
snprintf_s(char *To, size_t Capacity, size_t Count, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  int Written = std::vsnprintf(To, Capacity, Format, Args);
  va_end(Args);
  return Written < 0 || static_cast<size_t>(Written) > Count ? -1 : Written;
}

#endif // BELAY_OPHOST_SECUREC_H

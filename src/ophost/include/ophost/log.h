//===- log.h - Logging of the vendor's framework ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_LOG_H
#define BELAY_OPHOST_LOG_H

#include <cstdio>

// Operators log through the framework. Errors are shown; the rest is not,
// unless BELAY_OPHOST_LOG says so.

#define DLOG_DEBUG 0x0
#define DLOG_INFO 0x1
#define DLOG_WARN 0x2
#define DLOG_ERROR 0x3
#define DLOG_NULL 0x4
#define DLOG_EVENT 0x10
#define MSG_LENGTH 1024

enum { OP = 63, GE = 45, FE = 46 };

#ifndef BELAY_OPHOST_LOG
#define BELAY_OPHOST_LOG DLOG_ERROR
#endif

inline int CheckLogLevel(int, int Level) {
  return Level >= BELAY_OPHOST_LOG && Level != DLOG_EVENT;
}

#define BELAY_LOG(Level, ...)                                                  \
  do {                                                                         \
    if (CheckLogLevel(0, Level)) {                                             \
      std::fprintf(stderr, __VA_ARGS__);                                       \
      std::fputc('\n', stderr);                                                \
    }                                                                          \
  } while (false)
#define DlogSub(Module, Submodule, Level, ...) BELAY_LOG(Level, __VA_ARGS__)
#define dlog_debug(Module, ...) BELAY_LOG(DLOG_DEBUG, __VA_ARGS__)
#define dlog_info(Module, ...) BELAY_LOG(DLOG_INFO, __VA_ARGS__)
#define dlog_warn(Module, ...) BELAY_LOG(DLOG_WARN, __VA_ARGS__)
#define dlog_error(Module, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)

#define REPORT_INNER_ERROR(Code, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)
#define REPORT_CALL_ERROR(Code, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)
#define REPORT_INNER_ERR_MSG(Code, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)
#define REPORT_CALL_ERR_MSG(Code, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)

#endif // BELAY_OPHOST_LOG_H

//===- slog.h - Logging -----------------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_TOOLCHAIN_SLOG_H
#define BELAY_OPHOST_TOOLCHAIN_SLOG_H

#include "ophost/log.h"

#endif // BELAY_OPHOST_TOOLCHAIN_SLOG_H

//===- DumpConfig.h - Reading "dump" of a configuration ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_DUMPCONFIG_H
#define BELAY_DEVICE_CORE_DUMPCONFIG_H

#include "device/core/Dump.h"

namespace belay::device {

/// Of a file in JSON. Without "dump", To stays empty. An error code, and what
/// is wrong with the file.
int readDumpConfig(const char *File, std::optional<DumpConfig> &To,
                   std::string &Problem);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_DUMPCONFIG_H

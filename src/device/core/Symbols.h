//===- Symbols.h - The lines of the host program ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_SYMBOLS_H
#define BELAY_DEVICE_CORE_SYMBOLS_H

#include "device/core/Errors.h"

#include <cstdint>
#include <string>

namespace belay::device {

/// A line of a program, in a form that other processes understand: where it
/// calls, and where that was called from, and so on.
struct CodePlace {
  static constexpr unsigned Depth = 7;
  char Object[968];
  uint64_t Offsets[Depth]; // 0 at the end
};
/// The callers are known while Site is on the stack.
BELAY_DEVICE_API CodePlace placeOf(const void *Site);
std::string describePlace(const CodePlace &Place);

/// "main.cpp:12:3" if the program has line tables and a symbolizer is
/// installed, else "program+0x1234". Site is a return address; frames in the
/// host library's headers are passed over. Empty for no site.
std::string describeSite(const void *Site);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_SYMBOLS_H

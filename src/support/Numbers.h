//===- Numbers.h - Numbers as text ------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_NUMBERS_H
#define BELAY_SUPPORT_NUMBERS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace belay::support {

/// printf's %g, which formatv does not have: 1e-05, 0.25, 3.
inline std::string formatNumber(double Value, int Digits = 6) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.*g", Digits, Value);
  return Text;
}

/// The largest size that the command line or a file may name. Far above any
/// device's memory, far below where products of extents could wrap.
inline constexpr uint64_t MaxParsedBytes = uint64_t(1) << 40;

/// 4096, 64K, 16M, 2G, with or without a final B or iB: powers of two. Nothing
/// above MaxParsedBytes.
std::optional<uint64_t> parseBytes(llvm::StringRef Text);

} // namespace belay::support

#endif // BELAY_SUPPORT_NUMBERS_H

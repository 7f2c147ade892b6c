//===- Tiling.h - Values of a kernel's tiling structure ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiling is given by field name, and the compiler says where each field lies:
// the wrapper of the kernel asks it with offsetof. Names go into the compiled
// wrapper, values do not, so new values need no new compilation.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_TILING_H
#define BELAY_CASES_TILING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm::json {
class Value;
} // namespace llvm::json

namespace belay::cases {

/// Larger tiling structures than this do not exist; the device's own limit is
/// far lower.
inline constexpr uint64_t MaxTilingBytes = 1 << 20;

/// A field and its values, as written: numbers are read once the field's type
/// is known.
struct TilingValue {
  std::string Field;
  std::vector<std::string> Values;
};

struct TilingSpec {
  /// Sorted by name, each name once.
  std::vector<TilingValue> Values;
  /// The whole structure, as bytes.
  std::string File;
  std::optional<std::string> Bytes;
  /// C++ type; "" means the kernel's own default.
  std::string Struct;
  /// Included before the kernel.
  std::string Header;

  bool given() const { return !Values.empty() || !File.empty() || Bytes; }
  std::vector<std::string> fieldNames() const;

  /// Adds or replaces one field.
  llvm::Error set(llvm::StringRef Field, std::vector<std::string> NewValues);

  /// Reads `a=1,b.c=2,dims=[1,2,3]`, FILE.json or FILE.bin.
  llvm::Error parse(llvm::StringRef Text);

  /// Reads a JSON object; nested objects become `a.b`.
  llvm::Error parseObject(const llvm::json::Value &Object);
};

} // namespace belay::cases

#endif // BELAY_CASES_TILING_H

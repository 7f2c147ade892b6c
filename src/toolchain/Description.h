//===- Description.h - What a compiled kernel says of itself ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-symbols reads the object's `belay_entry` (abi/Entry.h) and prints it as
// JSON. The text comes from a process that has read untrusted input, so it is
// checked like any other input.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_DESCRIPTION_H
#define BELAY_TOOLCHAIN_DESCRIPTION_H

#include "abi/Entry.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::toolchain {

struct DescribedParam {
  sim::ParamKind Kind = sim::ParamKind::Pointer;
  uint32_t Bytes = 0, Alignment = 1;
};

struct DescribedField {
  std::string Name;
  uint32_t Offset = 0, ElementBytes = 0, Count = 1;
  sim::ParamKind Kind = sim::ParamKind::Integer;
  bool Signed = false;
};

struct DescribedTask {
  std::string Function;
  std::optional<uint64_t> TilingKey;
  sim::TaskKind Kind = sim::TaskKind::Unset;
};

struct Description {
  std::string Name;
  std::vector<DescribedParam> Params;
  uint32_t TilingBytes = 0;
  std::vector<DescribedField> Fields;
  std::vector<DescribedTask> Tasks;

  /// Fails on anything that does not fit together: a field outside the
  /// structure, a size that is not a size.
  static llvm::Expected<Description> parse(llvm::StringRef Json);
};

/// "pointer", "8-byte integer", "48-byte structure".
std::string describe(const DescribedParam &Param);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_DESCRIPTION_H

//===- Shape.h - Extents of a kernel argument -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_SHAPE_H
#define BELAY_CASES_SHAPE_H

#include "cases/DataType.h"
#include "support/Numbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace belay::cases {

/// The largest buffer that the command line or a file may ask for.
inline constexpr uint64_t MaxBufferBytes = support::MaxParsedBytes;

using Extents = llvm::SmallVector<uint64_t, 4>;

/// Element type and extents of one tensor; no extents means a single element.
struct TensorType {
  DataType Type = DataType::F32;
  Extents Shape;

  uint64_t elements() const;
  uint64_t bytes() const { return elements() * bytesOf(Type); }
  /// "f16:1024x64"
  std::string str() const;
  bool operator==(const TensorType &Other) const = default;
};

/// Reads `f16:1024x64`. Fails when a product of extents passes MaxBufferBytes.
llvm::Expected<TensorType> parseTensorType(llvm::StringRef Text);

/// The product of the extents, or nothing when it passes MaxBufferBytes.
std::optional<uint64_t> countElements(llvm::ArrayRef<uint64_t> Shape);

/// "1024x64"; "scalar" without extents.
std::string formatShape(llvm::ArrayRef<uint64_t> Shape);

} // namespace belay::cases

#endif // BELAY_CASES_SHAPE_H

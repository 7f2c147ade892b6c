//===- DataType.h - Element types of kernel arguments -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_DATATYPE_H
#define BELAY_CASES_DATATYPE_H

#include "belay/elements.h"
#include "belay/floats.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdint>
#include <optional>
#include <string>

namespace belay::cases {

/// IEEE half, kept as bits: the host has no such arithmetic type everywhere.
struct Half {
  uint16_t Bits;
};

/// The upper half of a float.
struct BFloat16 {
  uint16_t Bits;
};

/// One byte, 0 or 1, as NumPy stores it.
struct Bool {
  uint8_t Bits;
};

enum class DataType : uint8_t {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy) Id,
#include "belay/elements.def"
};

constexpr element_types::id idOf(DataType Type) {
  switch (Type) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  case DataType::Id:                                                           \
    return element_types::id::Id;
#include "belay/elements.def"
  }
  return element_types::id::none;
}

unsigned bytesOf(DataType Type);
llvm::StringRef nameOf(DataType Type);
std::optional<DataType> parseDataType(llvm::StringRef Text);
/// "f16, bf16, f32, ..." for messages.
std::string listDataTypes();

bool isFloating(DataType Type);

inline float toFloat(BFloat16 Value) {
  return small_floats::float_from_bfloat(Value.Bits);
}
inline BFloat16 toBFloat16(float Value) {
  return {small_floats::bfloat_from_float(Value)};
}
inline float toFloat(Half Value) {
  return small_floats::float_from_half(Value.Bits);
}
inline Half toHalf(float Value) {
  return {small_floats::half_from_float(Value)};
}

inline double toDouble(Half Value) { return toFloat(Value); }
inline double toDouble(BFloat16 Value) { return toFloat(Value); }
inline double toDouble(Bool Value) { return Value.Bits != 0; }
template <class T> double toDouble(T Value) {
  return static_cast<double>(Value);
}

/// Calls F with a value-initialised element of the type: F(float{}), ...
/// Complex numbers are visited part by part.
template <class F> auto visitType(DataType Type, F &&Function) {
  switch (Type) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  case DataType::Id:                                                           \
    return Function(Stored{});
#include "belay/elements.def"
  }
  llvm_unreachable("unknown data type");
}

} // namespace belay::cases

#endif // BELAY_CASES_DATATYPE_H

//===- DataType.h - Element types of kernel arguments -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_DATATYPE_H
#define BELAY_CASES_DATATYPE_H

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
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy) Name,
#include "DataTypes.def"
};

unsigned bytesOf(DataType Type);
llvm::StringRef nameOf(DataType Type);
std::optional<DataType> parseDataType(llvm::StringRef Text);
/// "f16, bf16, f32, ..." for messages.
std::string listDataTypes();

bool isFloating(DataType Type);

// Conversions round to nearest, ties to even. They are branch-free, so that
// loops over them are vectorised.

inline float toFloat(BFloat16 Value) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(Value.Bits) << 16);
}

inline BFloat16 toBFloat16(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  uint32_t Rounded = (Bits + 0x7fff + ((Bits >> 16) & 1)) >> 16;
  uint32_t Quiet = (Bits >> 16) | 0x40;
  bool IsNan = (Bits & 0x7fffffff) > 0x7f800000;
  return {static_cast<uint16_t>(IsNan ? Quiet : Rounded)};
}

inline float toFloat(Half Value) {
  uint32_t Sign = static_cast<uint32_t>(Value.Bits & 0x8000) << 16;
  uint32_t Rest = static_cast<uint32_t>(Value.Bits & 0x7fff) << 13;
  // Shifting the exponent by a multiplication also normalises subnormals.
  float Scaled = llvm::bit_cast<float>(Rest) * 0x1p112f;
  uint32_t Finite = llvm::bit_cast<uint32_t>(Scaled);
  uint32_t Special = Rest | 0x7f800000;
  bool IsSpecial = (Value.Bits & 0x7c00) == 0x7c00;
  return llvm::bit_cast<float>(Sign | (IsSpecial ? Special : Finite));
}

inline Half toHalf(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  uint32_t Sign = (Bits >> 16) & 0x8000;
  Bits &= 0x7fffffff;
  // Below the smallest normal half, adding 0.5 lets the float adder round.
  uint32_t Small =
      llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(Bits) + 0.5f) - 0x3f000000;
  uint32_t Normal = (Bits - 0x38000000 + 0xfff + ((Bits >> 13) & 1)) >> 13;
  uint32_t Special = Bits > 0x7f800000 ? 0x7e00 : 0x7c00;
  uint32_t Result = Bits < 0x38800000 ? Small : Normal;
  Result = Bits >= 0x47800000 ? Special : Result;
  return {static_cast<uint16_t>(Sign | Result)};
}

inline double toDouble(Half Value) { return toFloat(Value); }
inline double toDouble(BFloat16 Value) { return toFloat(Value); }
inline double toDouble(Bool Value) { return Value.Bits != 0; }
template <class T> double toDouble(T Value) {
  return static_cast<double>(Value);
}

/// Calls F with a value-initialised element of the type: F(float{}), ...
template <class F> auto visitType(DataType Type, F &&Function) {
  switch (Type) {
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy)                              \
  case DataType::Name:                                                         \
    return Function(CType{});
#include "DataTypes.def"
  }
  llvm_unreachable("unknown data type");
}

} // namespace belay::cases

#endif // BELAY_CASES_DATATYPE_H

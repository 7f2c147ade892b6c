//===- types.h - Element types, formats and status --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OPHOST_TYPES_H
#define BELAY_OPHOST_OPHOST_TYPES_H

#include <cstddef>
#include <cstdint>

// The numbers are part of the interface: operators compare and store them.

namespace ge {

using graphStatus = uint32_t;
inline constexpr graphStatus GRAPH_SUCCESS = 0;
inline constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
inline constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
inline constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;

inline constexpr graphStatus SUCCESS = 0;
inline constexpr graphStatus FAILED = 0xFFFFFFFF;

/// Extents that are known only at run time.
inline constexpr int64_t UNKNOWN_DIM = -1;
inline constexpr int64_t UNKNOWN_DIM_NUM = -2;

using char_t = char;
using float32_t = float;
using float64_t = double;

enum DataType : int32_t {
#define BELAY_ELEMENT_GE(Id, Name, Number) DT_##Name = Number,
#include "belay/elements.def"
  DT_MAX = DT_FLOAT4_E1M2 + 1
};
#define BELAY_ELEMENT_GE(Id, Name, Number) static_assert(Number < DT_MAX);
#include "belay/elements.def"

enum Format : int32_t {
#define BELAY_GE_FORMAT(Name, Number) FORMAT_##Name = Number,
#include "ophost/formats.def"
  FORMAT_END,
  FORMAT_MAX = 0xff
};

namespace belay_detail {
enum : int {
#define BELAY_ELEMENT(Id, Kind, Bits, Name) Id = Bits,
#include "belay/elements.def"
};
/// Of an element; -1 for what is no type.
constexpr int bitsOf(DataType Type) {
  switch (Type) {
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  case DT_##Name:                                                              \
    return Id;
#include "belay/elements.def"
  default:
    return -1;
  }
}
} // namespace belay_detail

/// Types of less than a byte answer with this much added to their bits.
inline constexpr int kDataTypeSizeBitOffset = 1000;

constexpr int GetSizeByDataType(DataType Type) {
  int Bits = belay_detail::bitsOf(Type);
  return Bits <= 0 ? -1 : (Bits % 8 ? kDataTypeSizeBitOffset + Bits : Bits / 8);
}

constexpr int64_t GetSizeInBytes(int64_t Elements, DataType Type) {
  int Bits = belay_detail::bitsOf(Type);
  return Bits < 0 ? -1 : (Elements * Bits + 7) / 8;
}

constexpr int32_t GetPrimaryFormat(int32_t F) { return F & 0xff; }

} // namespace ge

#endif // BELAY_OPHOST_OPHOST_TYPES_H

//===- elements.h - Facts about element types -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// elements.def as functions, for those that ask by type, number or name.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ELEMENTS_H
#define BELAY_ELEMENTS_H

#include <type_traits>

namespace belay {
namespace element_types {

enum class id : unsigned char {
#define BELAY_ELEMENT(Id, Kind, Bits, Name) Id,
#include "elements.def"
  none
};

enum class kind : unsigned char {
  Signed,
  Unsigned,
  Float,
  Truth, ///< 0 or 1, in a byte.
  Complex,
  Other, ///< No arithmetic of ours.
};

struct fact {
  kind what;
  unsigned bits; ///< 0 where an element has no size.
  const char *name;
};
inline constexpr fact facts[] = {
#define BELAY_ELEMENT(Id, Kind, Bits, Name) {kind::Kind, Bits, Name},
#include "elements.def"
    {kind::Other, 0, "a type that is not known"},
};
constexpr const fact &of(id element) {
  return facts[static_cast<unsigned>(element)];
}
/// Whole bytes of an element; 0 for those that share a byte, or have no size.
constexpr unsigned bytes_of(id element) {
  return of(element).bits % 8 ? 0 : of(element).bits / 8;
}

/// \name Numbers of the vendor's interfaces; -1 for those that one has not got.
/// @{
constexpr int acl_number(id element) {
  switch (element) {
#define BELAY_ELEMENT_GE(Id, Name, Number)
#define BELAY_ELEMENT_ACL(Id, Name, Number)                                    \
  case id::Id:                                                                 \
    return Number;
#include "elements.def"
  default:
    return -1;
  }
}
constexpr int hccl_number(id element) {
  switch (element) {
#define BELAY_ELEMENT_HCCL(Id, Name, Text, Number)                             \
  case id::Id:                                                                 \
    return Number;
#include "elements.def"
  default:
    return -1;
  }
}
constexpr int dumped_number(id element) {
  switch (element) {
#define BELAY_ELEMENT_DUMPED(Id, Number)                                       \
  case id::Id:                                                                 \
    return Number;
#include "elements.def"
  default:
    return -1;
  }
}
constexpr id from_acl(int number) {
  switch (number) {
#define BELAY_ELEMENT_GE(Id, Name, Number)
#define BELAY_ELEMENT_ACL(Id, Name, Number)                                    \
  case Number:                                                                 \
    return id::Id;
#include "elements.def"
  default:
    return id::none;
  }
}
/// @}

/// The element that a type of C++ is. Classes for 16-bit floats say which they
/// are: template <> inline constexpr id element_of<half> = id::F16;
template <class T>
inline constexpr id element_of = [] {
  constexpr kind what = std::is_same<T, bool>::value       ? kind::Truth
                        : std::is_floating_point<T>::value ? kind::Float
                        : !std::is_integral<T>::value      ? kind::Other
                        : std::is_signed<T>::value         ? kind::Signed
                                                           : kind::Unsigned;
  if (what != kind::Other)
    for (unsigned i = 0; i < static_cast<unsigned>(id::none); ++i)
      if (facts[i].what == what && facts[i].bits == 8 * sizeof(T))
        return static_cast<id>(i);
  return id::none;
}();

} // namespace element_types
} // namespace belay

#endif // BELAY_ELEMENTS_H

//===- ByType.h - From an element type to a C++ type ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_BYTYPE_H
#define BELAY_MODEL_INSTRUCTIONS_BYTYPE_H

#include "model/instructions/Values.h"

namespace belay::sim {

template <typename... Ts> struct TypeList {
  template <typename... Us> using With = TypeList<Ts..., Us...>;
};

using FloatTypes = TypeList<F16, BF16, float>;
using SignedTypes = TypeList<int8_t, int16_t, int32_t, int64_t>;
using IntegerTypes = SignedTypes::With<uint8_t, uint16_t, uint32_t, uint64_t>;
using NumberTypes = IntegerTypes::With<F16, BF16, float>;

/// The function that `Pick` names for the C++ type of `T`, or null if the list
/// does not have that type.
template <typename... Ts, typename PickFn>
auto byType(Elem T, TypeList<Ts...>, PickFn Pick) {
  std::common_type_t<decltype(Pick.template operator()<Ts>())...> Found =
      nullptr;
  ((T == ElemOf<Ts>::Value && (Found = Pick.template operator()<Ts>())) || ...);
  return Found;
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_BYTYPE_H

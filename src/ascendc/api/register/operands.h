//===- register/operands.h - What instructions on registers take *- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_OPERANDS_H
#define BELAY_ASCENDC_API_REGISTER_OPERANDS_H

#include "api/register/types.h"

namespace AscendC::MicroAPI::belay_detail {

using belay::sim::Elem;
using belay::sim::LoadForm;
using belay::sim::RegisterCompute;
using belay::sim::RegisterLoad;
using belay::sim::RegisterOp;
using belay::sim::RegisterStore;
using belay::sim::StoreForm;

template <class T> inline constexpr bool isMask = false;
template <> inline constexpr bool isMask<MaskReg> = true;
template <class T> inline constexpr bool isRegister = false;
template <class T, const RegTrait &Trait>
inline constexpr bool isRegister<RegTensor<T, Trait>> = true;
template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T>
using IfRegister = std::enable_if_t<isRegister<Plain<T>>, int>;
template <class T> using IfMask = std::enable_if_t<isMask<Plain<T>>, int>;
template <class T>
using IfScalar =
    std::enable_if_t<!isRegister<Plain<T>> && !isMask<Plain<T>>, int>;

/// The element of a register. Types that only exist to be moved are as long.
template <class R> struct ElementOf;
template <class T, const RegTrait &Trait>
struct ElementOf<RegTensor<T, Trait>> {
  using Type = T;
};
template <class R> using Element = typename ElementOf<Plain<R>>::Type;
template <class T, class = void> struct MovedAs {
  static constexpr Elem value = sizeof(T) == 1   ? Elem::U8
                                : sizeof(T) == 2 ? Elem::U16
                                : sizeof(T) == 4 ? Elem::U32
                                                 : Elem::U64;
};
template <class T>
struct MovedAs<T,
               std::void_t<decltype(AscendC::belay_detail::ElemOf<T>::value)>> {
  static constexpr Elem value = AscendC::belay_detail::ElemOf<T>::value;
};
template <class T> inline constexpr Elem elem = MovedAs<T>::value;
template <class R> inline constexpr Elem elemOf = elem<Element<R>>;

/// Of a mode: whether lanes that the mask leaves out keep their value. Also for
/// the structures that functions with several algorithms have.
template <auto Mode> constexpr bool merges() {
  if constexpr (std::is_same_v<decltype(Mode), MaskMergeMode>)
    return Mode == MaskMergeMode::MERGING;
  else if constexpr (std::is_pointer_v<decltype(Mode)>)
    return Mode->mrgMode == MaskMergeMode::MERGING;
  else
    return false;
}

/// The operands of a call that look at nothing but elements.
template <class D> BELAY_API RegisterCompute compute(RegisterOp op, D &dst) {
  RegisterCompute c = {};
  c.Op = op;
  if constexpr (isRegister<D>) {
    c.DstType = c.SrcType = elemOf<D>;
    c.Two = D::two;
  }
  c.Dst = dst.name();
  return c;
}
/// Under BELAY_STATIC nobody asks what registers hold.
BELAY_API void issue(const RegisterCompute &c) {
#if !defined(BELAY_STATIC)
  belay_sim_register_compute(&c);
#endif
}
/// A scalar as an element of type T.
template <class T, class U> BELAY_API uint64_t scalarBits(const U &value) {
  T element = static_cast<T>(value);
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &element, sizeof(T));
  return bits;
}
constexpr belay::sim::Rounding roundingOf(RoundMode m) {
  return m <= RoundMode::CAST_ODD ? static_cast<belay::sim::Rounding>(m)
                                  : belay::sim::Rounding::None;
}

} // namespace AscendC::MicroAPI::belay_detail

#endif // BELAY_ASCENDC_API_REGISTER_OPERANDS_H

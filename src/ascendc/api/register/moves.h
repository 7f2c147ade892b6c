//===- register/moves.h - Between registers and the UB ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each names the address that it starts from; how far it goes depends on masks,
// and is not followed.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_MOVES_H
#define BELAY_ASCENDC_API_REGISTER_MOVES_H

#include "api/register/types.h"

namespace AscendC::MicroAPI {

namespace belay_detail {

template <class T> BELAY_API void load(const T *from, uint32_t bytes = 0) {
  belay_sim_register_load(reinterpret_cast<const uint8_t *>(from) + bytes,
                          sizeof(T));
}
template <class T> BELAY_API void store(T *to, uint32_t bytes = 0) {
  belay_sim_register_store(reinterpret_cast<uint8_t *>(to) + bytes, sizeof(T));
}
/// Moves an address on after it was used.
template <class T> BELAY_API void advance(T *&address, int64_t elements) {
  address += elements;
}
template <class T> inline constexpr bool isMask = false;
template <> inline constexpr bool isMask<MaskReg> = true;
template <class T> inline constexpr bool isRegister = false;
template <class T, const RegTrait &Trait>
inline constexpr bool isRegister<RegTensor<T, Trait>> = true;
template <class T> using IfRegister = std::enable_if_t<isRegister<T>, int>;
template <class T>
using IfRegisterOrMask = std::enable_if_t<isRegister<T> || isMask<T>, int>;
template <class T>
using IfScalar =
    std::enable_if_t<!isRegister<std::remove_cv_t<std::remove_reference_t<T>>>,
                     int>;

} // namespace belay_detail

// LoadAlign and StoreAlign have been called DataCopy.
#define BELAY_REGISTER_LOADS(Name)                                             \
  template <class T = DefaultType, auto Dist = LoadDist::DIST_NORM, class R,   \
            class E, belay_detail::IfRegisterOrMask<R> = 0>                    \
  BELAY_API void Name(R &, E *from) {                                          \
    belay_detail::load(from);                                                  \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            auto Dist = LoadDist::DIST_NORM, class R, class E,                 \
            belay_detail::IfRegisterOrMask<R> = 0>                             \
  BELAY_API void Name(R &, E *&from, int32_t stride) {                         \
    belay_detail::load(from);                                                  \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, auto Dist = LoadDist::DIST_NORM, class R,   \
            class E, belay_detail::IfRegisterOrMask<R> = 0>                    \
  BELAY_API void Name(R &, E *from, AddrReg offset) {                          \
    belay_detail::load(from, offset.bytes);                                    \
  }                                                                            \
  template <class T = DefaultType, LoadDist Dist, class R, class E,            \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &, R &, E *from) {                                     \
    belay_detail::load(from);                                                  \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode, LoadDist Dist, class R,   \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Name(R &, R &, E *&from, int32_t stride) {                    \
    belay_detail::load(from);                                                  \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, LoadDist Dist, class R, class E,            \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &, R &, E *from, AddrReg offset) {                     \
    belay_detail::load(from, offset.bytes);                                    \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, class R, class E,        \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &, E *from, uint32_t, MaskReg) {                       \
    belay_detail::load(from);                                                  \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, PostLiteral Post,        \
            class R, class E, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(R &, E *&from, uint32_t, uint32_t repeat, MaskReg) {     \
    belay_detail::load(from);                                                  \
    belay_detail::advance(from, repeat * 32 / sizeof(E));                      \
  }
BELAY_REGISTER_LOADS(LoadAlign)
BELAY_REGISTER_LOADS(DataCopy)
#undef BELAY_REGISTER_LOADS

#define BELAY_REGISTER_STORES(Name)                                            \
  template <class T = DefaultType, auto Dist = StoreDist::DIST_NORM, class E,  \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Name(E *to, const R &, const MaskReg &) {                     \
    belay_detail::store(to);                                                   \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            StoreDist Dist = StoreDist::DIST_NORM, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *&to, const R &, int32_t stride, const MaskReg &) {    \
    belay_detail::store(to);                                                   \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist = StoreDist::DIST_NORM,      \
            class E, class R, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(E *to, const R &, AddrReg offset, const MaskReg &) {     \
    belay_detail::store(to, offset.bytes);                                     \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &, const R &, const MaskReg &) {          \
    belay_detail::store(to);                                                   \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &, const R &, AddrReg offset,             \
                      const MaskReg &) {                                       \
    belay_detail::store(to, offset.bytes);                                     \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, class E, class R,        \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &, uint32_t, const MaskReg &) {           \
    belay_detail::store(to);                                                   \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, PostLiteral Post,        \
            class E, class R, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(E *&to, const R &, uint32_t, uint32_t repeat,            \
                      const MaskReg &) {                                       \
    belay_detail::store(to);                                                   \
    belay_detail::advance(to, repeat * 32 / sizeof(E));                        \
  }                                                                            \
  template <class T = DefaultType, MaskDist Dist = MaskDist::DIST_NORM,        \
            class E>                                                           \
  BELAY_API void Name(E *to, const MaskReg &) {                                \
    belay_detail::store(to);                                                   \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            MaskDist Dist = MaskDist::DIST_NORM, class E>                      \
  BELAY_API void Name(E *&to, const MaskReg &, int32_t stride) {               \
    belay_detail::store(to);                                                   \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType, MaskDist Dist = MaskDist::DIST_NORM,        \
            class E>                                                           \
  BELAY_API void Name(E *to, const MaskReg &, AddrReg offset) {                \
    belay_detail::store(to, offset.bytes);                                     \
  }
BELAY_REGISTER_STORES(StoreAlign)
BELAY_REGISTER_STORES(DataCopy)
#undef BELAY_REGISTER_STORES

template <class T = DefaultType, class R, class E>
BELAY_API void Load(R &, E *from) {
  belay_detail::load(from);
}
template <class T = DefaultType, class E, class R>
BELAY_API void Store(E *to, const R &) {
  belay_detail::store(to);
}
template <class T = DefaultType, class E, class R>
BELAY_API void Store(E *to, const R &, uint32_t) {
  belay_detail::store(to);
}

// --- at any address ----------------------------------------------------------
#define BELAY_REGISTER_UNALIGNED(Pre, Load, Store, Post)                       \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Pre(UnalignReg &, E *from) {                                  \
    belay_detail::load(from);                                                  \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Pre(UnalignReg &, E *from, const AddrReg &offset) {           \
    belay_detail::load(from, offset.bytes);                                    \
  }                                                                            \
  template <class T = DefaultType, class R, class E,                           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Load(R &, UnalignReg &, E *from) {                            \
    belay_detail::load(from);                                                  \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class R,         \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Load(R &, UnalignReg &, E *&from, uint32_t stride) {          \
    belay_detail::load(from);                                                  \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, class R, class E,                           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Load(R &, UnalignReg &, E *&from, const AddrReg &offset,      \
                      uint32_t) {                                              \
    belay_detail::load(from, offset.bytes);                                    \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Store(E *&to, const R &, UnalignReg &, uint32_t stride) {     \
    belay_detail::store(to);                                                   \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Store(E *&to, const R &, UnalignReg &,                        \
                       const AddrReg &offset) {                                \
    belay_detail::store(to, offset.bytes);                                     \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegisterOrMask<R> = 0>                    \
  BELAY_API void Store(E *to, const R &, UnalignReg &) {                       \
    belay_detail::store(to);                                                   \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E>         \
  BELAY_API void Post(E *&to, UnalignReg &, int32_t stride) {                  \
    belay_detail::store(to);                                                   \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Post(E *&to, UnalignReg &, const AddrReg &offset) {           \
    belay_detail::store(to, offset.bytes);                                     \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Post(E *to, UnalignReg &) {                                   \
    belay_detail::store(to);                                                   \
  }
BELAY_REGISTER_UNALIGNED(LoadUnAlignPre, LoadUnAlign, StoreUnAlign,
                         StoreUnAlignPost)
BELAY_REGISTER_UNALIGNED(DataCopyUnAlignPre, DataCopyUnAlign, DataCopyUnAlign,
                         DataCopyUnAlignPost)
#undef BELAY_REGISTER_UNALIGNED

// --- by indices --------------------------------------------------------------
template <class T = DefaultType, class U = DefaultType, class V = DefaultType,
          class R, class E, class X>
BELAY_API void DataCopyGather(R &, E *from, X &, const MaskReg &) {
  belay_detail::load(from);
}
template <class T = DefaultType, class U = DefaultType, class V = DefaultType,
          class R, class E, class X>
BELAY_API void Gather(R &, E *from, X &, const MaskReg &) {
  belay_detail::load(from);
}
template <class T = DefaultType, class R, class E, class X>
BELAY_API void DataCopyGatherB(R &, E *from, X &, const MaskReg &) {
  belay_detail::load(from);
}
template <class T = DefaultType, class R, class E, class X>
BELAY_API void GatherB(R &, E *from, X &, const MaskReg &) {
  belay_detail::load(from);
}
template <class T = DefaultType, class U = DefaultType, class E, class R,
          class X>
BELAY_API void DataCopyScatter(E *to, R &, X &, const MaskReg &) {
  belay_detail::store(to);
}
template <class T = DefaultType, class U = DefaultType, class E, class R,
          class X>
BELAY_API void Scatter(E *to, R &, X &, const MaskReg &) {
  belay_detail::store(to);
}

// --- addresses, masks, order -------------------------------------------------
template <class T, class... More>
BELAY_API AddrReg CreateAddrReg(uint32_t index, uint32_t stride, More... more) {
  if constexpr (sizeof...(More) == 0)
    return {index * stride * uint32_t(sizeof(T))};
  else
    return {index * stride * uint32_t(sizeof(T)) +
            CreateAddrReg<T>(more...).bytes};
}
template <class T, MaskPattern Mode = MaskPattern::ALL,
          const RegTrait &Trait = RegTraitNumOne>
BELAY_API MaskReg CreateMask() {
  belay_sim_register_operation("CreateMask");
  return {};
}
/// What is left after a register's worth of elements.
template <class T, const RegTrait &Trait = RegTraitNumOne>
BELAY_API MaskReg UpdateMask(uint32_t &count) {
  count = belay_sim_register_mask(count,
                                  VECTOR_REG_WIDTH / sizeof(T) * Trait.REG_NUM);
  return {};
}
template <class T> BELAY_API MaskReg MoveMask() { return {}; }
template <auto From, auto To> BELAY_API void LocalMemBar() {
  belay_sim_register_operation("LocalMemBar");
}
template <SpecialPurposeReg Which> BELAY_API void ClearSpr() {
  belay_sim_register_operation("ClearSpr");
}
template <SpecialPurposeReg Which> BELAY_API int64_t GetSpr() {
  return belay_sim_register_mask(0, 0);
}

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_MOVES_H

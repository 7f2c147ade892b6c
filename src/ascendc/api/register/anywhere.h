//===- register/anywhere.h - At any address, and by indices -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_ANYWHERE_H
#define BELAY_ASCENDC_API_REGISTER_ANYWHERE_H

#include "api/register/moves.h"

namespace AscendC::MicroAPI {

namespace belay_detail {

template <class R, class E>
BELAY_API void loadUnaligned(LoadForm form, R *dst, const UnalignReg *held,
                             E *from, uint32_t bytes = 0) {
  RegisterLoad l = {};
  l.Form = form;
  l.Type = elem<std::remove_cv_t<E>>;
  if (dst) {
    l.Dst = dst->name();
    l.Two = R::two;
  }
  l.Unaligned = held ? held->name() : nullptr;
  issueLoad(from, bytes, l);
}
/// Count is in elements; of UnalignedByAr, whether the address moves on.
template <class R, class E>
BELAY_API void storeUnaligned(StoreForm form, E *to, const R *src,
                              const UnalignReg *held, uint32_t count,
                              uint32_t bytes = 0) {
  RegisterStore s = {};
  s.Form = form;
  s.Type = elem<E>;
  s.Count = count;
  if (src)
    s.Src = src->name();
  if constexpr (isRegister<R>)
    s.Two = R::two;
  s.Unaligned = held ? held->name() : nullptr;
  issueStore(to, bytes, s);
}
/// The elements of a whole register.
template <class R>
inline constexpr uint32_t lanesOf =
    VECTOR_REG_WIDTH / sizeof(Element<R>) * (R::two ? 2 : 1);

} // namespace belay_detail

template <class T = DefaultType, class R, class E>
BELAY_API void Load(R &dst, E *from) {
  belay_detail::loadUnaligned(belay_detail::LoadForm::Anywhere, &dst, nullptr,
                              from);
}
template <class T = DefaultType, class E, class R>
BELAY_API void Store(E *to, const R &src) {
  belay_detail::storeUnaligned(belay_detail::StoreForm::Anywhere, to, &src,
                               nullptr, belay_detail::lanesOf<R>);
}
template <class T = DefaultType, class E, class R>
BELAY_API void Store(E *to, const R &src, uint32_t count) {
  belay_detail::storeUnaligned(belay_detail::StoreForm::Anywhere, to, &src,
                               nullptr, count);
}

#define BELAY_REGISTER_UNALIGNED(Pre, Load, Store, Post)                       \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Pre(UnalignReg &held, E *from) {                              \
    belay_detail::loadUnaligned<RegTensor<E>>(                                 \
        belay_detail::LoadForm::UnalignedFirst, nullptr, &held, from);         \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Pre(UnalignReg &held, E *from, const AddrReg &offset) {       \
    belay_detail::loadUnaligned<RegTensor<E>>(                                 \
        belay_detail::LoadForm::UnalignedFirst, nullptr, &held, from,          \
        offset.bytes);                                                         \
  }                                                                            \
  template <class T = DefaultType, class R, class E,                           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Load(R &dst, UnalignReg &held, E *from) {                     \
    belay_detail::loadUnaligned(belay_detail::LoadForm::Unaligned, &dst,       \
                                &held, from);                                  \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class R,         \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Load(R &dst, UnalignReg &held, E *&from, uint32_t stride) {   \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::loadUnaligned(belay_detail::LoadForm::Unaligned, &dst,       \
                                &held, from);                                  \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, class R, class E,                           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Load(R &dst, UnalignReg &held, E *&from,                      \
                      const AddrReg &offset, uint32_t) {                       \
    belay_detail::loadUnaligned(belay_detail::LoadForm::Unaligned, &dst,       \
                                &held, from, offset.bytes);                    \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Store(E *&to, const R &src, UnalignReg &held,                 \
                       uint32_t stride) {                                      \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::storeUnaligned(belay_detail::StoreForm::Unaligned, to, &src, \
                                 &held, stride);                               \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Store(E *&to, const R &src, UnalignReg &held,                 \
                       const AddrReg &offset) {                                \
    belay_detail::storeUnaligned(belay_detail::StoreForm::Unaligned, to, &src, \
                                 &held, belay_detail::lanesOf<R>,              \
                                 offset.bytes);                                \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E,         \
            class R, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Store(E *to, const R &src, UnalignReg &held) {                \
    belay_detail::storeUnaligned(belay_detail::StoreForm::UnalignedByAr, to,   \
                                 &src, &held,                                  \
                                 Mode == PostLiteral::POST_MODE_UPDATE);       \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Store(E *&to, const MaskReg &src, UnalignReg &held) {         \
    belay_detail::storeUnaligned(belay_detail::StoreForm::MaskUnaligned, to,   \
                                 &src, &held, 0);                              \
    /* A bit for each element of a register. */                                \
    to = reinterpret_cast<E *>(reinterpret_cast<uint8_t *>(to) +               \
                               VECTOR_REG_WIDTH / 8 / sizeof(E));              \
  }                                                                            \
  template <class T = DefaultType,                                             \
            PostLiteral Mode = PostLiteral::POST_MODE_UPDATE, class E>         \
  BELAY_API void Post(E *&to, UnalignReg &held, int32_t stride) {              \
    belay_detail::storeUnaligned<MaskReg>(                                     \
        belay_detail::StoreForm::UnalignedLast, to, nullptr, &held, 0);        \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Post(E *&to, UnalignReg &held, const AddrReg &offset) {       \
    belay_detail::storeUnaligned<MaskReg>(                                     \
        belay_detail::StoreForm::UnalignedLast, to, nullptr, &held, 0,         \
        offset.bytes);                                                         \
  }                                                                            \
  template <class T = DefaultType, class E>                                    \
  BELAY_API void Post(E *to, UnalignReg &held) {                               \
    belay_detail::storeUnaligned<MaskReg>(                                     \
        belay_detail::StoreForm::UnalignedLast, to, nullptr, &held, 0);        \
  }
BELAY_REGISTER_UNALIGNED(LoadUnAlignPre, LoadUnAlign, StoreUnAlign,
                         StoreUnAlignPost)
BELAY_REGISTER_UNALIGNED(DataCopyUnAlignPre, DataCopyUnAlign, DataCopyUnAlign,
                         DataCopyUnAlignPost)
#undef BELAY_REGISTER_UNALIGNED

// --- by indices --------------------------------------------------------------
#define BELAY_REGISTER_GATHER(Name, NameB)                                     \
  template <class T = DefaultType, class U = DefaultType,                      \
            class V = DefaultType, class R, class E, class X>                  \
  BELAY_API void Name(R &dst, E *from, X &index, const MaskReg &mask) {        \
    belay_detail::RegisterLoad l = {};                                         \
    l.Form = belay_detail::LoadForm::Gather;                                   \
    l.Type = belay_detail::elemOf<R>;                                          \
    l.IndexType = belay_detail::elemOf<X>;                                     \
    l.Unit = sizeof(E);                                                        \
    l.Two = R::two;                                                            \
    l.Dst = dst.name();                                                        \
    l.Index = index.name();                                                    \
    l.Mask = mask.name();                                                      \
    belay_detail::issueLoad(from, 0, l);                                       \
  }                                                                            \
  template <class T = DefaultType, class R, class E, class X>                  \
  BELAY_API void NameB(R &dst, E *from, X &index, const MaskReg &mask) {       \
    belay_detail::RegisterLoad l = {};                                         \
    l.Form = belay_detail::LoadForm::GatherBlocks;                             \
    l.Type = belay_detail::elemOf<R>;                                          \
    l.IndexType = belay_detail::elemOf<X>;                                     \
    l.Dst = dst.name();                                                        \
    l.Index = index.name();                                                    \
    l.Mask = mask.name();                                                      \
    belay_detail::issueLoad(from, 0, l);                                       \
  }
BELAY_REGISTER_GATHER(Gather, GatherB)
BELAY_REGISTER_GATHER(DataCopyGather, DataCopyGatherB)
#undef BELAY_REGISTER_GATHER
#define BELAY_REGISTER_SCATTER(Name)                                           \
  template <class T = DefaultType, class U = DefaultType, class E, class R,    \
            class X>                                                           \
  BELAY_API void Name(E *to, R &src, X &index, const MaskReg &mask) {          \
    belay_detail::RegisterStore s = {};                                        \
    s.Form = belay_detail::StoreForm::Scatter;                                 \
    s.Type = belay_detail::elemOf<R>;                                          \
    s.IndexType = belay_detail::elemOf<X>;                                     \
    s.Two = R::two;                                                            \
    s.Src = src.name();                                                        \
    s.Index = index.name();                                                    \
    s.Mask = mask.name();                                                      \
    belay_detail::issueStore(to, 0, s);                                        \
  }
BELAY_REGISTER_SCATTER(Scatter)
BELAY_REGISTER_SCATTER(DataCopyScatter)
#undef BELAY_REGISTER_SCATTER

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_ANYWHERE_H

//===- register/moves.h - Between registers and the UB ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoadAlign and StoreAlign have been called DataCopy, and so on: each function
// has its older name.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_MOVES_H
#define BELAY_ASCENDC_API_REGISTER_MOVES_H

#include "api/register/distributions.h"
#include "api/register/lanes.h"

namespace AscendC::MicroAPI {

namespace belay_detail {

/// Moves an address by so many elements after it was used.
template <class T> BELAY_API void advance(T *&address, int64_t elements) {
  address += elements;
}
template <PostLiteral Mode> constexpr void checkUpdate() {
  static_assert(Mode == PostLiteral::POST_MODE_UPDATE,
                "this function has POST_MODE_UPDATE only");
}

template <class E>
BELAY_API void issueLoad(const E *from, uint32_t bytes, const RegisterLoad &l) {
  belay_sim_register_load(reinterpret_cast<const uint8_t *>(from) + bytes, &l);
}
template <class E>
BELAY_API void issueStore(E *to, uint32_t bytes, const RegisterStore &s) {
  belay_sim_register_store(reinterpret_cast<uint8_t *>(to) + bytes, &s);
}

template <auto Dist, class R, class E>
BELAY_API void load(R &dst, E *from, uint32_t bytes = 0) {
  RegisterLoad l = {};
  l.Dst = dst.name();
  if constexpr (isMask<R>) {
    l.Form = maskLoad<Dist>();
    l.Type = Elem::U8;
  } else {
    constexpr Distribution<LoadForm> d = loadOf<Dist>();
    static_assert(d.Form != LoadForm::Deinterleave,
                  "this distribution fills two registers");
    static_assert(sizeof(E) == sizeof(Element<R>),
                  "register and memory hold elements of the same type");
    static_assert(d.Form == LoadForm::Normal || !R::two,
                  "long registers have DIST_NORM only");
    l.Form = d.Form;
    l.Unit = d.Unit;
    l.Type = elemOf<R>;
    l.Two = R::two;
  }
  issueLoad(from, bytes, l);
}
template <LoadDist Dist, class R, class E>
BELAY_API void loadPair(R &dst0, R &dst1, E *from, uint32_t bytes = 0) {
  constexpr Distribution<LoadForm> d = loadOf<Dist>();
  static_assert(d.Form == LoadForm::Deinterleave,
                "this distribution fills one register");
  RegisterLoad l = {};
  l.Form = d.Form;
  l.Unit = d.Unit;
  l.Type = elemOf<R>;
  l.Dst = dst0.name();
  l.Dst1 = dst1.name();
  issueLoad(from, bytes, l);
}
template <class R, class E>
BELAY_API void loadBlocks(R &dst, E *from, uint32_t stride,
                          const MaskReg &mask) {
  RegisterLoad l = {};
  l.Form = LoadForm::Blocks;
  l.Type = elemOf<R>;
  l.Stride = stride;
  l.Dst = dst.name();
  l.Mask = mask.name();
  issueLoad(from, 0, l);
}
template <StoreDist Dist, class E, class R>
BELAY_API void store(E *to, const R &src, const MaskReg &mask,
                     uint32_t bytes = 0) {
  constexpr Distribution<StoreForm> d = storeOf<Dist>();
  static_assert(d.Form != StoreForm::Interleave,
                "this distribution takes two registers");
  RegisterStore s = {};
  s.Form = d.Form;
  s.Unit = d.Unit;
  s.Type = elemOf<R>;
  s.Two = R::two;
  s.Src = src.name();
  s.Mask = mask.name();
  issueStore(to, bytes, s);
}
template <StoreDist Dist, class E, class R>
BELAY_API void storePair(E *to, const R &src0, const R &src1,
                         uint32_t bytes = 0) {
  constexpr Distribution<StoreForm> d = storeOf<Dist>();
  static_assert(d.Form == StoreForm::Interleave,
                "this distribution takes one register");
  RegisterStore s = {};
  s.Form = d.Form;
  s.Unit = d.Unit;
  s.Type = elemOf<R>;
  s.Src = src0.name();
  s.Src1 = src1.name();
  issueStore(to, bytes, s);
}
template <class E, class R>
BELAY_API void storeBlocks(E *to, const R &src, uint32_t stride,
                           const MaskReg &mask) {
  RegisterStore s = {};
  s.Form = StoreForm::Blocks;
  s.Type = elemOf<R>;
  s.Stride = stride;
  s.Src = src.name();
  s.Mask = mask.name();
  issueStore(to, 0, s);
}
template <MaskDist Dist, class E>
BELAY_API void storeMask(E *to, const MaskReg &src, uint32_t bytes = 0) {
  RegisterStore s = {};
  s.Form = maskStore<Dist>();
  s.Type = Elem::U8;
  s.Src = src.name();
  issueStore(to, bytes, s);
}

} // namespace belay_detail

// Masks step in bytes, elements of registers in elements.
#define BELAY_REGISTER_LOADS(Name)                                             \
  template <class T = DefaultType, auto Dist = LoadDist::DIST_NORM, class R,   \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Name(R &dst, E *from) {                                       \
    belay_detail::load<Dist>(dst, from);                                       \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            auto Dist = LoadDist::DIST_NORM, class R, class E,                 \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &dst, E *&from, int32_t stride) {                      \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::load<Dist>(dst, from);                                       \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, auto Dist = LoadDist::DIST_NORM, class R,   \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Name(R &dst, E *from, AddrReg offset) {                       \
    belay_detail::load<Dist>(dst, from, offset.bytes);                         \
  }                                                                            \
  template <class T = DefaultType, auto Dist = MaskDist::DIST_NORM, class E>   \
  BELAY_API void Name(MaskReg &dst, E *from) {                                 \
    belay_detail::load<Dist>(dst, from);                                       \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            auto Dist = MaskDist::DIST_NORM, class E>                          \
  BELAY_API void Name(MaskReg &dst, E *&from, int32_t stride) {                \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::load<Dist>(dst, from);                                       \
    belay_detail::advance(from, stride / int32_t(sizeof(E)));                  \
  }                                                                            \
  template <class T = DefaultType, auto Dist = MaskDist::DIST_NORM, class E>   \
  BELAY_API void Name(MaskReg &dst, E *from, AddrReg offset) {                 \
    belay_detail::load<Dist>(dst, from, offset.bytes);                         \
  }                                                                            \
  template <class T = DefaultType, LoadDist Dist, class R, class E,            \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &dst0, R &dst1, E *from) {                             \
    belay_detail::loadPair<Dist>(dst0, dst1, from);                            \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode, LoadDist Dist, class R,   \
            class E, belay_detail::IfRegister<R> = 0>                          \
  BELAY_API void Name(R &dst0, R &dst1, E *&from, int32_t stride) {            \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::loadPair<Dist>(dst0, dst1, from);                            \
    belay_detail::advance(from, stride);                                       \
  }                                                                            \
  template <class T = DefaultType, LoadDist Dist, class R, class E,            \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &dst0, R &dst1, E *from, AddrReg offset) {             \
    belay_detail::loadPair<Dist>(dst0, dst1, from, offset.bytes);              \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, class R, class E,        \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(R &dst, E *from, uint32_t stride, const MaskReg &mask) { \
    belay_detail::loadBlocks(dst, from, stride, mask);                         \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, PostLiteral Post,        \
            class R, class E, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(R &dst, E *&from, uint32_t stride, uint32_t repeat,      \
                      const MaskReg &mask) {                                   \
    constexpr bool update = Post == PostLiteral::POST_MODE_UPDATE;             \
    E *next = from + repeat * 32 / sizeof(E);                                  \
    belay_detail::loadBlocks(dst, update ? from : next, stride, mask);         \
    if (update)                                                                \
      from = next;                                                             \
  }
BELAY_REGISTER_LOADS(LoadAlign)
BELAY_REGISTER_LOADS(DataCopy)
#undef BELAY_REGISTER_LOADS

#define BELAY_REGISTER_STORES(Name)                                            \
  template <class T = DefaultType, StoreDist Dist = StoreDist::DIST_NORM,      \
            class E, class R, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(E *to, const R &src, const MaskReg &mask) {              \
    belay_detail::store<Dist>(to, src, mask);                                  \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            StoreDist Dist = StoreDist::DIST_NORM, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *&to, const R &src, int32_t stride,                    \
                      const MaskReg &mask) {                                   \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::store<Dist>(to, src, mask);                                  \
    belay_detail::advance(to, stride);                                         \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist = StoreDist::DIST_NORM,      \
            class E, class R, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(E *to, const R &src, AddrReg offset,                     \
                      const MaskReg &mask) {                                   \
    belay_detail::store<Dist>(to, src, mask, offset.bytes);                    \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &src0, const R &src1, const MaskReg &) {  \
    belay_detail::storePair<Dist>(to, src0, src1);                             \
  }                                                                            \
  template <class T = DefaultType, StoreDist Dist, class E, class R,           \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &src0, const R &src1, AddrReg offset,     \
                      const MaskReg &) {                                       \
    belay_detail::storePair<Dist>(to, src0, src1, offset.bytes);               \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, class E, class R,        \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(E *to, const R &src, uint32_t stride,                    \
                      const MaskReg &mask) {                                   \
    belay_detail::storeBlocks(to, src, stride, mask);                          \
  }                                                                            \
  template <class T = DefaultType, DataCopyMode Mode, PostLiteral Post,        \
            class E, class R, belay_detail::IfRegister<R> = 0>                 \
  BELAY_API void Name(E *&to, const R &src, uint32_t stride, uint32_t repeat,  \
                      const MaskReg &mask) {                                   \
    constexpr bool update = Post == PostLiteral::POST_MODE_UPDATE;             \
    E *next = to + repeat * 32 / sizeof(E);                                    \
    belay_detail::storeBlocks(update ? to : next, src, stride, mask);          \
    if (update)                                                                \
      to = next;                                                               \
  }                                                                            \
  template <class T = DefaultType, MaskDist Dist = MaskDist::DIST_NORM,        \
            class E>                                                           \
  BELAY_API void Name(E *to, const MaskReg &src) {                             \
    belay_detail::storeMask<Dist>(to, src);                                    \
  }                                                                            \
  template <class T = DefaultType, PostLiteral Mode,                           \
            MaskDist Dist = MaskDist::DIST_NORM, class E>                      \
  BELAY_API void Name(E *&to, const MaskReg &src, int32_t stride) {            \
    belay_detail::checkUpdate<Mode>();                                         \
    belay_detail::storeMask<Dist>(to, src);                                    \
    belay_detail::advance(to, stride / int32_t(sizeof(E)));                    \
  }                                                                            \
  template <class T = DefaultType, MaskDist Dist = MaskDist::DIST_NORM,        \
            class E>                                                           \
  BELAY_API void Name(E *to, const MaskReg &src, AddrReg offset) {             \
    belay_detail::storeMask<Dist>(to, src, offset.bytes);                      \
  }
BELAY_REGISTER_STORES(StoreAlign)
BELAY_REGISTER_STORES(DataCopy)
#undef BELAY_REGISTER_STORES

// --- addresses, order --------------------------------------------------------
template <class T, class... More>
BELAY_API AddrReg CreateAddrReg(uint32_t index, uint32_t stride, More... more) {
  if constexpr (sizeof...(More) == 0)
    return {index * stride * uint32_t(sizeof(T))};
  else
    return {index * stride * uint32_t(sizeof(T)) +
            CreateAddrReg<T>(more...).bytes};
}
template <MemType From, MemType To> BELAY_API void LocalMemBar() {
  BELAY_REGISTER_BODY(
      belay_sim_register_barrier(static_cast<belay::sim::MemoryPort>(From),
                                 static_cast<belay::sim::MemoryPort>(To));)
}

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_MOVES_H

//===- entry.h - Makes a kernel callable by name and by bytes ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The last thing in the translation unit that `belay run` compiles: it looks at
// the kernel's type and exports belay_entry.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_BELAY_ENTRY_H
#define BELAY_ASCENDC_BELAY_ENTRY_H

#include "abi/Entry.h"
#include "api/basic.h"

#include <utility>

namespace belay::sim {

template <typename T> constexpr ParamKind kindOf() {
  if (std::is_pointer_v<T>)
    return ParamKind::Pointer;
  if (std::is_integral_v<T> || std::is_enum_v<T>)
    return ParamKind::Integer;
  if (std::is_floating_point_v<T> || std::is_same_v<T, half> ||
      std::is_same_v<T, bfloat16_t>)
    return ParamKind::Float;
  return ParamKind::Aggregate;
}

template <typename F> struct Signature;
template <typename... P> struct Signature<void (*)(P...)> {
  static constexpr uint32_t NumParams = sizeof...(P);
  static constexpr Param Params[sizeof...(P) + 1] = {
      {kindOf<std::decay_t<P>>(), sizeof(std::decay_t<P>),
       alignof(std::decay_t<P>)}...,
      {}};

  template <void (*Kernel)(P...), size_t... I>
  static void call(void *const *Args, std::index_sequence<I...>) {
    Kernel(*static_cast<std::decay_t<P> *>(Args[I])...);
  }
  template <void (*Kernel)(P...)> static void invoke(void *const *Args) {
    call<Kernel>(Args, std::index_sequence_for<P...>());
  }
};

template <typename T>
constexpr Field makeField(const char *Name, size_t Offset) {
  using E = std::remove_all_extents_t<T>;
  return {Name,
          static_cast<uint32_t>(Offset),
          static_cast<uint32_t>(sizeof(E)),
          static_cast<uint32_t>(sizeof(T) / sizeof(E)),
          kindOf<E>(),
          std::is_signed_v<E>};
}

} // namespace belay::sim

// One note that belongs to nobody, so that the section always exists.
__attribute__((section("belay_task"),
               used)) static const belay::sim::TaskNote belayNoTask = {
    "", 0, belay::sim::TaskKind::Unset, false};
extern "C" {
extern const belay::sim::TaskNote __start_belay_task[];
extern const belay::sim::TaskNote __stop_belay_task[];
__attribute__((visibility("default")))
const belay::sim::TaskNote *belay_tasks_begin = __start_belay_task;
__attribute__((visibility("default")))
const belay::sim::TaskNote *belay_tasks_end = __stop_belay_task;

// The sections of __mix__; a file need not have them.
#define BELAY_MIXED_SECTION(Name)                                              \
  __attribute__((weak,                                                         \
                 visibility("hidden"))) extern const char __start_##Name[];    \
  __attribute__((weak, visibility("hidden"))) extern const char __stop_##Name[];
BELAY_MIXED_SECTION(belay_mix_1_0)
BELAY_MIXED_SECTION(belay_mix_1_1)
BELAY_MIXED_SECTION(belay_mix_1_2)
#undef BELAY_MIXED_SECTION
__attribute__((
    visibility("default"))) extern const belay::sim::MixedKernels belay_mixed[];
const belay::sim::MixedKernels belay_mixed[] = {
    {__start_belay_mix_1_0, __stop_belay_mix_1_0, belay::sim::TaskKind::Cube},
    {__start_belay_mix_1_1, __stop_belay_mix_1_1,
     belay::sim::TaskKind::Mix1To1},
    {__start_belay_mix_1_2, __stop_belay_mix_1_2,
     belay::sim::TaskKind::Mix1To2},
    {nullptr, nullptr, belay::sim::TaskKind::Unset}};
}

#define BELAY_FIELD(Struct, Member)                                            \
  belay::sim::makeField<std::remove_cv_t<                                      \
      std::remove_reference_t<decltype(std::declval<Struct &>().Member)>>>(    \
      #Member, __builtin_offsetof(Struct, Member))

#define BELAY_ENTRY_OF(Bytes, NumFields, Fields, ...)                          \
  extern "C" __attribute__((visibility("default")))                            \
  const belay::sim::Entry belay_entry = {                                      \
      belay::sim::EntryVersion,                                                \
      #__VA_ARGS__,                                                            \
      belay::sim::Signature<decltype(&::__VA_ARGS__)>::NumParams,              \
      belay::sim::Signature<decltype(&::__VA_ARGS__)>::Params,                 \
      belay::sim::Signature<decltype(&::__VA_ARGS__)>::invoke<&::__VA_ARGS__>, \
      Bytes,                                                                   \
      NumFields,                                                               \
      Fields,                                                                  \
      reinterpret_cast<const void *>(&::__VA_ARGS__)};

/// BELAY_ENTRY(kernel) or BELAY_ENTRY(kernel<half, 4>)
#define BELAY_ENTRY(...) BELAY_ENTRY_OF(0, 0, nullptr, __VA_ARGS__)

/// BELAY_TILING_TABLE(Struct, BELAY_FIELD(Struct, a), ...) first, then
/// BELAY_ENTRY_WITH_TILING(Struct, kernel).
#define BELAY_TILING_TABLE(Struct, ...)                                        \
  static constexpr belay::sim::Field belayTilingFields[] = {__VA_ARGS__};
#define BELAY_ENTRY_WITH_TILING(Struct, ...)                                   \
  BELAY_ENTRY_OF(sizeof(Struct),                                               \
                 sizeof(belayTilingFields) / sizeof(belay::sim::Field),        \
                 belayTilingFields, __VA_ARGS__)

#endif // BELAY_ASCENDC_BELAY_ENTRY_H

//===- tiling.h - Tiling data and task types --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_TILING_H
#define BELAY_ASCENDC_API_TILING_H

#include "abi/Entry.h"
#include "api/basic.h"

// --- the structure that the host computes
// ----------------------------------------
//
// An operator project registers its tiling structure on the host side
// (REGISTER_TILING_DATA_CLASS) or on the kernel side (REGISTER_TILING_DEFAULT);
// GET_TILING_DATA then means that structure. Here the registration defines the
// alias BelayDefaultTiling.

/// Copies the tiling structure out of global memory.
#define BELAY_READ_TILING(Struct, Name, Address)                               \
  Struct Name;                                                                 \
  belay_sim_scalar_global(Address, sizeof(Struct), false);                     \
  __builtin_memcpy(&Name, reinterpret_cast<const void *>(Address),             \
                   sizeof(Struct))

#define GET_TILING_DATA_WITH_STRUCT(Struct, Name, Address)                     \
  BELAY_READ_TILING(Struct, Name, Address)
#define GET_TILING_DATA(Name, Address)                                         \
  BELAY_READ_TILING(BelayDefaultTiling, Name, Address)
#define GET_TILING_DATA_MEMBER(Struct, Member, Name, Address)                  \
  decltype(Struct::Member) Name;                                               \
  __builtin_memcpy(&Name,                                                      \
                   reinterpret_cast<const uint8_t *>(Address) +                \
                       __builtin_offsetof(Struct, Member),                     \
                   sizeof(Name))
/// Where the structure lies, without a copy.
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, Name, Address)                 \
  belay_sim_scalar_global(Address, sizeof(Struct), false);                     \
  const Struct *Name = reinterpret_cast<const Struct *>(Address)
/// A part of what the previous one found; here the scalar unit reads global
/// memory as fast as its stack, so these are names for the part itself.
#define COPY_TILING_WITH_STRUCT(Struct, Source, Name)                          \
  const Struct *Name = &(Source)
#define COPY_TILING_WITH_ARRAY(Type, Count, Source, Name)                      \
  const Type(*Name)[Count] = &(Source)
#define REGISTER_TILING_DEFAULT(Struct) using BelayDefaultTiling = Struct
#define REGISTER_TILING_FOR_TILINGKEY(Expression, Struct)
#define REGISTER_NONE_TILING

#define TILING_KEY_VAR (belay_sim_tiling_key())
#define TILING_KEY_IS(Key) (TILING_KEY_VAR == static_cast<uint64_t>(Key))
#define TILING_KEY_LIST(A, B) (TILING_KEY_IS(A) || TILING_KEY_IS(B))

// --- what kind of cores a kernel wants
// --------------------------------------------
enum KernelMetaType {
  KERNEL_TYPE_AIV_ONLY,
  KERNEL_TYPE_AIC_ONLY,
  KERNEL_TYPE_MIX_AIV_1_0,
  KERNEL_TYPE_MIX_AIC_1_0,
  KERNEL_TYPE_MIX_AIC_1_1,
  KERNEL_TYPE_MIX_AIC_1_2,
  KERNEL_TYPE_AICORE,
  KERNEL_TYPE_VECTORCORE,
  KERNEL_TYPE_MIX_AICORE,
  KERNEL_TYPE_MIX_VECTOR_CORE,
  KERNEL_TYPE_MAX,
};

namespace belay::sim {
constexpr TaskKind taskKindOf(KernelMetaType t) {
  switch (t) {
  case KERNEL_TYPE_AIC_ONLY:
  case KERNEL_TYPE_MIX_AIC_1_0:
    return TaskKind::Cube;
  case KERNEL_TYPE_MIX_AIC_1_1:
    return TaskKind::Mix1To1;
  case KERNEL_TYPE_MIX_AIC_1_2:
  case KERNEL_TYPE_MIX_AICORE:
    return TaskKind::Mix1To2;
  default:
    return TaskKind::Vector;
  }
}
} // namespace belay::sim

#define BELAY_TASK_NOTE(Key, Type, Any)                                        \
  {                                                                            \
    __attribute__((section("belay_task"),                                      \
                   used)) static const belay::sim::TaskNote note = {           \
        __func__, Key, belay::sim::taskKindOf(Type), Any};                     \
  }
#define KERNEL_TASK_TYPE_DEFAULT(Type) BELAY_TASK_NOTE(0, Type, true)
#define KERNEL_TASK_TYPE(Key, Type) BELAY_TASK_NOTE(Key, Type, false)

#endif // BELAY_ASCENDC_API_TILING_H

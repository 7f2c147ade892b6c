//===- Instructions.h - Which instruction has which types -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TARGETS_INSTRUCTIONS_H
#define BELAY_TARGETS_INSTRUCTIONS_H

#include "targets/Target.h"

namespace belay::targets {

/// Elements that instructions work on.
enum class Element : uint8_t {
  S8,
  U8,
  S16,
  U16,
  S32,
  U32,
  S64,
  U64,
  F16,
  BF16,
  F32,
  F64,
  // Only of conversions.
  S4,
  F8E4M3,
  F8E5M2,
  F8E8M0,
  HIF8,
};

/// How a conversion rounds; the letters of Casts.def.
enum class CastMode : uint8_t { N, R, F, C, A, T, O };

/// Whether Instructions.def says anything of it.
bool isListed(std::string_view Instruction);

/// Whether an architecture has an instruction for a type of elements, by what
/// Instructions.def lists: in the form with a count, or in all others. False
/// for an instruction or an architecture that is not listed.
bool hasForm(const Arch &Arch, std::string_view Instruction, Element Type,
             bool ByCount);

/// Whether an architecture has a conversion that rounds like that, by what
/// Casts.def lists.
bool hasCast(const Arch &Arch, Element From, Element To, CastMode Mode);

} // namespace belay::targets

#endif // BELAY_TARGETS_INSTRUCTIONS_H

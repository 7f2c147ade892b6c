//===- PipeRules.h - In which pipe an instruction runs ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_PIPERULES_H
#define BELAY_ABI_PIPERULES_H

#include "abi/Types.h"

namespace belay::sim {

/// A pipe, or how the memories of an instruction's operands decide it.
enum class PipeRule : uint8_t {
  S,
  V,
  M,
  MTE1,
  MTE2,
  MTE3,
  FIX,
  ByCall, ///< The call says which.
  Load,   ///< MTE2 reads global memory, MTE1 reads L1.
  Store,  ///< MTE3 writes global memory, MTE2 reads it.
  Matrix, ///< MTE2 reads global memory, MTE3 reads the UB.
  Fill,   ///< MTE2 fills L1, MTE1 the L0 buffers.
  Local,  ///< Between memories of a core.
};

/// The pipe of an instruction from one memory to another.
constexpr Pipe pipeBy(PipeRule Rule, Space From, Space To) {
  switch (Rule) {
  case PipeRule::S:
    return Pipe::S;
  case PipeRule::V:
  case PipeRule::ByCall:
    return Pipe::V;
  case PipeRule::M:
    return Pipe::M;
  case PipeRule::MTE1:
    return Pipe::MTE1;
  case PipeRule::MTE2:
    return Pipe::MTE2;
  case PipeRule::MTE3:
    return Pipe::MTE3;
  case PipeRule::FIX:
    return Pipe::FIX;
  case PipeRule::Load:
    return From == Space::GM ? Pipe::MTE2 : Pipe::MTE1;
  case PipeRule::Store:
    return To == Space::GM ? Pipe::MTE3 : Pipe::MTE2;
  case PipeRule::Matrix:
    return From == Space::GM ? Pipe::MTE2 : Pipe::MTE3;
  case PipeRule::Fill:
    return To == Space::L1 ? Pipe::MTE2 : Pipe::MTE1;
  case PipeRule::Local:
    break;
  }
  if (To == Space::BT || (From == Space::L1 && To == Space::UB))
    return Pipe::MTE1;
  if (To == Space::FB)
    return Pipe::FIX;
  return From == Space::UB && To == Space::L1 ? Pipe::MTE3 : Pipe::V;
}

} // namespace belay::sim

#endif // BELAY_ABI_PIPERULES_H

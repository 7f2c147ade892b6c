//===- Pipes.h - Pipes, and the cores that have them ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of both kinds of cores stays one function until it is emitted: each
// core executes the instructions of its own pipes, in the order of the
// function, and all of its loops and branches. A flag between two cores stops
// the scalar unit that awaits it, and with it all that its core issues later.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_PIPES_H
#define BELAY_DIALECT_PIPES_H

#include "dialect/Ascend.h"
#include "targets/Target.h"

namespace belay::ascend {

inline constexpr unsigned NumPipes = getMaxEnumValForPipe() + 1;

enum class Core : uint8_t { Vector, Cube };

/// Of a kernel: the cores that it runs on, "cube" or "mix" for both. Without,
/// it is one of vector cores.
inline constexpr llvm::StringLiteral KernelCoreAttrName = "ascend.core";
inline constexpr llvm::StringLiteral CubeCores = "cube", BothCores = "mix";

/// The core that has a pipe. A core with both units is a vector core that
/// multiplies.
inline Core coreOf(Pipe Pipe) {
  switch (Pipe) {
  case Pipe::S:
  case Pipe::V:
  case Pipe::MTE2:
  case Pipe::MTE3:
  case Pipe::FusedM:
  case Pipe::FusedMTE1:
    return Core::Vector;
  case Pipe::M:
  case Pipe::MTE1:
  case Pipe::FIX:
  case Pipe::CubeS:
  case Pipe::CubeMTE2:
    return Core::Cube;
  }
  llvm_unreachable("all pipes are listed");
}

/// The pipe that issues the instructions of a core.
inline Pipe scalarPipeOf(Core Core) {
  return Core == Core::Vector ? Pipe::S : Pipe::CubeS;
}

inline bool isScalar(Pipe Pipe) { return Pipe == scalarPipeOf(coreOf(Pipe)); }

/// Whether a flag between two pipes is one between cores.
inline bool isBetweenCores(Pipe From, Pipe To) {
  return coreOf(From) != coreOf(To);
}

/// Flags between the cores of a kernel that are free for it: the last two are
/// those of a barrier for both cores.
inline unsigned flagsBetweenCores(const targets::Arch &Arch) {
  return Arch.crossCoreFlagIds < 2 ? 0 : Arch.crossCoreFlagIds - 2;
}

/// What a pipe is called on its core.
inline llvm::StringRef nameOnCore(Pipe On) {
  switch (On) {
  case Pipe::CubeS:
    return stringifyPipe(Pipe::S);
  case Pipe::CubeMTE2:
    return stringifyPipe(Pipe::MTE2);
  case Pipe::FusedM:
    return stringifyPipe(Pipe::M);
  case Pipe::FusedMTE1:
    return stringifyPipe(Pipe::MTE1);
  default:
    return stringifyPipe(On);
  }
}

} // namespace belay::ascend

#endif // BELAY_DIALECT_PIPES_H

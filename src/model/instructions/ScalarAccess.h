//===- ScalarAccess.h - Pointers of the scalar unit -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_SCALARACCESS_H
#define BELAY_MODEL_INSTRUCTIONS_SCALARACCESS_H

#include <cstdint>

namespace belay::sim {

/// The scalar unit loads or stores through a plain pointer.
void accessByPointer(const void *Address, uint32_t Bytes, bool Write,
                     const void *PC);

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_SCALARACCESS_H

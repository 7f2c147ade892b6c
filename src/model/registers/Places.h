//===- Places.h - Where vector functions may load and store -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_REGISTERS_PLACES_H
#define BELAY_MODEL_REGISTERS_PLACES_H

#include "model/registers/RegisterFile.h"

namespace belay::sim {

/// Ends the run unless the bytes lie in the UB, from a multiple of Alignment.
void checkPlace(const RegisterFile &F, const MicroCall &M, const uint8_t *At,
                uint64_t Bytes, bool Write, uint32_t Alignment);
/// The same for Base + Index * Unit, which lane I asks for.
void checkIndexed(const RegisterFile &F, const MicroCall &M,
                  const uint8_t *Base, uint32_t Lane, uint64_t Index,
                  uint32_t Unit, bool Write);
/// Lane I of a register of indices of Wide bytes. While watched, says if it has
/// no value.
uint64_t indexOf(RegisterFile &F, const MicroCall &M, const Register &Indices,
                 uint32_t Lane, uint32_t Wide);
/// The bytes of an element: 1, 2, 4 or 8, or those of the type if Unit is 0.
uint8_t unitOf(const MicroCall &M, uint32_t Unit, Elem T);

} // namespace belay::sim

#endif // BELAY_MODEL_REGISTERS_PLACES_H

//===- Dtypes.h - What exists on which architecture -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_DTYPES_H
#define BELAY_MODEL_INSTRUCTIONS_DTYPES_H

#include "abi/Instructions.h"

namespace belay::sim {

class Issue;

/// The element types of one instruction, one bit per Elem.
struct DtypeRow {
  const char *Name;
  uint32_t On2002, On2201, On3510, CountOnly3510;
};

/// The row of an instruction, or null if it takes whatever has a meaning.
const DtypeRow *findDtypes(const char *Name);

/// Refuses what the API reference does not list for this architecture. Mixed
/// instructions are asked for their destination's type.
void checkDtype(Issue &I, const DtypeRow *Row, Elem T, MaskMode Mode);

/// Refuses an API that the architecture does not have.
void requireFact(const Issue &I, bool Has);

/// Rows by operation, found once.
template <typename Op, unsigned N> class DtypesOf {
public:
  template <typename NameFn> explicit DtypesOf(NameFn Name) {
    for (unsigned K = 0; K < N; ++K)
      Rows[K] = findDtypes(Name(static_cast<Op>(K)));
  }
  const DtypeRow *operator[](Op O) const {
    return Rows[static_cast<unsigned>(O)];
  }

private:
  const DtypeRow *Rows[N];
};

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_DTYPES_H

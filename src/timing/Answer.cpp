//===- Answer.cpp - What a launch costs, as one process tells another -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Answer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace belay::timing {

const char *nameOf(Cause C) {
  constexpr const char *Names[] = {
#define BELAY_CAUSE(Name, Text, Bound) Text,
      BELAY_CAUSES(BELAY_CAUSE)
#undef BELAY_CAUSE
  };
  return Names[static_cast<unsigned>(C)];
}

const char *boundOf(Cause C) {
  constexpr const char *Names[] = {
#define BELAY_CAUSE(Name, Text, Bound) Bound,
      BELAY_CAUSES(BELAY_CAUSE)
#undef BELAY_CAUSE
  };
  return Names[static_cast<unsigned>(C)];
}

template <size_t N> static void cleanText(char (&Text)[N]) {
  Text[N - 1] = '\0';
  for (char &C : Text)
    if (C && (C < ' ' || C > '~'))
      C = '?';
}

template <size_t N> static bool usable(const double (&Numbers)[N]) {
  return std::all_of(Numbers, Numbers + N, [](double Each) {
    return std::isfinite(Each) && Each >= 0;
  });
}

void clean(Answer &A) {
  // Whoever wrote it need not have written a bool.
  unsigned char Known;
  std::memcpy(&Known, &A.Known, sizeof(Known));
  A.Known = Known == 1;
  cleanText(A.Why);
  double Single[] = {A.Guess, A.LeastBytes, A.LeastVector, A.LeastCube};
  bool IsUsable = A.Magic == AnswerMagic && A.NumSites <= MaxSites &&
                  A.NumDraws <= NumDraws && usable(A.Cycles) &&
                  usable(A.OnChain) && usable(A.Busy) && usable(Single);
  if (!IsUsable)
    A.NumSites = 0;
  for (uint32_t N = 0; N < A.NumSites; ++N) {
    SiteAnswer &S = A.Sites[N];
    cleanText(S.Name);
    IsUsable &= usable(S.Cycles) && std::isfinite(S.Exposed) &&
                S.On <= Pipe::All && S.Kind <= CoreKind::Coupled;
  }
  if (IsUsable)
    return;
  if (A.Known || !A.Why[0])
    std::strcpy(A.Why, "the runner left no answer");
  A.Known = false;
  A.NumSites = 0;
}

} // namespace belay::timing

//===- Spelling.h - Nearest spelling of a mistyped name ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Header-only and free of LLVM, so that src/targets, which links nothing, can
// use it too.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_SPELLING_H
#define BELAY_SUPPORT_SPELLING_H

#include <algorithm>
#include <string_view>
#include <vector>

namespace belay::support {

/// Insertions, deletions and replacements that turn \p From into \p To.
inline size_t editDistance(std::string_view From, std::string_view To) {
  std::vector<size_t> Row(To.size() + 1);
  for (size_t J = 0; J <= To.size(); ++J)
    Row[J] = J;
  for (size_t I = 1; I <= From.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I;
    for (size_t J = 1; J <= To.size(); ++J) {
      size_t Replaced = Diagonal + (From[I - 1] != To[J - 1]);
      Diagonal = Row[J];
      Row[J] = std::min({Replaced, Row[J] + 1, Row[J - 1] + 1});
    }
  }
  return Row[To.size()];
}

/// The name of \p Names nearest to \p Typed, or empty if none is close enough
/// to be meant: at most a third of the letters may differ.
template <typename Range>
std::string_view nearestName(std::string_view Typed, const Range &Names) {
  std::string_view Best;
  size_t Limit = std::max<size_t>(1, Typed.size() / 3) + 1;
  for (std::string_view Name : Names) {
    size_t Distance = editDistance(Typed, Name);
    if (Distance < Limit) {
      Limit = Distance;
      Best = Name;
    }
  }
  return Best;
}

} // namespace belay::support

#endif // BELAY_SUPPORT_SPELLING_H

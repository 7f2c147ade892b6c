//===- Spelling.h - Nearest spelling of a mistyped name ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
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

/// Insertions, deletions and replacements that turn \p a into \p b.
inline size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// The name of \p range nearest to \p typed, or empty if none is close enough
/// to be meant: at most a third of the letters may differ.
template <typename Range>
std::string_view nearestName(std::string_view typed, const Range &range) {
  std::string_view best;
  size_t limit = std::max<size_t>(1, typed.size() / 3) + 1;
  for (std::string_view name : range) {
    size_t distance = editDistance(typed, name);
    if (distance < limit) {
      limit = distance;
      best = name;
    }
  }
  return best;
}

} // namespace belay::support

#endif // BELAY_SUPPORT_SPELLING_H

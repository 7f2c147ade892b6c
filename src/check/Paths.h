//===- Paths.h - Which ways through a kernel are followed -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PATHS_H
#define BELAY_CHECK_PATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace belay::check {

/// One decision of a path. Whether all blocks of a launch decide it alike.
struct Decision {
  bool Taken, Alike;
};

/// Whether two blocks of one launch can take these two paths: the first
/// decision that differs is one that blocks decide by themselves.
inline bool coexist(llvm::ArrayRef<Decision> A, llvm::ArrayRef<Decision> B) {
  for (const auto &[Mine, Theirs] : llvm::zip(A, B))
    if (Mine.Taken != Theirs.Taken)
      return !Mine.Alike;
  return true;
}

/// One path: what was decided wherever the launch decides. A path is followed
/// by executing the kernel anew with a prefix of decisions; after the prefix
/// the preferred way is taken, and each other way becomes a prefix of its own.
class Plan {
public:
  explicit Plan(std::vector<bool> Prefix = {}) : Taken(std::move(Prefix)) {
    PrefixSize = Taken.size();
  }

  /// A path that is not followed yet, and where it leaves one that was.
  struct Alternative {
    std::vector<bool> Prefix;
    std::pair<const void *, bool> Way = {nullptr, false};
  };

  /// The next decision. Both: the other way is possible as well.
  bool decide(const void *At, bool Preferred, bool Both) {
    if (Next < PrefixSize)
      return Taken[Next++];
    if (Both) {
      std::vector<bool> Other(Taken.begin(), Taken.begin() + Next);
      Other.push_back(!Preferred);
      Alternatives.push_back({std::move(Other), {At, !Preferred}});
    }
    Taken.push_back(Preferred);
    ++Next;
    return Preferred;
  }

  /// Whether another path has been here.
  bool replays() const { return Next < PrefixSize; }
  std::vector<Alternative> &alternatives() { return Alternatives; }
  unsigned Steps = 0; ///< How much work the path was.

private:
  std::vector<bool> Taken;
  size_t PrefixSize, Next = 0;
  std::vector<Alternative> Alternatives;
};

} // namespace belay::check

#endif // BELAY_CHECK_PATHS_H

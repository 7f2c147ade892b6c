//===- Bounded.h - Lists that say when they forget --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every list of the checker that has a limit. What a full list forgets cannot
// be compared any more, so that no topic which depends on it can be clean: the
// list cannot be made without naming these topics.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_BOUNDED_H
#define BELAY_CHECK_BOUNDED_H

#include "check/Report.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <vector>

namespace belay::check {

/// How long a list may become, and what is unknown once it was longer.
struct ListLimit {
  size_t Most;
  llvm::ArrayRef<Topic> Topics;
  llvm::StringLiteral Why;
};

namespace limits {
// An access is compared with all before it: the time is quadratic.
inline constexpr Topic OrderTopics[] = {Topic::Sync};
inline constexpr ListLimit Accesses = {
    96, OrderTopics, "more accesses to one buffer than are compared"};
inline constexpr Topic CoreTopics[] = {Topic::Cores};
inline constexpr ListLimit GlobalAccesses = {
    256, CoreTopics, "more accesses to global memory than are compared"};
inline constexpr Topic ValueTopics[] = {Topic::Values};
inline constexpr ListLimit Written = {
    64, ValueTopics, "more writes to one buffer than are remembered"};
// An operand whose tensor is forgotten is compared with its whole buffer, or
// its bounds are unknown: see Runtime::checkTensor.
inline constexpr ListLimit Tensors = {24, {}, ""};
} // namespace limits

/// The oldest entry goes when the list is full.
template <typename T> class Bounded {
public:
  using Tell = std::function<void(Topic, llvm::StringRef)>;

  Bounded(const ListLimit &Limit, Tell Unknown)
      : Limit(&Limit), Unknown(std::move(Unknown)) {}

  void push_back(T New) {
    List.push_back(std::move(New));
    if (List.size() <= Limit->Most)
      return;
    List.erase(List.begin());
    Forgot = true;
    for (Topic Each : Limit->Topics)
      Unknown(Each, Limit->Why);
  }
  /// For entries that are no longer needed.
  template <typename Predicate> void eraseIf(Predicate Which) {
    llvm::erase_if(List, Which);
  }
  /// Starts anew: what was forgotten no longer matters.
  void clear() {
    List.clear();
    Forgot = false;
  }
  bool forgot() const { return Forgot; }
  /// The next one makes it forget.
  bool full() const { return List.size() >= Limit->Most; }

  size_t size() const { return List.size(); }
  bool empty() const { return List.empty(); }
  T &operator[](size_t N) { return List[N]; }
  const T &operator[](size_t N) const { return List[N]; }
  auto begin() { return List.begin(); }
  auto end() { return List.end(); }
  auto begin() const { return List.begin(); }
  auto end() const { return List.end(); }

private:
  const ListLimit *Limit;
  Tell Unknown;
  std::vector<T> List;
  bool Forgot = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_BOUNDED_H

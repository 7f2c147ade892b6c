//===- SortValues.cpp - Whole tensors, either way -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/Records.h"

#include <algorithm>
#include <numeric>

namespace belay::sim {

namespace {

/// Rising values; NaN is larger than all.
template <typename T> bool isLess(T A, T B) {
  if constexpr (IsFloat<T>) {
    auto X = static_cast<float>(A), Y = static_cast<float>(B);
    return Y != Y ? X == X : X < Y;
  } else {
    return A < B;
  }
}

template <typename T> std::vector<uint32_t> orderOf(const ValueSort &S) {
  const auto *Src = static_cast<const T *>(S.Src);
  std::vector<uint32_t> Order(S.Count);
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    bool Less = isLess(Src[A], Src[B]), More = isLess(Src[B], Src[A]);
    return Less || More ? Less != S.Descend : A < B;
  });
  return Order;
}

using OrderFn = std::vector<uint32_t> (*)(const ValueSort &);

OrderFn findOrder(const ValueSort &S) {
  auto Pick = []<typename T> { return orderOf<T>; };
  return S.Merge ? byType(S.T, TypeList<F16, float>(), Pick)
                 : byType(S.T, NumberTypes(), Pick);
}

void checkIndexType(const ValueSort &S, Issue &I) {
  bool Has = S.IndexT == Elem::U32 ||
             (!S.Merge && isOneOf(S.IndexT, {Elem::S32, Elem::U64, Elem::S64}));
  if (!Has)
    I.unsupported(S.IndexT);
}

void permute(void *Dst, const void *Src, uint32_t Size,
             const std::vector<uint32_t> &Order) {
  for (size_t N = 0; N < Order.size(); ++N)
    std::memmove(at(Dst, N * Size), at(Src, uint64_t(Order[N]) * Size), Size);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_sort_values(const ValueSort *S) {
  Issue I("Sort", on::sort_values, BELAY_PC);
  if (I.dropped())
    return;
  if (!I.core().arch().hasConfiguredSort)
    unsupportedApi(I, "use Concat, Sort with repeatTime, and Extract");
  OrderFn OrderOf = findOrder(*S);
  if (!OrderOf)
    I.unsupported(S->T);
  checkIndexType(*S, I);
  if (S->Merge && S->Count % 32)
    fail("bad-repeat", I.pc(), "pad the values, or sort with RADIX_SORT",
         "Sort with MERGE_SORT needs a multiple of 32 values, but has %u",
         S->Count);
  if (!S->Count)
    return;
  uint32_t Size = bytesOf(S->T), IndexSize = bytesOf(S->IndexT);
  uint64_t Bytes = product(S->Count, Size);
  uint64_t IndexBytes = product(S->Count, IndexSize);
  I.read(S->Src, {Bytes}, S->T);
  if (S->SrcIndex)
    I.read(S->SrcIndex, {IndexBytes}, S->IndexT);
  if (S->TmpBytes)
    I.write(S->Tmp, {S->TmpBytes}, Elem::U8);
  I.write(S->Dst, {Bytes}, S->T);
  if (S->DstIndex)
    I.write(S->DstIndex, {IndexBytes}, S->IndexT);
  checkApart(I, S->Dst, Bytes, S->Src, Bytes);
  if (I.later(belay_sim_sort_values, S))
    return;
  std::vector<uint32_t> Order = OrderOf(*S);
  permute(S->Dst, S->Src, Size, Order);
  if (!S->DstIndex)
    return;
  if (S->SrcIndex)
    return permute(S->DstIndex, S->SrcIndex, IndexSize, Order);
  for (size_t N = 0; N < Order.size(); ++N) {
    uint64_t Index = Order[N];
    std::memcpy(at(S->DstIndex, N * IndexSize), &Index, IndexSize);
  }
}

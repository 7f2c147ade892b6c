//===- Reduce.cpp - One result for everything -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ReduceSum, ReduceMax, ReduceMin. Each is several instructions on the device:
// every repeat gives a result, and the results are reduced in turn, through
// sharedTmpBuffer where the architecture needs it.
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ReduceLanes.h"

#include <vector>

namespace belay::sim {

namespace {

/// How the sums of the repeats are added.
enum class Adding { Sequential, ByTree, LaneWise };

Adding addingOf(const FullReduction &R, const Lanes &L,
                const targets::Arch &Arch) {
  if (Arch.sumsSequentially && R.CountForm)
    return Adding::Sequential;
  if (!Arch.sumsLanes)
    return R.Dst ? Adding::ByTree : Adding::Sequential;
  uint64_t Bytes = product(L.total(), bytesOf(R.T));
  bool Short = R.CountForm && Bytes >= RepeatBytes && Bytes <= 4 * RepeatBytes;
  return bytesOf(R.T) == 8 || Short ? Adding::LaneWise : Adding::ByTree;
}

uint64_t roundUp(uint64_t N, uint32_t To) { return divideUp(N, To) * To; }

/// Elements of sharedTmpBuffer that the API's documentation asks for.
uint64_t tmpElements(const FullReduction &R, const Lanes &L,
                     const targets::Arch &Arch) {
  uint32_t PerBlock = BlockBytes / bytesOf(R.T);
  uint64_t Repeats =
      R.CountForm ? L.total() / L.PerRepeat : static_cast<uint64_t>(R.Repeat);
  if (R.Op == ReduceOp::Sum)
    return addingOf(R, L, Arch) == Adding::ByTree
               ? roundUp(std::max<uint64_t>(Repeats, 1), PerBlock)
               : 0;
  if (!Arch.reduceNeedsTmp)
    return 0;
  uint64_t First = Repeats * 2, FirstEnd = roundUp(First, PerBlock);
  if (!R.CalIndex)
    return FirstEnd;
  uint64_t Second = divideUp(First, L.PerRepeat) * 2;
  uint64_t SecondEnd = roundUp(Second, PerBlock);
  if (Second <= 2)
    return FirstEnd + SecondEnd;
  uint64_t Third = divideUp(Second, L.PerRepeat) * 2;
  return FirstEnd + SecondEnd + roundUp(Third, PerBlock);
}

template <typename T>
T sumOfRow(const Lanes &L, const Stride &S, const void *Src, uint64_t Repeat) {
  T Row[LanesOf<T>];
  loadTerms(Row, L, S, Src, Repeat);
  return treeSum(Row, L.PerRepeat);
}

/// Reduces a list as the device would: a repeat's worth at a time, by trees.
template <typename T> T sumByTree(std::vector<T> List) {
  while (List.size() > 1) {
    size_t Next = 0;
    for (size_t I = 0; I < List.size(); I += LanesOf<T>) {
      T Row[LanesOf<T>];
      size_t N = std::min<size_t>(LanesOf<T>, List.size() - I);
      std::copy_n(&List[I], N, Row);
      std::fill(Row + N, Row + LanesOf<T>, nothing<T>());
      List[Next++] = treeSum(Row, LanesOf<T>);
    }
    List.resize(Next);
  }
  return List[0];
}

template <typename T>
T sumLaneWise(const Lanes &L, const Stride &S, const void *Src) {
  T Total[LanesOf<T>], Row[LanesOf<T>];
  loadTerms(Total, L, S, Src, 0);
  for (uint64_t R = 1; R < L.Repeats; ++R) {
    loadTerms(Row, L, S, Src, R);
    for (uint32_t I = 0; I < LanesOf<T>; ++I)
      Total[I] = plus(Total[I], Row[I]);
  }
  return treeSum(Total, LanesOf<T>);
}

template <typename T>
void sum(const FullReduction &R, const Lanes &L, const Stride &S,
         uint64_t TmpCount, Issue &I) {
  Adding How = addingOf(R, L, I.core().arch());
  T Total;
  if (How == Adding::LaneWise) {
    Total = sumLaneWise<T>(L, S, R.Src);
  } else {
    std::vector<T> Sums(L.Repeats);
    for (uint64_t N = 0; N < L.Repeats; ++N)
      Sums[N] = sumOfRow<T>(L, S, R.Src, N);
    // The temporary may be the source: it is overwritten only now.
    std::copy_n(Sums.begin(), std::min<size_t>(TmpCount, Sums.size()),
                static_cast<T *>(R.Tmp));
    if (How == Adding::Sequential) {
      Total = Sums[0];
      for (uint64_t N = 1; N < L.Repeats; ++N)
        Total = plus(Total, Sums[N]);
    } else {
      Total = sumByTree(std::move(Sums));
    }
  }
  if (R.CountForm)
    I.core().Regs.Lists.ReduceSum = bitsOf(Total);
  if (R.Dst)
    *static_cast<T *>(R.Dst) = Total;
}

template <ReduceOp Op, typename T>
void best(const FullReduction &R, const Lanes &L, const Stride &S,
          uint64_t TmpCount, Issue &I) {
  Best<T> Found = {T(), 0};
  uint64_t Where = 0; // the repeat that has it
  std::vector<T> Pairs;
  for (uint64_t N = 0; N < L.Repeats; ++N) {
    T Row[LanesOf<T>];
    loadRow(Row, L, S, R.Src, N);
    Best<T> Here = bestOf<Op>(Row, L, activeOf(L, N), 0, L.PerRepeat);
    if (N == 0 || beats<Op>(static_cast<Wide<T>>(Here.Value),
                            static_cast<Wide<T>>(Found.Value))) {
      Found = Here;
      Where = N;
    }
    T Index = T();
    std::memcpy(&Index, &Here.Index, std::min(sizeof(T), sizeof(uint32_t)));
    Pairs.push_back(Here.Value);
    Pairs.push_back(Index);
  }
  std::copy_n(Pairs.begin(), std::min<size_t>(TmpCount, Pairs.size()),
              static_cast<T *>(R.Tmp));
  uint64_t Index = Where * S.Repeat * (BlockBytes / sizeof(T)) + Found.Index;
  auto *Dst = static_cast<T *>(R.Dst);
  Dst[0] = Found.Value;
  if (R.CalIndex)
    std::memcpy(&Dst[1], &Index, sizeof(T));
  // The register knows the lane of the last step only: with one step that is
  // the answer, with more it is the place of a pair.
  I.core().Regs.Lists.ReduceValue = bitsOf(Found.Value);
  I.core().Regs.Lists.ReduceIndex = L.Repeats == 1 ? Found.Index : 2 * Where;
}

template <typename T>
void reduce(const FullReduction &R, const Lanes &L, const Stride &S,
            uint64_t TmpCount, Issue &I) {
  switch (R.Op) {
  case ReduceOp::Sum:
    return sum<T>(R, L, S, TmpCount, I);
  case ReduceOp::Max:
    return best<ReduceOp::Max, T>(R, L, S, TmpCount, I);
  case ReduceOp::Min:
    return best<ReduceOp::Min, T>(R, L, S, TmpCount, I);
  }
}

using FullFn = void (*)(const FullReduction &, const Lanes &, const Stride &,
                        uint64_t, Issue &);

FullFn findFull(const FullReduction &R, const targets::Arch &Arch) {
  if (R.T == Elem::F16)
    return reduce<F16>;
  if (R.T == Elem::F32)
    return reduce<float>;
  if (!Arch.reducesIntegers)
    return nullptr;
  switch (R.T) {
  case Elem::S16:
    return R.Op == ReduceOp::Sum ? nullptr : reduce<int16_t>;
  case Elem::U16:
    return R.Op == ReduceOp::Sum ? nullptr : reduce<uint16_t>;
  case Elem::S32:
    return reduce<int32_t>;
  case Elem::U32:
    return reduce<uint32_t>;
  case Elem::S64:
    return R.CountForm ? reduce<int64_t> : nullptr;
  case Elem::U64:
    return R.CountForm ? reduce<uint64_t> : nullptr;
  default:
    return nullptr;
  }
}

Lanes lanesOf(const FullReduction &R, Issue &I) {
  Walk W = R.W;
  uint32_t Size = bytesOf(R.T);
  // isSetMask=false means something on some architectures only; a bare
  // vcadd has no count.
  bool Registers = W.Mode == MaskMode::Register &&
                   (!R.Dst || I.core().arch().reduceHeedsMask);
  if (R.CountForm && !Registers) {
    W.Mode = MaskMode::Count;
    W.Mask[0] = static_cast<uint64_t>(R.Repeat);
    return Lanes::resolve(W, Size, I);
  }
  W.Repeat = 1; // repeats may exceed the field
  Lanes L = Lanes::resolve(W, Size, I);
  if (!I.core().Regs.MaskCounter)
    L.Repeats = static_cast<uint64_t>(R.Repeat);
  return L;
}

void checkTmp(const FullReduction &R, uint64_t Bytes, Issue &I) {
  if (!Bytes)
    return;
  // A tensor without a length was made by hand; its address is checked anyway.
  if (R.TmpBytes && R.TmpBytes < Bytes)
    fail("local-out-of-bounds", I.pc(),
         "give sharedTmpBuffer the room that the API's documentation asks for",
         "%s needs %llu bytes of sharedTmpBuffer, which has %u", I.name(),
         static_cast<unsigned long long>(Bytes), R.TmpBytes);
  I.write(R.Tmp, {Bytes}, R.T);
}

void checkIndexFits(const FullReduction &R, const Lanes &L, const Stride &S,
                    Issue &I) {
  if (!R.CalIndex || bytesOf(R.T) != 2)
    return;
  uint64_t Last = product(L.Repeats - 1, S.Repeat, BlockBytes / 2) +
                  activeOf(L, L.Repeats - 1) - 1;
  if (Last > 65535)
    fail("bad-repeat", I.pc(),
         "reduce parts of at most 65536 elements, or cast to float first",
         "%s of %s can return indices up to 65535, but the last element has "
         "index %llu",
         I.name(), nameOf(R.T), static_cast<unsigned long long>(Last));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_reduce_all(const FullReduction *R) {
  Issue I(R->Name, on::reduce_all, BELAY_PC);
  if (I.dropped())
    return;
  const auto &Arch = I.core().arch();
  FullFn Fn = findFull(*R, Arch);
  if (!Fn)
    I.unsupported(R->T);
  checkRange(I, R->CountForm ? "count" : "repeatTime", R->Repeat,
             std::numeric_limits<int32_t>::max());
  checkRange(I, "srcRepStride", R->SrcRepeatStride, 65535);
  if (R->Repeat == 0)
    return;
  uint32_t Size = bytesOf(R->T);
  Lanes L = lanesOf(*R, I);
  if (L.Repeats == 0)
    return;
  Stride S = {R->W.Operand[1].Block, static_cast<uint16_t>(R->SrcRepeatStride)};
  I.read(R->Src, extentOf(L, S, Size), R->T);
  checkIndexFits(*R, L, S, I);
  uint64_t TmpCount = tmpElements(*R, L, Arch);
  checkTmp(*R, product(TmpCount, Size), I);
  uint32_t Result = Size * (R->CalIndex ? 2 : 1);
  if (R->Dst || R->Op != ReduceOp::Sum)
    I.write(R->Dst, {Result}, R->T, Result);
  if (I.later(belay_sim_reduce_all, R))
    return;
  Fn(*R, L, S, TmpCount, I);
}

uint64_t belay_sim_reduce_register(ReduceRegister Which, uint32_t Values) {
  bool IsSum = Which == ReduceRegister::Sum;
  Issue I(IsSum ? "GetReduceRepeatSumSpr" : "GetReduceRepeatMaxMinSpr", Pipe::S,
          BELAY_PC, InstructionKind::ScalarAccess);
  const auto &Arch = I.core().arch();
  bool Has = IsSum         ? Arch.hasReduceSumSpr
             : Values == 2 ? Arch.hasMaxMinSpr
                           : Arch.hasMaxMinSprAlone;
  if (!Has)
    fail("unsupported-api", I.pc(),
         "read the result from the destination of the reduction",
         "%s with %u result%s does not exist on arch %u", I.name(), Values,
         Values == 1 ? "" : "s", Arch.number);
  I.drain();
  const ListRegisters &R = I.core().Regs.Lists;
  return IsSum                            ? R.ReduceSum
         : Which == ReduceRegister::Value ? R.ReduceValue
                                          : R.ReduceIndex;
}

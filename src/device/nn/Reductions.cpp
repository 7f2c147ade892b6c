//===- Reductions.cpp - Products, and operators along dimensions ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/nn/Executor.h"

#include <algorithm>
#include <cmath>

using namespace belay::device;
using namespace belay::device::nn;

#define BELAY_PREPARE() Preparation P(__func__, BELAY_SITE, Bytes, Made)

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A workspace for partial sums, as the vendor's operators ask for it; programs
/// that forget it are told so.
static uint64_t partialSums(const Shape &Extents) {
  return static_cast<uint64_t>(countOf(Extents)) * sizeof(float);
}

/// Rows times columns of each matrix of the batch; sums are kept as doubles.
static void multiply(const View &A, const View &B, const View &C) {
  const Shape &Out = C.Of.Extents;
  size_t Rank = Out.size();
  auto Rows = size_t(Out[Rank - 2]), Columns = size_t(Out[Rank - 1]);
  auto Depth = size_t(A.Of.Extents.back());
  Shape ShapeA(Out.begin(), Out.end() - 2), ShapeB = ShapeA;
  ShapeA.insert(ShapeA.end(), {int64_t(Rows), int64_t(Depth)});
  ShapeB.insert(ShapeB.end(), {int64_t(Depth), int64_t(Columns)});
  std::vector<double> X = read<double>({A.Of.expandedTo(ShapeA), A.Data});
  std::vector<double> Y = read<double>({B.Of.expandedTo(ShapeB), B.Data});
  std::vector<double> Z(static_cast<size_t>(countOf(Out)), 0);
  size_t Batches = Rows * Columns ? Z.size() / (Rows * Columns) : 0;
  for (size_t N = 0; N < Batches; ++N)
    for (size_t I = 0; I < Rows; ++I)
      for (size_t K = 0; K < Depth; ++K) {
        double Left = X[(N * Rows + I) * Depth + K];
        const double *Right = &Y[(N * Depth + K) * Columns];
        double *To = &Z[(N * Rows + I) * Columns];
        for (size_t J = 0; J < Columns; ++J)
          To[J] += Left * Right[J];
      }
  write(C, Z);
}

static int prepareProduct(Preparation &P, const aclTensor *Self,
                          const aclTensor *Mat2, aclTensor *To, size_t MinRank,
                          size_t MaxRank) {
  const Layout *A = P.input("self", Self), *B = P.input("mat2", Mat2);
  const Layout *Out = P.output("out", To);
  if (!P.good())
    return P.refuse("");
  for (const Layout *Each : {A, B})
    if (Each->Extents.size() < MinRank || Each->Extents.size() > MaxRank)
      return P.refuse("a tensor of shape " + toString(Each->Extents) +
                      " is no matrix, or no batch of them");
  if (A->Type != B->Type || !isReal(A->Type) || !isReal(Out->Type))
    return P.refuse(std::string("types ") + nameOfType(A->Type) + ", " +
                    nameOfType(B->Type) + " and " + nameOfType(Out->Type) +
                    " have no product");
  if (A->Extents.back() != B->Extents[B->Extents.size() - 2])
    return P.refuse("shapes " + toString(A->Extents) + " and " +
                    toString(B->Extents) + " do not fit");
  Shape Extents;
  if (!broadcast({A->Extents.begin(), A->Extents.end() - 2},
                 {B->Extents.begin(), B->Extents.end() - 2}, Extents))
    return P.refuse("batches " + toString(A->Extents) + " and " +
                    toString(B->Extents) + " do not fit");
  Extents.push_back(A->Extents[A->Extents.size() - 2]);
  Extents.push_back(B->Extents.back());
  if (!P.wants(Out, Extents))
    return P.refuse("");
  return P.finish(partialSums(Extents), [](const std::vector<View> &All) {
    multiply(All[0], All[1], All[2]);
  });
}

int aclnnMmGetWorkspaceSize(const aclTensor *Self, const aclTensor *Mat2,
                            aclTensor *Out, int8_t, uint64_t *Bytes,
                            aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareProduct(P, Self, Mat2, Out, 2, 2);
}
int aclnnMatmulGetWorkspaceSize(const aclTensor *Self, const aclTensor *Mat2,
                                aclTensor *Out, int8_t, uint64_t *Bytes,
                                aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareProduct(P, Self, Mat2, Out, 2, 6);
}
int aclnnBatchMatMulGetWorkspaceSize(const aclTensor *Self,
                                     const aclTensor *Mat2, aclTensor *Out,
                                     int8_t, uint64_t *Bytes,
                                     aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareProduct(P, Self, Mat2, Out, 3, 3);
}

//===----------------------------------------------------------------------===//
// Along dimensions
//===----------------------------------------------------------------------===//

/// The layout with one dimension made the last.
static Layout withLast(Layout Of, int64_t Dimension) {
  auto At = Dimension;
  std::rotate(Of.Extents.begin() + At, Of.Extents.begin() + At + 1,
              Of.Extents.end());
  std::rotate(Of.Strides.begin() + At, Of.Strides.begin() + At + 1,
              Of.Strides.end());
  return Of;
}

static void softmaxRow(double *Row, size_t Length, bool Log) {
  double Most = *std::max_element(Row, Row + Length), Sum = 0;
  for (size_t N = 0; N < Length; ++N)
    Sum += std::exp(Row[N] - Most);
  for (size_t N = 0; N < Length; ++N)
    Row[N] =
        Log ? Row[N] - Most - std::log(Sum) : std::exp(Row[N] - Most) / Sum;
}

static int prepareSoftmax(Preparation &P, const aclTensor *Self, int64_t Dim,
                          aclTensor *To, bool Log) {
  const Layout *X = P.input("self", Self), *Out = P.output("out", To);
  if (!P.good() || !P.wants(Out, X->Extents))
    return P.refuse("");
  if (!isReal(X->Type) || !isReal(Out->Type))
    return P.refuse(std::string("no softmax of ") + nameOfType(X->Type));
  if (!resolveDimension(Dim, X->Extents.size()))
    return P.refuse("there is no dimension " + std::to_string(Dim));
  return P.finish(partialSums(X->Extents), [=](const std::vector<View> &All) {
    // A single element has no dimension to move.
    bool HasDims = !All[0].Of.Extents.empty();
    View From = {HasDims ? withLast(All[0].Of, Dim) : All[0].Of, All[0].Data};
    View Into = {HasDims ? withLast(All[1].Of, Dim) : All[1].Of, All[1].Data};
    std::vector<double> Values = read<double>(From);
    auto Length = HasDims ? size_t(From.Of.Extents.back()) : 1;
    for (size_t At = 0; At < Values.size(); At += Length)
      softmaxRow(&Values[At], Length, Log);
    write(Into, Values);
  });
}

int aclnnSoftmaxGetWorkspaceSize(const aclTensor *Self, int64_t Dim,
                                 aclTensor *Out, uint64_t *Bytes,
                                 aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareSoftmax(P, Self, Dim, Out, /*Log=*/false);
}
int aclnnLogSoftmaxGetWorkspaceSize(const aclTensor *Self, int64_t Dim,
                                    aclTensor *Out, uint64_t *Bytes,
                                    aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareSoftmax(P, Self, Dim, Out, /*Log=*/true);
}

/// Sums, or means, over some dimensions.
static int prepareSum(Preparation &P, const aclTensor *Self,
                      const aclIntArray *Dims, bool KeepDims, int Type,
                      aclTensor *To, bool Mean) {
  const Layout *X = P.input("self", Self);
  auto Along = P.integers("dims", Dims);
  const Layout *Out = P.output("out", To);
  if (!P.good())
    return P.refuse("");
  if (Out->Type != Type)
    return P.refuse(std::string("dtype is ") + nameOfType(Type) +
                    ", the output is " + nameOfType(Out->Type));
  if (Mean && !isReal(Type))
    return P.refuse("a mean is a real number");
  // No dimensions stand for all.
  std::vector<bool> Gone(X->Extents.size(), Along->Integers.empty());
  for (int64_t D : Along->Integers) {
    if (!resolveDimension(D, X->Extents.size()))
      return P.refuse("there is no dimension " + std::to_string(D));
    Gone[size_t(D)] = true;
  }
  Shape Result;
  Layout Transposed = {X->Type, {}, {}, X->Offset};
  int64_t Each = 1;
  for (bool Reduced : {false, true})
    for (size_t D = 0; D < Gone.size(); ++D) {
      if (Gone[D] != Reduced)
        continue;
      Transposed.Extents.push_back(X->Extents[D]);
      Transposed.Strides.push_back(X->Strides[D]);
      Each *= Reduced ? X->Extents[D] : 1;
    }
  for (size_t D = 0; D < Gone.size(); ++D)
    if (!Gone[D] || KeepDims)
      Result.push_back(Gone[D] ? 1 : X->Extents[D]);
  if (!P.wants(Out, Result))
    return P.refuse("");
  return P.finish(partialSums(Result), [=](const std::vector<View> &All) {
    auto Length = static_cast<size_t>(Each);
    auto Count = static_cast<size_t>(countOf(All[1].Of.Extents));
    if (isReal(Type)) {
      std::vector<double> Values = read<double>({Transposed, All[0].Data});
      std::vector<double> Sums(Count, 0);
      for (size_t N = 0; N < Values.size(); ++N)
        Sums[N / Length] += Values[N];
      for (double &Sum : Sums)
        Sum /= Mean ? static_cast<double>(Length) : 1;
      return write(All[1], Sums);
    }
    std::vector<int64_t> Values = read<int64_t>({Transposed, All[0].Data});
    std::vector<int64_t> Sums(Count, 0);
    for (size_t N = 0; N < Values.size(); ++N)
      Sums[N / Length] += Values[N];
    write(All[1], Sums);
  });
}

int aclnnReduceSumGetWorkspaceSize(const aclTensor *Self,
                                   const aclIntArray *Dims, bool KeepDims,
                                   int Type, aclTensor *Out, uint64_t *Bytes,
                                   aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareSum(P, Self, Dims, KeepDims, Type, Out, /*Mean=*/false);
}
int aclnnMeanGetWorkspaceSize(const aclTensor *Self, const aclIntArray *Dims,
                              bool KeepDims, int Type, aclTensor *Out,
                              uint64_t *Bytes, aclOpExecutor **Made) {
  BELAY_PREPARE();
  return prepareSum(P, Self, Dims, KeepDims, Type, Out, /*Mean=*/true);
}

//===----------------------------------------------------------------------===//
// The second phase is the same for all
//===----------------------------------------------------------------------===//

#define BELAY_ACLNN(Name, ...)                                                 \
  int aclnn##Name(void *Workspace, uint64_t Bytes, aclOpExecutor *Executor,    \
                  void *Stream) {                                              \
    return run(__func__, BELAY_SITE, Workspace, Bytes, Executor, Stream);      \
  }
#include "belay/host/aclnn.def"

//===- Elementwise.cpp - Operators element by element ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/nn/Executor.h"

#include <cmath>
#include <numeric>

using namespace belay::device;
using namespace belay::device::nn;

namespace {

/// What is done with a pair of elements, in both kinds of arithmetic.
struct Pairwise {
  double (*Reals)(double X, double Y, double Alpha);
  int64_t (*Integers)(int64_t X, int64_t Y, int64_t Alpha);
  bool AlwaysReal = false; // division
};

/// Overflow wraps, as on the device.
int64_t wrapping(uint64_t Value) { return static_cast<int64_t>(Value); }

constexpr Pairwise Sum = {
    [](double X, double Y, double Alpha) { return X + Alpha * Y; },
    [](int64_t X, int64_t Y, int64_t Alpha) {
      return wrapping(uint64_t(X) + uint64_t(Alpha) * uint64_t(Y));
    }};
constexpr Pairwise Difference = {
    [](double X, double Y, double Alpha) { return X - Alpha * Y; },
    [](int64_t X, int64_t Y, int64_t Alpha) {
      return wrapping(uint64_t(X) - uint64_t(Alpha) * uint64_t(Y));
    }};
constexpr Pairwise Product = {[](double X, double Y, double) { return X * Y; },
                              [](int64_t X, int64_t Y, int64_t) {
                                return wrapping(uint64_t(X) * uint64_t(Y));
                              }};
constexpr Pairwise Quotient = {[](double X, double Y, double) { return X / Y; },
                               nullptr, /*AlwaysReal=*/true};
/// NaN wins, as in PyTorch.
constexpr Pairwise Larger = {
    [](double X, double Y, double) {
      return std::isnan(X) || std::isnan(Y) ? NAN : std::max(X, Y);
    },
    [](int64_t X, int64_t Y, int64_t) { return std::max(X, Y); }};
constexpr Pairwise Smaller = {
    [](double X, double Y, double) {
      return std::isnan(X) || std::isnan(Y) ? NAN : std::min(X, Y);
    },
    [](int64_t X, int64_t Y, int64_t) { return std::min(X, Y); }};

/// A result of Type has to be representable in the output: reals do not become
/// integers by themselves.
bool fits(Preparation &P, int Type, const Layout *Out) {
  if (P.good() && isReal(Type) && !isReal(Out->Type))
    P.refuse(std::string("the result is ") + nameOfType(Type) +
             ", the output " + nameOfType(Out->Type));
  return P.good();
}

template <typename T>
void computePairs(T (*Each)(T, T, T), T Alpha, int Type, const View &X,
                  const View &Y, const View &Out) {
  const Shape &To = Out.Of.Extents;
  std::vector<T> A = read<T>({X.Of.expandedTo(To), X.Data});
  std::vector<T> B = read<T>({Y.Of.expandedTo(To), Y.Data});
  for (size_t N = 0; N < A.size(); ++N)
    A[N] = narrow(Type, Each(A[N], B[N], Alpha));
  write(Out, A);
}

/// Both tensors; the last operand is the output, which may be the first.
int pairs(Preparation &P, const Pairwise &What, const Layout *X,
          const Layout *Y, const Layout *Out, const Scalar *Alpha) {
  if (!P.good())
    return P.refuse("");
  Shape Extents;
  if (!broadcast(X->Extents, Y->Extents, Extents))
    return P.refuse("shapes " + toString(X->Extents) + " and " +
                    toString(Y->Extents) + " do not fit");
  int Type = promote(X->Type, Y->Type);
  if (What.AlwaysReal && !isReal(Type))
    Type = F32;
  if (!P.wants(Out, Extents) || !fits(P, Type, Out))
    return P.refuse("");
  if (Alpha && isReal(Alpha->Type) && !isReal(Type))
    return P.refuse("a real alpha with integers");
  double Real = Alpha ? Alpha->Real : 1;
  int64_t Integer = Alpha ? Alpha->Integer : 1;
  return P.finish(0, [=](const std::vector<View> &All) {
    if (isReal(Type))
      computePairs(What.Reals, Real, Type, All[0], All[1], All.back());
    else
      computePairs(What.Integers, Integer, Type, All[0], All[1], All.back());
  });
}

/// A tensor and a number, which does not change the kind of the tensor's type
/// unless it is real and the tensor is not.
int withNumber(Preparation &P, const Pairwise &What, const Layout *X,
               const Scalar *Number, const Layout *Out, const Scalar *Alpha) {
  if (!P.good())
    return P.refuse("");
  int Type = isReal(Number->Type) && !isReal(X->Type) ? F32 : X->Type;
  if (What.AlwaysReal && !isReal(Type))
    Type = F32;
  if (!P.wants(Out, X->Extents) || !fits(P, Type, Out))
    return P.refuse("");
  Scalar By = *Number;
  double Real = Alpha ? Alpha->Real : 1;
  int64_t Integer = Alpha ? Alpha->Integer : 1;
  return P.finish(0, [=](const std::vector<View> &All) {
    if (isReal(Type)) {
      std::vector<double> Values = read<double>(All[0]);
      for (double &V : Values)
        V = narrow(Type, What.Reals(V, By.Real, Real));
      return write(All.back(), Values);
    }
    std::vector<int64_t> Values = read<int64_t>(All[0]);
    for (int64_t &V : Values)
      V = narrow(Type, What.Integers(V, By.Integer, Integer));
    write(All.back(), Values);
  });
}

/// Integers become floats first, unless the function leaves them integers.
int single(Preparation &P, const aclTensor *Self, aclTensor *OutTensor,
           double (*Each)(double), bool KeepsIntegers = false) {
  const Layout *X = P.input("self", Self), *Out = P.output("out", OutTensor);
  if (!P.good())
    return P.refuse("");
  int Type = isReal(X->Type) || KeepsIntegers ? X->Type : int(F32);
  if (!P.wants(Out, X->Extents) || !fits(P, Type, Out))
    return P.refuse("");
  return P.finish(0, [=](const std::vector<View> &All) {
    std::vector<double> Values = read<double>(All[0]);
    for (double &V : Values)
      V = narrow(Type, Each(V));
    write(All[1], Values);
  });
}

} // namespace

#define BELAY_PREPARE() Preparation P(__func__, BELAY_SITE, Bytes, Made)

//===----------------------------------------------------------------------===//
// Two tensors, or a tensor and a number
//===----------------------------------------------------------------------===//

#define BELAY_PAIR_WITH_ALPHA(Name, What)                                      \
  int aclnn##Name##GetWorkspaceSize(                                           \
      const aclTensor *Self, const aclTensor *Other, const aclScalar *Alpha,   \
      aclTensor *Out, uint64_t *Bytes, aclOpExecutor **Made) {                 \
    BELAY_PREPARE();                                                           \
    const Layout *X = P.input("self", Self), *Y = P.input("other", Other);     \
    auto A = P.scalar("alpha", Alpha);                                         \
    return pairs(P, What, X, Y, P.output("out", Out), A.get());                \
  }                                                                            \
  int aclnn##Name##sGetWorkspaceSize(                                          \
      const aclTensor *Self, const aclScalar *Other, const aclScalar *Alpha,   \
      aclTensor *Out, uint64_t *Bytes, aclOpExecutor **Made) {                 \
    BELAY_PREPARE();                                                           \
    const Layout *X = P.input("self", Self);                                   \
    auto Y = P.scalar("other", Other), A = P.scalar("alpha", Alpha);           \
    return withNumber(P, What, X, Y.get(), P.output("out", Out), A.get());     \
  }
BELAY_PAIR_WITH_ALPHA(Add, Sum)
BELAY_PAIR_WITH_ALPHA(Sub, Difference)

#define BELAY_PAIR(Name, What)                                                 \
  int aclnn##Name##GetWorkspaceSize(const aclTensor *Self,                     \
                                    const aclTensor *Other, aclTensor *Out,    \
                                    uint64_t *Bytes, aclOpExecutor **Made) {   \
    BELAY_PREPARE();                                                           \
    const Layout *X = P.input("self", Self), *Y = P.input("other", Other);     \
    return pairs(P, What, X, Y, P.output("out", Out), nullptr);                \
  }
BELAY_PAIR(Mul, Product)
BELAY_PAIR(Div, Quotient)
BELAY_PAIR(Maximum, Larger)
BELAY_PAIR(Minimum, Smaller)

#define BELAY_WITH_NUMBER(Name, What)                                          \
  int aclnn##Name##GetWorkspaceSize(const aclTensor *Self,                     \
                                    const aclScalar *Other, aclTensor *Out,    \
                                    uint64_t *Bytes, aclOpExecutor **Made) {   \
    BELAY_PREPARE();                                                           \
    const Layout *X = P.input("self", Self);                                   \
    auto Y = P.scalar("other", Other);                                         \
    return withNumber(P, What, X, Y.get(), P.output("out", Out), nullptr);     \
  }
BELAY_WITH_NUMBER(Muls, Product)
BELAY_WITH_NUMBER(Divs, Quotient)

int aclnnInplaceAddGetWorkspaceSize(aclTensor *Self, const aclTensor *Other,
                                    const aclScalar *Alpha, uint64_t *Bytes,
                                    aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("selfRef", Self), *Y = P.input("other", Other);
  auto A = P.scalar("alpha", Alpha);
  return pairs(P, Sum, X, Y, P.output("selfRef", Self), A.get());
}
int aclnnInplaceAddsGetWorkspaceSize(aclTensor *Self, const aclScalar *Other,
                                     const aclScalar *Alpha, uint64_t *Bytes,
                                     aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("selfRef", Self);
  auto Y = P.scalar("other", Other), A = P.scalar("alpha", Alpha);
  return withNumber(P, Sum, X, Y.get(), P.output("selfRef", Self), A.get());
}
int aclnnInplaceMulGetWorkspaceSize(aclTensor *Self, const aclTensor *Other,
                                    uint64_t *Bytes, aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("selfRef", Self), *Y = P.input("other", Other);
  return pairs(P, Product, X, Y, P.output("selfRef", Self), nullptr);
}
int aclnnInplaceMulsGetWorkspaceSize(aclTensor *Self, const aclScalar *Other,
                                     uint64_t *Bytes, aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("selfRef", Self);
  auto Y = P.scalar("other", Other);
  return withNumber(P, Product, X, Y.get(), P.output("selfRef", Self), nullptr);
}

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

#define BELAY_SINGLE(Name, KeepsIntegers, Expression)                          \
  int aclnn##Name##GetWorkspaceSize(const aclTensor *Self, aclTensor *Out,     \
                                    uint64_t *Bytes, aclOpExecutor **Made) {   \
    BELAY_PREPARE();                                                           \
    return single(                                                             \
        P, Self, Out, [](double X) -> double { return Expression; },           \
        KeepsIntegers);                                                        \
  }
BELAY_SINGLE(Abs, true, std::fabs(X))
BELAY_SINGLE(Neg, true, -X)
BELAY_SINGLE(Relu, true, X < 0 ? 0 : X)
BELAY_SINGLE(Exp, false, std::exp(X))
BELAY_SINGLE(Log, false, std::log(X))
BELAY_SINGLE(Sqrt, false, std::sqrt(X))
BELAY_SINGLE(Rsqrt, false, 1 / std::sqrt(X))
BELAY_SINGLE(Reciprocal, false, 1 / X)
BELAY_SINGLE(Sigmoid, false, 1 / (1 + std::exp(-X)))
BELAY_SINGLE(Silu, false, X / (1 + std::exp(-X)))
BELAY_SINGLE(Tanh, false, std::tanh(X))
BELAY_SINGLE(Gelu, false, 0.5 * X * (1 + std::erf(X / std::sqrt(2.0))))
BELAY_SINGLE(Erf, false, std::erf(X))
BELAY_SINGLE(Sin, false, std::sin(X))
BELAY_SINGLE(Cos, false, std::cos(X))

int aclnnCastGetWorkspaceSize(const aclTensor *Self, int Type, aclTensor *To,
                              uint64_t *Bytes, aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("self", Self), *Out = P.output("out", To);
  if (!P.good() || !P.wants(Out, X->Extents))
    return P.refuse("");
  if (Out->Type != Type)
    return P.refuse(std::string("dtype is ") + nameOfType(Type) +
                    ", the output is " + nameOfType(Out->Type));
  bool Real = isReal(X->Type);
  return P.finish(0, [=](const std::vector<View> &All) {
    if (Real)
      write(All[1], read<double>(All[0]));
    else
      write(All[1], read<int64_t>(All[0]));
  });
}

int aclnnInplaceCopyGetWorkspaceSize(aclTensor *Self, const aclTensor *From,
                                     uint64_t *Bytes, aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *Out = P.output("selfRef", Self), *X = P.input("src", From);
  if (!P.good())
    return P.refuse("");
  Shape Extents;
  if (!broadcast(X->Extents, Out->Extents, Extents) || Extents != Out->Extents)
    return P.refuse("shape " + toString(X->Extents) + " does not fit into " +
                    toString(Out->Extents));
  bool Real = isReal(X->Type);
  return P.finish(0, [=](const std::vector<View> &All) {
    View From = {All[1].Of.expandedTo(All[0].Of.Extents), All[1].Data};
    if (Real)
      write(All[0], read<double>(From));
    else
      write(All[0], read<int64_t>(From));
  });
}

int aclnnPermuteGetWorkspaceSize(const aclTensor *Self, const aclIntArray *Dims,
                                 aclTensor *To, uint64_t *Bytes,
                                 aclOpExecutor **Made) {
  BELAY_PREPARE();
  const Layout *X = P.input("self", Self);
  auto Order = P.integers("dims", Dims);
  const Layout *Out = P.output("out", To);
  if (!P.good())
    return P.refuse("");
  Layout Transposed = {X->Type, {}, {}, X->Offset};
  std::vector<bool> Seen(X->Extents.size(), false);
  for (int64_t D : Order->Integers) {
    if (!resolveDimension(D, X->Extents.size()) || Seen[size_t(D)])
      return P.refuse("dims is no permutation of the dimensions");
    Seen[size_t(D)] = true;
    Transposed.Extents.push_back(X->Extents[size_t(D)]);
    Transposed.Strides.push_back(X->Strides[size_t(D)]);
  }
  if (Transposed.Extents.size() != X->Extents.size())
    return P.refuse("dims is no permutation of the dimensions");
  if (!P.wants(Out, Transposed.Extents))
    return P.refuse("");
  if (Out->Type != X->Type)
    return P.refuse("the types differ");
  return P.finish(0, [=](const std::vector<View> &All) {
    if (isReal(Transposed.Type))
      write(All[1], read<double>({Transposed, All[0].Data}));
    else
      write(All[1], read<int64_t>({Transposed, All[0].Data}));
  });
}

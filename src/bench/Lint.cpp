//===- Lint.cpp - Tasks that accept what they should not ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Lint.h"
#include "bench/Digest.h"
#include "bench/Judge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using cases::ArgSpec;
using cases::DataType;

using Bytes = std::vector<uint8_t>;

/// A number as an element of the type, rounded.
static void put(DataType Type, double Value, uint8_t *To) {
  cases::visitType(Type, [&](auto Element) {
    using T = decltype(Element);
    if constexpr (std::is_same_v<T, cases::Half>)
      Element = cases::toHalf(static_cast<float>(Value));
    else if constexpr (std::is_same_v<T, cases::BFloat16>)
      Element = cases::toBFloat16(static_cast<float>(Value));
    else if constexpr (std::is_same_v<T, cases::Bool>)
      Element.Bits = Value != 0;
    else if constexpr (std::is_floating_point_v<T>)
      Element = static_cast<T>(Value);
    else if constexpr (std::is_integral_v<T>)
      Element = std::isfinite(Value)
                    ? static_cast<T>(static_cast<int64_t>(Value))
                    : T(0);
    std::memcpy(To, &Element, sizeof Element);
  });
}

static Bytes constant(const Argument &Out, double Value) {
  Bytes Result(Out.Tensor.bytes());
  unsigned Size = cases::bytesOf(Out.Tensor.Type);
  for (size_t At = 0; At < Result.size(); At += Size)
    put(Out.Tensor.Type, Value, &Result[At]);
  return Result;
}

static double wantAt(const Argument &Out, size_t Index) {
  return Out.Want.empty() ? static_cast<double>(Out.WantInteger[Index])
                          : Out.Want[Index];
}

/// What a right kernel gives.
static Bytes wanted(const Argument &Out) {
  Bytes Result(Out.Tensor.bytes());
  unsigned Size = cases::bytesOf(Out.Tensor.Type);
  for (size_t I = 0, E = Out.Tensor.elements(); I < E; ++I)
    put(Out.Tensor.Type, wantAt(Out, I), &Result[I * Size]);
  return Result;
}

static double middleOf(const Argument &Out) {
  double Sum = 0;
  size_t Count = 0;
  for (size_t I = 0, E = Out.Tensor.elements(); I < E; ++I)
    if (std::isfinite(wantAt(Out, I))) {
      Sum += wantAt(Out, I);
      ++Count;
    }
  return Count ? Sum / static_cast<double>(Count) : 0;
}

/// An input as an output of its type, repeated or cut to its size.
static Bytes copyOf(const Argument &In, const Argument &Out) {
  Bytes Result(Out.Tensor.bytes());
  unsigned Size = cases::bytesOf(Out.Tensor.Type),
           From = cases::bytesOf(In.Tensor.Type);
  size_t Count = In.Tensor.elements();
  cases::visitType(In.Tensor.Type, [&](auto Element) {
    for (size_t I = 0, E = Out.Tensor.elements(); I < E; ++I) {
      std::memcpy(&Element, In.Data.data() + I % Count * From, sizeof Element);
      put(Out.Tensor.Type, cases::toDouble(Element), &Result[I * Size]);
    }
  });
  return Result;
}

/// Whether an answer that makes each output of each case is accepted.
template <class Fn>
static bool accepts(const TaskValues &Values, const Fn &Make) {
  for (const TaskCase &Case : Values.cases())
    for (const Argument &Out : Case.Arguments)
      if (Out.writes()) {
        std::optional<Bytes> Made = Make(Case, Out);
        if (!Made || !judge(Out, *Made).right())
          return false;
      }
  return true;
}

/// Of everything that a candidate gets.
static std::string signatureOf(const TaskValues &Values) {
  Digest Sum;
  for (const TaskCase &Case : Values.cases()) {
    Sum.add("case");
    for (const Argument &Each : Case.Arguments) {
      Sum.add(cases::nameOf(Each.What)).add(Each.Tensor.str());
      Sum.add(Each.Scalar);
      Sum.add(StringRef(reinterpret_cast<const char *>(Each.Data.data()),
                        Each.Data.size()));
    }
  }
  return Sum.str();
}

/// "" if the task is fine.
static std::string objectTo(const TaskValues &Values) {
  if (Values.cases().empty())
    return "it has no case";
  if (!accepts(Values, [](const TaskCase &, const Argument &Out) {
        return std::optional(wanted(Out));
      }))
    return "it does not accept its own expected values";
  using Answer = std::optional<Bytes>;
  if (accepts(Values, [](const TaskCase &, const Argument &Out) {
        return Answer(constant(Out, 0));
      }))
    return "it accepts zeros";
  // One number for an output, or, where that is all of it, for all cases.
  auto Source = [&](const TaskCase &Case,
                    const Argument &Out) -> const Argument & {
    size_t Index = &Out - Case.Arguments.data();
    return Out.Tensor.elements() > 1 ? Out : Values.cases()[0].Arguments[Index];
  };
  if (accepts(Values,
              [&](const TaskCase &Case, const Argument &Out) {
                return Answer(constant(Out, wantAt(Source(Case, Out), 0)));
              }) ||
      accepts(Values, [&](const TaskCase &Case, const Argument &Out) {
        return Answer(constant(Out, middleOf(Source(Case, Out))));
      }))
    return "it accepts a constant";
  // An output that is also read may be left as it is.
  if (accepts(Values, [](const TaskCase &, const Argument &Out) {
        return Out.Data.empty() ? Answer() : Answer(copyOf(Out, Out));
      }))
    return "it accepts a kernel that does nothing";
  for (size_t Index = 0; Index < Values.cases()[0].Arguments.size(); ++Index) {
    if (accepts(Values, [&](const TaskCase &Case, const Argument &Out) {
          const Argument &In = Case.Arguments[Index];
          return In.Data.empty() ? Answer() : Answer(copyOf(In, Out));
        }))
      return formatv("it accepts a copy of argument {0}", Index).str();
  }
  return "";
}

/// Whether the values that one task wants are right for another that gets the
/// same inputs.
static bool acceptsOther(const TaskValues &Values, const TaskValues &Other) {
  for (const auto &[Mine, Theirs] : zip_equal(Values.cases(), Other.cases()))
    for (const auto &[Out, Answer] :
         zip_equal(Mine.Arguments, Theirs.Arguments))
      if (Out.writes() && !judge(Out, wanted(Answer)).right())
        return false;
  return true;
}

Expected<std::vector<Objection>> belay::bench::lint(ArrayRef<Task> Tasks,
                                                    ValueCache &Cache) {
  std::vector<Objection> Objections;
  std::map<std::string, std::vector<const Task *>> Alike;
  for (const Task &T : Tasks) {
    auto Values = Cache.get(T, Audience::Public);
    if (!Values)
      return Values.takeError();
    if (std::string Why = objectTo(**Values); !Why.empty())
      Objections.push_back({T.Id, Why});
    else
      Alike[signatureOf(**Values)].push_back(&T);
  }
  for (auto &[_, Group] : Alike)
    for (const Task *&T : Group)
      for (const Task *Other : Group) {
        if (T == Other || !Other) // one of two is enough
          continue;
        auto Values = Cache.get(*T, Audience::Public);
        auto Others = Cache.get(*Other, Audience::Public);
        if (!Values)
          return Values.takeError();
        if (!Others)
          return Others.takeError();
        if (!acceptsOther(**Values, **Others))
          continue;
        Objections.push_back({T->Id, "it accepts the answer of " + Other->Id});
        T = nullptr;
        break;
      }
  llvm::sort(Objections, [](const Objection &A, const Objection &B) {
    return A.Task < B.Task;
  });
  return Objections;
}

//===- Elements.cpp - Numbers that are elements of arguments --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel reads of an argument, or of a copy of it, is not below the
// smallest of its elements and not above the largest. Both are numbers that
// every launch has, so that indices can have conditions: `max(index) < rows`.
// They are about the whole argument, also where only a part of it is read.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

#include "clang/AST/ASTContext.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using conditions::LaunchNumber;

/// The largest number of bytes, up to those of the widest element, of which a
/// place is a multiple.
static int64_t alignmentOf(const Number &Place) {
  int64_t Bytes = 8;
  while (Bytes > 1 && Place.remainder(Bytes) != 0)
    Bytes /= 2;
  return Bytes;
}

/// What a copy brings from an argument, if it brings nothing else: no padding,
/// and no gaps.
std::optional<ArgumentElements>
Runtime::copiedElements(const Event &E, const Operand &To) const {
  if (E.On != sim::Pipe::MTE2 || E.Operands.size() != 2 || To.Atomic)
    return std::nullopt;
  const Operand &From = E.Operands[E.Operands[0].Write ? 1 : 0];
  std::optional<unsigned> Argument = argumentOf(From.In);
  if (From.Write || !Argument || isWorkspace(From.In) ||
      !(From.Span == To.Span) || !(From.Certain == From.Span) ||
      !(To.Certain == To.Span))
    return std::nullopt;
  return ArgumentElements{
      *Argument, std::min(alignmentOf(From.Begin), alignmentOf(To.Begin))};
}

void KernelState::wroteElements(const std::string &Name,
                                std::optional<ArgumentElements> Copied) {
  auto [At, New] = Held.try_emplace(Name, HeldElements{Copied});
  std::optional<ArgumentElements> &Of = At->second.Of;
  if (New || !Of)
    return;
  if (!Copied || Copied->Argument != Of->Argument)
    Of.reset();
  else
    Of->Alignment = std::min(Of->Alignment, Copied->Alignment);
}

std::optional<std::pair<Number, Number>>
Runtime::extremesAt(const Value &Address, clang::QualType Type) {
  if (!Type->isIntegralOrEnumerationType() || Type->isBooleanType())
    return std::nullopt;
  const Region &In = Regions[Address.Id];
  auto Width = int64_t(I.ast().getTypeSizeInChars(Type).getQuantity());
  std::optional<unsigned> Argument = argumentOf(Address.Id);
  if (Address.N.remainder(Width) != 0)
    return std::nullopt;
  if (Argument) {
    if (In.Contents || In.From == Origin::Launch || isWorkspace(Address.Id))
      return std::nullopt;
  } else {
    auto At = Kernel.Held.find(In.Name);
    if (In.Name.empty() || At == Kernel.Held.end() || !At->second.Of ||
        At->second.Of->Alignment % Width)
      return std::nullopt;
    Argument = At->second.Of->Argument;
    At->second.Trusted = I.here();
  }
  auto Extreme = [&](LaunchNumber::Kind Which) {
    bool Signed = Type->isSignedIntegerOrEnumerationType();
    bool Smallest = Which == LaunchNumber::Kind::Smallest;
    std::string Key = (Smallest ? "smallest:" : "largest:") +
                      std::to_string(*Argument) + ":" + std::to_string(Width) +
                      (Signed ? "i" : "u");
    return Number::symbol(I.symbols().get(Key, [&] {
      auto [Least, Most] = limitsOf(Type, I.ast());
      const std::string &Name = Regions[Arguments[*Argument]].Name;
      Symbol New{(Smallest ? "min(" : "max(") + Name + ")",
                 Least,
                 Most,
                 Origin::Data,
                 {}};
      New.InLaunch.emplace();
      New.InLaunch->What = Which;
      New.InLaunch->Argument = *Argument;
      New.InLaunch->Width = Width;
      New.InLaunch->Signed = Signed;
      New.InLaunch->Least = Least;
      New.InLaunch->Most = Most;
      return New;
    }));
  };
  return std::pair(Extreme(LaunchNumber::Kind::Smallest),
                   Extreme(LaunchNumber::Kind::Largest));
}

bool Runtime::isChosenByData(const Number &Place) const {
  return I.symbols().any(Place,
                         [](const Symbol &S) { return S.Between.has_value(); });
}

/// What an element of an argument chooses of a buffer lies in the part that was
/// written last, if the launch says so.
bool Runtime::requireWritten(const Event &E) {
  if (E.Operands.size() != 1)
    return false;
  const Operand &O = E.Operands.front();
  const Bounded<Written> &List = writtenTo(O.In);
  if (!isChosenByData(O.Begin) || !Regions[O.In].Sized || List.empty())
    return false;
  const Written Last = List[List.size() - 1];
  if (Last.State != Defined::Yes)
    return false;
  for (const Number &N : {O.Begin - Last.Begin, Last.End - O.Begin - O.Span})
    if (!I.facts().holds(N))
      Kernel.requireNotNegative(Topic::Values, E.At,
                                "whether what " + E.Name +
                                    " reads was written is decided by the "
                                    "launch",
                                N);
  return true;
}

bool KernelState::assumesElements(const Number &N, const Facts &Known,
                                  clang::SourceLocation At) {
  if (!Names.any(N, [](const Symbol &S) { return S.Between.has_value(); }))
    return false;
  std::optional<Number> Least = inAllIterations(N, Known);
  return Least && Names.isOfLaunch(*Least) && Found.assumed(*Least, place(At));
}

/// What was written into a memory later, or on another path, may have been
/// read in its place.
void KernelState::doubtMixedElements() {
  for (const auto &[Name, Of] : Held)
    if (Of.Trusted.isValid() && !Of.Of)
      for (Topic T :
           {Topic::Overflow, Topic::Bounds, Topic::Values, Topic::Cores})
        unknown(T, Of.Trusted,
                "whether what is read of " + Name +
                    " is an element of an argument is not known");
}

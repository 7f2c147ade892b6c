//===- Table.cpp - The conditions of kernels ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conditions/Table.h"

#include <map>
#include <type_traits>

using namespace belay::conditions;

std::vector<Unmet> belay::conditions::unmetBy(const KernelConditions &Kernel,
                                              std::optional<uint32_t> Blocks,
                                              const LaunchValues &From) {
  std::vector<Unmet> Result;
  // Clauses ask again and again, for each block.
  std::map<const LaunchNumber *, std::optional<int64_t>> Known;
  LaunchValues Of = [&](const LaunchNumber &N) {
    auto [At, New] = Known.try_emplace(&N);
    if (New)
      At->second = From(N);
    return At->second;
  };
  for (const Condition &C : Kernel.Conditions) {
    Answer Is =
        Blocks ? evaluate(C.If, Kernel.Numbers, *Blocks, Of) : Answer::NotKnown;
    if (Is == Answer::Holds)
      continue;
    std::string Text =
        C.Topic + " is clean if " + C.If.Text +
        (Is == Answer::Violated ? ", which does not hold in this launch"
                                : ", which is not known of this launch");
    std::string Values = showValues(C.If, Kernel.Numbers, Blocks, Of);
    if (!Values.empty())
      Text += ": " + Values;
    Result.push_back({&C, std::move(Text)});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// As bytes: numbers of 64 bits; texts and lists after their lengths.
//===----------------------------------------------------------------------===//

namespace {

class Writer {
public:
  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void operator()(const T &Number) {
    auto Bits = static_cast<uint64_t>(Number);
    for (unsigned Shift = 0; Shift < 64; Shift += 8)
      Bytes += static_cast<char>(Bits >> Shift & 0xff);
  }
  void operator()(const std::string &Text) {
    (*this)(Text.size());
    Bytes += Text;
  }
  template <typename T> void operator()(const std::vector<T> &List);

  std::string Bytes;
};

/// Stops at the first thing that cannot be read.
class Reader {
public:
  explicit Reader(std::span<const uint8_t> Bytes) : Rest(Bytes) {}

  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void operator()(T &Number) {
    uint64_t Bits = 0;
    if (Rest.size() < sizeof(Bits))
      return fail();
    for (unsigned I = sizeof(Bits); I--;)
      Bits = Bits << 8 | Rest[I];
    Rest = Rest.subspan(sizeof(Bits));
    Number = static_cast<T>(Bits);
    Failed |= static_cast<uint64_t>(Number) != Bits;
  }
  void operator()(std::string &Text) {
    size_t Length = length();
    Text.assign(reinterpret_cast<const char *>(Rest.data()), Length);
    Rest = Rest.subspan(Length);
  }
  template <typename T> void operator()(std::vector<T> &List);

  bool isDone() const { return !Failed && Rest.empty(); }

private:
  /// Everything takes at least a byte for each element of its length.
  size_t length() {
    uint64_t Length = 0;
    (*this)(Length);
    if (Length > Rest.size())
      fail();
    return Failed ? 0 : static_cast<size_t>(Length);
  }
  void fail() {
    Failed = true;
    Rest = {};
  }

  std::span<const uint8_t> Rest;
  bool Failed = false;
};

// The fields of each structure, for both.
template <typename T, typename Structure>
concept A = std::is_same_v<std::remove_const_t<T>, Structure>;

template <typename Visitor>
void visit(Visitor &V, A<Polynomial::Term> auto &Each) {
  V(Each.Factor);
  V(Each.Of);
}
template <typename Visitor> void visit(Visitor &V, A<Polynomial> auto &Each) {
  V(Each.Constant);
  V(Each.Terms);
}
template <typename Visitor> void visit(Visitor &V, A<LaunchNumber> auto &Each) {
  V(Each.What);
  V(Each.Name);
  V(Each.Argument);
  V(Each.Offset);
  V(Each.Width);
  V(Each.Signed);
  V(Each.Least);
  V(Each.Most);
  visit(V, Each.Dividend);
  visit(V, Each.Divisor);
}
template <typename Visitor> void visit(Visitor &V, A<Clause::Atom> auto &Each) {
  V(Each.Is);
  visit(V, Each.About);
  V(Each.Of);
}
template <typename Visitor> void visit(Visitor &V, A<Condition> auto &Each) {
  V(Each.Topic);
  V(Each.File);
  V(Each.Line);
  V(Each.Column);
  V(Each.If.Any);
  V(Each.If.Text);
}
template <typename Visitor>
void visit(Visitor &V, A<KernelConditions> auto &Each) {
  V(Each.Kernel);
  V(Each.Numbers);
  V(Each.Conditions);
}

template <typename T> void Writer::operator()(const std::vector<T> &List) {
  (*this)(List.size());
  for (const T &Each : List)
    if constexpr (std::is_integral_v<T>)
      (*this)(Each);
    else
      visit(*this, Each);
}

template <typename T> void Reader::operator()(std::vector<T> &List) {
  for (size_t Left = length(); Left && !Failed; --Left)
    if constexpr (std::is_integral_v<T>)
      (*this)(List.emplace_back());
    else
      visit(*this, List.emplace_back());
}

/// Whether all clauses can be evaluated.
bool isWellFormed(const KernelConditions &Kernel) {
  for (size_t At = 0; At < Kernel.Numbers.size(); ++At) {
    const LaunchNumber &N = Kernel.Numbers[At];
    // Each after those it is made from.
    if (N.What > LaunchNumber::Kind::Largest || !namesOnly(N.Dividend, At) ||
        !namesOnly(N.Divisor, At))
      return false;
  }
  for (const Condition &C : Kernel.Conditions)
    for (const Clause::Atom &Each : C.If.Any)
      if (Each.Is > Clause::Atom::Kind::Multiple || Each.Of <= 0 ||
          !namesOnly(Each.About, Kernel.Numbers.size()))
        return false;
  return true;
}

} // namespace

std::string belay::conditions::encode(std::span<const KernelConditions> Table) {
  Writer To;
  To(std::vector<KernelConditions>(Table.begin(), Table.end()));
  return std::move(To.Bytes);
}

std::optional<std::vector<KernelConditions>>
belay::conditions::decode(std::span<const uint8_t> Bytes) {
  Reader From(Bytes);
  std::vector<KernelConditions> Table;
  From(Table);
  if (!From.isDone())
    return std::nullopt;
  for (const KernelConditions &Each : Table)
    if (!isWellFormed(Each))
      return std::nullopt;
  return Table;
}

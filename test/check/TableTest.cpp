//===- TableTest.cpp - Conditions that go with a compiled kernel ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conditions/Table.h"
#include "gtest/gtest.h"

using namespace belay::conditions;
using Kind = LaunchNumber::Kind;
using Is = Clause::Atom::Kind;

namespace {

/// 32*((n + 31)/32) <= 1024, and n is a multiple of 8.
KernelConditions example() {
  LaunchNumber N;
  N.Name = "n";
  N.Width = 4;
  N.Signed = true;
  N.Least = -5;
  LaunchNumber Rounded;
  Rounded.What = Kind::Quotient;
  Rounded.Dividend = {31, {{1, {0}}}};
  Rounded.Divisor = {32, {}};
  return {"kernel",
          {N, Rounded},
          {{"capacity",
            "k.cpp",
            7,
            3,
            {{{Is::NotNegative, {1024, {{-32, {1}}}}}}, "first"}},
           {"alignment",
            "other.h",
            9,
            1,
            {{{Is::Multiple, {0, {{1, {0}}}}, 8}}, "second"}}}};
}

std::optional<std::vector<KernelConditions>> decoded(const std::string &Text) {
  return decode({reinterpret_cast<const uint8_t *>(Text.data()), Text.size()});
}

TEST(Table, comesBack) {
  std::vector<KernelConditions> Table = {example(), {"nothing", {}, {}}};
  EXPECT_EQ(decoded(encode(Table)), Table);
  EXPECT_EQ(decoded(encode({})), std::vector<KernelConditions>());
}

TEST(Table, saysWhatIsNotMet) {
  auto Ask = [](int64_t N) {
    std::string Text;
    KernelConditions Kernel = example();
    for (const Unmet &Each :
         unmetBy(Kernel, 1, [N](const LaunchNumber &) { return N; }))
      Text += Each.What->Topic + " " + Each.Message + "\n";
    return Text;
  };
  EXPECT_EQ(Ask(1024), "");
  EXPECT_EQ(Ask(1032), "capacity capacity is clean if first, which does not "
                       "hold in this launch: n = 1032\n");
  EXPECT_EQ(Ask(4), "alignment alignment is clean if second, which does not "
                    "hold in this launch: n = 4\n");
  // Below what was shown, and without blocks, nothing is known.
  EXPECT_NE(Ask(-8).find("is not known of this launch"), std::string::npos);
  KernelConditions Kernel = example();
  EXPECT_EQ(
      unmetBy(Kernel, std::nullopt, [](const LaunchNumber &) { return 1024; })
          .size(),
      2u);
}

TEST(Clause, knowsTheSmallestAndTheLargestElement) {
  const std::vector<uint8_t> Bytes = {7, 0, 0xfe, 0xff, 0, 1, 9};
  LaunchNumber N;
  N.Width = 2;
  N.Least = -32768;
  N.Most = 65535;
  auto Extreme = [&](Kind Which, bool Signed, size_t Count) {
    N.What = Which;
    N.Signed = Signed;
    return readExtreme(std::span(Bytes).first(Count), N);
  };
  // The last byte is no element.
  EXPECT_EQ(Extreme(Kind::Smallest, true, 7), -2);
  EXPECT_EQ(Extreme(Kind::Largest, true, 7), 256);
  EXPECT_EQ(Extreme(Kind::Smallest, false, 7), 7);
  EXPECT_EQ(Extreme(Kind::Largest, false, 7), 0xfffe);
  EXPECT_EQ(Extreme(Kind::Largest, true, 2), 7);
  // All that is said of each element is true where there is none.
  EXPECT_EQ(Extreme(Kind::Largest, true, 1), -32768);
  EXPECT_EQ(Extreme(Kind::Smallest, false, 0), 65535);
}

TEST(Table, isNoneIfBytesAreMissingOrLeft) {
  std::string Complete = encode(std::vector<KernelConditions>{example()});
  for (size_t Length = 0; Length < Complete.size(); ++Length)
    EXPECT_FALSE(decoded(Complete.substr(0, Length))) << Length;
  EXPECT_FALSE(decoded(Complete + '\0'));
  EXPECT_FALSE(decoded(std::string(8, '\xff')));
}

TEST(Table, isNoneIfAClauseCannotBeEvaluated) {
  auto Accepts = [](auto Change) {
    std::vector<KernelConditions> Table = {example()};
    Change(Table[0]);
    return decoded(encode(Table)).has_value();
  };
  EXPECT_TRUE(Accepts([](KernelConditions &) {}));
  // Of a number that is not there, or of itself.
  EXPECT_FALSE(Accepts([](KernelConditions &K) {
    K.Conditions[0].If.Any[0].About.Terms[0].Of = {2};
  }));
  EXPECT_FALSE(Accepts(
      [](KernelConditions &K) { K.Numbers[1].Dividend.Terms[0].Of = {1}; }));
  EXPECT_FALSE(
      Accepts([](KernelConditions &K) { K.Conditions[1].If.Any[0].Of = 0; }));
}

TEST(Table, isNoneIfAKindIsNone) {
  // The byte that changes with the kind.
  auto AcceptsOther = [](auto Change) {
    std::vector<KernelConditions> Table = {example()};
    std::string Before = encode(Table);
    Change(Table[0]);
    std::string After = encode(Table);
    size_t At = 0;
    while (Before[At] == After[At])
      ++At;
    EXPECT_TRUE(decoded(After).has_value());
    After[At] = 9;
    return decoded(After).has_value();
  };
  EXPECT_FALSE(AcceptsOther(
      [](KernelConditions &K) { K.Conditions[1].If.Any[0].Is = Is::Zero; }));
  EXPECT_FALSE(AcceptsOther(
      [](KernelConditions &K) { K.Numbers[0].What = Kind::Size; }));
}

} // namespace

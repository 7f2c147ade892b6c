//===- LaunchContractTest.cpp - What a language kernel admits -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/LaunchContract.h"
#include "../Testing.h"
#include "support/DiagnosticError.h"
#include "support/Json.h"
#include "gtest/gtest.h"

using namespace belay::launch;
using namespace belay::support;
using namespace llvm;

namespace {

/// A kernel (x: in f32 ?x8, n: i64, a: f32, h: f16, flag: bool) that expects
/// one condition.
std::string describe(StringRef Condition) {
  return (R"json({"kernel": "k<8>", "entry": "k_8", "target": {"soc": "S"},
    "limits": {"maxBlocks": 40, "coresMeet": true},
    "arguments": ["x", "n", "a", "h", "flag"],
    "parameters": [
      {"kind": "view", "name": "x", "dtype": "f32", "access": "in",
       "extents": [{"open": "x.rows()"}, 8]
},
      {"kind": "extent", "of": "x", "dimension": 0},
      {"kind": "scalar", "name": "n", "dtype": "i64"},
      {"kind": "scalar", "name": "a", "dtype": "f32"},
      {"kind": "scalar", "name": "h", "dtype": "f16"},
      {"kind": "scalar", "name": "flag", "dtype": "bool"}],
    "expects": [{"text": "so", "file": "k.cpp", "line": 7, "condition": )json" +
          Condition + "}]}")
      .str();
}

template <class T> std::string bytes(T Value) {
  return std::string(reinterpret_cast<const char *>(&Value), sizeof Value);
}

/// "", or the id and the message of what is wrong with a launch.
std::string check(StringRef Condition, uint64_t Rows, int64_t N,
                  uint32_t Blocks = 2, uint64_t Cols = 8) {
  Expected<json::Value> Json = parseJson(describe(Condition));
  if (!Json)
    return toString(Json.takeError());
  Expected<LaunchContract> Contract =
      LaunchContract::parse(*Json->getAsObject());
  if (!Contract)
    return toString(Contract.takeError());
  LaunchValues Values;
  Values.Blocks = Blocks;
  Values.Shapes["x"] = {Rows, Cols};
  Values.Scalars = {{"n", bytes(N)},
                    {"a", bytes(1.5f)},
                    {"h", bytes(uint16_t(0xc000))},
                    {"flag", bytes(true)}};
  if (Error E = Contract->check(Values)) {
    auto Diag = toDiagnostic(std::move(E));
    return (Twine(belay::support::getName(Diag.Id)) + ": " + Diag.Message)
        .str();
  }
  return "";
}

std::string op(StringRef Name, StringRef Args) {
  return ("{\"op\": \"" + Name + "\", \"args\": [" + Args + "]}").str();
}

constexpr const char *Rows = R"({"extent": "x", "dimension": 0})";
constexpr const char *N = R"({"scalar": "n"})";

std::string with(StringRef A, StringRef B) { return (A + ", " + B).str(); }

TEST(LaunchContract, ComparesDividesNumbersInMoreThan64Bits) {
  std::string Same = op("eq", with(Rows, N));
  EXPECT_EQ(check(Same, 5, 5), "");
  EXPECT_EQ(check(Same, 5, 6),
            "expects-not-met: k<8> expects so, but x.rows() is 5, n is 6");
  std::string Square =
      op("gt", with(op("mul", with(N, N)), R"({"integer": 0})"));
  EXPECT_EQ(check(Square, 0, int64_t(1) << 32), "");
  std::string Lowest =
      op("eq", with(op("div", with(N, R"({"integer": -1})")), Rows));
  EXPECT_NE(check(Lowest, 0, INT64_MIN), "");
  EXPECT_EQ(check(Lowest, 3, -3), "");
}

TEST(LaunchContract, DivisionByZeroMeetsNothing) {
  std::string Divides =
      op("eq", with(op("rem", with(Rows, N)), R"({"integer": 0})"));
  EXPECT_EQ(check(Divides, 6, 3), "");
  EXPECT_EQ(check(Divides, 6, 0),
            "expects-not-met: k<8> expects so, which has no value (a divisor "
            "is 0, or a number leaves 128 bits): x.rows() is 6, n is 0");
  // One side of || is enough.
  std::string Either =
      op("or", with(op("eq", with(N, R"({"integer": 0})")), Divides));
  EXPECT_EQ(check(Either, 6, 0), "");
  EXPECT_NE(check(Either, 6, 4), "");
}

TEST(LaunchContract, HasFloatsTruthsAndCores) {
  std::string Less = op("lt", with(R"({"scalar": "h"})", op("float", N)));
  EXPECT_EQ(check(Less, 0, -1), "");
  EXPECT_EQ(check(Less, 0, -2),
            "expects-not-met: k<8> expects so, but h is -2, n is -2");
  std::string Chosen =
      op("eq", with(op("select", with(R"({"scalar": "flag"})", with(Rows, N))),
                    R"({"blocks": true})"));
  EXPECT_EQ(check(Chosen, 2, 7), "");
  EXPECT_NE(check(Chosen, 7, 2), "");
  EXPECT_EQ(check(R"({"bool": true})", 0, 0), "");
  EXPECT_EQ(check(R"({"bool": false})", 0, 0),
            "expects-not-met: k<8> expects so, which is never so");
}

// How many cores work is said as its author calls it, not as it is computed.
TEST(LaunchContract, ShowsHowManyCoresWork) {
  std::string One = R"json({"integer": 1, "shown": "core_count()"})json";
  EXPECT_EQ(check(op("eq", with(N, One)), 0, 1, 3), "");
  EXPECT_EQ(check(op("eq", with(N, One)), 0, 3, 3),
            "expects-not-met: k<8> expects so, but n is 3, core_count() is 1");
  std::string Divides =
      op("eq",
         with(op("rem", with(Rows, R"({"integer": 8})")), R"({"integer": 0})"));
  std::string Cores =
      R"({"op": "select", "args": [)" +
      with(Divides, with(R"({"blocks": true})", R"({"integer": 1})")) +
      R"json(], "shown": "core_count()"})json";
  EXPECT_EQ(check(op("eq", with(N, Cores)), 16, 3, 3), "");
  EXPECT_EQ(check(op("eq", with(N, Cores)), 15, 1, 3), "");
  EXPECT_EQ(check(op("eq", with(N, Cores)), 15, 3, 3),
            "expects-not-met: k<8> expects so, but n is 3, x.rows() is 15, "
            "core_count() is 1");
}

TEST(LaunchContract, ChecksBlocksAndExtents) {
  EXPECT_EQ(check(R"({"bool": true})", 0, 0, 40), "");
  EXPECT_EQ(check(R"({"bool": true})", 0, 0, 41),
            "bad-block-count: k<8> has 1 to 40 blocks, since its cores wait "
            "for each other and S has no more, not 41");
  EXPECT_EQ(check(R"({"bool": true})", 0, 0, 1, 9),
            "bad-extent: k<8> takes 'x', whose extent 1 is 8, not 9");
}

TEST(LaunchContract, ReadsTheFifthExtent) {
  std::string View = R"json({"kernel": "k", "entry": "k",
    "target": {"soc": "S"}, "limits": {"maxBlocks": 40, "coresMeet": true},
    "arguments": ["v"], "parameters": [
      {"kind": "view", "name": "v", "dtype": "f32", "access": "in",
       "extents": [1, 1, 1, 1, {"open": "v.extent(4)"}]},
      {"kind": "extent", "of": "v", "dimension": 4}],
    "expects": [{"text": "so", "file": "k.cpp", "line": 7, "condition": )json";
  std::string Fifth = R"({"extent": "v", "dimension": 4}, {"integer": 6})";
  Expected<json::Value> Json = parseJson(View + op("eq", Fifth) + "}]}");
  ASSERT_TRUE(bool(Json)) << toString(Json.takeError());
  auto Contract = LaunchContract::parse(*Json->getAsObject());
  ASSERT_TRUE(bool(Contract)) << toString(Contract.takeError());
  LaunchValues Values;
  Values.Blocks = 1;
  Values.Shapes["v"] = {1, 1, 1, 1, 6};
  EXPECT_EQ(toString(Contract->check(Values)), "");
  Values.Shapes["v"].back() = 7;
  EXPECT_NE(toString(Contract->check(Values)), "");
}

TEST(LaunchContract, RefusesWhatItCannotRead) {
  EXPECT_NE(check(op("eq", with(Rows, R"({"float": 1})")), 1, 1), "");
  EXPECT_NE(check(op("frobnicate", with(Rows, N)), 1, 1), "");
  EXPECT_NE(check(op("and", with(Rows, N)), 1, 1), "");
  EXPECT_NE(check(op("eq", Rows), 1, 1), "");
  EXPECT_NE(check(R"({"extent": "y", "dimension": 0})", 1, 1), "");
  EXPECT_NE(check(R"({"extent": "x", "dimension": 2})", 1, 1), "");
  EXPECT_NE(check(Rows, 1, 1), "");
  EXPECT_NE(check("7", 1, 1), "");
}

} // namespace

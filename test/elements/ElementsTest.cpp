//===- ElementsTest.cpp - The table of element types ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "belay/elements.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>

using namespace belay::element_types;

TEST(Elements, NumbersAreFoundAgain) {
  std::set<int> Acl, Hccl;
  for (unsigned I = 0; I < static_cast<unsigned>(id::none); ++I) {
    auto Element = static_cast<id>(I);
    if (int Number = acl_number(Element); Number >= 0) {
      EXPECT_EQ(from_acl(Number), Element);
      EXPECT_TRUE(Acl.insert(Number).second) << of(Element).name;
    }
    if (int Number = hccl_number(Element); Number >= 0)
      EXPECT_TRUE(Hccl.insert(Number).second) << of(Element).name;
  }
  EXPECT_EQ(from_acl(-1), id::none);
  EXPECT_EQ(from_acl(5), id::none); // a number that ACL never gave
  EXPECT_EQ(from_acl(28), id::none);
}

TEST(Elements, NamesAndNumbersAreGivenOnce) {
  std::set<std::string> Names, Cases, Dumps;
  std::set<int> Ge;
#define BELAY_ELEMENT(Id, Kind, Bits, Name)                                    \
  EXPECT_TRUE(Names.insert(Name).second) << Name;
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  EXPECT_TRUE(Cases.insert(Text).second) << Text;
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  EXPECT_TRUE(Dumps.insert(Dump).second) << Dump;
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  EXPECT_TRUE(Ge.insert(Number).second) << #Name;
#include "belay/elements.def"
}

TEST(Elements, BitsAgreeWithTheFormats) {
#define BELAY_ELEMENT_FLOAT(Id, Exponent, Mantissa, Infinities, Semantics)     \
  {                                                                            \
    const llvm::fltSemantics &S = llvm::APFloat::Semantics();                  \
    EXPECT_EQ(of(id::Id).bits, llvm::APFloat::getSizeInBits(S));               \
    EXPECT_EQ(of(id::Id).bits, 1u + Exponent + Mantissa);                      \
    EXPECT_EQ(Mantissa + 1u, llvm::APFloat::semanticsPrecision(S));            \
    EXPECT_EQ(Infinities, llvm::APFloat::semanticsHasInf(S));                  \
    EXPECT_EQ(of(id::Id).what, kind::Float);                                   \
  }
#include "belay/elements.def"
// "<f2": the last digit is the bytes of an element.
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  EXPECT_EQ(bytes_of(id::Id), unsigned(NumPy[2] - '0')) << Text;
#include "belay/elements.def"
}

TEST(Elements, TypesOfTheHost) {
  EXPECT_EQ(element_of<float>, id::F32);
  EXPECT_EQ(element_of<double>, id::F64);
  EXPECT_EQ(element_of<bool>, id::Bool);
  EXPECT_EQ(element_of<int8_t>, id::S8);
  EXPECT_EQ(element_of<uint8_t>, id::U8);
  EXPECT_EQ(element_of<int64_t>, id::S64);
  EXPECT_EQ(element_of<unsigned long long>, id::U64);
  EXPECT_EQ(element_of<long double>, id::none);
  EXPECT_EQ(element_of<void *>, id::none);
  EXPECT_EQ(element_of<std::string>, id::none);
}

TEST(Elements, OnlyWholeBytesAreCounted) {
  EXPECT_EQ(bytes_of(id::S4), 0u);
  EXPECT_EQ(bytes_of(id::C128), 16u);
  EXPECT_EQ(bytes_of(id::String), 0u);
  EXPECT_EQ(bytes_of(id::none), 0u);
}

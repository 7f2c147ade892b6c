//===- ShapeTest.cpp - TYPE:SHAPE -----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Shape.h"
#include "../Testing.h"

using namespace belay::cases;
using namespace belay::testing;

TEST(Shape, IsParsedAndPrinted) {
  TensorType Tensor = valueOf(parseTensorType("f16:1024x64"));
  EXPECT_EQ(Tensor.Type, DataType::F16);
  EXPECT_EQ(Tensor.Shape, (Extents{1024, 64}));
  EXPECT_EQ(Tensor.bytes(), 1024u * 64 * 2);
  EXPECT_EQ(Tensor.str(), "f16:1024x64");
  EXPECT_EQ(valueOf(parseTensorType("i8:0")).bytes(), 0u);
}

TEST(Shape, RefusesWhatIsNone) {
  for (const char *Text :
       {"", "f16", "f16:", "f16:x", "f16:1x", "f16:-1", "f16:1,2", "f16: 4",
        "half:4", "f16:0x10x", "f16:99999999999999999999"})
    EXPECT_NE(messageOf(parseTensorType(Text)), "") << Text;
}

TEST(Shape, ProductsDoNotWrap) {
  EXPECT_NE(messageOf(parseTensorType("f32:4294967296x4294967296")), "");
  EXPECT_NE(messageOf(parseTensorType("f64:1099511627776")), "");
  EXPECT_EQ(countElements({1ull << 40, 1ull << 40, 0}), 0u);
  EXPECT_EQ(countElements({1ull << 40, 2}), std::nullopt);
}

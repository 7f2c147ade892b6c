//===- Shape.cpp - Extents of a kernel argument ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Shape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::cases;

std::optional<uint64_t> belay::cases::countElements(ArrayRef<uint64_t> Shape) {
  uint64_t Count = 1;
  bool Empty = is_contained(Shape, 0);
  for (uint64_t Extent : Shape) {
    if (Empty)
      continue;
    if (Extent > MaxBufferBytes / Count)
      return std::nullopt;
    Count *= Extent;
  }
  return Empty ? 0 : Count;
}

uint64_t TensorType::elements() const {
  return countElements(Shape).value_or(0);
}

std::string belay::cases::formatShape(ArrayRef<uint64_t> Shape) {
  if (Shape.empty())
    return "scalar";
  std::string Text;
  for (uint64_t Extent : Shape)
    Text += (Text.empty() ? "" : "x") + std::to_string(Extent);
  return Text;
}

std::string TensorType::str() const {
  std::string Text = nameOf(Type).str();
  return Shape.empty() ? Text : Text + ":" + formatShape(Shape);
}

Expected<TensorType> belay::cases::parseTensorType(StringRef Text) {
  auto [Name, ShapeText] = Text.split(':');
  TensorType Result;
  std::optional<DataType> Type = parseDataType(Name);
  if (!Type)
    return createStringError(formatv(
        "'{0}' is not an element type; known are {1}", Name, listDataTypes()));
  Result.Type = *Type;
  if (ShapeText.empty())
    return createStringError(
        formatv("'{0}' has no shape; write {1}:1024 or {1}:32x64", Text, Name));
  SmallVector<StringRef, 4> Parts;
  ShapeText.split(Parts, 'x');
  if (Parts.size() > 16)
    return createStringError(formatv("'{0}' has more than 16 extents", Text));
  for (StringRef Part : Parts) {
    uint64_t Extent = 0;
    if (!all_of(Part, isDigit) || Part.getAsInteger(10, Extent))
      return createStringError(
          formatv("'{0}' is not an extent in '{1}'; a shape is written 32x64",
                  Part, Text));
    Result.Shape.push_back(Extent);
  }
  std::optional<uint64_t> Count = countElements(Result.Shape);
  if (!Count || *Count > MaxBufferBytes / bytesOf(Result.Type))
    return createStringError(formatv("'{0}' is larger than 1 TiB", Text));
  return Result;
}

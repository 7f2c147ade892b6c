//===- DataType.cpp - Element types of kernel arguments -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/DataType.h"

using namespace belay;
using namespace belay::cases;

unsigned belay::cases::bytesOf(DataType Type) {
  return element_types::bytes_of(idOf(Type));
}

llvm::StringRef belay::cases::nameOf(DataType Type) {
  switch (Type) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  case DataType::Id:                                                           \
    return Text;
#include "belay/elements.def"
  }
  llvm_unreachable("unknown data type");
}

std::optional<DataType> belay::cases::parseDataType(llvm::StringRef Name) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  if (Name == Text)                                                            \
    return DataType::Id;
#include "belay/elements.def"
  return std::nullopt;
}

std::string belay::cases::listDataTypes() {
  std::string List;
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  List += List.empty() ? Text : ", " Text;
#include "belay/elements.def"
  return List;
}

bool belay::cases::isFloating(DataType Type) {
  element_types::kind What = element_types::of(idOf(Type)).what;
  return What == element_types::kind::Float ||
         What == element_types::kind::Complex;
}

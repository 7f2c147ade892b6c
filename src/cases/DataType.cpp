//===- DataType.cpp - Element types of kernel arguments -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/DataType.h"

using namespace belay::cases;

unsigned belay::cases::bytesOf(DataType Type) {
  unsigned Parts = Type == DataType::C64 ? 2 : 1;
  return Parts * visitType(Type, [](auto Zero) {
           return static_cast<unsigned>(sizeof Zero);
         });
}

llvm::StringRef belay::cases::nameOf(DataType Type) {
  switch (Type) {
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy)                              \
  case DataType::Name:                                                         \
    return Text;
#include "cases/DataTypes.def"
  }
  llvm_unreachable("unknown data type");
}

std::optional<DataType> belay::cases::parseDataType(llvm::StringRef Name) {
#define BELAY_DATA_TYPE(Enumerator, CType, Text, Numpy)                        \
  if (Name == Text)                                                            \
    return DataType::Enumerator;
#include "cases/DataTypes.def"
  return std::nullopt;
}

std::string belay::cases::listDataTypes() {
  std::string List;
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy)                              \
  List += List.empty() ? Text : ", " Text;
#include "cases/DataTypes.def"
  return List;
}

bool belay::cases::isFloating(DataType Type) {
  return Type == DataType::F16 || Type == DataType::BF16 ||
         Type == DataType::F32 || Type == DataType::F64 ||
         Type == DataType::C64;
}

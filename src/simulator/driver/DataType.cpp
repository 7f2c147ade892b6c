//===- DataType.cpp - Element types of kernel arguments -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/driver/DataType.h"

using namespace belay::driver;

unsigned belay::driver::bytesOf(DataType Type) {
  unsigned Parts = Type == DataType::C64 ? 2 : 1;
  return Parts * visitType(Type, [](auto Zero) {
           return static_cast<unsigned>(sizeof Zero);
         });
}

llvm::StringRef belay::driver::nameOf(DataType Type) {
  switch (Type) {
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy)                              \
  case DataType::Name:                                                         \
    return Text;
#include "simulator/driver/DataTypes.def"
  }
  llvm_unreachable("unknown data type");
}

std::optional<DataType> belay::driver::parseDataType(llvm::StringRef Name) {
#define BELAY_DATA_TYPE(Enumerator, CType, Text, Numpy)                        \
  if (Name == Text)                                                            \
    return DataType::Enumerator;
#include "simulator/driver/DataTypes.def"
  return std::nullopt;
}

std::string belay::driver::listDataTypes() {
  std::string List;
#define BELAY_DATA_TYPE(Name, CType, Text, Numpy)                              \
  List += List.empty() ? Text : ", " Text;
#include "simulator/driver/DataTypes.def"
  return List;
}

bool belay::driver::isFloating(DataType Type) {
  return Type == DataType::F16 || Type == DataType::BF16 ||
         Type == DataType::F32 || Type == DataType::F64 ||
         Type == DataType::C64;
}

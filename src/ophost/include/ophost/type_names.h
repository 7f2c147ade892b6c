//===- type_names.h - Names and sizes of types ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_TYPE_NAMES_H
#define BELAY_OPHOST_TYPE_NAMES_H

#include "ophost/types.h"

#include <string>

namespace ge {

class TypeUtils {
public:
  static std::string DataTypeToSerialString(DataType Type) {
    switch (Type) {
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  case DT_##Name:                                                              \
    return "DT_" #Name;
#include "belay/elements.def"
    default:
      return "UNDEFINED";
    }
  }
  static std::string FormatToSerialString(Format F) {
    switch (F) {
#define BELAY_GE_FORMAT(Name, Number)                                          \
  case FORMAT_##Name:                                                          \
    return #Name;
#include "ophost/formats.def"
    default:
      return "RESERVED";
    }
  }
  static bool GetDataTypeLength(DataType Type, uint32_t &Length) {
    int Bytes = GetSizeByDataType(Type);
    if (Bytes <= 0 || Bytes >= kDataTypeSizeBitOffset)
      return false;
    Length = static_cast<uint32_t>(Bytes);
    return true;
  }
};

} // namespace ge

#endif // BELAY_OPHOST_TYPE_NAMES_H

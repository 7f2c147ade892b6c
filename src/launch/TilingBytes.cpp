//===- TilingBytes.cpp - Tiling as the kernel reads it --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/TilingBytes.h"
#include "cases/DataType.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;
using namespace belay::toolchain;
using belay::sim::ParamKind;

static Error doesNotFit(const DescribedField &Field, StringRef Text) {
  bool IsInteger = Field.Kind == ParamKind::Integer;
  return makeError(
      DiagId::TilingMismatch,
      formatv("'{0}' does not fit tiling field '{1}', {2}", Text, Field.Name,
              IsInteger
                  ? formatv("a {0}{1}-byte integer",
                            Field.Signed ? "" : "non-negative ",
                            Field.ElementBytes)
                        .str()
                  : formatv("a {0}-byte float", Field.ElementBytes).str()));
}

/// Writes one element, little endian like every host and device of ours.
static Error encodeElement(const DescribedField &Field, StringRef Text,
                           char *At) {
  // What a field is comes from the kernel's object: untrusted input.
  unsigned Width = Field.ElementBytes * 8;
  if (Field.ElementBytes > 8 || !isPowerOf2_32(Field.ElementBytes))
    return doesNotFit(Field, Text);
  if (Field.Kind == ParamKind::Integer) {
    uint64_t Bits = 0;
    if (Text == "true" || Text == "false") {
      Bits = Text == "true";
    } else if (Text.starts_with("-")) {
      int64_t Value;
      if (!Field.Signed || Text.getAsInteger(0, Value) || !isIntN(Width, Value))
        return doesNotFit(Field, Text);
      Bits = static_cast<uint64_t>(Value);
    } else if (Text.getAsInteger(0, Bits) ||
               !isUIntN(Field.Signed ? Width - 1 : Width, Bits)) {
      return doesNotFit(Field, Text);
    }
    std::memcpy(At, &Bits, Field.ElementBytes);
    return Error::success();
  }
  double Value;
  if (Field.Kind != ParamKind::Float || Text.getAsDouble(Value))
    return doesNotFit(Field, Text);
  if (Field.ElementBytes == 8) {
    std::memcpy(At, &Value, 8);
  } else if (Field.ElementBytes == 4) {
    auto Narrow = static_cast<float>(Value);
    std::memcpy(At, &Narrow, 4);
  } else if (Field.ElementBytes == 2) {
    Half Narrow = toHalf(static_cast<float>(Value));
    std::memcpy(At, &Narrow, 2);
  } else {
    return doesNotFit(Field, Text);
  }
  return Error::success();
}

Expected<std::string> belay::launch::encodeTiling(const TilingSpec &Spec,
                                                  const Description &Kernel) {
  if (Spec.Bytes)
    return *Spec.Bytes;
  if (!Spec.File.empty()) {
    Expected<std::string> Bytes = readFile(Spec.File, MaxTilingBytes);
    if (Bytes && Kernel.TilingBytes && Bytes->size() < Kernel.TilingBytes)
      return makeError(DiagId::TilingMismatch,
                       formatv("{0} has {1} bytes; the structure has {2}",
                               Spec.File, Bytes->size(), Kernel.TilingBytes));
    return Bytes;
  }
  std::string Bytes(Kernel.TilingBytes, '\0');
  for (const TilingValue &Value : Spec.Values) {
    auto Field = find_if(Kernel.Fields, [&](const DescribedField &Candidate) {
      return Candidate.Name == Value.Field;
    });
    if (Field == Kernel.Fields.end())
      return makeError(
          DiagId::TilingMismatch,
          formatv("the tiling structure has no field '{0}'", Value.Field));
    if (Value.Values.size() != Field->Count)
      return makeError(DiagId::TilingMismatch,
                       formatv("tiling field '{0}' has {1} element{2}, but {3} "
                               "value{4} given",
                               Value.Field, Field->Count,
                               Field->Count == 1 ? "" : "s",
                               Value.Values.size(),
                               Value.Values.size() == 1 ? " is" : "s are"));
    for (const auto &[Index, Text] : enumerate(Value.Values))
      if (Error E = encodeElement(*Field, Text,
                                  Bytes.data() + Field->Offset +
                                      Index * Field->ElementBytes))
        return E;
  }
  return Bytes;
}

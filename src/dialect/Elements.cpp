//===- Elements.cpp - Element types of the language -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Elements.h"

#include "dialect/InstructionForm.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace belay;
using element_types::id;

Type belay::ascend::typeOfElement(MLIRContext *Context, id Element) {
  Builder B(Context);
  switch (Element) {
#define BELAY_ELEMENT_LANGUAGE(Id, Mlir, Name)                                 \
  case id::Id:                                                                 \
    return B.get##Mlir##Type();
#include "targets/Elements.def"
  default:
    return {};
  }
}

id belay::ascend::languageElementOf(Type Type) {
  if (Type.isIndex())
    return id::S64;
#define BELAY_ELEMENT_LANGUAGE(Id, Mlir, Name)                                 \
  if (Type == typeOfElement(Type.getContext(), id::Id))                        \
    return id::Id;
#include "targets/Elements.def"
  return id::none;
}

llvm::StringRef belay::ascend::languageNameOf(id Element) {
  switch (Element) {
#define BELAY_ELEMENT_LANGUAGE(Id, Mlir, Name)                                 \
  case id::Id:                                                                 \
    return #Name;
#include "targets/Elements.def"
  default:
    return "";
  }
}

id belay::ascend::elementNamed(llvm::StringRef Text) {
#define BELAY_ELEMENT_LANGUAGE(Id, Mlir, Name)                                 \
  if (Text == #Name)                                                           \
    return id::Id;
#include "targets/Elements.def"
  return id::none;
}

/// Truths are bits of masks to instructions.
std::optional<targets::Element> belay::ascend::targetElementOf(Type Type) {
  id Element = languageElementOf(Type);
  if (Type.isIndex() || Element == id::Bool || Element == id::none)
    return std::nullopt;
  return static_cast<targets::Element>(Element);
}

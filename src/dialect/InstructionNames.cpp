//===- InstructionNames.cpp - What AscendC and its tables call things -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "targets/Instructions.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef belay::ascend::apiName(Unary Kind) {
  switch (Kind) {
  case Unary::Abs:
    return "Abs";
  case Unary::Exp:
    return "Exp";
  case Unary::Ln:
    return "Ln";
  case Unary::Sqrt:
    return "Sqrt";
  case Unary::Rsqrt:
    return "Rsqrt";
  case Unary::Reciprocal:
    return "Reciprocal";
  case Unary::Relu:
    return "Relu";
  case Unary::Not:
    return "Not";
  case Unary::Tanh:
    return "Tanh";
  case Unary::Erf:
    return "Erf";
  case Unary::Sin:
    return "Sin";
  case Unary::Cos:
    return "Cos";
  case Unary::Floor:
    return "Floor";
  case Unary::Ceil:
    return "Ceil";
  case Unary::Round:
    return "Round";
  case Unary::Trunc:
    return "Trunc";
  }
  llvm_unreachable("all kinds are listed");
}

StringRef belay::ascend::apiName(Binary Kind) {
  switch (Kind) {
  case Binary::Add:
    return "Add";
  case Binary::Sub:
    return "Sub";
  case Binary::Mul:
    return "Mul";
  case Binary::Div:
    return "Div";
  case Binary::Max:
    return "Max";
  case Binary::Min:
    return "Min";
  case Binary::And:
    return "And";
  case Binary::Or:
    return "Or";
  case Binary::Power:
    return "Power";
  case Binary::Shl:
    return "ShiftLeft";
  case Binary::Shr:
    return "ShiftRight";
  }
  llvm_unreachable("all kinds are listed");
}

StringRef belay::ascend::scalarName(Binary Kind) {
  switch (Kind) {
  case Binary::Add:
    return "Adds";
  case Binary::Mul:
    return "Muls";
  case Binary::Max:
    return "Maxs";
  case Binary::Min:
    return "Mins";
  case Binary::Shl:
    return "ShiftLefts";
  case Binary::Shr:
    return "ShiftRights";
  default:
    return "";
  }
}

StringRef belay::ascend::atomicName(Combine Combine) {
  switch (Combine) {
  case Combine::Sum:
    return "SetAtomicAdd";
  case Combine::Max:
    return "SetAtomicMax";
  case Combine::Min:
    return "SetAtomicMin";
  case Combine::Prod:
    break;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Tables of targets
//===----------------------------------------------------------------------===//

bool belay::ascend::hasAtomic(const targets::Arch &Arch, Combine Combine,
                              Type Element) {
  std::optional<targets::Element> Known = targetElementOf(Element);
  return Known && targets::hasForm(Arch, std::string_view(atomicName(Combine)),
                                   *Known, /*ByCount=*/false);
}

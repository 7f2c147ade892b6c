//===- Compute.cpp - Instructions between registers -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/registers/Lanes.h"

using namespace belay::sim;

namespace {

constexpr const char *UnaryNames[] = {
#define BELAY_UNARY(Name) #Name,
#include "abi/Ops.def"
};
constexpr const char *BinaryNames[] = {
#define BELAY_BINARY(Name) #Name,
#include "abi/Ops.def"
};
constexpr const char *ScalarNames[] = {
#define BELAY_SCALAR(Name) #Name,
#include "abi/Ops.def"
};

/// As the API calls it.
const char *nameOf(const RegisterCompute &C) {
  switch (C.Op) {
  case RegisterOp::Unary:
    return UnaryNames[static_cast<size_t>(C.Unary)];
  case RegisterOp::Binary:
    return BinaryNames[static_cast<size_t>(C.Binary)];
  case RegisterOp::WithScalar:
    return ScalarNames[static_cast<size_t>(C.WithScalar)];
  case RegisterOp::CompareScalar:
    return "Compares";
  case RegisterOp::FillScalar:
  case RegisterOp::FillLowest:
    return "Duplicate";
  case RegisterOp::Copy:
  case RegisterOp::MaskCopy:
    return "Move";
  case RegisterOp::GatherLanes:
    return "Gather";
  case RegisterOp::ReduceAll:
    return "Reduce";
  case RegisterOp::ReduceBlock:
    return "ReduceDataBlock";
  case RegisterOp::ReducePair:
    return "PairReduceElem";
  case RegisterOp::Histogram:
    return "Histograms";
  case RegisterOp::AddCarry:
    return C.Carry ? "AddC" : "Add";
  case RegisterOp::SubCarry:
    return C.Carry ? "SubC" : "Sub";
  case RegisterOp::MulWide:
    return "Mull";
  case RegisterOp::ClearAr:
    return "ClearSpr";
  case RegisterOp::MaskPattern:
    return "CreateMask";
  case RegisterOp::MaskCount:
    return "UpdateMask";
  case RegisterOp::MaskOfVector:
    return "MoveMask";
  case RegisterOp::MaskOfRegister:
    return "MaskGenWithRegTensor";
#define BELAY_SAME(Op, Name)                                                   \
  case RegisterOp::Op:                                                         \
    return Name;
    BELAY_SAME(Log2, "Log2")
    BELAY_SAME(Log10, "Log10")
    BELAY_SAME(Cast, "Cast")
    BELAY_SAME(ExpSub, "ExpSub")
    BELAY_SAME(MulsCast, "MulsCast")
    BELAY_SAME(Truncate, "Truncate")
    BELAY_SAME(Compare, "Compare")
    BELAY_SAME(Select, "Select")
    BELAY_SAME(Arange, "Arange")
    BELAY_SAME(Interleave, "Interleave")
    BELAY_SAME(DeInterleave, "DeInterleave")
    BELAY_SAME(Pack, "Pack")
    BELAY_SAME(UnPack, "UnPack")
    BELAY_SAME(Squeeze, "Squeeze")
    BELAY_SAME(Unsqueeze, "Unsqueeze")
    BELAY_SAME(MaskAnd, "And")
    BELAY_SAME(MaskOr, "Or")
    BELAY_SAME(MaskXor, "Xor")
    BELAY_SAME(MaskNot, "Not")
    BELAY_SAME(MaskSelect, "Select")
    BELAY_SAME(MaskPack, "Pack")
    BELAY_SAME(MaskUnPack, "UnPack")
    BELAY_SAME(MaskInterleave, "Interleave")
    BELAY_SAME(MaskDeInterleave, "DeInterleave")
#undef BELAY_SAME
  }
  return "?";
}

} // namespace

void belay_sim_register_compute(const RegisterCompute *C) {
  MicroCall M = {nameOf(*C), BELAY_PC};
  RegisterFile &F = RegisterFile::current();
  if (!F.enter(M))
    return;
  Micro X = {F, M, *C};
  switch (C->Op) {
  case RegisterOp::Unary:
  case RegisterOp::Binary:
  case RegisterOp::WithScalar:
  case RegisterOp::Log2:
  case RegisterOp::Log10:
  case RegisterOp::Compare:
  case RegisterOp::CompareScalar:
  case RegisterOp::Select:
  case RegisterOp::AddCarry:
  case RegisterOp::SubCarry:
  case RegisterOp::MulWide:
    return computeElements(X);
  case RegisterOp::Cast:
  case RegisterOp::ExpSub:
  case RegisterOp::MulsCast:
  case RegisterOp::Truncate:
    return computeConverted(X);
  case RegisterOp::ReduceAll:
  case RegisterOp::ReduceBlock:
  case RegisterOp::ReducePair:
  case RegisterOp::Histogram:
    return computeReduced(X);
  default:
    return C->Op >= RegisterOp::MaskPattern ? computeMask(X) : computeLanes(X);
  }
}

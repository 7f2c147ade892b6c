//===- InstructionForm.h - What the hardware is told ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A single instruction in the terms of the hardware: its name, its fields with
// what each of them holds, and the bytes that it touches. Operations describe
// themselves (InstructionInterface); ascend-verify-instructions proves that the
// description is one that the hardware can execute.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_INSTRUCTIONFORM_H
#define BELAY_DIALECT_INSTRUCTIONFORM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include "dialect/AscendEnums.h.inc"
#include "targets/Instructions.h"

namespace belay::ascend {

/// A number that has to fit a field of the instruction.
struct InstructionField {
  llvm::StringRef Name;
  mlir::OpFoldResult Value;
  int64_t Least, Most;
  /// What the number has to be a multiple of.
  int64_t Multiple = 1;
  /// The bounds are those of the sum of both, if there is one.
  mlir::OpFoldResult Plus = {};
};

/// The bits of an on-chip operand that an instruction touches: `Repeats` times
/// `Count` elements side by side, from element `Start` of the operand on.
struct InstructionAccess {
  mlir::Value Operand;
  bool Writes;
  mlir::OpFoldResult Start;
  mlir::OpFoldResult Repeats;
  /// Between repeats, in units of StrideBytes: from beginning to beginning, or
  /// from the end of one, as whole units, to the beginning of the next.
  mlir::OpFoldResult Stride;
  int64_t StrideBytes;
  mlir::OpFoldResult Count;
  int64_t Bits;
  /// What the address of the operand has to be a multiple of, in bytes.
  int64_t Alignment;
  bool FromEnd = false;
  /// Elements of the operand before those, in each repeat, if there are any.
  mlir::OpFoldResult Before = {};
  /// Where no repeat may go beyond the row of the buffer in which it begins.
  bool StaysInRow = false;
};

/// The elements of a view in global memory that an instruction touches, and the
/// rows, their length in units of LengthBytes and the bytes between them that
/// it is told to move; nothing for single elements.
struct InstructionWindow {
  mlir::Value View;
  llvm::SmallVector<mlir::OpFoldResult, 4> Offsets, Sizes;
  mlir::OpFoldResult Rows, Length, Gap;
  int64_t LengthBytes = 1;
  /// Elements from row to row, for instructions that are not told the gap.
  mlir::OpFoldResult Pitch = {};
  /// What the gap is counted in.
  int64_t GapBytes = 1;
};

struct InstructionForm {
  /// The name in AscendC, as src/targets/Instructions.def lists it.
  llvm::StringRef Name;
  /// The element type that decides whether the form exists.
  mlir::Type Element;
  /// What a conversion starts from, and how it rounds.
  mlir::Type From;
  std::optional<Round> Rounding;
  /// How an atomic copy combines with what is there.
  std::optional<Combine> Atomic;
  /// Whether it is the form with a count, not with a mask and repeats.
  bool ByCount = false;
  /// Whether the result may take the place of an operand: the same address with
  /// the same strides. No other overlap is ever allowed.
  bool InPlace = true;
  llvm::SmallVector<InstructionField, 4> Fields;
  llvm::SmallVector<InstructionAccess, 4> Accesses;
  std::optional<InstructionWindow> Window;
};

/// How the tables of src/targets call an element type. Integers are signed in
/// kernels.
std::optional<targets::Element> targetElementOf(mlir::Type Type);

/// What makes the copies that follow atomic.
llvm::StringRef atomicName(Combine Combine);
bool hasAtomic(const targets::Arch &Arch, Combine Combine, mlir::Type Element);

} // namespace belay::ascend

#endif // BELAY_DIALECT_INSTRUCTIONFORM_H

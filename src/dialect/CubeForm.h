//===- CubeForm.h - Forms of the cube's instructions ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What verifiers and descriptions of instructions on fractals share.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_CUBEFORM_H
#define BELAY_DIALECT_CUBEFORM_H

#include "dialect/Fractals.h"
#include "targets/Target.h"

#include "mlir/IR/Builders.h"

namespace belay::ascend {

/// Whether an architecture has instructions of the cube: without a fixpipe,
/// the cube is a unit of the core that has the vector unit, and only there.
inline bool hasCubeForms(const targets::Arch &Arch, bool OneCore) {
  return OneCore != Arch.hasFixpipe;
}

inline mlir::LogicalResult verifyRoom(mlir::Operation *Op,
                                      mlir::MemRefType Buffer,
                                      std::optional<MatrixRoom> Room,
                                      llvm::StringRef Constraint) {
  if (Room)
    return mlir::success();
  return Op->emitOpError() << "cannot have a matrix in " << Buffer << " ("
                           << Constraint << ")";
}

/// Fills a form.
class CubeForm {
public:
  CubeForm(mlir::Operation *Op, InstructionForm &Form)
      : Form(Form), B(Op->getContext()) {}

  void name(llvm::StringRef Name, mlir::Type Element) {
    Form.Name = Name;
    Form.Element = Element;
    Form.InPlace = false;
  }
  mlir::OpFoldResult number(int64_t Number) { return B.getIndexAttr(Number); }
  void field(llvm::StringRef Name, mlir::OpFoldResult Value, int64_t Least,
             int64_t Most, int64_t Multiple = 1) {
    Form.Fields.push_back({Name, Value, Least, Most, Multiple});
  }
  /// Where a part begins, and that it ends inside of the matrix.
  void part(llvm::StringRef Name, mlir::OpFoldResult Begin,
            mlir::OpFoldResult Size, int64_t Most, int64_t Multiple = 1) {
    Form.Fields.push_back({Name, Begin, 0, Most, Multiple});
    Form.Fields.push_back({Name, Begin, 0, Most, 1, Size});
  }
  /// All of a buffer.
  void access(mlir::Value Operand, bool Writes) {
    auto Type = llvm::cast<mlir::MemRefType>(Operand.getType());
    Form.Accesses.push_back({Operand, Writes, number(0), number(1), number(0),
                             1, number(Type.getNumElements()),
                             Type.getElementTypeBitWidth(),
                             bufferAlignment(*getSpace(Type))});
  }
  /// So many elements of each row of a buffer in blocks, from an operand on.
  void rows(mlir::Value Operand, bool Writes, mlir::OpFoldResult Rows,
            int64_t Pitch, int64_t Count) {
    int64_t Bits = llvm::cast<mlir::MemRefType>(Operand.getType())
                       .getElementTypeBitWidth();
    InstructionAccess Access{
        Operand, Writes,        number(0), Rows, number(Pitch * Bits / 256),
        32,      number(Count), Bits,      32};
    // A buffer of one row ends with a block.
    auto Slice = Operand.getDefiningOp<SliceOp>();
    Access.StaysInRow = Slice && Slice.getSource().getType().getDimSize(0) > 1;
    Form.Accesses.push_back(Access);
  }
  template <typename CopyOp> void window(CopyOp Copy) {
    Form.Window = {
        Copy.getView(),
        llvm::SmallVector<mlir::OpFoldResult, 4>(Copy.getMixedOffsets()),
        llvm::SmallVector<mlir::OpFoldResult, 4>(Copy.getMixedSizes()),
        Copy.getRows(),
        Copy.getCols(),
        {},
        Copy.getView().getType().getElementTypeBitWidth() / 8,
        Copy.getPitch()};
  }

private:
  InstructionForm &Form;
  mlir::Builder B;
};

} // namespace belay::ascend

#endif // BELAY_DIALECT_CUBEFORM_H

//===- Model.h - PTO as instructions that use memory ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of PTO becomes one of `order.use`, flags, barriers, loops and
// branches, with all numbers that addresses and windows depend on. Nothing else
// matters for the order of its instructions. What cannot be read is said, and
// nothing is proven then.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PTO_MODEL_H
#define BELAY_CHECK_PTO_MODEL_H

#include "check/pto/Places.h"
#include "check/pto/Use.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace belay::check {

/// Something that the model does not have.
struct Gap {
  mlir::Operation *Where;
  std::string Why;
};

class OrderModel {
public:
  OrderModel(mlir::func::FuncOp Kernel, const targets::Soc &Soc)
      : Kernel(Kernel), Soc(Soc), Builder(Kernel.getContext()) {}

  void build();

  mlir::ModuleOp module() { return *Module; }
  mlir::func::FuncOp function() const { return Made; }
  llvm::ArrayRef<Gap> gaps() const { return Gaps; }
  llvm::ArrayRef<TilePlace> tiles() const { return Tiles; }
  /// Flags and barriers of the program.
  unsigned numSyncs() const { return NumSyncs; }
  unsigned numInstructions() const { return NumInstructions; }
  /// Flags under a condition: whether they pair is not always seen.
  bool hasFlagsUnderConditions() const { return FlagsUnderConditions; }

  /// The operation of the program that one of the model stands for.
  mlir::Operation *originOf(mlir::Operation *Op);

private:
  void findCore();
  void declare();
  void gap(mlir::Operation *Where, const llvm::Twine &Why);
  std::optional<ascend::Pipe> pipeOf(mlir::Operation *Op, pto::Pipe Of);

  void translate(mlir::Block &Block);
  void translate(mlir::Operation &Op);
  void translateLoop(mlir::scf::ForOp Loop);
  void translateIf(mlir::scf::IfOp If);
  void translateNumber(mlir::Operation &Op);
  void translateInstruction(pto::TileInstruction Op);
  void translateElement(mlir::Operation &Op, mlir::Value Memory,
                        mlir::Value Offset, bool Writes);
  void flag(mlir::Operation &Op, pto::Pipe From, pto::Pipe To, int64_t Event,
            mlir::Value Slot, bool Sets);
  void dynamicFlag(mlir::Operation &Op, pto::Pipe From, pto::Pipe To,
                   mlir::Value Event, bool Sets);
  void namedFlag(mlir::Operation &Op, mlir::Attribute From, mlir::Attribute To,
                 pto::Event Event, bool Sets);
  void barrier(mlir::Operation &Op, pto::Pipe Of);
  bool translateView(mlir::Operation &Op);
  void use(mlir::Operation &Op, pto::Pipe On, mlir::ValueRange Reads,
           mlir::ValueRange Writes);

  /// What an operand is in the model, or null.
  mlir::Value memoryOf(mlir::Operation &Op, mlir::Value Operand,
                       mlir::Type Other);
  mlir::Value tileOf(mlir::Operation &Op, mlir::Value Tile);
  mlir::Value spaceBuffer(pto::Space Space);
  mlir::Value slotBuffer(const TilePlace &Place);
  mlir::Value bytes(mlir::Value Buffer, int64_t First, int64_t Count);
  mlir::Value windowOf(mlir::Operation &Op, mlir::Value Part, mlir::Type Tile);
  mlir::Value rootOf(mlir::Value Pointer, mlir::Type Element);
  mlir::Value numberOf(mlir::Value Old);
  mlir::OpFoldResult numberOf(mlir::OpFoldResult Number);
  llvm::SmallVector<mlir::OpFoldResult>
  numbersOf(llvm::ArrayRef<mlir::OpFoldResult> Numbers);
  void note(mlir::Operation *Made, mlir::Operation &Of);

  mlir::OwningOpRef<mlir::ModuleOp> Module;
  mlir::func::FuncOp Kernel, Made;
  const targets::Soc &Soc;
  mlir::OpBuilder Builder;
  bool Cube = false;
  mlir::IRMapping Numbers; ///< Numbers and views, old to new.
  std::vector<TilePlace> Tiles;
  llvm::DenseMap<mlir::Operation *, int64_t> ChosenAt;
  int64_t NextChosen = int64_t(1) << 40;
  llvm::DenseMap<unsigned, mlir::Value> Buffers;
  std::vector<mlir::Operation *> Origins;
  std::vector<Gap> Gaps;
  unsigned NumSyncs = 0, NumInstructions = 0;
  bool FlagsUnderConditions = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_PTO_MODEL_H

//===- Outputs.h - What the compiler writes ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNELC_OUTPUTS_H
#define BELAY_KERNELC_OUTPUTS_H

#include "analysis/Prover.h"
#include "emit/Launch.h"
#include "emit/Plan.h"
#include "emit/pto/Translate.h"
#include "mlir/IR/BuiltinOps.h"

namespace belay::kernelc {

enum class Form {
  Tiles,
  Core,
  Plan,
  PlanJson,
  AscendC,
  Pto,
  Launcher,
  Description
};

/// SHA-256 of a file's content, in hexadecimal; "" if it cannot be read.
std::string hashOfFile(llvm::StringRef Path);

class Outputs {
public:
  Outputs(mlir::ModuleOp Module, const targets::Soc &Soc,
          emit::LaunchOrigin Origin)
      : Module(Module), Soc(Soc), Origin(std::move(Origin)) {}

  /// Reads what the kernels, still tiles, say of their launch.
  mlir::LogicalResult describe();

  /// Proves all kernels, and notes what is left to be checked on the device.
  mlir::LogicalResult prove(bool Deny);

  /// Reads what went where, once memory is planned and flags are placed.
  void readPlans();

  /// Translates what is planned, before it becomes single instructions.
  mlir::LogicalResult readPto(pto::Sync Who);

  /// Writes one form of all kernels to a file, or to the standard output ("-").
  mlir::LogicalResult write(Form What, llvm::StringRef Path);

  /// Writes the files of every kernel into a folder, which is made if need be.
  mlir::LogicalResult writeAll(llvm::StringRef Directory);

  /// Says of every kernel whether it is proven or guarded, how much and where,
  /// and which files were written to the folder, if there is one.
  void summarise(llvm::StringRef Directory) const;

private:
  mlir::LogicalResult print(Form What, llvm::raw_ostream &Out, bool Lines);

  mlir::ModuleOp Module;
  const targets::Soc &Soc;
  emit::LaunchOrigin Origin;
  std::vector<emit::LaunchDescription> Launches;
  std::vector<emit::KernelPlan> Plans;
  mlir::OwningOpRef<mlir::ModuleOp> Pto;
  std::vector<analysis::ProofCounts> Proofs; ///< One for each launch.
};

} // namespace belay::kernelc

#endif // BELAY_KERNELC_OUTPUTS_H

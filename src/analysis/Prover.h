//===- Prover.h - All proofs of one kernel ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_PROVER_H
#define BELAY_ANALYSIS_PROVER_H

#include "analysis/Obligations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace belay::analysis {

struct ProofCounts {
  unsigned Obligations = 0, Proven = 0, Guarded = 0, Refused = 0;
};

/// Where the results of proofs go: counts, messages, guards.
class Verdicts {
public:
  explicit Verdicts(bool Deny) : Deny(Deny) {}

  /// Tries to prove an obligation of an operation. If that fails it is reported
  /// and, if it can be, guarded; what follows may rely on it either way.
  void prove(mlir::Operation *Op, const Obligation &What, Terms &T);

  /// A property without a guard that has been decided elsewhere. The message is
  /// only used, and the returned diagnostic only there, if it does not hold.
  mlir::InFlightDiagnostic decide(mlir::Operation *Op, bool Holds,
                                  llvm::StringRef Id,
                                  const llvm::Twine &Message);

  const ProofCounts &counts() const { return Counts; }

private:
  bool Deny;
  ProofCounts Counts;
};

/// Proves all that has to hold in a kernel; see docs/guarantees.md.
ProofCounts proveKernel(mlir::func::FuncOp Kernel, bool Deny);

/// Moves guards out of loops, as one check for all iterations: right before the
/// loop, if it runs, of its first or last iteration. Only where a guard that
/// would stop any iteration would stop that one, too.
void hoistGuards(mlir::func::FuncOp Kernel);

/// The variables on which a violation depends, with their values in the last
/// solution: "i = 0, x.size() = 8".
std::string describeSolution(Terms &T, const Conjunction &Violation);

/// A condition on arguments under which a property would always hold, as source
/// text. Empty, if no simple one does. With Counterexample, the solver's last
/// solution is one.
std::string suggestContract(Terms &T, const Obligation &What,
                            bool Counterexample);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_PROVER_H

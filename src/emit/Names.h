//===- Names.h - Names of the source in emitted code ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_NAMES_H
#define BELAY_EMIT_NAMES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringSet.h"

namespace belay::emit {

/// Gives values C++ names: those of the source where there are some, and never
/// one twice in a kernel.
class Names {
public:
  Names();

  /// Keeps the names that the source gives to things in \p Kernel for those.
  void claim(mlir::Operation *Kernel);
  /// Makes a name for a value, from its location or else from \p Fallback.
  std::string declare(mlir::Value Value, llvm::StringRef Fallback);
  /// Lets a value have the name that another has.
  void alias(mlir::Value Value, llvm::StringRef Name);
  /// A name that nothing has yet.
  std::string fresh(llvm::StringRef Wanted);
  /// Empty for a value that has none.
  llvm::StringRef lookup(mlir::Value Value) const;

private:
  llvm::DenseMap<mlir::Value, std::string> Known;
  llvm::StringSet<> Taken, Claimed;
};

/// The name that the source gives a value, or nothing.
std::optional<llvm::StringRef> sourceNameOf(mlir::Location Loc);

/// What to call a buffer that the source has no name for: what it holds.
std::string bufferHint(mlir::Value Buffer);

/// What to call the number that an operation computes: what it is used for.
llvm::StringRef scalarHint(mlir::Operation &Op);

/// The name of a kernel's parameter; one without a name gets one that no other
/// has.
std::string parameterName(mlir::BlockArgument Argument);

} // namespace belay::emit

#endif // BELAY_EMIT_NAMES_H

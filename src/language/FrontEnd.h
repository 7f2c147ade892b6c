//===- FrontEnd.h - From C++ to tiles ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang parses a file that includes belay/kernel.h; the functions that are
// marked [[belay::kernel]] become functions of the ascend dialect, at the level
// of tiles. What the language does not have is refused, with Clang's own
// diagnostics: file, line, column, caret, what to write instead.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_FRONTEND_H
#define BELAY_LANGUAGE_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <string>
#include <vector>

namespace belay::language {

struct FrontEndOptions {
  std::string Source;
  /// Its text is standard input; Source is only what it is called.
  bool FromStdin = false;
  /// The folder that has belay/kernel.h.
  std::string IncludeDir;
  /// For the user's own: -I, -D, -std.
  std::vector<std::string> ClangArgs;
  /// Kernels to build, as in "softmax<1024>". If there are none, those that are
  /// no templates and those that the file itself instantiates.
  std::vector<std::string> Instances;
  /// Where to write which files were read, as make would have it; "" for
  /// nowhere. It is there once the KernelSource is gone.
  std::string DependencyFile;
  bool Colors = false;
};

/// A parsed file. It keeps Clang's tables, so that what later passes say about
/// a location can be shown as Clang would.
class KernelSource {
public:
  virtual ~KernelSource();

  /// Reads the file and lowers its kernels. Null if Clang or the language
  /// refused something; it has been printed to stderr.
  static std::unique_ptr<KernelSource> parse(const FrontEndOptions &Options,
                                             mlir::MLIRContext &Context);

  virtual mlir::ModuleOp getModule() = 0;

  /// Whether a function or a template of the file is marked as a kernel.
  virtual bool marksKernels() const = 0;

  /// Shows a diagnostic of MLIR, with its notes. Reword turns each text into
  /// the words of the source.
  virtual void
  show(mlir::Diagnostic &Diag,
       llvm::function_ref<std::string(mlir::Diagnostic &)> Reword) = 0;
};

} // namespace belay::language

#endif // BELAY_LANGUAGE_FRONTEND_H

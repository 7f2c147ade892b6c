//===- Program.h - Host programs with their kernels -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that hold kernels and the program that launches them, as the vendor's
// compiler takes them, become an executable and an object for the simulated
// device. Files with kernels are compiled for both sides; launches are
// rewritten (belay/program.h).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_PROGRAM_H
#define BELAY_TOOLCHAIN_PROGRAM_H

#include "toolchain/KernelCompiler.h"

namespace belay::toolchain {

struct ProgramRequest {
  std::vector<std::string> Sources;
  std::string Soc = "Ascend910B3";
  std::vector<std::string> Defines, IncludeDirs, Libraries;
  bool Check = false;
  /// Whoever asked for the folder wants all that is made in it: nothing comes
  /// from the cache.
  bool Keep = false;
};

class Program {
public:
  /// Compiles into Folder, or finds in the cache. Clang's messages go to
  /// stderr.
  static llvm::Expected<Program> build(const ProgramRequest &Request,
                                       KernelCompiler &Compiler,
                                       llvm::StringRef Folder);

  std::string Executable;
  /// Empty if there are no kernels.
  std::string Kernels;
};

/// Whether the sources are a program: one of them defines main().
bool isProgram(llvm::ArrayRef<llvm::StringRef> Sources);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_PROGRAM_H

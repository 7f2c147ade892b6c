//===- CompilePlan.h - The command lines of one compilation -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_COMPILEPLAN_H
#define BELAY_COMPILER_COMPILEPLAN_H

#include "compiler/Cann.h"
#include "compiler/DeviceTargets.h"
#include "compiler/UserOptions.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::compiler {

/// Who compiles.
enum class Backend : uint8_t {
  Auto,    ///< bisheng if there is one, else the library.
  Bisheng, ///< The compiler, as a program.
  Aclrtc,  ///< The runtime compile library, in a process of its own.
};

/// "auto", "bisheng", "aclrtc".
llvm::StringRef nameOf(Backend By);

/// What is to be run, in order, and what it writes. Made from names
/// alone: no file is touched, so it also serves as a part of the cache's key.
struct CompilePlan {
  std::vector<std::vector<std::string>> Commands;
  /// Dependency files that the commands write.
  std::vector<std::string> Depfiles;
  /// The result.
  std::string Object;
};

/// What decides a plan, beside the places of files.
struct PlanInput {
  const Cann *With = nullptr;
  const DeviceTarget *Target = nullptr;
  Output Out = Output::Object;
  Backend By = Backend::Bisheng;
  const UserOptions *Options = nullptr;
  /// Another tool's own flags instead of the target's, in the tool's order.
  std::optional<std::vector<std::string>> ForeignFlags;
};

/// Source is what is compiled; everything is written below Folder.
CompilePlan makePlan(const PlanInput &Input, llvm::StringRef Source,
                     llvm::StringRef Folder);

} // namespace belay::compiler

#endif // BELAY_COMPILER_COMPILEPLAN_H

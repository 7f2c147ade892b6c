//===- Launch.h - How a kernel is launched ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to be known to start a kernel from outside, and to refuse a launch
// that it does not admit: a description in JSON for any language, and a typed
// C++ header that includes belay/launch.h. docs/launch.md explains both.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_LAUNCH_H
#define BELAY_EMIT_LAUNCH_H

#include "emit/Contract.h"
#include "targets/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace belay::emit {

/// One parameter of the kernel as its author wrote it.
struct LaunchParameter {
  std::string Name;
  mlir::Type Element;
  /// Of a view, ShapedType::kDynamic where it is open; a scalar has none.
  bool IsView = false;
  ascend::Role Access = ascend::Role::In;
  llvm::SmallVector<int64_t, 4> Shape;
};

struct LaunchExpectation {
  std::string Text;
  std::string File;
  unsigned Line = 0;
  Condition Holds;
};

struct LaunchGuard {
  std::string Id;
  std::string Text;
  std::string File;
  unsigned Line = 0;
};

struct LaunchDescription {
  std::string Kernel; ///< "softmax<1024>"
  std::string Entry;  ///< "softmax_1024", also what its files are called
  std::string File;
  unsigned Line = 0;
  std::vector<LaunchParameter> Parameters;
  std::vector<LaunchExpectation> Expectations;
  /// What a block is: "vector", "cube", "mix" for one of each, or "ai".
  std::string Core;
  /// Cores wait for each other, so all of them have to run at once.
  bool CoresMeet = false;
  /// What is checked while it runs, since it was not proven.
  std::vector<LaunchGuard> Guards;
};

/// What only the caller knows.
struct LaunchOrigin {
  std::string Version;
  std::string SourceHash; ///< SHA-256 of the file with the kernel.
};

/// A parameter of the entry point. Views come first, then the extents that
/// their types leave open, then scalars.
struct EntryParameter {
  enum class Kind : uint8_t { View, Extent, Scalar } What;
  unsigned Index;   ///< Of the kernel's parameter.
  unsigned Dim = 0; ///< Of an extent.
  unsigned Offset;  ///< In the block of arguments.
  unsigned Bytes;
};

/// Most parameters of an entry point; launchers compare each with all others.
inline constexpr unsigned MaxArguments = 64;
/// Most blocks that any launch may have.
inline constexpr uint32_t MaxBlocks = 65535;
/// Largest extent of a view, which the proofs rely on.
inline constexpr int64_t MaxExtent = int64_t(1) << 40;

/// Reads what a kernel at the level of tiles says of its launch.
mlir::FailureOr<LaunchDescription> describeLaunch(mlir::func::FuncOp Kernel,
                                                  const targets::Soc &Soc);

/// Reads what the proofs have left to be checked on the device.
std::vector<LaunchGuard> readGuards(mlir::func::FuncOp Kernel);

/// In the order of docs/launch.md, each aligned by its size but at least by 4
/// bytes, as the vendor's tools lay them out.
std::vector<EntryParameter> entryParameters(const LaunchDescription &Launch,
                                            unsigned &TotalBytes);

/// "f32", "bf16", "i64", "bool": as belay run names types.
llvm::StringRef dataTypeName(mlir::Type Type);

/// Blocks that this kernel may be launched with on a SoC.
uint32_t maxBlocks(const LaunchDescription &Launch, const targets::Soc &Soc);

/// Blocks of this kernel that a SoC runs at once.
uint32_t coresFor(const LaunchDescription &Launch, const targets::Soc &Soc);

/// Writes the description; docs/launch.schema.json is its schema.
void writeDescription(const LaunchDescription &Launch, const targets::Soc &Soc,
                      const LaunchOrigin &Origin, llvm::raw_ostream &Out);

/// Writes the typed launcher.
void writeLauncher(const LaunchDescription &Launch, const targets::Soc &Soc,
                   const LaunchOrigin &Origin, llvm::raw_ostream &Out);

} // namespace belay::emit

#endif // BELAY_EMIT_LAUNCH_H

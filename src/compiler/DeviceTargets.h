//===- DeviceTargets.h - How each target is compiled ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One table: for each way to compile a kernel, the flags of the device's
// compiler. Nothing else in Belay writes one of them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_DEVICETARGETS_H
#define BELAY_COMPILER_DEVICETARGETS_H

#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace belay::compiler {

/// What comes out.
enum class Output : uint8_t {
  Object, ///< A relocatable or loadable object file.
  Shared, ///< A library for dlopen, with the launch code of `<<<>>>`.
  Static, ///< An archive.
};

/// "object", "shared", "static".
llvm::StringRef nameOf(Output Out);

/// The language of the source, as `-x` takes it.
enum class Language : uint8_t {
  Asc, ///< Host and device code in one file.
  Cce, ///< One kind of core at a time.
};

struct DeviceTarget {
  llvm::StringLiteral Name; ///< "dav-c220-vec".
  uint32_t Arch;            ///< The number of targets::Arch.
  /// "" compiles for all cores of the chip; "vec", "cube", "mix".
  llvm::StringLiteral Core;
  Language Lang;
  /// The compiler runs once for each; several results are linked into one.
  llvm::ArrayRef<llvm::StringLiteral> ArchFlags;
  llvm::ArrayRef<llvm::StringLiteral> Flags;
  /// Bit n: Output n is possible.
  uint8_t Outputs;

  bool makes(Output Out) const {
    return Outputs >> static_cast<unsigned>(Out) & 1;
  }
  /// Device objects of one kind of core are linked to be loaded.
  bool linksObjects() const { return Lang == Language::Cce; }
};

llvm::ArrayRef<DeviceTarget> allDeviceTargets();

/// The target of an architecture and a kind of core ("" for the usual one), or
/// null.
const DeviceTarget *findDeviceTarget(uint32_t Arch, llvm::StringRef Core);

/// The target that a compiler's own flag means ("--npu-arch=dav-2201",
/// "--cce-aicore-arch=dav-c220-vec"), or null.
const DeviceTarget *targetOfFlag(llvm::StringRef Flag);

/// Any SoC of the target's architecture: all of them compile alike.
const targets::Soc &exampleSoc(const DeviceTarget &Target);

/// Flags for an output, without paths and without the architecture.
std::vector<std::string> flagsFor(const DeviceTarget &Target, Output Out);

/// The linker's arguments before the objects.
std::vector<std::string> deviceLinkFlags();

} // namespace belay::compiler

#endif // BELAY_COMPILER_DEVICETARGETS_H

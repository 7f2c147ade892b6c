//===- DeviceObject.h - Kernels for the simulated device --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_DEVICEOBJECT_H
#define BELAY_TOOLCHAIN_DEVICEOBJECT_H

#include "abi/Serve.h"
#include "targets/Target.h"
#include "toolchain/Description.h"

namespace belay::toolchain {

/// What aclrtBinaryLoad reads: kernels with their names and parameters.
class DeviceObject {
public:
  /// Both paths are shared objects; the second may be empty. A kernel of the
  /// language needs its launcher.
  llvm::Error add(llvm::StringRef Name, const Description &Entry,
                  llvm::StringRef ObjectPath, llvm::StringRef CubeObjectPath,
                  bool NeedsLauncher = false);
  llvm::Error write(llvm::StringRef Path, const targets::Soc &Soc, bool Check);
  bool empty() const { return Kernels.empty(); }

private:
  llvm::Error append(llvm::StringRef Path, uint64_t &Offset, uint64_t &Bytes);
  std::vector<sim::DeviceObjectKernel> Kernels;
  std::string Objects;
};

/// Writes an object whose launches are held against a table of src/conditions.
llvm::Error attachConditions(llvm::StringRef ObjectPath, llvm::StringRef Table,
                             llvm::StringRef Output);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_DEVICEOBJECT_H

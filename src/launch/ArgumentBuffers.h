//===- ArgumentBuffers.h - Argument values in shared memory -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_ARGUMENTBUFFERS_H
#define BELAY_LAUNCH_ARGUMENTBUFFERS_H

#include "cases/Compare.h"
#include "launch/ArgumentBinding.h"
#include "support/Files.h"

namespace belay::launch {

/// One argument of the launch: memory that the runner maps, or the bytes of a
/// value.
struct ArgumentBuffer {
  std::string Name;
  /// Under --check: every element is to be written.
  bool MustWrite = false;
  bool Writable = false;
  bool IsInline = false;
  support::MemoryFile Memory;
  std::string Inline;
  /// The argument of the case, or null for workspace and tiling.
  const cases::ArgSpec *Spec = nullptr;
  cases::TensorType Tensor;
  /// Of a list, whose own memory is its description.
  std::vector<ArgumentBuffer> Elements;

  bool isTensor() const {
    return Spec && !IsInline && !Spec->Absent && !Spec->IsList && !Spec->SameAs;
  }

  cases::ArrayView view() const { return {Tensor.Type, Memory.bytes()}; }
};

/// All arguments of a launch in the order of the kernel's parameters. The case
/// has to outlive them.
class ArgumentBuffers {
public:
  static constexpr uint64_t DefaultWorkspaceBytes = 16 << 20;

  static llvm::Expected<ArgumentBuffers>
  create(const cases::Case &Case, const toolchain::Description &Kernel,
         llvm::ArrayRef<Binding> Bindings);

  /// Gives outputs, in-outs and workspace the values from before the launch
  /// again.
  llvm::Error refill();

  llvm::MutableArrayRef<ArgumentBuffer> buffers() { return Buffers; }
  llvm::ArrayRef<ArgumentBuffer> buffers() const { return Buffers; }

  /// All tensors, those of lists included, in order.
  std::vector<const ArgumentBuffer *> tensors() const;

  /// Bytes of all memory, for limits.
  uint64_t totalBytes() const;

private:
  std::vector<ArgumentBuffer> Buffers;
};

} // namespace belay::launch

#endif // BELAY_LAUNCH_ARGUMENTBUFFERS_H

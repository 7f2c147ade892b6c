//===- KernelOutput.h - What kernels print ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_KERNELOUTPUT_H
#define BELAY_LAUNCH_KERNELOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace belay::launch {

/// Shows what a kernel prints, as it comes: bounded, without control characters
/// and, where Belay's own words stand on the same stream, marked as the
/// kernel's.
class KernelOutput {
public:
  /// What is shown of one launch.
  static constexpr size_t MaxBytes = 1 << 20;

  /// Stdout is left to Belay if \p ToStderr. Nothing is shown if \p Silent.
  explicit KernelOutput(bool ToStderr, bool Silent = false)
      : ToStderr(ToStderr), Silent(Silent) {}

  /// Text of the kernel's stdout (1) or stderr (2).
  void write(int Stream, llvm::StringRef Text);
  /// Ends the last line, and says what was left out.
  void finish();

private:
  llvm::raw_ostream &shownOn(int Stream) const;

  bool ToStderr, Silent;
  bool InLine[2] = {false, false};
  size_t Left = MaxBytes;
  uint64_t Dropped = 0;
};

} // namespace belay::launch

#endif // BELAY_LAUNCH_KERNELOUTPUT_H

//===- Messages.h - What passes say, in the words of the source -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever writes kernels has never seen the IR. Operations and types of it are
// replaced by what the source says; what cannot be is a failure of Belay.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNELC_MESSAGES_H
#define BELAY_KERNELC_MESSAGES_H

#include "mlir/IR/Diagnostics.h"

namespace belay::kernelc {

class Messages {
public:
  /// With Debug, texts stay as they are: for those who work on Belay.
  explicit Messages(bool Debug) : Debug(Debug) {}

  /// The text of a diagnostic as users read it. Every error has an id.
  std::string reword(mlir::Diagnostic &Diag);

  /// Whether one of the errors was Belay's own.
  bool belayFailed() const { return Failed; }

private:
  bool Debug;
  bool Failed = false;
};

} // namespace belay::kernelc

#endif // BELAY_KERNELC_MESSAGES_H

//===- KernelOutput.cpp - What kernels print ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/KernelOutput.h"

#include "support/ControlCharacters.h"

#include <mutex>

using namespace llvm;
using namespace belay::launch;

/// Launches of several threads share the streams.
static std::mutex &printing() {
  static std::mutex Mutex;
  return Mutex;
}

raw_ostream &KernelOutput::shownOn(int Stream) const {
  return Stream == 2 || ToStderr ? errs() : outs();
}

void KernelOutput::write(int Stream, StringRef Text) {
  if (Silent)
    return;
  std::lock_guard Lock(printing());
  raw_ostream &OS = shownOn(Stream);
  bool &Inside = InLine[Stream - 1];
  StringRef Shown = Text.take_front(Left);
  Left -= Shown.size();
  Dropped += Text.size() - Shown.size();
  for (char C : Shown) {
    if (!Inside && !ToStderr)
      OS << "kernel: ";
    Inside = C != '\n';
    OS << (support::isControl(C) && C != '\n' && C != '\t' ? '?' : C);
  }
  OS.flush();
}

void KernelOutput::finish() {
  std::lock_guard Lock(printing());
  for (int Stream : {1, 2})
    if (InLine[Stream - 1])
      shownOn(Stream) << '\n';
  if (Dropped)
    errs() << "belay: note: " << Dropped
           << " more bytes that the kernel printed are not shown\n";
}

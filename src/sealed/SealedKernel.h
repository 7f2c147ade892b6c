//===- SealedKernel.h - A kernel in a process of its own --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model's side of a sealed run: the memories that the kernel may read, the
// process that holds it, and an entry point that executes its calls.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_SEALEDKERNEL_H
#define BELAY_SEALED_SEALEDKERNEL_H

#include "abi/Entry.h"
#include "model/core/Device.h"
#include "sealed/Protocol.h"

#include <memory>
#include <string>
#include <vector>

namespace belay::sim::sealed {

/// What belay-issuer is started as, in a process that confines it or by itself.
struct IssuerCommand {
  std::vector<std::string> Words;
  /// Where belay-sandbox says what it enforces: StatusFd in its process. -1 if
  /// nothing confines the issuer.
  int StatusFd = -1;
};

/// A belay-issuer that waits for its kernel. All processes of sealed kernels
/// descend from it.
struct WaitingIssuer {
  int Pid = -1, Socket = -1;
  int Errno = 0; // why there is none
  bool Confined = false;
};

/// Starts it with a socket, and no other descriptor of this process. Before
/// there are threads.
BELAY_RUNTIME_API WaitingIssuer startIssuer(const IssuerCommand &Command);
/// Without a sandbox, and for these objects.
BELAY_RUNTIME_API WaitingIssuer startIssuer(const char *Object,
                                            const char *CubeObject);

class BELAY_RUNTIME_API SealedKernel {
public:
  /// Ends the process if the machine cannot do it.
  explicit SealedKernel(const Plan &Ask);
  ~SealedKernel();
  SealedKernel(const SealedKernel &) = delete;
  SealedKernel &operator=(const SealedKernel &) = delete;

  /// Copies an argument into memory that the kernel can read and only the model
  /// can write.
  uint8_t *addBuffer(const Arg &A);
  void addPointer(const void *Address);
  void addInline(const Arg &A);
  void setInline(const uint8_t (&Bytes)[InlineBytes]);

  /// Shows the kernel's process its memory and asks what cores it needs. The
  /// arguments must not change any more, but for the model.
  void start(const char *Object, const char *CubeObject, bool Observed,
             const WaitingIssuer &In);
  TaskKind task() const { return Task; }
  /// Executes what the kernel issues, for the core that calls it.
  const Entry &entry() const;

  /// Before each run of the kernel.
  void attach(Device &D);
  /// Copies what the kernel has written to where the arguments came from.
  void finish();

private:
  struct Impl;
  std::unique_ptr<Impl> State;
  TaskKind Task = TaskKind::Unset;
};

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_SEALEDKERNEL_H

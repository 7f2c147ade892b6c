//===- CrossFlags.h - Who used which flag between cores ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_CROSSFLAGS_H
#define BELAY_SANITIZER_CROSSFLAGS_H

#include "model/core/Observer.h"

#include <map>
#include <mutex>

namespace belay::sim {

class Core;
class Device;
class Findings;

/// The cross-core flags of a launch, as far as more than one core has to be
/// asked: ids that SyncAll uses too, and sets that nobody waited for.
class CrossFlags {
public:
  /// The channel of CrossCoreClocks for a flag, and for the two SyncAlls. The
  /// flags of mode 4 are not those of the other modes.
  static int flagKey(uint8_t Mode, int32_t Id) { return Mode * 1024 + Id; }
  static int syncKey(bool VectorOnly) { return VectorOnly ? -1 : -2; }

  void set(const Core &C, const InstructionRecord &I, Findings &Out);
  void wait(const Core &C, const InstructionRecord &I, Findings &Out);
  void syncAll(Findings &Out);
  /// All cores have ended.
  void end(Device &D, Findings &Out);

private:
  struct Use {
    const Core *Who;
    const void *PC;
    const char *Name;
    int32_t Id;
  };
  void reserve(const Core &C, const InstructionRecord &I, Findings &Out);
  static void reportReserved(const Use &U, Findings &Out);

  std::mutex M;
  /// The last set and the last wait of each core, by the flag's key.
  std::map<std::pair<const Core *, int>, const void *> Sets, Waits;
  /// Uses of SyncAll's own ids, for as long as nobody has called it.
  std::map<const void *, Use> Reserved;
  bool SyncAllUsed = false;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_CROSSFLAGS_H

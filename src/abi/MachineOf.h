//===- MachineOf.h - The model of a SoC -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_MACHINEOF_H
#define BELAY_ABI_MACHINEOF_H

#include "abi/Launch.h"
#include "targets/Target.h"

#include <cstdio>

namespace belay::sim {

/// For whoever starts a runner, which sees no Soc: a Machine, and the facts of
/// its architecture.
inline Machine machineOf(const targets::Soc &Soc) {
  Machine M = {};
  std::snprintf(M.Soc, sizeof(M.Soc), "%s", Soc.name);
  M.Arch = Soc.arch->number;
  M.UbBytes = Soc.ub;
  M.UsableUbBytes = targets::usableUb(Soc);
  M.L1Bytes = Soc.l1;
  M.L0aBytes = Soc.l0a;
  M.L0bBytes = Soc.l0b;
  M.L0cBytes = Soc.l0c;
  M.BtBytes = Soc.bt;
  for (uint32_t Bytes : Soc.fb)
    M.FbBytes += Bytes;
  M.CubeCores = targets::cubeWorkers(Soc);
  M.VectorCores = targets::vectorWorkers(Soc);
  M.Split = Soc.split;
  M.EventIds = Soc.arch->eventIds;
  return M;
}

} // namespace belay::sim

#endif // BELAY_ABI_MACHINEOF_H

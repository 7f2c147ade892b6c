//===- Sites.h - The places of a kernel that touch memory -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_SITES_H
#define BELAY_SIMULATOR_SANITIZER_SITES_H

#include "core/Observer.h"
#include "sanitizer/LocalShadow.h"

#include <unordered_map>
#include <vector>

namespace belay::sim {

/// One line of the kernel that issues an instruction. Shadow cells name sites
/// instead of holding program counters.
struct Site {
  const void *PC = nullptr;
  const char *Name = "";
  Pipe On = Pipe::S;
};

class SiteTable {
public:
  SiteId idOf(const InstructionRecord &I) {
    auto [It, New] = Ids.try_emplace(I.PC, static_cast<SiteId>(Sites.size()));
    if (New && Sites.size() < Limit)
      Sites.push_back({I.PC, I.Name, I.On});
    return New && Sites.size() == Limit ? 0 : It->second;
  }
  const Site &operator[](SiteId Id) const { return Sites[Id]; }

private:
  static constexpr size_t Limit = 65535;
  std::unordered_map<const void *, SiteId> Ids;
  std::vector<Site> Sites = {Site()}; // 0 stands for a site nobody remembers
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_SITES_H

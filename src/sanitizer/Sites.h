//===- Sites.h - The places of a kernel that touch memory -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_SITES_H
#define BELAY_SANITIZER_SITES_H

#include "model/core/Observer.h"
#include "sanitizer/LocalShadow.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace belay::sim {

/// One line of the kernel that issues an instruction. Shadow cells name sites
/// instead of holding program counters.
struct Site {
  const void *PC = nullptr;
  const char *Name = "";
  Pipe On = Pipe::S;
  uint32_t Execution = 0; // of a copy: which of its executions this is
  bool ByPointer = false;
};

/// Also counts how often the block has come to each site. A place that was
/// duplicated by inlining counts for each copy.
class SiteTable {
public:
  SiteId idOf(const InstructionRecord &I) {
    Recent &Slot = Cache[reinterpret_cast<uintptr_t>(I.PC) % Cache.size()];
    if (Slot.PC == I.PC)
      return Slot.Id;
    auto [It, New] = Ids.try_emplace(I.PC, static_cast<SiteId>(Sites.size()));
    if (New && Sites.size() < Limit) {
      Sites.push_back({I.PC, I.Name, I.On, 0, I.ByPointer});
      Visits.emplace_back();
    } else if (New) {
      It->second = 0;
    }
    Slot = {I.PC, It->second};
    return It->second;
  }

  const Site &operator[](SiteId Id) const { return Sites[Id]; }

  /// The scalar unit issues an instruction; later its pipe takes it in.
  void issue(SiteId Id) { ++Visits[Id].Issued; }
  void take(SiteId Id, uint32_t Time) {
    Visit &V = Visits[Id];
    V.Times[V.Taken++ % Visit::Remembered] = Time;
  }
  /// The newest execution of PC that was issued.
  uint32_t executionOf(const void *PC) const {
    auto It = Ids.find(PC);
    return It == Ids.end() || !It->second ? 0 : Visits[It->second].Issued;
  }
  /// The site with its newest execution, or with the one that its pipe took in
  /// at Time, if that is not long ago.
  Site newest(SiteId Id) const {
    Site S = Sites[Id];
    S.Execution = Id ? Visits[Id].Taken : 0;
    return S;
  }
  Site at(SiteId Id, uint32_t Time) const {
    Site S = Sites[Id];
    const Visit &V = Visits[Id];
    uint32_t Known = std::min(V.Taken, Visit::Remembered);
    for (uint32_t Back = 1; Id && Back <= Known; ++Back)
      if (V.Times[(V.Taken - Back) % Visit::Remembered] == Time)
        S.Execution = V.Taken - Back + 1;
    return S;
  }
  /// The next block counts anew.
  void restart() { std::fill(Visits.begin(), Visits.end(), Visit()); }

private:
  static constexpr size_t Limit = 65535;
  struct Visit {
    static constexpr uint32_t Remembered = 16;
    uint32_t Issued = 0, Taken = 0;
    std::array<uint32_t, Remembered> Times = {};
  };
  struct Recent {
    const void *PC = nullptr;
    SiteId Id = 0;
  };

  std::array<Recent, 257> Cache = {};
  std::vector<Visit> Visits = {Visit()};
  std::unordered_map<const void *, SiteId> Ids;
  std::vector<Site> Sites = {Site()}; // 0 stands for a site nobody remembers
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_SITES_H

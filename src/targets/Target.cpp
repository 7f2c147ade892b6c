//===- Target.cpp - Lookup in the target tables ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/Target.h"
#include "support/Spelling.h"

#include <algorithm>
#include <type_traits>

using namespace belay::targets;

namespace {

constexpr Arch Archs[] = {
#define BELAY_ARCH(NUMBER, VERSION, COVERAGE, ...)                             \
  Arch{.number = NUMBER,                                                       \
       .name = "dav-" #NUMBER,                                                 \
       .coreVersion = VERSION,                                                 \
       .coverage = Coverage::COVERAGE,                                         \
       __VA_ARGS__},
#include "targets/Targets.def"
};

/// A row that names an architecture without an entry does not compile.
consteval const Arch *archOf(uint32_t Number) {
  const Arch *A = Archs;
  while (A->number != Number)
    ++A;
  return A;
}

constexpr uint32_t KB = 1024;
constexpr uint64_t MB = uint64_t(KB) * KB;

constexpr Soc Socs[] = {
#define BELAY_SOC(NAME, SERIES, ARCH, AIC, AIV, AI, CUBE, VEC, SPLIT, UB, L1,  \
                  L0A, L0B, L0C, BT, FB0, FB1, FB2, FB3, L2, MHZ, SYNC, BANKS, \
                  BANKBYTES, BANKGROUPS, MEMORY)                               \
  Soc{.name = NAME,                                                            \
      .series = SERIES,                                                        \
      .arch = archOf(ARCH),                                                    \
      .ccecAic = AIC,                                                          \
      .ccecAiv = AIV,                                                          \
      .aiCores = AI,                                                           \
      .cubeCores = CUBE,                                                       \
      .vectorCores = VEC,                                                      \
      .split = SPLIT,                                                          \
      .ub = UB * KB,                                                           \
      .l1 = L1 * KB,                                                           \
      .l0a = L0A * KB,                                                         \
      .l0b = L0B * KB,                                                         \
      .l0c = L0C * KB,                                                         \
      .bt = BT * KB,                                                           \
      .fb = {FB0, FB1, FB2, FB3},                                              \
      .l2 = L2 * MB,                                                           \
      .clockMHz = MHZ,                                                         \
      .coreSync = SYNC,                                                        \
      .ubBanks = BANKS,                                                        \
      .ubBankBytes = BANKBYTES,                                                \
      .ubBankGroups = BANKGROUPS,                                              \
      .memory = MEMORY},
#include "targets/Targets.def"
};

static_assert(std::is_trivially_copyable_v<Arch>);
static_assert(std::is_trivially_copyable_v<Soc>);

struct NameNote {
  std::string_view Name, Note;
};
constexpr NameNote NameNotes[] = {
#define BELAY_NAME_NOTE(NAME, NOTE) {NAME, NOTE},
#include "targets/Targets.def"
};

constexpr std::string_view VendorPrefix = "ascend";

bool isDigit(char C) { return '0' <= C && C <= '9'; }

std::string lower(std::string_view Text) {
  std::string Result(Text);
  for (char &C : Result)
    C = 'A' <= C && C <= 'Z' ? C - 'A' + 'a' : C;
  return Result;
}

/// \p Name in lower case, with the prefix that 910B3 leaves out.
std::string fullName(std::string_view Name) {
  std::string Result = lower(Name);
  if (!Result.empty() && isDigit(Result[0]))
    Result.insert(0, VendorPrefix);
  return Result;
}

} // namespace

std::span<const Arch> belay::targets::allArchs() { return Archs; }

std::span<const Soc> belay::targets::allSocs() { return Socs; }

const Arch *belay::targets::findArch(uint32_t Number) {
  const Arch *It = std::ranges::find(Archs, Number, &Arch::number);
  return It == std::end(Archs) ? nullptr : It;
}

const Soc *belay::targets::findSoc(std::string_view Name) {
  std::string Full = fullName(Name);
  bool Short = Full.size() != Name.size();
  const Soc *Found = nullptr;
  for (const Soc &S : Socs) {
    if (Short && Full == lower(S.series))
      return nullptr;
    if (Full == lower(S.name))
      Found = &S;
  }
  return Found;
}

std::string belay::targets::nameNote(std::string_view Name) {
  std::string Key = lower(Name);
  for (const NameNote &Entry : NameNotes)
    if (Entry.Name == Key)
      return std::string(Entry.Note);

  std::string Full = fullName(Name);
  std::string_view Series;
  std::string Members;
  for (const Soc &S : Socs) {
    if (Full == lower(S.name))
      return {};
    if (Full != lower(S.series))
      continue;
    Series = S.series;
    Members += (Members.empty() ? "" : ", ") + std::string(S.name);
  }
  if (Members.empty())
    return {};
  return std::string(Series) + " is a series; its parts are " + Members;
}

const Soc *belay::targets::suggestSoc(std::string_view Name) {
  std::string Full = fullName(Name);
  const Soc *Best = nullptr;
  // Names differ in their last characters only, so more than two edits are a
  // guess that helps nobody.
  size_t Limit = 3;
  for (const Soc &S : Socs) {
    size_t Distance = support::editDistance(Full, lower(S.name));
    if (Distance < Limit) {
      Limit = Distance;
      Best = &S;
    }
  }
  return Best;
}

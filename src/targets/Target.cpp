//===- Target.cpp - Lookup in the target tables ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/Target.h"
#include "support/Spelling.h"

#include <algorithm>
#include <type_traits>

using namespace belay::targets;

namespace {

constexpr Arch archs[] = {
#define BELAY_ARCH(NUMBER, VERSION, COVERAGE, ...)                             \
  Arch{.number = NUMBER,                                                       \
       .name = "dav-" #NUMBER,                                                 \
       .coreVersion = VERSION,                                                 \
       .coverage = Coverage::COVERAGE,                                         \
       __VA_ARGS__},
#include "targets/Targets.def"
};

/// A row that names an architecture without an entry does not compile.
consteval const Arch *archOf(uint32_t number) {
  const Arch *arch = archs;
  while (arch->number != number)
    ++arch;
  return arch;
}

constexpr uint32_t kb = 1024;
constexpr uint64_t mb = 1024 * 1024;

constexpr Soc socs[] = {
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
      .ub = UB * kb,                                                           \
      .l1 = L1 * kb,                                                           \
      .l0a = L0A * kb,                                                         \
      .l0b = L0B * kb,                                                         \
      .l0c = L0C * kb,                                                         \
      .bt = BT * kb,                                                           \
      .fb = {FB0, FB1, FB2, FB3},                                              \
      .l2 = L2 * mb,                                                           \
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
  std::string_view name, note;
};
constexpr NameNote nameNotes[] = {
#define BELAY_NAME_NOTE(NAME, NOTE) {NAME, NOTE},
#include "targets/Targets.def"
};

constexpr std::string_view vendorPrefix = "ascend";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c;
  return result;
}

bool equal(std::string_view a, std::string_view b) {
  return lower(a) == lower(b);
}

/// Whether \p name is a series, with or without the prefix.
bool isSeries(std::string_view name, std::string_view series) {
  return equal(name, series) || lower(series) == "ascend" + lower(name);
}

} // namespace

std::span<const Arch> belay::targets::allArchs() { return archs; }

std::span<const Soc> belay::targets::allSocs() { return socs; }

const Arch *belay::targets::findArch(uint32_t number) {
  auto it = std::ranges::find(archs, number, &Arch::number);
  return it == std::end(archs) ? nullptr : it;
}

const Soc *belay::targets::findSoc(std::string_view name) {
  for (const Soc &soc : socs)
    if (equal(soc.name, name))
      return &soc;
  for (const Soc &soc : socs)
    if (isSeries(name, soc.series))
      return nullptr;
  std::string full = std::string(vendorPrefix) + lower(name);
  for (const Soc &soc : socs)
    if (lower(soc.name) == full)
      return &soc;
  return nullptr;
}

std::string belay::targets::nameNote(std::string_view name) {
  std::string key = lower(name);
  for (const NameNote &entry : nameNotes)
    if (entry.name == key)
      return std::string(entry.note);
  if (findSoc(name))
    return {};

  std::string members;
  std::string_view series;
  for (const Soc &soc : socs)
    if (isSeries(name, soc.series)) {
      series = soc.series;
      members += (members.empty() ? "" : ", ") + std::string(soc.name);
    }
  if (members.empty())
    return {};
  return std::string(series) + " is a series; its parts are " + members;
}

const Soc *belay::targets::suggestSoc(std::string_view name) {
  std::string wanted = lower(name);
  if (!wanted.empty() && '0' <= wanted[0] && wanted[0] <= '9')
    wanted.insert(0, vendorPrefix);
  const Soc *best = nullptr;
  // Names differ in their last characters only, so more than two edits are a
  // guess that helps nobody.
  size_t bestDistance = 3;
  for (const Soc &soc : socs) {
    size_t distance = support::editDistance(wanted, lower(soc.name));
    if (distance < bestDistance) {
      bestDistance = distance;
      best = &soc;
    }
  }
  return best;
}

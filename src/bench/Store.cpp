//===- Store.cpp - What all stores do alike -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Store.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/random.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

Expected<std::unique_ptr<Store>> Store::open(StringRef Where) {
  bool IsUrl =
      Where.starts_with("postgres://") || Where.starts_with("postgresql://");
  return IsUrl ? openPostgres(Where) : openSqlite(Where);
}

Expected<std::string> Store::secret(StringRef Wanted) {
  std::string Fresh = Wanted.str();
  if (Fresh.empty()) {
    uint8_t Bytes[32];
    if (::getrandom(Bytes, sizeof Bytes, 0) != sizeof Bytes)
      return createStringError("there are no random numbers");
    Fresh = toHex(ArrayRef<uint8_t>(Bytes), /*LowerCase=*/true);
  }
  Expected<std::string> Kept = keepMeta("secret", Fresh);
  if (Kept && !Wanted.empty() && *Kept != Wanted)
    return createStringError("the store has another secret: results of one "
                             "store are for the same hidden cases");
  return Kept;
}

/// The result of a job that no evaluation brings to its end.
static Result poisoned(const Job &J) {
  Result R;
  R.Task = J.Task;
  R.Judged = false;
  R.Problems.push_back(
      {Stage::Run, "",
       toDiagnostic(
           makeError(DiagId::BelayFailed,
                     formatv("{0} evaluations of it did not end",
                             static_cast<unsigned>(Store::MaxAttempts))))});
  return R;
}

Expected<std::vector<Job>> Store::claim(const Choice &Which, StringRef Worker,
                                        unsigned Most, double LeaseSeconds) {
  while (true) {
    Expected<std::vector<Job>> Jobs = lease(Which, Worker, Most, LeaseSeconds);
    if (!Jobs)
      return Jobs.takeError();
    std::vector<Finished> Poison;
    for (const Job &Each : *Jobs)
      if (Each.Attempts >= MaxAttempts)
        Poison.push_back({Each.Key, poisoned(Each)});
    if (Poison.empty())
      return Jobs;
    Expected<std::vector<std::string>> Kept = finish(Poison, Worker);
    if (!Kept)
      return Kept.takeError();
    erase_if(*Jobs, [](const Job &J) { return J.Attempts >= MaxAttempts; });
    if (!Jobs->empty())
      return Jobs;
  }
}

Expected<Row> Store::find(StringRef KeyPrefix) {
  Expected<std::vector<Row>> Found = rowsByPrefix(KeyPrefix);
  if (!Found)
    return Found.takeError();
  if (Found->empty())
    return createStringError("the store has no result " + KeyPrefix);
  if (Found->size() > 1)
    return createStringError("several results begin with " + KeyPrefix);
  return std::move(Found->front());
}

std::string belay::bench::costsOf(const Result &R) {
  json::Object Costs;
  for (const auto &[Stage, Seconds] : R.Costs)
    Costs[Stage] = Seconds;
  return formatv("{0}", json::Value(std::move(Costs))).str();
}

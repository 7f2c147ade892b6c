//===- Workers.cpp - Threads that judge the jobs of a store ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;

/// The first part is a process of this machine, for Store::releaseDead; the
/// rest tells machines and lives of one process apart.
static std::string nameOfThis() {
  static std::atomic<unsigned> Serial = 0;
  char Host[256] = "";
  ::gethostname(Host, sizeof Host - 1);
  return formatv("{0}.{1}@{2}", ::getpid(), Serial++, Host).str();
}

Workers::Workers(Store &To, Options Wanted)
    : To(To), Opts(std::move(Wanted)), Name(nameOfThis()) {
  Opts.Threads = std::max(1u, Opts.Threads);
  for (unsigned I = 0; I < Opts.Threads; ++I)
    Threads.emplace_back([this, I] { work(I); });
  Threads.emplace_back([this] { renewAll(); });
}

Workers::~Workers() {
  {
    std::lock_guard<std::mutex> Lock(Guard);
    Ending = true;
  }
  HasWork.notify_all();
  Ends.notify_all();
  for (std::thread &Each : Threads)
    Each.join();
}

void Workers::work(unsigned Thread) {
  std::unique_lock<std::mutex> Lock(Guard);
  while (true) {
    HasWork.wait(Lock, [&] { return Ending || !Begun.empty(); });
    if (Ending)
      return;
    Job J = std::move(Begun.front());
    Begun.pop_front();
    ++Busy;
    Lock.unlock();
    Expected<Result> R = Opts.Judge(Thread, J);
    Lock.lock();
    --Busy;
    if (R)
      Done.push_back({J.Key, std::move(*R)});
    else if (Failure.empty())
      Failure = toString(R.takeError());
    else
      consumeError(R.takeError());
    HasResults.notify_all();
  }
}

void Workers::renewAll() {
  std::unique_lock<std::mutex> Lock(Guard);
  auto Pause = std::chrono::duration<double>(Opts.LeaseSeconds / 3);
  while (!Ends.wait_for(Lock, Pause, [&] { return Ending; })) {
    std::vector<std::string> Keys(InHand.begin(), InHand.end());
    if (Keys.empty())
      continue;
    Lock.unlock();
    // A lease that ends costs a second run of the job, not its result.
    if (Error E = To.renew(Keys, Name, Opts.LeaseSeconds))
      errs() << "belay: warning: " << toString(std::move(E)) << "\n";
    Lock.lock();
  }
}

Error Workers::bringBack() {
  std::vector<Finished> Results;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    Results.swap(Done);
  }
  if (Results.empty())
    return Error::success();
  Expected<std::vector<std::string>> Differ = To.finish(Results, Name);
  if (!Differ)
    return Differ.takeError();
  {
    std::lock_guard<std::mutex> Lock(Guard);
    for (const Finished &Each : Results)
      InHand.erase(Each.Key);
  }
  if (Opts.OnResults)
    Opts.OnResults(Results);
  for (StringRef Key : *Differ)
    errs() << "belay: warning: result " << Key.take_front(12)
           << " was another one before: the evaluation is not deterministic; "
              "the first one stays\n";
  return Error::success();
}

Error Workers::claim(const Choice &Which, Admission Admit) {
  using namespace std::chrono_literals;
  auto Now = std::chrono::steady_clock::now();
  if (!Claimed.empty() || Now < NextClaim)
    return Error::success();
  // A job that takes a second is asked for some seconds before; more of them
  // would wait here for longer than elsewhere.
  unsigned Most = std::min(64U, 4 * Opts.Threads);
  Expected<std::vector<Job>> Jobs =
      To.claim(Which, Name, Most, Opts.LeaseSeconds);
  if (!Jobs)
    return Jobs.takeError();
  Exhausted = Jobs->empty();
  NextClaim = Exhausted ? Now + 1s : Now;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    for (const Job &J : *Jobs)
      InHand.insert(J.Key);
  }
  Expected<std::vector<bool>> Admitted = Admit(*Jobs);
  if (!Admitted)
    return Admitted.takeError();
  std::vector<std::string> Refused;
  for (const auto &[J, IsAdmitted] : zip_equal(*Jobs, *Admitted))
    if (IsAdmitted)
      Claimed.push_back(std::move(J));
    else
      Refused.push_back(J.Key);
  if (Refused.empty())
    return Error::success();
  {
    std::lock_guard<std::mutex> Lock(Guard);
    for (const std::string &Key : Refused)
      InHand.erase(Key);
  }
  return To.release(Refused, Name, /*Begun=*/false);
}

/// Has one more job ready than there are threads.
Error Workers::beginNext() {
  size_t Wanted;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    size_t Taken = Busy + Begun.size();
    Wanted = Opts.Threads + 1 > Taken ? Opts.Threads + 1 - Taken : 0;
  }
  std::vector<Job> Next;
  std::vector<std::string> Keys;
  for (; Next.size() < Wanted && !Claimed.empty(); Claimed.pop_front()) {
    Keys.push_back(Claimed.front().Key);
    Next.push_back(std::move(Claimed.front()));
  }
  if (Next.empty())
    return Error::success();
  // Before they begin: one that takes this process down has to be counted.
  if (Error E = To.begin(Keys))
    return E;
  std::lock_guard<std::mutex> Lock(Guard);
  for (Job &J : Next)
    Begun.push_back(std::move(J));
  HasWork.notify_all();
  return Error::success();
}

Error Workers::giveBack() {
  std::vector<std::string> Never, Told;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    for (const Job &J : Claimed)
      Never.push_back(J.Key);
    for (const Job &J : Begun)
      Told.push_back(J.Key);
    for (const std::vector<std::string> *Each : {&Never, &Told})
      for (const std::string &Key : *Each)
        InHand.erase(Key);
    Claimed.clear();
    Begun.clear();
  }
  if (!Never.empty())
    if (Error E = To.release(Never, Name, /*Begun=*/false))
      return E;
  if (Told.empty())
    return Error::success();
  return To.release(Told, Name, /*Begun=*/true);
}

Error Workers::drain(const Choice &Which, Admission Admit) {
  std::string Problem;
  auto Note = [&](Error E) {
    if (E)
      Problem += (Problem.empty() ? "" : "; ") + toString(std::move(E));
  };
  Exhausted = false;
  NextClaim = {};
  while (true) {
    if (Problem.empty() && !isStopped()) {
      Note(claim(Which, Admit));
      Note(beginNext());
    }
    bool IsEnding = !Problem.empty() || isStopped();
    if (IsEnding)
      Note(giveBack());
    bool Idle;
    {
      std::unique_lock<std::mutex> Lock(Guard);
      // Also woken now and then to see whether it is to stop.
      HasResults.wait_for(Lock, std::chrono::milliseconds(200), [&] {
        return !Done.empty() || (Begun.empty() && Busy == 0);
      });
      Idle = Done.empty() && Begun.empty() && Busy == 0;
      if (!Failure.empty() && Problem.empty())
        Problem = Failure;
    }
    Note(bringBack());
    if (Idle && Claimed.empty() && (IsEnding || Exhausted))
      return Problem.empty() ? Error::success() : createStringError(Problem);
  }
}

//===- Workers.h - Threads that judge the jobs of a store -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_WORKERS_H
#define BELAY_BENCH_WORKERS_H

#include "bench/Store.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace belay::bench {

/// Takes jobs out of a store in batches, has them judged by several threads,
/// and brings the results back in batches. While it lives its leases are
/// renewed; when it dies they end, and others judge its jobs.
class Workers {
public:
  struct Options {
    unsigned Threads = 1;
    double LeaseSeconds = 60;
    /// Set from outside to end after what has begun.
    std::atomic<bool> *Stop = nullptr;
    /// Judges a job, in the thread of this number.
    std::function<llvm::Expected<Result>(unsigned Thread, const Job &J)> Judge;
    /// Called after results are kept, by the thread that calls run().
    std::function<void(llvm::ArrayRef<Finished>)> OnResults;
  };
  Workers(Store &To, Options Opts);
  ~Workers();
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;

  /// Says of each of the jobs that were claimed whether it can be judged here.
  using Admission = llvm::function_ref<llvm::Expected<std::vector<bool>>(
      llvm::ArrayRef<Job>)>;

  /// Judges jobs until none can be claimed. A job that \p Admit refuses is
  /// given back, and \p Which must not admit it again.
  llvm::Error drain(const Choice &Which, Admission Admit);

private:
  void work(unsigned Thread);
  void renewAll();
  llvm::Error bringBack();
  llvm::Error claim(const Choice &Which, Admission Admit);
  llvm::Error beginNext();
  llvm::Error giveBack();
  bool isStopped() const { return Opts.Stop && *Opts.Stop; }

  Store &To;
  Options Opts;
  std::string Name;
  std::mutex Guard;
  std::condition_variable HasWork, HasResults, Ends;
  std::deque<Job> Claimed, Begun; // not yet begun; for the threads to take
  std::set<std::string> InHand;   // all keys that leases are held of
  unsigned Busy = 0;
  std::vector<Finished> Done;
  std::string Failure;
  bool Ending = false, Exhausted = false;
  std::chrono::steady_clock::time_point NextClaim;
  std::vector<std::thread> Threads;
};

} // namespace belay::bench

#endif // BELAY_BENCH_WORKERS_H

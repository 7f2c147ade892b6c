//===- QueueLoad.cpp - Many workers at one queue --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// queue-load STORE WORKERS JOBS BATCH: fills a queue, and empties it by workers
// that have a connection each and judge nothing. bench/queue starts it.
//
//===----------------------------------------------------------------------===//

#include "bench/Store.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

using namespace llvm;
using namespace belay::bench;

static std::string textOf(std::mt19937_64 &Random, size_t Size) {
  static constexpr StringLiteral Letters =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/";
  std::string Text;
  for (size_t I = 0; I < Size; ++I)
    Text += Letters[Random() % Letters.size()];
  return Text;
}

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int main(int Count, char **Args) {
  unsigned Workers = 0, Jobs = 0, Batch = 0;
  if (Count != 5 || StringRef(Args[2]).getAsInteger(10, Workers) ||
      StringRef(Args[3]).getAsInteger(10, Jobs) ||
      StringRef(Args[4]).getAsInteger(10, Batch)) {
    errs() << "queue-load STORE WORKERS JOBS BATCH\n";
    return 1;
  }
  ExitOnError Check("queue-load: ");
  constexpr size_t SourceBytes = 6 << 10, RecordBytes = 4 << 10;
  std::mt19937_64 Random(1);
  std::vector<Candidate> Candidates;
  std::vector<std::string> Keys;
  for (unsigned I = 0; I < Jobs; ++I) {
    Candidates.push_back({"m", "t", std::to_string(I), std::to_string(I),
                          textOf(Random, SourceBytes)});
    Keys.push_back(formatv("{0:x16}{1:x16}{2:x16}{3:x16}", Random(), Random(),
                           Random(), Random())
                       .str());
  }
  std::unique_ptr<Store> S = Check(Store::open(Args[1]));
  double Start = now();
  Check(S->enqueue("load", "h", Candidates, Keys));
  double Filled = now();

  Result R;
  R.Messages = textOf(Random, RecordBytes);
  std::atomic<unsigned> Done = 0;
  std::vector<std::unique_ptr<Store>> Links;
  for (unsigned I = 0; I < Workers; ++I)
    Links.push_back(Check(Store::open(Args[1])));
  double Begin = now();
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I < Workers; ++I)
    Threads.emplace_back([&, I] {
      Store &Own = *Links[I];
      std::string Name = std::to_string(I);
      while (true) {
        std::vector<Job> Claimed =
            Check(Own.claim({"h", "", {}}, Name, Batch, 60));
        if (Claimed.empty())
          return;
        std::vector<std::string> Names;
        std::vector<Finished> Results;
        for (const Job &J : Claimed) {
          Names.push_back(J.Key);
          Results.push_back({J.Key, R});
        }
        Check(Own.begin(Names));
        Check(Own.finish(Results, Name));
        Done += Claimed.size();
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  double End = now();
  Store::Counts Now = Check(S->counts("load"));
  outs() << formatv("{0} workers, batches of {1}: {2} jobs queued, {3:f0} a "
                    "second; {4} claimed and brought back, {5:f0} a second\n",
                    Workers, Batch, Jobs, Jobs / (Filled - Start), Done.load(),
                    Done / (End - Begin));
  if (Done == Jobs && Now.Waiting == 0)
    return 0;
  errs() << "queue-load: not each job was claimed once\n";
  return 1;
}

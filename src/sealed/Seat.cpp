//===- Seat.cpp - The model's end of one core's ring ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sealed/Seat.h"

#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "sealed/Futex.h"

#include <cstring>
#include <sys/wait.h>

namespace belay::sim::sealed {

std::atomic<uint32_t> IssuerEnd{0};

void Seat::copyOut(void *To, uint64_t From, uint32_t Bytes) const {
  uint32_t At = From % RingBytes, Rest = std::min(Bytes, RingBytes - At);
  std::memcpy(To, Channel->Data + At, Rest);
  std::memcpy(static_cast<uint8_t *>(To) + Rest, Channel->Data, Bytes - Rest);
}

bool Seat::takeRecord() {
  uint64_t There = Channel->Written.load(std::memory_order_acquire) - Taken;
  if (There > RingBytes)
    refuse("more than its ring holds");
  if (There < sizeof(Header))
    return false;
  copyOut(&Header, Taken, sizeof(Header));
  if (Header.Bytes < sizeof(Header) || Header.Bytes % 8 ||
      Header.Bytes > MaxRecord || Header.Bytes > There)
    refuse("a record of a wrong length");
  // The copy of the header is what counts: the ring may have changed.
  std::memcpy(Record, &Header, sizeof(Header));
  copyOut(Record + sizeof(Header), Taken + sizeof(Header),
          Header.Bytes - static_cast<uint32_t>(sizeof(Header)));
  HasRecord = true;
  return true;
}

void Seat::execute() {
  Calls.execute(Record, Header.Bytes, Answer);
  publish();
}

/// What is in the ring is done: answers first, then the cursor.
void Seat::publish() {
  HasRecord = false;
  std::memcpy(Channel->Answer, Answer, sizeof(Answer));
  Taken += Header.Bytes;
  Channel->Taken.store(Taken, std::memory_order_seq_cst);
  if (Channel->WakeAt.load(std::memory_order_seq_cst) <= Taken)
    wake(Channel->Taken);
}

/// Ends the run because the kernel's process is gone.
[[noreturn]] static void leaveWithoutKernel(uint32_t Status) {
  // The core that knows more may still have a record to say so.
  timespec Pause = {0, 100'000'000};
  nanosleep(&Pause, nullptr);
  if (WIFSIGNALED(Status))
    fail("kernel-crash", BELAY_PC, nullptr,
         "the kernel ended its process: signal %d (%s)", WTERMSIG(Status),
         strsignal(WTERMSIG(Status)));
  fail("kernel-crash", BELAY_PC, nullptr,
       "the kernel ended its process: exit status %d", WEXITSTATUS(Status));
}

void Seat::await() {
  for (unsigned Tries = 0; Tries < Spins; ++Tries) {
    if (takeRecord())
      return;
    relax();
  }
  for (;;) {
    uint32_t End = IssuerEnd.load();
    Channel->ModelSleeps.store(1, std::memory_order_seq_cst);
    uint64_t Seen = Channel->Written.load(std::memory_order_seq_cst);
    if (takeRecord())
      break;
    if (End)
      leaveWithoutKernel(End - 1);
    sleepOn(Channel->Written, Seen);
  }
  Channel->ModelSleeps.store(0, std::memory_order_relaxed);
}

void Seat::serveBlock() {
  if (!HasRecord)
    await();
  if (!isNextBlock())
    refuse("a call outside of a block");
  Core &C = Core::current();
  Identity Self = {C.Block,
                   FirstOfCore,
                   belay_sim_block_idx(),
                   belay_sim_block_num(),
                   belay_sim_sub_block_idx(),
                   belay_sim_sub_block_num(),
                   belay_sim_is_cube(),
                   belay_sim_is_vector(),
                   belay_sim_matmul_serves(),
                   belay_sim_tiling_key()};
  FirstOfCore = false;
  std::memcpy(Answer, &Self, sizeof(Self));
  publish();
  for (await(); !isNextBlock(); await())
    execute();
}

} // namespace belay::sim::sealed

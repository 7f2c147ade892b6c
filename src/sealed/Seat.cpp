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
std::atomic<bool> MachineOutOfMemory{false};

void Seat::copyOut(uint8_t *To, uint64_t From, uint32_t Bytes) const {
  uint32_t At = From % RingBytes, Rest = std::min(Bytes, RingBytes - At);
  std::memcpy(To, Channel->Data + At, Rest);
  if (Bytes != Rest)
    std::memcpy(To + Rest, Channel->Data, Bytes - Rest);
}

bool Seat::takeRecord() {
  if (Seen - Taken < sizeof(Header)) {
    // Nothing is left of what was seen: the issuer may wait for it.
    publish();
    Seen = Channel->Written.load(std::memory_order_acquire);
    if (Seen - Taken > RingBytes)
      refuse("more than its ring holds");
    if (Seen - Taken < sizeof(Header))
      return false;
  }
  // Lengths are multiples of a header's, so that it never lies at both ends.
  static_assert(sizeof(Header) == 8 && RingBytes % sizeof(Header) == 0);
  std::memcpy(&Header, Channel->Data + Taken % RingBytes, sizeof(Header));
  if (Header.Bytes < sizeof(Header) || Header.Bytes % 8 ||
      Header.Bytes > MaxRecord || Header.Bytes > Seen - Taken)
    refuse("a record of a wrong length");
  // The copy of the header is what counts: the ring may have changed.
  std::memcpy(Record, &Header, sizeof(Header));
  copyOut(Record + sizeof(Header), Taken + sizeof(Header),
          Header.Bytes - static_cast<uint32_t>(sizeof(Header)));
  HasRecord = true;
  return true;
}

void Seat::execute() {
  AnswerBytes = Calls.execute(Record, Header.Bytes, Answer);
  finishRecord();
}

void Seat::finishRecord() {
  HasRecord = false;
  Taken += Header.Bytes;
  if (Taken - Published >= PublishAt)
    publish();
}

void Seat::publish() {
  if (Published == Taken)
    return;
  Published = Taken;
  std::memcpy(Channel->Answer, Answer, AnswerBytes);
  Channel->Taken.store(Taken, std::memory_order_seq_cst);
  if (Channel->WakeAt.load(std::memory_order_seq_cst) <= Taken)
    wake(Channel->Taken);
}

/// Ends the run because the kernel's process is gone.
[[noreturn]] static void leaveWithoutKernel(uint32_t Status) {
  // The core that knows more may still have a record to say so.
  timespec Pause = {0, 100'000'000};
  nanosleep(&Pause, nullptr);
  if (MachineOutOfMemory)
    fail("belay-failed", nullptr, nullptr,
         "the kernel's process was killed, and the machine has killed "
         "processes for want of memory in the same time; this says nothing "
         "about the kernel");
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
    uint64_t Before = Channel->Written.load(std::memory_order_seq_cst);
    if (takeRecord())
      break;
    if (End)
      leaveWithoutKernel(End - 1);
    sleepOn(Channel->Written, Before);
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
  AnswerBytes = sizeof(Self);
  finishRecord();
  for (await(); !isNextBlock(); await())
    execute();
}

} // namespace belay::sim::sealed

//===- Switch.cpp - From one stack to another -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "threads/Switch.h"

#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <vector>

// The registers that a call keeps, and no others: swapcontext would make two
// system calls for each switch.
#if defined(__x86_64__)
asm(R"(
.text
.hidden belay_switch_stack
.globl belay_switch_stack
.type belay_switch_stack, @function
belay_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size belay_switch_stack, .-belay_switch_stack
)");
#elif defined(__aarch64__)
asm(R"(
.text
.hidden belay_switch_stack
.globl belay_switch_stack
.type belay_switch_stack, @function
belay_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size belay_switch_stack, .-belay_switch_stack
)");
#else
#error "no way to switch stacks on this machine"
#endif

namespace belay::sim {

namespace {

constexpr size_t Page = 4096, StackBytes = size_t(64) << 10;
constexpr unsigned ChunkStacks = 64;

std::mutex Free;
std::vector<Stack> FreeStacks;

void makeStacks() {
  auto *Begin = static_cast<uint8_t *>(reserveStacks(ChunkStacks * StackBytes));
  for (unsigned N = 0; N < ChunkStacks; ++N) {
    uint8_t *Guard = Begin + N * StackBytes;
    mprotect(Guard, Page, PROT_NONE);
    FreeStacks.push_back({Guard + Page, Guard + StackBytes});
  }
}

} // namespace

Stack takeStack() {
  std::lock_guard<std::mutex> Lock(Free);
  if (FreeStacks.empty())
    makeStacks();
  Stack S = FreeStacks.back();
  FreeStacks.pop_back();
  return S;
}

void giveStack(const Stack &S) {
  std::lock_guard<std::mutex> Lock(Free);
  FreeStacks.push_back(S);
}

void *prepareStack(const Stack &S, void (*Enter)(), uint32_t Colour) {
  uint8_t *Top = S.End - 64 - (Colour % 32) * 64;
#if defined(__x86_64__)
  // Six registers, of which rbp ends the chain of frames, and where to return.
  constexpr unsigned Words = 8, Target = 6;
#else
  constexpr unsigned Words = 20, Target = 11; // x30
#endif
  Top -= Words * 8;
  std::memset(Top, 0, Words * 8);
  std::memcpy(Top + Target * 8, static_cast<void *>(&Enter), sizeof(Enter));
  return Top;
}

} // namespace belay::sim

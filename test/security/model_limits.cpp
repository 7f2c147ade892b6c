//===- model_limits.cpp - Numbers that are too large to be true -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls whose parameters multiply, add or convert into something small, or that
// touch more than their operands say: one for each kind of defect that
// fuzz_records has found. Each ends with its id, in plain runs as in sealed
// ones, and none crashes or takes long.
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "abi/MachineOf.h"
#include "model/core/Device.h"
#include "targets/Target.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <functional>

namespace belay::sim {
extern void (*FailureHook)();
} // namespace belay::sim

using namespace belay::sim;

namespace {

alignas(64) uint8_t Global[4096];
jmp_buf Back;
Launch L;
unsigned Failures;

void *ub(uint32_t Offset = 0) { return belay_sim_memory(Space::UB) + Offset; }

/// Carries out a call and compares how it ends: with an id, or "" if it does
/// not fail.
void expect(const char *What, const char *Id, const std::function<void()> &Do) {
  L.Answer.FailureId[0] = 0;
  if (!setjmp(Back))
    Do();
  if (std::strcmp(L.Answer.FailureId, Id) == 0)
    return;
  std::printf("%s: '%s' (%s), not '%s'\n", What, L.Answer.FailureId,
              L.Answer.Message, Id);
  ++Failures;
}

void vectorCore() {
  constexpr Elem F32 = Elem::F32;
  expect("a count that is 0 in 32 bits", "local-out-of-bounds", [] {
    LocalCopy C = {ub(), ub(4096), Elem::F32, Elem::F32, 1, 1, 0, 0, 1u << 30};
    belay_sim_copy_local(&C);
  });
  expect("a routine's count that is 0 in 32 bits", "local-out-of-bounds", [] {
    float First = 0, Step = 1;
    belay_sim_progression(Elem::F32, ub(), &First, &Step, 1u << 30);
  });
  expect("a count that is 0 in 64 bits", "bad-repeat", [] {
    float Value = 0;
    belay_sim_fill_global(Elem::F32, Global, &Value, uint64_t(1) << 62);
  });
  expect("a sum that wraps", "local-out-of-bounds", [] {
    Copy C = {};
    C.Dst = ub();
    C.Src = Global;
    C.Bursts = 1;
    C.BurstBytes = 64;
    C.LeftPadBytes = 0xffffffe0;
    belay_sim_copy(&C);
  });
  expect("one place again and again", "bad-repeat", [] {
    Copy C = {};
    C.Dst = ub();
    C.Src = Global;
    C.Bursts = ~0u;
    C.BurstBytes = 32;
    belay_sim_copy(&C);
  });
  expect("pads that wrap", "bad-repeat", [] {
    PadCopy C = {};
    C.Dst = ub();
    C.Src = Global;
    C.Bursts = 1;
    C.BurstBytes = 32;
    C.Type = Elem::F32;
    C.Left = 1u << 30;
    belay_sim_copy_pad(&C);
  });
  expect("a product of three that is 0 in 64 bits", "local-out-of-bounds", [] {
    TransposeCall C = {TransposeKind::NdToNd,
                       ub(),
                       ub(4096),
                       Elem::F16,
                       1u << 22,
                       1u << 22,
                       1u << 21,
                       0,
                       {}};
    belay_sim_transpose_kind(&C);
  });
  expect("more lanes than memory", "local-out-of-bounds", [] {
    Walk W = {};
    W.Mask[0] = uint64_t(1) << 41;
    belay_sim_select(SelectMode::Tensor, Elem::F16, ub(), ub(4096), ub(8192),
                     ub(12288), Second::Vector, &W);
  });
  expect("a base that wraps", "local-out-of-bounds", [] {
    std::memset(ub(4096), 0, 256);
    IndexedMove M = {};
    M.Near = ub();
    M.Far = ub(8192);
    M.Offsets = static_cast<uint32_t *>(ub(4096));
    M.Base = ~uint64_t(3);
    M.T = Elem::F32;
    M.W.Mask[0] = 64;
    belay_sim_indexed_move(&M);
  });
  expect("results over their own offsets", "", [] {
    std::memset(ub(), 0, 8192);
    std::memset(ub(8192), 0xff, 256);
    IndexedMove M = {};
    M.Near = ub(4096 - 64);
    M.Far = ub(8192);
    M.Offsets = static_cast<uint32_t *>(ub(4096 - 32));
    M.T = Elem::F32;
    M.W.Mask[0] = 64;
    belay_sim_indexed_move(&M);
  });
  expect("a type that the stack has no room for", "unsupported-dtype", [] {
    SoftmaxCall C = {};
    C.Op = SoftmaxOp::SoftMax;
    C.Dst = ub();
    C.Src = ub(4096);
    C.Max = ub(8192);
    C.Type = Elem::F32;
    C.StatType = Elem::U8;
    C.Shape = {1, 8, 8, false};
    belay_sim_softmax(&C);
  });
  expect("groups of nothing", "bad-repeat", [] {
    NormCall C = {};
    C.Op = NormOp::GroupNorm;
    C.Dst = ub();
    C.Src = ub(4096);
    C.Type = C.GammaType = C.StatType = Elem::F32;
    C.Rows = 1;
    C.Columns = C.Valid = 8;
    C.Channels = 0;
    belay_sim_norm(&C);
  });
  expect("results that are wider than the destination", "unsupported-dtype",
         [] {
           MathCall C = {};
           C.Dst = ub();
           C.Src[0].Data = ub(4096);
           C.DstType = Elem::S8;
           C.SrcType = Elem::F32;
           C.Count = 8;
           belay_sim_math(MathOp::Tanh, &C);
         });
  expect("a row that ends outside of memory", "local-out-of-bounds", [] {
    NormCall C = {};
    C.Op = NormOp::RmsNorm;
    uint32_t Bytes = belay_sim_memory_bytes(Space::UB);
    C.Dst = ub();
    C.Src = ub(Bytes - 32);
    C.Type = C.GammaType = C.StatType = Elem::F32;
    C.Rows = 1;
    C.Columns = 64;
    C.Valid = 8;
    belay_sim_norm(&C);
  });
  expect("a tensor without memory", "queue-state", [] {
    FoldCall C = {};
    C.Op = FoldOp::Sum;
    C.Dst = ub();
    C.Type = Elem::F32;
    C.Outer = 1;
    C.Inner = C.Stride = 8;
    belay_sim_fold(&C);
  });
  expect("a vector in global memory", "wrong-memory", [] {
    Walk W = {};
    W.Mask[0] = 8;
    belay_sim_binary(BinaryOp::Add, Elem::F32, Elem::F32, ub(), Global,
                     ub(4096), &W);
  });
  expect("more bits than the compare register has", "", [] {
    Walk W = {};
    W.Mode = MaskMode::Lanes;
    W.Mask[0] = 64;
    W.Repeat = 16;
    belay_sim_compare(CompareOp::LT, F32, nullptr, ub(), ub(8192),
                      Second::Vector, &W, "Compare");
  });
  expect("terms without end", "bad-repeat", [] {
    MathCall C = {};
    C.Dst = ub();
    C.Src[0].Data = ub(4096);
    C.DstType = C.SrcType = Elem::F32;
    C.Count = 8;
    C.Param = 1e30F;
    belay_sim_math(MathOp::Exp, &C);
  });
  // Blocks between the first and the last address that there are, which is as
  // much as nothing in 64 bits.
  auto Scattered = [](bool Sources) {
    BlockTranspose T = {};
    T.T = Elem::F16;
    T.Repeat = 1;
    T.Name = "TransDataTo5HD";
    for (uint64_t N = 0; N < std::size(T.Src); ++N)
      T.Src[N] = T.Dst[N] = reinterpret_cast<uint64_t>(ub(0)) + 32 * N;
    auto &List = Sources ? T.Src : T.Dst;
    for (uint64_t N : {0, 3, 7, 12})
      List[N] = 0;
    List[15] = ~uint64_t(31);
    return T;
  };
  expect("sources anywhere", "queue-state", [&] {
    BlockTranspose T = Scattered(true);
    belay_sim_transpose_blocks(&T);
  });
  expect("destinations anywhere", "queue-state", [&] {
    BlockTranspose T = Scattered(false);
    belay_sim_transpose_blocks(&T);
  });
  expect("rows of nothing", "", [] {
    DropOutCall C = {};
    C.Dst = ub();
    C.Src = ub(4096);
    C.Mask = static_cast<uint8_t *>(ub(8192));
    C.Type = Elem::F32;
    C.Rows = ~0u;
    belay_sim_dropout(&C);
  });
}

void cubeCore() {
  auto At = [](Space S) { return belay_sim_memory(S); };
  expect("rows far apart", "local-out-of-bounds", [&] {
    FixOut F = {};
    F.Dst = Global;
    F.Src = At(Space::L0C);
    F.SrcType = F.DstType = Elem::F32;
    F.Layout = OutLayout::ND;
    F.M = F.N = 16;
    F.SrcStride = 16;
    F.DstStride = 64;
    F.SrcRowStride = 1u << 20;
    F.Name = "Fixpipe";
    belay_sim_cube_fixpipe(&F);
  });
  expect("rows that are 0 in 32 bits", "local-out-of-bounds", [&] {
    FixOut F = {};
    F.Dst = Global;
    F.Src = At(Space::L0C);
    F.SrcType = F.DstType = Elem::F32;
    F.Layout = OutLayout::DN;
    F.M = 1u << 26;
    F.N = 16;
    F.SrcStride = 16;
    F.Name = "Fixpipe";
    belay_sim_cube_fixpipe(&F);
  });
  expect("a stride without an absolute value", "gm-out-of-bounds", [&] {
    LoadFractals F = {};
    F.Dst = At(Space::L0A);
    F.Src = Global;
    F.Type = Elem::F16;
    F.Repeat = ~0u;
    F.SrcStride = INT32_MIN;
    belay_sim_cube_load_fractals(&F);
  });
  expect("a Matmul of more steps than bytes", "tiling-mismatch", [&] {
    MatmulState S;
    S.A.Data = S.B.Data = Global;
    S.SingleM = S.SingleN = S.SingleK = INT32_MAX;
    S.BaseM = S.BaseN = 1;
    MatmulTarget T = {Global, false, false, AtomicOp::None};
    belay_sim_cube_matmul_all(&S, &T);
  });
}

/// What the process of a sealed kernel tells of its threads.
void threads() {
  expect("more threads than 32 bits", "thread-count",
         [&] { belay_sim_threads_begin(1u << 31, 1u << 31, 4); });
  expect("a thread before all", "unsupported-api",
         [&] { belay_sim_threads_access(0, Global, 4, true); });
  belay_sim_threads_begin(8, 2, 1);
  expect("threads inside of threads", "unsupported-api",
         [&] { belay_sim_threads_begin(1, 1, 1); });
  expect("a thread that there is not", "unsupported-api",
         [&] { belay_sim_threads_access(16, Global, 4, true); });
  expect("an event of no thread", "unsupported-api",
         [&] { belay_sim_threads_event(ThreadEvent::Warp, ~0u, ~0u, ~0u); });
  belay_sim_threads_event(ThreadEvent::Inactive, 15, ~0u, ~0u);
  expect("an atomic at an odd address", "misaligned-address", [&] {
    belay_sim_threads_atomic(0, ThreadAtomic::Add, Elem::U32, Global + 2, 1, 0);
  });
  expect("an atomic in no memory", "gm-out-of-bounds", [&] {
    auto *Before =
        reinterpret_cast<uint8_t *>(reinterpret_cast<uintptr_t>(Global) - 4096);
    belay_sim_threads_atomic(0, ThreadAtomic::Add, Elem::U32, Before, 1, 0);
  });
  expect("an atomic of halves", "unsupported-dtype", [&] {
    belay_sim_threads_atomic(0, ThreadAtomic::Add, Elem::F16, Global, 1, 0);
  });
  belay_sim_threads_end();
  expect("a function that ends twice", "unsupported-api",
         [&] { belay_sim_threads_end(); });
}

void run(const char *Soc, TaskKind Task, void (*Body)()) {
  L.Ask.Target = machineOf(*belay::targets::findSoc(Soc));
  L.Ask.NumBlocks = L.Ask.RunSlots = 1;
  setReport(&L.Answer);
  FailureHook = [] { longjmp(Back, 1); };
  static void (*TheBody)();
  TheBody = Body;
  Device D(L.Ask);
  D.addGlobal({Global, sizeof(Global), true, "buffer"});
  Entry E = {};
  E.Invoke = [](void *const *) { TheBody(); };
  D.run(E, E, Task, nullptr);
}

} // namespace

int main() {
  run("Ascend910B1", TaskKind::Vector, vectorCore);
  run("Ascend910B1", TaskKind::Cube, cubeCore);
  run("Ascend950PR_9599", TaskKind::Vector, threads);
  std::printf("%u wrong\n", Failures);
  return Failures != 0;
}

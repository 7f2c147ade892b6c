//===- Passes.td - What is proven of kernels ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_PASSES_TD
#define BELAY_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AscendDecideCores : Pass<"ascend-decide-cores", "::mlir::func::FuncOp"> {
  let summary = "Decide which cores of a launch work";
  let description = [{
    Writes `ascend.cores` on a kernel, before anything is proven of it. Where
    copies are whole blocks of 32 bytes, the scalar unit writes what is less. Its
    cache writes back lines of 64 bytes, with what it believes the rest of a line
    to be: two cores must not do so next to each other. A kernel that might
    leaves all its work to the first core, as does one with `ascend.sync_cores`
    where cores have no barrier.

    The proofs, the emitted kernel and what a launcher checks of
    `ascend.expects` all read this one decision. On a kernel that has one, at the
    level of tiles or of instructions, the pass checks that it is no weaker than
    what the kernel needs.

    ```mlir
    func.func @k(%y: memref<?xf32, #gm> {...}) attributes {ascend.kernel}
    // becomes, on an Ascend310P3 where %y is stored in steps of 8 elements
    func.func @k(%y: memref<?xf32, #gm> {...}) attributes {
      ascend.kernel, ascend.cores = #ascend.cores<one unless [0, 0, 8]>}
    ```
  }];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def AscendProve : Pass<"ascend-prove", "::mlir::func::FuncOp"> {
  let summary = "Prove that a kernel is safe for every launch";
  let description = [{
    Works on kernels as tiles, right after the front end. For every operation it
    states what has to hold (docs/guarantees.md) and proves it from the
    kernel's `ascend.expects`, its loops and its conditions.

    What cannot be proven but can be checked on the device gets an
    `ascend.guard` in front of the operation and a warning; the rest, and
    everything with `deny`, is an error. Both come with values for which the
    property fails, where such are found, and with an `expects` that would
    settle it, where a simple one does.

    ```mlir
    // 'i + 256 <= x.size()' is not proven:
    %0 = arith.subi %size, %i : index
    %1 = arith.cmpi sge, %0, %c256 : index
    ascend.guard %1, "gm-out-of-bounds", "i + 256 <= x.size()"
    %t = ascend.load %x[%i] [256] : ...
    ```
  }];
  let options = [
    Option<"Deny", "deny", "bool", "false",
           "Refuse what is not proven instead of guarding it">,
    Option<"Report", "report", "bool", "false",
           "Remark on every kernel how much was proven">,
  ];
  let statistics = [
    Statistic<"NumObligations", "obligations", "Properties that have to hold">,
    Statistic<"NumProven", "proven", "Properties that always hold">,
    Statistic<"NumGuarded", "guarded", "Properties that a guard checks">,
    Statistic<"NumRefused", "refused", "Properties that nothing can ensure">,
    Statistic<"Microseconds", "microseconds", "Time for all proofs">,
  ];
  let dependentDialects = [
    "::belay::ascend::AscendDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def AscendVerifyMemory : Pass<"ascend-verify-memory", "::mlir::func::FuncOp"> {
  let summary = "Check that buffers lie inside the memories of the target";
  let description = [{
    Counts again, on the final form of a kernel, what `ascend-plan-memory` has
    counted: the end of every slot of every `ascend.buffer`, with what copies use
    after the last one, is not beyond what the target's memory has.

    ```mlir
    // error: the plan of the memory takes 262144 bytes of the ub, and 188416
    // are there [local-capacity]
    %b = ascend.buffer at 131072 : memref<1x32768xf32, #ascend.space<ub>>
    ```
  }];
  let statistics = [
    Statistic<"NumBuffers", "buffers", "Buffers that were counted">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def VerifyInstructions
    : Pass<"ascend-verify-instructions", "::mlir::func::FuncOp"> {
  let summary = "Prove that the hardware can execute every instruction";
  let description = [{
    Works on kernels as single instructions, the last form before emission. For
    each of them it proves, from the kernel's loops, conditions, contracts and
    guards: that the form exists for the element type on the architecture; that
    every field fits its bits; that operands are aligned as the instruction
    demands; that all bytes that it touches lie inside of its buffers, and
    buffers inside of their memory; and that a result overlaps an operand only
    if it has the same address and strides, and never for functions of the
    vendor's library. Of single elements of global memory it proves that the
    data cache was cleaned of what is read, after the last write to it by a copy
    engine or another core, and that what is written leaves the cache at once.
    Of sums in L0C, which cannot be filled, it proves that a product has written
    all that a product adds to and that the fixpipe stores.

    What is not proven is an error of Belay, as kernels have been accepted
    before; nothing is guarded.

    ```mlir
    scf.for %c = %c0 to %cols step %c64 {
      %left = arith.subi %cols, %c : index
      %mask = arith.minsi %left, %c64 : index      // 1 to 64: fits
      %s = ascend.slice %a[0, %c] : !buffer -> !part   // whole blocks: aligned
      // 8 rows, 128 blocks apart: inside of 8x1024 elements
      ascend.rep.binary <max> %w, %s -> %w mask %mask repeat %c8
        blocks [1, 1, 1] rows [8, 8, 128] : !part, !part, !part
    }
    ```
  }];
  let options = [
    Option<"soc", "soc", "std::string", "",
           "The SoC, where the module has no ascend.target">,
  ];
  let statistics = [
    Statistic<"NumInstructions", "instructions", "Instructions looked at">,
    Statistic<"NumProperties", "properties", "Properties to prove of them">,
    Statistic<"NumQuick", "quick", "Of these, proven from bounds of extents">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

#endif // BELAY_ANALYSIS_PASSES_TD

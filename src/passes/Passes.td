//===- Passes.td - From tiles to instructions --------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_PASSES_TD
#define BELAY_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar SocOption = Option<"soc", "soc", "std::string", "",
                          "The SoC, where the module has no ascend.target">;

def SetTarget : Pass<"ascend-set-target", "::mlir::ModuleOp"> {
  let summary = "Set the SoC that a module is compiled for";
  let description = [{
    Sets the module's `ascend.target`, which every later pass and the emission
    read.

    ```mlir
    module {}
    // becomes, with soc=Ascend310P3
    module attributes {ascend.target = #ascend.target<"Ascend310P3">} {}
    ```
  }];
  let options = [
    Option<"soc", "soc", "std::string", "\"Ascend910B3\"",
           "The SoC that the kernels are for">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def PlaceUnits : Pass<"ascend-place-units", "::mlir::func::FuncOp"> {
  let summary = "Hand tiles over between the cube core and the vector core";
  let description = [{
    Products are the cube core's: they add up in L0C, and loops carry sums
    there. All else is the vector core's. A sum that is more than rounded and
    stored, and an operand of a product that is more than loaded, go through a
    workspace in global memory: one more argument, `percore`, which has room for
    a tile for each pair of cores. Runs before the proofs, which treat the
    workspace like any other argument.

    Before:
    ```mlir
    %d = ascend.dot %a, %b : !left, !right -> !sums
    %e = math.exp %d : !sums
    ```
    After:
    ```mlir
    ascend.store %d, %workspace[%core, 0, 0] [1, %m, %n] : !sums -> !workspace
    %t = ascend.load %workspace[%core, 0, 0] [1, %m, %n] : !workspace -> !sums
    %e = math.exp %t : !sums
    ```
  }];
  let options = [SocOption];
  let dependentDialects = [
    "::belay::ascend::AscendDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LowerDots : Pass<"ascend-lower-dots", "::mlir::func::FuncOp"> {
  let summary = "Write products of tiles as instructions of the cube core";
  let description = [{
    What is loaded for products goes to L1, in fractals; what products are added
    to stays in L0C through all loops that carry it; products are cut along k into
    steps of which two fit into L0A and L0B; the fixpipe rounds and stores. Tiles
    of the vector core are left as they are.

    Before:
    ```mlir
    %sum = scf.for %k = %c0 to %n step %c256 iter_args(%s = %zero) -> (!sums) {
      %a = ascend.load %x[%i, %k] [%m, %w] : !view -> !left
      %b = ascend.load %y[%k, %j] [%w, %p] : !view -> !right
      %d = ascend.dot %a, %b : !left, !right -> !sums
      %t = arith.addf %s, %d : !sums
      scf.yield %t : !sums
    }
    ```
    After:
    ```mlir
    %c = ascend.buffer : memref<16x128x16xf32, #ascend.space<l0c>>
    %z = scf.for %k = %c0 to %n step %c256 iter_args(%first = %true) -> (i1) {
      ascend.cube.in %x[%i, %k] [%m, %w] -> %a1 : !view -> !l1
      ascend.cube.in %y[%k, %j] [%w, %p] -> %b1 : !view -> !l1
      %f = scf.for %k0 = %c0 to %w step %c64 iter_args(%g = %first) -> (i1) {
        ascend.cube.load %a1[%c0, %k0] [%m16, %now16] -> %a0 : !l1, !l0a
        ascend.cube.load %b1[%k0, %c0] [%now16, %p16] -> %b0 : !l1, !l0b
        ascend.cube.mmad %a0, %b0 -> %c [%m, %p, %now] init %g : !l0a, !l0b, !l0c
        scf.yield %false : i1
      }
      scf.yield %f : i1
    }
    ```
  }];
  let options = [SocOption];
  let dependentDialects = [
    "::belay::ascend::AscendDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def SimplifyTiles : Pass<"ascend-simplify-tiles", "::mlir::func::FuncOp"> {
  let summary = "Canonicalize all but arithmetic on tiles";
  let description = [{
    The canonical forms of numbers, views, loops and branches, and no dead
    operations. Arithmetic on tiles stays as it was written: its canonical forms
    make constants, and a constant has no extents, nor is there an instruction
    that fills a mask.

    ```mlir
    %a = arith.subi %t, %u : tensor<1x?xi32, #ascend.capacity<1x256>>
    %b = arith.subi %a, %t : tensor<1x?xi32, #ascend.capacity<1x256>>
    // does not become 0 - %u, where 0 has as many columns as fit
    ```
  }];
}

def LowerTiles : Pass<"ascend-lower-tiles", "::mlir::func::FuncOp"> {
  let summary = "Assign buffers to tiles and lower operations to instructions";
  let description = [{
    Each tile becomes an `ascend.buffer` in the unified buffer whose rows begin
    at multiples of 32 bytes; a tile of one column is packed. Loads and stores
    become copies, mathematics becomes vector instructions, scalars stay.

    A tile that a loop carries keeps one buffer; what the loop yields is computed
    into it where the old value is dead, and copied otherwise. A splat stays a
    scalar until an instruction needs a buffer.

    A loop with a condition (`scf.while`) keeps it where it is arithmetic. What a
    condition loads or computes with tiles moves into the body, so that all
    instructions of a loop are executed equally often.
  }];
  let options = [SocOption];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers made for tiles">,
    Statistic<"numCopies", "copies", "Copies between buffers">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def Schedule : Pass<"ascend-schedule", "::mlir::func::FuncOp"> {
  let summary = "Reorder instructions to minimise flags and barriers";
  let description = [{
    Between loops, branches, guards and barriers, copies in go as early
    as what they depend on allows, copies out as late, so that one flag serves
    several; and vector instructions that do not depend on each other go side by
    side, so that one barrier does. What is then in memory at the same time may
    be more: if the buffers no longer fit, or copied ones no longer have two
    slots, everything stays where it was.
  }];
  let options = [
    SocOption,
    Option<"capacity", "capacity", "unsigned", "0",
           "Bytes of the unified buffer instead of what the SoC has">,
  ];
  let statistics = [
    Statistic<"numKept", "kept", "Kernels whose order stays, for want of memory">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def PlanMemory : Pass<"ascend-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Assign addresses to buffers";
  let description = [{
    Buffers with disjoint live ranges share memory. What is copied in or out in a
    loop is double-buffered, as far as memory allows, so that copies run while
    the vector unit works. If that does not fit, buffers that copies touch keep
    memory of their own; if that does not fit either, live ranges alone decide.
    Buffers do not share memory where that would need a barrier that the kernel
    does not need otherwise, between vector instructions of one iteration or
    from one iteration to the next, if there is memory for that as well. The
    largest buffers are placed first; where that does not fit, up to
    `exact` buffers are tried in all orders.

    What is left of the memory is spent on banks: results lie beside their
    operands instead of in their place, buffers that an instruction touches
    begin in different halves of 512 bytes, rows that are transposed lie an odd
    number of blocks apart, and a buffer that a loop fills with the same value
    in each iteration is filled once before it.

    Fails, with a table, if the buffers do not fit the target.
  }];
  let options = [
    SocOption,
    Option<"doubleBuffer", "double-buffer", "bool", "true",
           "Give copied buffers two slots in loops">,
    Option<"exact", "exact", "unsigned", "10",
           "Search for the tightest plan up to so many buffers">,
    Option<"capacity", "capacity", "unsigned", "0",
           "Bytes to plan for instead of what the SoC has">,
  ];
  let statistics = [
    Statistic<"numBytes", "bytes", "Bytes of the unified buffer in use">,
    Statistic<"numDoubled", "doubled", "Buffers with two slots">,
    Statistic<"numInPlace", "in-place", "Results that replace an operand">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def InsertSync : Pass<"ascend-insert-sync", "::mlir::func::FuncOp"> {
  let summary = "Insert flags and barriers that order the pipes";
  let description = [{
    Runs the kernel symbolically: each pipe has a clock of what it knows to be
    complete. At the first instruction that touches what another may still be
    using, a flag between the two pipes (or a barrier inside one) is added, and
    the kernel is run again, until no conflict is left. A dependence from one
    iteration of a loop to the next has a flag that is also set once before the
    outermost loop around it and awaited once after that. Redundant flags are
    removed, and in loops with two slots one flag replaces several between the
    same pipes where it can.

    Where there are too few events, flags that are never set at the same time
    share one. If that is not enough, two pipes wait for each other so that their
    flags can share an event; if that is not enough either, a barrier for all
    pipes replaces a flag, with a remark.

    The result is then proven on a clone, by the means of `ascend-verify-sync`.
    What the proof refuses is ordered more strictly, in steps, each with a
    remark: one more flag or barrier for the pair that it names; one slot instead
    of two in the loops around the pair; a barrier for all pipes; and in the end
    a barrier for all pipes before each instruction, which is always accepted.
  }];
  let options = [
    SocOption,
    Option<"events", "events", "unsigned", "0",
           "Events of each pair of pipes, instead of what the SoC has">,
    Option<"runs", "runs", "unsigned", "20",
           "Runs of the kernel, at most; what they miss, the proof asks for">,
    Option<"firstRung", "first-rung", "unsigned", "0",
           "Answers the proof from this step on; 4 orders everything">,
    Option<"showCost", "show-cost", "bool", "false",
           "Say in a remark what the order costs, and what it took to find it">,
  ];
  let statistics = [
    Statistic<"numFlags", "flags", "Pairs of set and wait">,
    Statistic<"numBarriers", "barriers", "Barriers inside one pipe">,
    Statistic<"numFullBarriers", "full-barriers", "Barriers for all pipes">,
    Statistic<"numProofs", "proofs", "Plans that were proven or refused">,
    Statistic<"numSteps", "steps", "Instructions executed in runs and proofs">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def ExpandInstructions
    : Pass<"ascend-expand-instructions", "::mlir::func::FuncOp"> {
  let summary = "Expand macros into single instructions";
  let description = [{
    An operation on whole tiles that the hardware has no single instruction for
    becomes a nest: loops and branches around instructions that have every field
    of the hardware's, with the barriers and flags that they need among
    themselves. To the outside a nest behaves like one instruction of its pipe.

    Before:
    ```mlir
    ascend.vec.spread %c -> %w, %rows : memref<8x1xf32, #ub>, memref<1x64xf32, #ub>
    ascend.vec.repeated <sub> %a, %w along <col> -> %b [%rows, %c100]
      : memref<8x100xf32, #rows, #ub>, memref<1x64xf32, #ub>,
        memref<8x100xf32, #rows, #ub>
    ```
    After:
    ```mlir
    %n = arith.divsi %more, %c8 : index
    ascend.rep.brcb %c -> %w repeat %n : memref<8x1xf32, #ub>, memref<1x64xf32, #ub>
    scf.for %k = %c0 to %c100 step %c64 {
      %left = arith.subi %c100, %k : index
      %mask = arith.minsi %left, %c64 : index
      %from = ascend.slice %a[0, %k] : memref<8x100xf32, #rows, #ub> -> !part
      %to = ascend.slice %b[0, %k] : memref<8x100xf32, #rows, #ub> -> !part
      ascend.rep.binary <sub> %from, %w -> %to mask %mask repeat %rows
        blocks [1, 1, 0] rows [13, 13, 1] : !part, memref<1x64xf32, #ub>, !part
    }
    ```
  }];
  let options = [SocOption];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

#endif // BELAY_PASSES_PASSES_TD

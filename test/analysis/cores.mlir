// Several cores: who writes what, barriers, roles of arguments. Each rule is
// broken once and kept once.
// RUN: belay-opt %s --ascend-prove=deny --split-input-file --verify-diagnostics

// All cores write the same elements.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
func.func @same(%y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %n, %c64 : index
  ascend.expects %e0, "y.size() >= 64"
  %t = ascend.splat %v [] : f32 -> tensor<1x64xf32>
  // expected-error @+2 {{two cores may touch the same element of 'y' [race-between-cores]}}
  // expected-note @+1 {{it happens for}}
  ascend.store %t, %y[0] [64] : tensor<1x64xf32> -> !view
  return
}

// -----
// Atomically they may.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
func.func @atomic(%y: !view {ascend.role = #ascend.role<inout>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %n, %c64 : index
  ascend.expects %e0, "y.size() >= 64"
  %t = ascend.splat %v [] : f32 -> tensor<1x64xf32>
  ascend.store %t, %y[0] [64] combine <sum> : tensor<1x64xf32> -> !view
  return
}

// -----
// Only the first core does.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
func.func @first(%y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %n, %c64 : index
  ascend.expects %e0, "y.size() >= 64"
  %core = ascend.core_index
  %is_first = arith.cmpi eq, %core, %c0 : index
  scf.if %is_first {
    %t = ascend.splat %v [] : f32 -> tensor<1x64xf32>
    ascend.store %t, %y[0] [64] : tensor<1x64xf32> -> !view
  }
  return
}

// -----
// Rows in turn, with a halo that is the next core's first row.
#gm = #ascend.space<gm>
!view = memref<?x64xf32, #gm>
!tile = tensor<1x64xf32>
func.func @halo(%x: !view {ascend.role = #ascend.role<inout>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : !view
  %last = arith.subi %n, %c1 : index
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %i = %core to %last step %cores {
    %i1 = arith.addi %i, %c1 : index
    // expected-note @+1 {{the other core reads it here}}
    %t = ascend.load %x[%i1, 0] [1, 64] : !view -> !tile
    // expected-error @+2 {{two cores may touch the same element of 'x' [race-between-cores]}}
    // expected-note @+1 {{it happens for}}
    ascend.store %t, %x[%i, 0] [1, 64] : !tile -> !view
  }
  return
}

// -----
// Tiles of a matrix in turn: a quotient and a remainder.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!tile = tensor<?x?xf32, #ascend.capacity<16x128>>
func.func @tiles(%y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %rows = memref.dim %y, %c0 : !view
  %cols = memref.dim %y, %c1 : !view
  %down = arith.ceildivsi %rows, %c16 : index
  %across = arith.ceildivsi %cols, %c128 : index
  %most = arith.constant 1048576 : index
  %e0 = arith.cmpi sle, %rows, %most : index
  %e1 = arith.cmpi sle, %cols, %most : index
  ascend.expects %e0, "y.rows() <= 1048576"
  ascend.expects %e1, "y.cols() <= 1048576"
  %all = arith.muli %down, %across : index
  %core = ascend.core_index
  %cores = ascend.core_count
  %any = arith.cmpi sgt, %across, %c0 : index
  scf.if %any {
    scf.for %t = %core to %all step %cores {
      %r = arith.divsi %t, %across : index
      %c = arith.remsi %t, %across : index
      %row = arith.muli %r, %c16 : index
      %col = arith.muli %c, %c128 : index
      %below = arith.subi %rows, %row : index
      %right = arith.subi %cols, %col : index
      %h = arith.minsi %below, %c16 : index
      %w = arith.minsi %right, %c128 : index
      %s = ascend.splat %v [%h, %w] : f32 -> !tile
      ascend.store %s, %y[%row, %col] [%h, %w] : !tile -> !view
    }
  }
  return
}

// -----
// One partial result for each core, then all of them.
#gm = #ascend.space<gm>
!part = memref<?xf32, #gm>
!out = memref<1xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x65536>>
func.func @total(%part: !part {ascend.role = #ascend.role<percore>} loc("part"),
                 %out: !out {ascend.role = #ascend.role<out>} loc("out"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %core = ascend.core_index
  %cores = ascend.core_count
  %mine = ascend.splat %v [] : f32 -> tensor<1x1xf32>
  ascend.store %mine, %part[%core] [1] : tensor<1x1xf32> -> !part
  ascend.sync_cores
  %first = arith.cmpi eq, %core, %c0 : index
  scf.if %first {
    %all = ascend.load %part[0] [%cores] : !part -> !tile
    %sum = ascend.reduce <sum> along <row> %all : !tile
    ascend.store %sum, %out[0] [1] : tensor<1x1xf32> -> !out
  }
  return
}

// -----
// The same without a barrier.
#gm = #ascend.space<gm>
!part = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x65536>>
func.func @no_barrier(%part: !part {ascend.role = #ascend.role<percore>} loc("part"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %core = ascend.core_index
  %cores = ascend.core_count
  %mine = ascend.splat %v [] : f32 -> tensor<1x1xf32>
  // expected-note @+1 {{the other core writes it here}}
  ascend.store %mine, %part[%core] [1] : tensor<1x1xf32> -> !part
  // expected-error @+3 {{not every core has written its element of 'part' here; write it on all cores, then call sync_cores() [uninitialised-read]}}
  // expected-error @+2 {{two cores may touch the same element of 'part' [race-between-cores]}}
  // expected-note @+1 {{it happens for}}
  %all = ascend.load %part[0] [%cores] : !part -> !tile
  return
}

// -----
// Someone else's element.
#gm = #ascend.space<gm>
!part = memref<?xf32, #gm>
func.func @not_mine(%part: !part {ascend.role = #ascend.role<percore>} loc("part"), %v: f32) attributes {ascend.kernel} {
  %mine = ascend.splat %v [] : f32 -> tensor<1x1xf32>
  // expected-error @+4 {{cannot prove '0 == core_index()' [argument-role]}}
  // expected-note @+3 {{it fails for}}
  // expected-note @+2 {{it happens for}}
  // expected-error @+1 {{two cores may touch the same element of 'part' [race-between-cores]}}
  ascend.store %mine, %part[0] [1] : tensor<1x1xf32> -> !part
  return
}

// -----
// In every iteration: write, barrier, read, barrier.
#gm = #ascend.space<gm>
!part = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x65536>>
func.func @rounds(%part: !part {ascend.role = #ascend.role<percore>} loc("part"), %n: index loc("n"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %core = ascend.core_index
  %cores = ascend.core_count
  %mine = ascend.splat %v [] : f32 -> tensor<1x1xf32>
  scf.for %i = %c0 to %n step %c1 {
    ascend.store %mine, %part[%core] [1] : tensor<1x1xf32> -> !part
    ascend.sync_cores
    %all = ascend.load %part[0] [%cores] : !part -> !tile
    ascend.sync_cores
  }
  return
}

// -----
// Without the second barrier the next iteration overtakes.
#gm = #ascend.space<gm>
!part = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x65536>>
func.func @overtaken(%part: !part {ascend.role = #ascend.role<percore>} loc("part"), %n: index loc("n"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %core = ascend.core_index
  %cores = ascend.core_count
  %mine = ascend.splat %v [] : f32 -> tensor<1x1xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @+1 {{the other core writes it here}}
    ascend.store %mine, %part[%core] [1] : tensor<1x1xf32> -> !part
    ascend.sync_cores
    // expected-error @+3 {{not every core has written its element}}
    // expected-error @+2 {{two cores may touch the same element of 'part' [race-between-cores]}}
    // expected-note @+1 {{it happens for}}
    %all = ascend.load %part[0] [%cores] : !part -> !tile
  }
  return
}

// -----
// Barriers that not all cores reach.
#gm = #ascend.space<gm>
!view = memref<?xi32, #gm>
func.func @barriers(%x: !view {ascend.role = #ascend.role<in>} loc("x"), %n: index loc("n")) attributes {ascend.kernel} {
  %c1024 = arith.constant 1024 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %e1 = arith.cmpi sle, %n, %c1024 : index
  ascend.expects %e1, "n <= 1024"
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.cmpi eq, %core, %c0 : index
  // expected-note @+1 {{how often depends on the core or on data here}}
  scf.if %first {
    // expected-error @+1 {{not all cores reach this barrier equally often [sync-needs-all-cores]}}
    ascend.sync_cores
  }
  // expected-note @+1 {{how often depends on the core or on data here}}
  scf.for %i = %core to %n step %cores {
    // expected-error @+1 {{not all cores reach this barrier equally often [sync-needs-all-cores]}}
    ascend.sync_cores
  }
  %size = memref.dim %x, %c0 : !view
  %e0 = arith.cmpi sge, %size, %c1 : index
  ascend.expects %e0, "x.size() >= 1"
  %t = ascend.load %x[0] [1] : !view -> tensor<1x1xi32>
  %v = tensor.extract %t[%c0, %c0] : tensor<1x1xi32>
  %go = arith.cmpi eq, %v, %c1_i32 : i32
  // expected-note @+1 {{how often depends on the core or on data here}}
  scf.if %go {
    // expected-error @+1 {{not all cores reach this barrier equally often [sync-needs-all-cores]}}
    ascend.sync_cores
  }
  %many = arith.cmpi sgt, %n, %cores : index
  scf.if %many {
    scf.for %i = %c0 to %n step %c1 {
      ascend.sync_cores
    }
  }
  return
}

// -----
// Inputs are not written, outputs not read before they are written.
#gm = #ascend.space<gm>
!view = memref<64xf32, #gm>
!tile = tensor<1x64xf32>
func.func @roles(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                 %y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %core = ascend.core_index
  %first = arith.cmpi eq, %core, %c0 : index
  scf.if %first {
    %t = ascend.splat %v [] : f32 -> !tile
    // expected-error @+1 {{'x' is an input and cannot be written [argument-role]}}
    ascend.store %t, %x[0] [64] : !tile -> !view
    // expected-error @+1 {{'y' is an output, and this part of it has not been written before; make it an InOut if it has a value at the start [uninitialised-read]}}
    %early = ascend.load %y[0] [64] : !view -> !tile
    // expected-error @+1 {{'y' is an output}}
    ascend.store %t, %y[0] [64] combine <sum> : !tile -> !view
    ascend.store %t, %y[0] [64] : !tile -> !view
    %part = ascend.load %y[8] [16] : !view -> tensor<1x16xf32>
  }
  return
}

// -----
// Rows that data chooses may be anyone's.
#gm = #ascend.space<gm>
!table = memref<?x64xf32, #gm>
!ids = memref<16xi32, #gm>
func.func @scatter(%table: !table {ascend.role = #ascend.role<inout>} loc("table"),
                   %ids: !ids {ascend.role = #ascend.role<in>} loc("ids"), %v: f32) attributes {ascend.kernel} {
  %i = ascend.load %ids[0] [16] : !ids -> tensor<16x1xi32>
  %t = ascend.splat %v [] : f32 -> tensor<16x64xf32>
  ascend.scatter <zero> %t, %table, %i combine <sum> : tensor<16x64xf32>, !table, tensor<16x1xi32>
  return
}

// -----
#gm = #ascend.space<gm>
!table = memref<?x64xf32, #gm>
!ids = memref<16xi32, #gm>
func.func @plain_scatter(%table: !table {ascend.role = #ascend.role<inout>} loc("table"),
                         %ids: !ids {ascend.role = #ascend.role<in>} loc("ids"), %v: f32) attributes {ascend.kernel} {
  %i = ascend.load %ids[0] [16] : !ids -> tensor<16x1xi32>
  %t = ascend.splat %v [] : f32 -> tensor<16x64xf32>
  // expected-note @+2 {{it happens for}}
  // expected-error @+1 {{two cores may touch the same element of 'table' [race-between-cores]}}
  ascend.scatter <zero> %t, %table, %i : tensor<16x64xf32>, !table, tensor<16x1xi32>
  return
}

// Windows, capacities and extents: each rule broken once, and kept once.
// RUN: belay-opt %s --ascend-prove=deny --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x256xf32>
func.func @tail(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : !view
  scf.for %i = %c0 to %n step %c256 {
    // expected-error @+3 {{cannot prove 'i + 256 <= x.size()' [gm-out-of-bounds]}}
    // expected-note @+2 {{it fails for x.size() = 1, i = 0}}
    // expected-note @+1 {{'expects(x.size() % 256 == 0)' would settle it}}
    %t = ascend.load %x[%i] [256] : !view -> !tile
  }
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x256xf32>
func.func @tail_kept(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : !view
  %rest = arith.remsi %n, %c256 : index
  %whole = arith.cmpi eq, %rest, %c0 : index
  ascend.expects %whole, "x.size() % 256 == 0"
  scf.for %i = %c0 to %n step %c256 {
    %t = ascend.load %x[%i] [256] : !view -> !tile
  }
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x64>>
func.func @negative(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                    %at: index loc("at"), %n: index loc("n")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : !view
  %e0 = arith.cmpi sle, %at, %c64 : index
  %e1 = arith.cmpi sle, %n, %c64 : index
  %e2 = arith.cmpi sge, %size, %c64 : index
  ascend.expects %e0, "at <= 64"
  ascend.expects %e1, "n <= 64"
  ascend.expects %e2, "x.size() >= 64"
  // expected-error @+9 {{cannot prove 'at >= 0' [gm-out-of-bounds]}}
  // expected-note @+8 {{it fails for at = -1}}
  // expected-note @+7 {{'expects(at >= 0)' would settle it}}
  // expected-error @+6 {{cannot prove 'n >= 0' [gm-out-of-bounds]}}
  // expected-note @+5 {{it fails for n = -1}}
  // expected-note @+4 {{'expects(n >= 0)' would settle it}}
  // expected-error @+3 {{cannot prove 'at + n <= x.size()' [gm-out-of-bounds]}}
  // expected-note @+2 {{it fails for}}
  // expected-note @+1 {{would settle it}}
  %t = ascend.load %x[%at] [%n] : !view -> !tile
  return
}

// -----
// Each dimension on its own.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!tile = tensor<8x?xf32, #ascend.capacity<8x512>>
func.func @matrix(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                  %r: index loc("r")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : !view
  %cols = memref.dim %x, %c1 : !view
  %e0 = arith.cmpi sge, %r, %c0 : index
  %e1 = arith.cmpi slt, %r, %rows : index
  ascend.expects %e0, "r >= 0"
  ascend.expects %e1, "r < x.rows()"
  // expected-error @+6 {{cannot prove 'r + 8 <= x.rows()' [gm-out-of-bounds]}}
  // expected-note @+5 {{it fails for r = 0, x.rows() = 1}}
  // expected-error @+4 {{cannot prove 'x.cols() <= 512' [tile-capacity]}}
  // expected-note @+3 {{it fails for x.cols() = 513}}
  // expected-note @+2 {{'expects(x.cols() <= 512)' would settle it}}
  // expected-note @+1 {{would settle it}}
  %t = ascend.load %x[%r, 0] [8, %cols] : !view -> !tile
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!part = tensor<1x?xf32, #ascend.capacity<1x64>>
func.func @extents(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                   %n: index loc("n"), %m: index loc("m"), %zero: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : !view
  %e0 = arith.cmpi sge, %n, %c0 : index
  %e1 = arith.cmpi sle, %n, %c64 : index
  %e2 = arith.cmpi sge, %m, %c0 : index
  %e3 = arith.cmpi sle, %m, %c64 : index
  %e4 = arith.cmpi sge, %size, %c64 : index
  ascend.expects %e0, "n >= 0"
  ascend.expects %e1, "n <= 64"
  ascend.expects %e2, "m >= 0"
  ascend.expects %e3, "m <= 64"
  ascend.expects %e4, "x.size() >= 64"
  %a = ascend.load %x[0] [%n] : !view -> !part
  %b = ascend.load %x[0] [%m] : !view -> !part
  %same = arith.addf %a, %a : !part
  // expected-error @+2 {{cannot prove 'equal columns: n == m' [tile-mismatch]}}
  // expected-note @+1 {{it fails for}}
  %sum = arith.addf %a, %b : !part
  %padded = ascend.load %x[0] [%n] pad(%zero : f32) : !view -> tensor<1x64xf32>
  %s0 = ascend.splat %zero [%n] : f32 -> !part
  %one = arith.addi %n, %c64 : index
  // expected-error @+3 {{cannot prove 'n + 64 <= 64' [tile-capacity]}}
  // expected-note @+2 {{it fails for n = 1}}
  // expected-note @+1 {{'expects(n + 64 <= 64)' would settle it}}
  %s1 = ascend.splat %zero [%one] : f32 -> !part
  return
}

// -----
// A static tile is loaded as a whole, or padded.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
func.func @whole(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                 %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                 %zero: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : !view
  %n = arith.minsi %size, %c64 : index
  // expected-error @+3 {{cannot prove 'min(x.size(), 64) == 64' [tile-mismatch]}}
  // expected-note @+2 {{it fails for x.size() = 0}}
  // expected-note @+1 {{'expects(x.size() >= 64)' would settle it}}
  %t = ascend.load %x[0] [%n] : !view -> tensor<1x64xf32>
  return
}

// -----
// What is stored has been computed.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!part = tensor<1x?xf32, #ascend.capacity<1x64>>
func.func @stored(%y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %y, %c0 : !view
  %n = arith.minsi %size, %c64 : index
  %m = arith.minsi %size, %c32 : index
  %core = ascend.core_index
  %first = arith.cmpi eq, %core, %c0 : index
  scf.if %first {
    %t = ascend.splat %v [%m] : f32 -> !part
    ascend.store %t, %y[0] [%m] : !part -> !view
    // expected-error @+3 {{cannot prove 'min(y.size(), 64) <= min(y.size(), 32)' [tile-mismatch]}}
    // expected-note @+2 {{it fails for y.size() = 64}}
    // expected-note @+1 {{'expects(y.size() <= 32)' would settle it}}
    ascend.store %t, %y[0] [%n] : !part -> !view
  }
  return
}

// -----
// The nearest row of a table without rows.
#gm = #ascend.space<gm>
!table = memref<?x64xf32, #gm>
!ids = memref<16xi32, #gm>
func.func @gather(%table: !table {ascend.role = #ascend.role<in>} loc("table"),
                  %ids: !ids {ascend.role = #ascend.role<in>} loc("ids")) attributes {ascend.kernel} {
  %i = ascend.load %ids[0] [16] : !ids -> tensor<16x1xi32>
  %trap = ascend.gather <trap> %table, %i : !table, tensor<16x1xi32> -> tensor<16x64xf32>
  // expected-error @+3 {{cannot prove 'table.rows() >= 1' [gm-out-of-bounds]}}
  // expected-note @+2 {{it fails for table.rows() = 0}}
  // expected-note @+1 {{'expects(table.rows() >= 1)' would settle it}}
  %near = ascend.gather <clamp> %table, %i : !table, tensor<16x1xi32> -> tensor<16x64xf32>
  return
}

// -----
// Of a tile: the nearest column exists where there is one, and rows agree.
#gm = #ascend.space<gm>
!table = memref<?x?xf32, #gm>
!ids = memref<?x?xi32, #gm>
!tile = tensor<8x?xf32, #ascend.capacity<8x64>>
!some = tensor<?x4xi32, #ascend.capacity<8x4>>
func.func @take(%x: !table {ascend.role = #ascend.role<in>} loc("x"),
                %ids: !ids {ascend.role = #ascend.role<in>} loc("ids"), %n: index loc("n")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %cols = memref.dim %x, %c1 : !table
  %rows = memref.dim %x, %c0 : !table
  %fits = arith.cmpi sle, %cols, %c64 : index
  ascend.expects %fits, "x.cols() <= 64"
  %tall = arith.cmpi sge, %rows, %c8 : index
  ascend.expects %tall, "x.rows() >= 8"
  %few = memref.dim %ids, %c1 : !ids
  %wide = arith.cmpi sge, %few, %c8 : index
  ascend.expects %wide, "ids.cols() >= 8"
  %many = memref.dim %ids, %c0 : !ids
  %high = arith.cmpi sge, %many, %c8 : index
  ascend.expects %high, "ids.rows() >= 8"
  %t = ascend.load %x[0, 0] [8, %cols] : !table -> !tile
  %i = ascend.load %ids[0, 0] [8, 4] : !ids -> tensor<8x4xi32>
  %zero = ascend.take <zero> %t, %i : !tile, tensor<8x4xi32>
  %trap = ascend.take <trap> %t, %i : !tile, tensor<8x4xi32>
  // expected-error @+3 {{cannot prove 'x.cols() >= 1' [local-out-of-bounds]}}
  // expected-note @+2 {{it fails for}}
  // expected-note @+1 {{would settle it}}
  %near = ascend.take <clamp> %t, %i : !tile, tensor<8x4xi32>
  return
}

// -----
// Tiles that loops carry keep their extents.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!part = tensor<1x?xf32, #ascend.capacity<1x64>>
func.func @carried(%x: !view {ascend.role = #ascend.role<in>} loc("x"), %zero: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : !view
  %n = arith.minsi %size, %c64 : index
  %init = ascend.splat %zero [%n] : f32 -> !part
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %init) -> !part {
    %t = ascend.load %x[0] [%n] : !view -> !part
    %next = arith.addf %acc, %t : !part
    scf.yield %next : !part
  }
  %more = arith.addf %sum, %init : !part
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> !part {
    %t = ascend.load %x[0] [%i] : !view -> !part
    // expected-error @+2 {{'equal columns: min(x.size(), 64) == i' is false whenever this is reached [tile-mismatch]}}
    // expected-note @+1 {{it fails for x.size() = 1, i = 0}}
    scf.yield %t : !part
  }
  return
}

// -----
// One element of a tile.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!part = tensor<1x?xf32, #ascend.capacity<1x64>>
func.func @element(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %x, %c0 : !view
  %n = arith.minsi %size, %c64 : index
  %t = ascend.load %x[0] [%n] : !view -> !part
  %s = ascend.reduce <sum> along <row> %t : !part
  %v = tensor.extract %s[%c0, %c0] : tensor<1x1xf32>
  // expected-error @+3 {{cannot prove '0 < min(x.size(), 64)' [local-out-of-bounds]}}
  // expected-note @+2 {{it fails for x.size() = 0}}
  // expected-note @+1 {{'expects(x.size() >= 1)' would settle it}}
  %w = tensor.extract %t[%c0, %c0] : !part
  return
}

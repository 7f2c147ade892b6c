// Index arithmetic that real kernels have and simple provers give up on. All of
// it is proven but for the two kernels with a bug, h9 and h10.
// RUN: belay-opt %s --ascend-prove=report --split-input-file --verify-diagnostics

// A chunk for each core, of a length that the host computed: core_index * chunk.
#gm = #ascend.space<gm>
#cap = #ascend.capacity<1x256>
!view = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #cap>
// expected-remark @+1 {{17 of 17 properties proven, 0 guarded}}
func.func @h1_chunk(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                    %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                    %chunk: index loc("chunk")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %most = arith.constant 1000000000 : index
  %n = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %chunk, %c1 : index
  %e1 = arith.cmpi sle, %chunk, %most : index
  %e2 = arith.cmpi eq, %ny, %n : index
  ascend.expects %e0, "chunk >= 1"
  ascend.expects %e1, "chunk <= 1'000'000'000"
  ascend.expects %e2, "y.size() == n"
  %core = ascend.core_index
  %lo = arith.muli %core, %chunk : index
  %end = arith.addi %lo, %chunk : index
  %hi = arith.minsi %end, %n : index
  scf.for %i = %lo to %hi step %c256 {
    %left = arith.subi %hi, %i : index
    %len = arith.minsi %c256, %left : index
    %t = ascend.load %x[%i] [%len] : !view -> !tile
    %d = arith.addf %t, %t : !tile
    ascend.store %d, %y[%i] [%len] : !tile -> !view
  }
  return
}

// -----
// Rows and columns, flattened by hand.
#gm = #ascend.space<gm>
#cap = #ascend.capacity<1x512>
!view = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #cap>
// expected-remark @+1 {{23 of 23 properties proven, 0 guarded}}
func.func @h2_flat(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                   %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                   %rows: index loc("rows"), %cols: index loc("cols")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %most = arith.constant 1000000 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %rows, %c0 : index
  %e1 = arith.cmpi sge, %cols, %c1 : index
  %e2 = arith.cmpi sle, %rows, %most : index
  %e3 = arith.cmpi sle, %cols, %most : index
  %all = arith.muli %rows, %cols : index
  %e4 = arith.cmpi eq, %nx, %all : index
  %e5 = arith.cmpi eq, %ny, %all : index
  ascend.expects %e0, "rows >= 0"
  ascend.expects %e1, "cols >= 1"
  ascend.expects %e2, "rows <= 1'000'000"
  ascend.expects %e3, "cols <= 1'000'000"
  ascend.expects %e4, "x.size() == rows * cols"
  ascend.expects %e5, "y.size() == rows * cols"
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %r = %core to %rows step %cores {
    scf.for %c = %c0 to %cols step %c512 {
      %left = arith.subi %cols, %c : index
      %len = arith.minsi %c512, %left : index
      %row = arith.muli %r, %cols : index
      %at = arith.addi %row, %c : index
      %t = ascend.load %x[%at] [%len] : !view -> !tile
      %d = arith.addf %t, %t : !tile
      ascend.store %d, %y[%at] [%len] : !tile -> !view
    }
  }
  return
}

// -----
// A strided window, as of a convolution.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!wide = tensor<1x?xf32, #ascend.capacity<1x128>>
!tile = tensor<1x?xf32, #ascend.capacity<1x64>>
// expected-remark @+1 {{28 of 28 properties proven, 0 guarded}}
func.func @h3_conv(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                   %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                   %out: index loc("out"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %out, %c0 : index
  %two = arith.muli %out, %c2 : index
  %need = arith.addi %two, %c6 : index
  %e1 = arith.cmpi sge, %nx, %need : index
  %e2 = arith.cmpi eq, %ny, %out : index
  ascend.expects %e0, "out >= 0"
  ascend.expects %e1, "x.size() >= 2 * out + 6"
  ascend.expects %e2, "y.size() == out"
  %core = ascend.core_index
  %cores = ascend.core_count
  %from = arith.muli %core, %c64 : index
  %step = arith.muli %cores, %c64 : index
  scf.for %o = %from to %out step %step {
    %left = arith.subi %out, %o : index
    %len = arith.minsi %c64, %left : index
    scf.for %k = %c0 to %c4 step %c1 {
      %o2 = arith.muli %o, %c2 : index
      %k2 = arith.muli %k, %c2 : index
      %at = arith.addi %o2, %k2 : index
      %len2 = arith.muli %len, %c2 : index
      %span = arith.subi %len2, %c1 : index
      %a = ascend.load %x[%at] [%span] : !view -> !wide
      %s = ascend.splat %v [%len] : f32 -> !tile
      ascend.store %s, %y[%o] [%len] : !tile -> !view
    }
  }
  return
}

// -----
// A constant shape, flattened: NCHW.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x32xf32>
// expected-remark @+1 {{22 of 22 properties proven, 0 guarded}}
func.func @h4_nchw(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                   %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                   %B: index loc("B")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c32 = arith.constant 32 : index
  %most = arith.constant 65536 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %B, %c0 : index
  %e1 = arith.cmpi sle, %B, %most : index
  %bh = arith.muli %B, %c14 : index
  %bhw = arith.muli %bh, %c32 : index
  %e2 = arith.cmpi eq, %nx, %bhw : index
  %e3 = arith.cmpi eq, %ny, %nx : index
  ascend.expects %e0, "B >= 0"
  ascend.expects %e1, "B <= 65536"
  ascend.expects %e2, "x.size() == B * H * W"
  ascend.expects %e3, "y.size() == x.size()"
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %b = %core to %B step %cores {
    scf.for %h = %c0 to %c14 step %c1 {
      %r = arith.muli %b, %c14 : index
      %rh = arith.addi %r, %h : index
      %at = arith.muli %rh, %c32 : index
      %t = ascend.load %x[%at] [32] : !view -> !tile
      %d = arith.addf %t, %t : !tile
      ascend.store %d, %y[%at] [32] : !tile -> !view
    }
  }
  return
}

// -----
// From the last block to the first.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x64xf32>
// expected-remark @+1 {{18 of 18 properties proven, 0 guarded}}
func.func @h5_reverse(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                      %y: !view {ascend.role = #ascend.role<out>} loc("y")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %n = arith.divsi %nx, %c64 : index
  %e0 = arith.cmpi sge, %ny, %nx : index
  ascend.expects %e0, "y.size() >= x.size()"
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %i = %core to %n step %cores {
    %last = arith.subi %n, %c1 : index
    %back = arith.subi %last, %i : index
    %from = arith.muli %back, %c64 : index
    %at = arith.muli %i, %c64 : index
    %t = ascend.load %x[%from] [64] : !view -> !tile
    %d = arith.addf %t, %t : !tile
    ascend.store %d, %y[%at] [64] : !tile -> !view
  }
  return
}

// -----
// Pooling: an extent that is a quotient.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!wide = tensor<1x?xf32, #ascend.capacity<1x128>>
!tile = tensor<1x?xf32, #ascend.capacity<1x64>>
// expected-remark @+1 {{21 of 21 properties proven, 0 guarded}}
func.func @h6_pool(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                   %y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %out = arith.divsi %nx, %c2 : index
  %e0 = arith.cmpi sge, %ny, %out : index
  ascend.expects %e0, "y.size() >= out"
  %core = ascend.core_index
  %cores = ascend.core_count
  %from = arith.muli %core, %c64 : index
  %step = arith.muli %cores, %c64 : index
  scf.for %o = %from to %out step %step {
    %left = arith.subi %out, %o : index
    %len = arith.minsi %c64, %left : index
    %at = arith.muli %o, %c2 : index
    %span = arith.muli %len, %c2 : index
    %t = ascend.load %x[%at] [%span] : !view -> !wide
    %s = ascend.splat %v [%len] : f32 -> !tile
    ascend.store %s, %y[%o] [%len] : !tile -> !view
  }
  return
}

// -----
// Rows that grow, as under a causal mask.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x4096>>
// expected-remark @+1 {{18 of 18 properties proven, 0 guarded}}
func.func @h7_causal(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                     %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                     %S: index loc("S")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %S, %c0 : index
  %e1 = arith.cmpi sle, %S, %c4096 : index
  %all = arith.muli %S, %c4096 : index
  %e2 = arith.cmpi eq, %nx, %all : index
  %e3 = arith.cmpi eq, %ny, %all : index
  ascend.expects %e0, "S >= 0"
  ascend.expects %e1, "S <= 4096"
  ascend.expects %e2, "x.size() == S * 4096"
  ascend.expects %e3, "y.size() == S * 4096"
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %r = %core to %S step %cores {
    %r1 = arith.addi %r, %c1 : index
    %len = arith.minsi %c4096, %r1 : index
    %at = arith.muli %r, %c4096 : index
    %t = ascend.load %x[%at] [%len] : !view -> !tile
    %d = arith.addf %t, %t : !tile
    ascend.store %d, %y[%at] [%len] : !tile -> !view
  }
  return
}

// -----
// A ring of four slots, by one core.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x64xf32>
// expected-remark @+1 {{20 of 20 properties proven, 0 guarded}}
func.func @h8_ring(%x: !view {ascend.role = #ascend.role<inout>} loc("x"),
                   %steps: index loc("steps")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %nx = memref.dim %x, %c0 : !view
  %e0 = arith.cmpi sge, %nx, %c256 : index
  %e1 = arith.cmpi sge, %steps, %c0 : index
  ascend.expects %e0, "x.size() >= 256"
  ascend.expects %e1, "steps >= 0"
  %core = ascend.core_index
  %first = arith.cmpi eq, %core, %c0 : index
  scf.if %first {
    scf.for %s = %c0 to %steps step %c1 {
      %s1 = arith.addi %s, %c1 : index
      %from = arith.remsi %s1, %c4 : index
      %to = arith.remsi %s, %c4 : index
      %at = arith.muli %from, %c64 : index
      %put = arith.muli %to, %c64 : index
      %t = ascend.load %x[%at] [64] : !view -> !tile
      %d = arith.addf %t, %t : !tile
      ascend.store %d, %x[%put] [64] : !tile -> !view
    }
  }
  return
}

// -----
// Wrong: the row outgrows its tile and its part of the view.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x?xf32, #ascend.capacity<1x4096>>
// expected-remark @+1 {{16 of 18 properties proven, 2 guarded}}
func.func @h9_causal(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                     %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                     %S: index loc("S")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %c8192 = arith.constant 8192 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %S, %c0 : index
  %e1 = arith.cmpi sle, %S, %c8192 : index
  %all = arith.muli %S, %c4096 : index
  %e2 = arith.cmpi eq, %nx, %all : index
  %e3 = arith.cmpi eq, %ny, %all : index
  ascend.expects %e0, "S >= 0"
  ascend.expects %e1, "S <= 8192"
  ascend.expects %e2, "x.size() == S * 4096"
  ascend.expects %e3, "y.size() == S * 4096"
  %core = ascend.core_index
  %cores = ascend.core_count
  scf.for %r = %core to %S step %cores {
    %len = arith.addi %r, %c1 : index
    %at = arith.muli %r, %c4096 : index
    // expected-warning @+5 {{cannot prove 'i * 4096 + i + 1 <= x.size()'; a run-time guard is inserted [gm-out-of-bounds]}}
    // expected-note @+4 {{it fails for S = 4097, x.size() = 16781312, i = 4096}}
    // expected-warning @+3 {{cannot prove 'i + 1 <= 4096'; a run-time guard is inserted [tile-capacity]}}
    // expected-note @+2 {{it fails for S = 8192, i = 4096}}
    // expected-note @+1 {{'expects(S <= 4096)' would settle it}}
    %t = ascend.load %x[%at] [%len] : !view -> !tile
    %d = arith.addf %t, %t : !tile
    ascend.store %d, %y[%at] [%len] : !tile -> !view
  }
  return
}

// -----
// Wrong: a window of 512 where a row may be shorter.
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x512xf32>
// expected-remark @+1 {{18 of 19 properties proven, 1 guarded}}
func.func @h10_flat(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                    %y: !view {ascend.role = #ascend.role<out>} loc("y"),
                    %rows: index loc("rows"), %cols: index loc("cols")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 1000000 : index
  %nx = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %e0 = arith.cmpi sge, %rows, %c0 : index
  %e1 = arith.cmpi sge, %cols, %c1 : index
  %e2 = arith.cmpi sle, %rows, %most : index
  %e3 = arith.cmpi sle, %cols, %most : index
  %all = arith.muli %rows, %cols : index
  %e4 = arith.cmpi eq, %nx, %all : index
  %e5 = arith.cmpi eq, %ny, %all : index
  ascend.expects %e0, "rows >= 0"
  ascend.expects %e1, "cols >= 1"
  ascend.expects %e2, "rows <= 1'000'000"
  ascend.expects %e3, "cols <= 1'000'000"
  ascend.expects %e4, "x.size() == rows * cols"
  ascend.expects %e5, "y.size() == rows * cols"
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.cmpi eq, %core, %c0 : index
  scf.if %first {
    scf.for %r = %c0 to %rows step %c1 {
      %at = arith.muli %r, %cols : index
      // expected-warning @+3 {{cannot prove 'i * cols + 512 <= x.size()'; a run-time guard is inserted [gm-out-of-bounds]}}
      // expected-note @+2 {{it fails for rows = 1, cols = 1, x.size() = 1, i = 0}}
      // expected-note @+1 {{'expects(cols >= 512)' would settle it}}
      %t = ascend.load %x[%at] [512] : !view -> !tile
      %d = arith.addf %t, %t : !tile
      ascend.store %d, %y[%at] [512] : !tile -> !view
    }
  }
  return
}

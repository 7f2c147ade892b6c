// Sums are written before products are added to them, and before they are stored: each
// way in which they may not be, once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions

// A flag that loops carry, and zeros where there was no product.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @right(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    %inner = scf.for %k = %c0 to %count step %c1 iter_args(%now = %first) -> (i1) {
      ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %now : !a, !b, !c
      scf.yield %false : i1
    }
    scf.yield %inner : i1
  }
  scf.if %none {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  }
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %false : !a, !b, !c
  return
}

// -----
// One buffer for each iteration, and numbers that are computed anew each time.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @right_in_loop(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  scf.for %j = %c0 to %count step %c1 {
    %left = arith.subi %count, %j : index
    %m = arith.minsi %left, %c32 : index
    %c = ascend.buffer at 0 : !c
    %none = scf.for %k = %c0 to %count step %c1 iter_args(%now = %true) -> (i1) {
      %m0 = arith.maxsi %m, %c16 : index
      ascend.cube.mmad %a, %b -> %c[%m0, %c32, %c16] init %now : !a, !b, !c
      scf.yield %false : i1
    }
    scf.if %none {
      %m1 = arith.maxsi %m, %c16 : index
      ascend.cube.mmad %a, %b -> %c[%m1, %c32, %c16] init %true : !a, !b, !c
    }
    %m2 = arith.maxsi %m, %c16 : index
    %m3 = arith.addi %m2, %c15 : index
    %m4 = arith.divsi %m3, %c16 : index
    %m5 = arith.muli %m4, %c16 : index
    ascend.cube.fixpipe %c row %c0 src_pitch %m5 -> %z[0, 0] [%m, 32] rows %m cols %c32 pitch %p : !c, !view
  }
  return
}

// -----
// The flag is false without a product.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @no_product(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    scf.yield %false : i1
  }
  // expected-error @+1 {{cannot prove that the sums that Mmad reads have been written; this is an error of Belay [unproven-instruction]}}
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %none : !a, !b, !c
  return
}

// -----
// The product is executed by some iterations only.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @some_products(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    %even = arith.cmpi eq, %i, %c16 : index
    scf.if %even {
      // expected-error @+1 {{cannot prove that the sums that Mmad reads have been written}}
      ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %first : !a, !b, !c
    }
    scf.yield %false : i1
  }
  return
}

// -----
// The flag of an outer loop speaks of the buffer of another iteration.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @outer_flag(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    %c = ascend.buffer at 0 : !c
    // expected-error @+1 {{cannot prove that the sums that Mmad reads have been written}}
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %first : !a, !b, !c
    scf.yield %false : i1
  }
  return
}

// -----
// The same through a loop in between.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @outer_flag_inside(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    %c = ascend.buffer at 0 : !c
    %inner = scf.for %k = %c0 to %count step %c1 iter_args(%now = %first) -> (i1) {
      // expected-error @+1 {{cannot prove that the sums that Mmad reads have been written}}
      ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %now : !a, !b, !c
      scf.yield %false : i1
    }
    scf.yield %inner : i1
  }
  return
}

// -----
// Stored before any product.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @stored_first(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  // expected-error @+1 {{cannot prove that the sums that Fixpipe reads have been written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  return
}

// -----
// Stored after a loop that may have had no iteration.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @no_iteration(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %first : !a, !b, !c
    scf.yield %false : i1
  }
  // expected-error @+1 {{cannot prove that the sums that Fixpipe reads have been written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  return
}

// -----
// Zeros are written in the case that is not missing.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_branch(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %none = scf.for %i = %c0 to %count step %c1 iter_args(%first = %true) -> (i1) {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %first : !a, !b, !c
    scf.yield %false : i1
  }
  scf.if %none {
  } else {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  }
  // expected-error @+1 {{cannot prove that the sums that Fixpipe reads have been written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  return
}

// -----
// A flag that says nothing: the first look at it fails, and so does the second.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @argument_flag(%z: !view, %count: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  %kept = scf.for %i = %c0 to %count step %c1 iter_args(%f = %flag) -> (i1) {
    scf.yield %f : i1
  }
  scf.if %kept {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  }
  scf.if %kept {
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  }
  // expected-error @+1 {{cannot prove that the sums that Fixpipe reads have been written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  return
}

// -----
// More columns are stored than have been written.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @columns(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  ascend.cube.mmad %a, %b -> %c[%c32, %c16, %c16] init %true : !a, !b, !c
  // expected-error @+1 {{cannot prove that Fixpipe has no more columns than have been written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  return
}

// -----
// More rows are stored than have been written, and fractals lie as these say.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @rows(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  ascend.cube.mmad %a, %b -> %c[%c16, %c32, %c16] init %true : !a, !b, !c
  // expected-error @+2 {{cannot prove that Fixpipe has no more rows than have been written}}
  // expected-error @+1 {{cannot prove that Fixpipe has the pitch with which products have written}}
  ascend.cube.fixpipe %c row %c0 src_pitch %c32 -> %z[0, 0] [32, 32] rows %c32 cols %c32 pitch %p : !c, !view
  return
}

// -----
// Products of other sizes are added.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_sizes(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  ascend.cube.mmad %a, %b -> %c[%c16, %c16, %c16] init %true : !a, !b, !c
  // expected-error @+2 {{cannot prove that Mmad has the m of the other products in its sums}}
  // expected-error @+1 {{cannot prove that Mmad has no more columns than have been written}}
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %false : !a, !b, !c
  return
}

// -----
// What a product writes depends on the iteration.
#gm = #ascend.space<gm>
!view = memref<?x?xf32, #gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @growing(%z: !view, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %most = arith.constant 65535 : index
  %p = memref.dim %z, %c1 : !view
  %rows = memref.dim %z, %c0 : !view
  %wide = arith.cmpi sge, %p, %c32 : index
  %high = arith.cmpi sge, %rows, %c32 : index
  %near = arith.cmpi sle, %p, %most : index
  ascend.expects %wide, "z has the columns"
  ascend.expects %high, "z has the rows"
  ascend.expects %near, "rows of z are not too far apart"
  %c = ascend.buffer at 0 : !c
  ascend.cube.mmad %a, %b -> %c[%c32, %c16, %c16] init %true : !a, !b, !c
  scf.for %i = %c16 to %c32 step %c1 {
    // expected-error @+1 {{cannot prove that the sums that Mmad reads have been written}}
    ascend.cube.mmad %a, %b -> %c[%c32, %i, %c16] init %false : !a, !b, !c
  }
  return
}

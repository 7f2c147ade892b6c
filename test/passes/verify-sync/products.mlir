// Products on the same sums: the cube orders them from ten fractals on, and below a
// barrier does, directly before the product. Everything else is refused.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-sync

#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @right(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// Twelve fractals are enough.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!a2 = memref<4x1x16x16xf16, #ascend.space<l0a>>
!b2 = memref<1x3x16x16xf16, #ascend.space<l0b>>
!d = memref<3x64x16xf32, #ascend.space<l0c>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @enough(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %a2 = ascend.buffer at 0 : !a2
  %b2 = ascend.buffer at 0 : !b2
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %d = ascend.buffer at 0 : !d
  scf.for %i = %c0 to %count step %c1 {
    ascend.cube.mmad %a2, %b2 -> %d[%c64, %c48, %c16] init %false : !a2, !b2, !d
  }
  return
}

// -----
// Four are not.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @few(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// No barrier at all.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @none(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// A barrier below nine.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @nine(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c9 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// A barrier from ten on.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @reverse(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi sge, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// A barrier of another pipe.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_pipe(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <MTE1>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// The fractals of another number of rows are counted.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_rows(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %n, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// Something is between the barrier and the product.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @between(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    %d = ascend.buffer at 4096 : !c
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// The number of rows is another one in each iteration.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_each_time(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    %r = arith.maxsi %i, %c16 : index
    %mu = arith.addi %r, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%r, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// In each iteration of the loop around them, these are other sums.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @other_sums(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  scf.for %i = %c0 to %count step %c1 {
    %c = ascend.buffer at 0 : !c
    %mu = arith.addi %m, %c15 : index
    %mf = arith.divsi %mu, %c16 : index
    %nu = arith.addi %n, %c15 : index
    %nf = arith.divsi %nu, %c16 : index
    %count0 = arith.muli %mf, %nf : index
    %few = arith.cmpi slt, %count0, %c10 : index
    scf.if %few {
      ascend.barrier on <M>
    }
    // expected-error @+2 {{may start while 'ascend.cube.mmad' on M still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  }
  return
}

// -----
// Two buffers in the same place.
#gm = #ascend.space<gm>
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
func.func @two_buffers(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %d = ascend.buffer at 0 : !c
  // expected-note @+1 {{the other is here}}
  ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !a, !b, !c
  %mu = arith.addi %m, %c15 : index
  %mf = arith.divsi %mu, %c16 : index
  %nu = arith.addi %n, %c15 : index
  %nf = arith.divsi %nu, %c16 : index
  %count0 = arith.muli %mf, %nf : index
  %few = arith.cmpi slt, %count0, %c10 : index
  scf.if %few {
    ascend.barrier on <M>
  }
  // expected-error @+1 {{'ascend.cube.mmad' on M may start while 'ascend.cube.mmad' on M still uses the same memory}}
  ascend.cube.mmad %a, %b -> %d[%m, %n, %c16] init %false : !a, !b, !c
  return
}

// -----
// Rows of fractals that a loop counts follow each other.
#gm = #ascend.space<gm>
!l1 = memref<4x64x16xf16, #ascend.space<l1>>
!b = memref<4x4x16x16xf16, #ascend.space<l0b>>
func.func @rows_of_fractals(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = ascend.buffer at 0 : !l1
  %b = ascend.buffer at 0 : !b
  scf.for %i = %c0 to %k step %c1 {
    %c = arith.muli %i, %c16 : index
    ascend.cube.load_fractals %a[%c0, %c] [%n, %c16] transposed -> %b outer %i : !l1, !b
  }
  return
}

// -----
// Their length is another one in each iteration.
#gm = #ascend.space<gm>
!l1 = memref<4x64x16xf16, #ascend.space<l1>>
!b = memref<4x4x16x16xf16, #ascend.space<l0b>>
func.func @other_lengths(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = ascend.buffer at 0 : !l1
  %b = ascend.buffer at 0 : !b
  scf.for %i = %c0 to %k step %c1 {
    %c = arith.muli %i, %c16 : index
    // expected-error @+2 {{may start while 'ascend.cube.load_fractals' on MTE1 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.load_fractals %a[%c0, %c] [%c, %c16] transposed -> %b outer %i : !l1, !b
  }
  return
}

// -----
// In another iteration of a loop around it, the same rows are written again.
#gm = #ascend.space<gm>
!l1 = memref<4x64x16xf16, #ascend.space<l1>>
!b = memref<4x4x16x16xf16, #ascend.space<l0b>>
func.func @same_rows(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = ascend.buffer at 0 : !l1
  %b = ascend.buffer at 0 : !b
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %k step %c1 {
      %c = arith.muli %i, %c16 : index
    // expected-error @+2 {{may start while 'ascend.cube.load_fractals' on MTE1 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
      ascend.cube.load_fractals %a[%c0, %c] [%n, %c16] transposed -> %b outer %i : !l1, !b
    }
  }
  return
}

// -----
// The row is no number that the loop counts.
#gm = #ascend.space<gm>
!l1 = memref<4x64x16xf16, #ascend.space<l1>>
!b = memref<4x4x16x16xf16, #ascend.space<l0b>>
func.func @same_row(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = ascend.buffer at 0 : !l1
  %b = ascend.buffer at 0 : !b
  scf.for %i = %c0 to %k step %c1 {
    // expected-error @+2 {{may start while 'ascend.cube.load_fractals' on MTE1 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.cube.load_fractals %a[%c0, %c0] [%n, %c16] transposed -> %b outer %c0 : !l1, !b
  }
  return
}

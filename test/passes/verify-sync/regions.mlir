// Parts of buffers and of views are compared dimension by dimension, and from one iteration of
// a loop to another.
// RUN: belay-opt %s --ascend-verify-sync --split-input-file --verify-diagnostics

#ub = #ascend.space<ub>
// A loop that moves on by what an instruction reaches over: no iteration overlaps another.
func.func @moves_on(%s: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  scf.for %c = %c0 to %c256 step %c64 {
    %p = memref.subview %a[0, %c] [1, 64] [1, 1] : memref<4x256xf32, #ub> to memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
    ascend.vec.fill %s -> %p, %c64 : f32, memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
  }
  return
}

// -----
#ub = #ascend.space<ub>
func.func @overtakes(%s: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  scf.for %c = %c0 to %c192 step %c32 {
    %p = memref.subview %a[0, %c] [1, 64] [1, 1] : memref<4x256xf32, #ub> to memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
    // expected-error @+2 {{'ascend.vec.fill' on V may start while 'ascend.vec.fill' on V still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.vec.fill %s -> %p, %c64 : f32, memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
  }
  return
}

// -----
#ub = #ascend.space<ub>
// The second is ahead, and reaches over what the first comes to in the next iteration; where the
// second comes to, the first has never been.
func.func @catches_up(%s: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  scf.for %c = %c0 to %c192 step %c64 {
    %ahead = arith.addi %c, %c32 : index
    %p = memref.subview %a[0, %c] [1, 32] [1, 1] : memref<4x256xf32, #ub> to memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
    %q = memref.subview %a[0, %ahead] [1, 64] [1, 1] : memref<4x256xf32, #ub> to memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
    // expected-error @+1 {{'ascend.vec.fill' on V may start while 'ascend.vec.fill' on V still uses the same memory}}
    ascend.vec.fill %s -> %p, %c32 : f32, memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
    // expected-note @+1 {{the other is here}}
    ascend.vec.fill %s -> %q, %c64 : f32, memref<1x64xf32, strided<[256, 1], offset: ?>, #ub>
  }
  return
}

// -----
#ub = #ascend.space<ub>
// Apart in one iteration by a constant, and in all others by what the loop gains.
func.func @side_by_side(%s: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  scf.for %c = %c0 to %c256 step %c64 {
    %ahead = arith.addi %c, %c32 : index
    %p = memref.subview %a[0, %c] [1, 32] [1, 1] : memref<4x256xf32, #ub> to memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
    %q = memref.subview %a[0, %ahead] [1, 32] [1, 1] : memref<4x256xf32, #ub> to memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
    ascend.vec.fill %s -> %p, %c32 : f32, memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
    ascend.vec.fill %s -> %q, %c32 : f32, memref<1x32xf32, strided<[256, 1], offset: ?>, #ub>
  }
  return
}

// -----
#ub = #ascend.space<ub>
// Rows of two buffers in the same place: the same rows of one type, any rows of another.
func.func @same_place(%s: f32, %h: f16, %r: index) {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<4x64xf32, #ub>
  %b = ascend.buffer at 0 : memref<4x64xf32, #ub>
  %c = ascend.buffer at 0 : memref<4x64xf16, #ub>
  %p = memref.subview %a[0, 0] [1, 64] [1, 1] : memref<4x64xf32, #ub> to memref<1x64xf32, strided<[64, 1]>, #ub>
  %q = memref.subview %b[1, 0] [1, 64] [1, 1] : memref<4x64xf32, #ub> to memref<1x64xf32, strided<[64, 1], offset: 64>, #ub>
  %t = memref.subview %c[1, 0] [1, 64] [1, 1] : memref<4x64xf16, #ub> to memref<1x64xf16, strided<[64, 1], offset: 64>, #ub>
  // expected-note @+1 {{the other is here}}
  ascend.vec.fill %s -> %p, %c64 : f32, memref<1x64xf32, strided<[64, 1]>, #ub>
  ascend.vec.fill %s -> %q, %c64 : f32, memref<1x64xf32, strided<[64, 1], offset: 64>, #ub>
  // expected-error @+1 {{'ascend.vec.fill' on V may start while 'ascend.vec.fill' on V still uses the same memory}}
  ascend.vec.fill %h -> %t, %c64 : f16, memref<1x64xf16, strided<[64, 1], offset: 64>, #ub>
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// The outer loop stays where it is: its next iteration overlaps what the inner one left.
func.func @outer_stays(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c64 {
      // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
      // expected-note @+1 {{the other is here}}
      ascend.dma.out %a -> %y[%i] [64] : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
    }
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// The outer loop moves on, the inner one stays: iterations of the inner one overlap.
func.func @inner_stays(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c64 {
    scf.for %t = %c0 to %n step %c1 {
      // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
      // expected-note @+1 {{the other is here}}
      ascend.dma.out %a -> %y[%i] [64] : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
    }
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// A barrier for each iteration of the outer loop is enough: the inner one moves on.
func.func @barrier_outside(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c64 {
      ascend.dma.out %a -> %y[%i] [64] : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
    }
    ascend.barrier on <MTE3>
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// Offsets that an inner loop computes are not those of another iteration of the outer one.
func.func @named_by_data(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xi32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %id = ascend.scalar.read %b[%i] : memref<1x64xi32, #ub> -> i32
    %row = arith.index_cast %id : i32 to index
    // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.dma.out %a -> %y[%row, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// Every second element from one, and every second from the next: not told apart.
func.func @interleaved(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}) {
  %a = ascend.buffer at 0 : memref<1x32xf32, #ub>
  %even = memref.subview %y[0] [32] [2] : memref<?xf32, #gm> to memref<32xf32, strided<[2]>, #gm>
  %odd = memref.subview %y[1] [32] [2] : memref<?xf32, #gm> to memref<32xf32, strided<[2], offset: 1>, #gm>
  // expected-note @+1 {{the other is here}}
  ascend.dma.out %a -> %even[0] [32] : memref<1x32xf32, #ub> -> memref<32xf32, strided<[2]>, #gm>
  // expected-error @+1 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
  ascend.dma.out %a -> %odd[0] [32] : memref<1x32xf32, #ub> -> memref<32xf32, strided<[2], offset: 1>, #gm>
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
// Repeats that follow each other end where their row ends: other rows are apart.
func.func @along_rows(%r: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  %b = ascend.buffer at 4096 : memref<4x256xf32, #ub>
  scf.for %i = %c0 to %r step %c1 {
    %p = ascend.slice %a[%i, 0] : memref<4x256xf32, #ub> -> !part
    %q = ascend.slice %b[%i, 0] : memref<4x256xf32, #ub> -> !part
    ascend.rep.binary <add> %p, %p -> %q mask %c64 repeat %c4 blocks [1, 1, 1] rows [8, 8, 8] : !part, !part, !part
  }
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
// From the second repeat of a row on, the same are in two rows.
func.func @past_the_row(%r: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  %b = ascend.buffer at 4096 : memref<4x256xf32, #ub>
  scf.for %i = %c0 to %r step %c1 {
    %p = ascend.slice %a[%i, 0] : memref<4x256xf32, #ub> -> !part
    %q = ascend.slice %b[%i, 64] : memref<4x256xf32, #ub> -> !part
    // expected-error @+2 {{'ascend.rep.binary' on V may start while 'ascend.rep.binary' on V still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.rep.binary <add> %p, %p -> %q mask %c64 repeat %c4 blocks [1, 1, 1] rows [8, 8, 8] : !part, !part, !part
  }
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
// As many repeats as nobody knows may be more than a row has.
func.func @any_repeats(%r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<4x256xf32, #ub>
  %b = ascend.buffer at 4096 : memref<4x256xf32, #ub>
  scf.for %i = %c0 to %r step %c1 {
    %p = ascend.slice %a[%i, 0] : memref<4x256xf32, #ub> -> !part
    %q = ascend.slice %b[%i, 0] : memref<4x256xf32, #ub> -> !part
    // expected-error @+2 {{'ascend.rep.binary' on V may start while 'ascend.rep.binary' on V still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.rep.binary <add> %p, %p -> %q mask %c64 repeat %n blocks [1, 1, 1] rows [8, 8, 8] : !part, !part, !part
  }
  return
}

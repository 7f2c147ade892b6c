// Loops whose number of iterations nobody knows, none included.
// RUN: belay-opt %s --ascend-verify-sync --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// A flag that goes from one iteration to the next is up before the loop and after it.
func.func @right(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  ascend.flag.set <V> to <MTE2> event 0
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    ascend.flag.wait <V> to <MTE2> event 0
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.flag.set <MTE2> to <V> event 0
    ascend.flag.wait <MTE2> to <V> event 0
    ascend.barrier on <V>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.flag.set <V> to <MTE2> event 0
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  ascend.flag.wait <V> to <MTE2> event 0
  return
}

// -----
// Right in each iteration, wrong from one to the next.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @carried(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // expected-error @+2 {{'ascend.dma.in' on MTE2 may start while 'ascend.dma.in' on MTE2 still uses the same memory}}
    // expected-error @+1 {{'ascend.dma.in' on MTE2 may start while 'ascend.vec.unary' on V still uses the same memory}}
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    // expected-note @-1 {{the other is here}}
    // expected-error @+1 {{the flag MTE2 to V event 0 may be raised again before it was awaited}}
    ascend.flag.set <MTE2> to <V> event 0
    // expected-note @+1 {{it is awaited here}}
    ascend.flag.wait <MTE2> to <V> event 0
    ascend.barrier on <V>
    // expected-note @+1 {{the other is here}}
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----
// Nothing raises it if there is no iteration.
func.func @none(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{the flag MTE2 to V event 0 is raised at the end of an iteration but not at its start}}
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // expected-error @+1 {{is raised again before it was awaited}}
    ascend.flag.set <MTE2> to <V> event 0
    scf.yield %c0 : index
  }
  // expected-error @+1 {{V waits for MTE2 event 0, which nothing raised on some path here}}
  ascend.flag.wait <MTE2> to <V> event 0
  return
}

// -----
// Where a loop that counts would move on, this one may come back: no two of its iterations
// are known to be apart.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @comes_back(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index, %s: f32)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.dma.out %a -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----
// A loop that counts, in one of which nothing is known: its own iterations are apart, those
// of the outer one are not.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @outer(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    scf.for %k = %c0 to %n step %c1 {
      // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
      // expected-note @+1 {{the other is here}}
      ascend.dma.out %a -> %y[%k, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    }
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----
// The condition is executed once more after the last iteration: what follows the loop overlaps
// that, although every iteration waits for it.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @condition(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %c0) : (index) -> index {
    // expected-note @+1 {{the other is here}}
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    ascend.barrier
    ascend.vec.unary <exp> %a -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.barrier
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  // expected-error @+1 {{'ascend.vec.unary' on V may start while 'ascend.dma.in' on MTE2 still uses the same memory}}
  ascend.vec.unary <exp> %a -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  return
}

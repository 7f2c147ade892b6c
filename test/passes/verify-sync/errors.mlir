// RUN: belay-opt %s --ascend-verify-sync --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @missing_flag(%x: memref<?x64xf32, #gm>) {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // expected-note @+1 {{the other is here}}
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  // expected-error @+1 {{'ascend.vec.unary' on V may start while 'ascend.dma.in' on MTE2 still uses the same memory}}
  ascend.vec.unary <exp> %a -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @missing_barrier(%s: f32) {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // Its last 64 bytes are the first of the other.
  %b = ascend.buffer at 192 : memref<1x64xf32, #ub>
  // expected-note @+1 {{the other is here}}
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  // expected-error @+1 {{'ascend.vec.fill' on V may start while 'ascend.vec.fill' on V still uses the same memory}}
  ascend.vec.fill %s -> %b, %c64 : f32, memref<1x64xf32, #ub>
  return
}

// -----
// Right in the first iteration and in each by itself, wrong from one iteration to the
// next.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @carried(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
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
  }
  return
}

// -----
func.func @never_raised() {
  // expected-error @+1 {{V waits for MTE2 event 0, which nothing raised}}
  ascend.flag.wait <MTE2> to <V> event 0
  return
}

// -----
func.func @left_raised() {
  ascend.flag.set <MTE2> to <V> event 0
  // expected-error @+1 {{the flag MTE2 to V event 0 is still raised at the end}}
  return
}

// -----
func.func @raised_twice() {
  ascend.flag.set <MTE2> to <V> event 0
  // expected-error @+1 {{the flag MTE2 to V event 0 is raised again before it was awaited}}
  ascend.flag.set <MTE2> to <V> event 0
  ascend.flag.wait <MTE2> to <V> event 0
  return
}

// -----
// The second set may come before the first wait: nothing tells MTE2 of V.
func.func @run_ahead() {
  ascend.flag.set <MTE2> to <V> event 0
  // expected-note @+1 {{it is awaited here}}
  ascend.flag.wait <MTE2> to <V> event 0
  // expected-error @+1 {{the flag MTE2 to V event 0 may be raised again before it was awaited}}
  ascend.flag.set <MTE2> to <V> event 0
  ascend.flag.wait <MTE2> to <V> event 0
  return
}

// -----
func.func @one_branch(%c: i1) {
  // expected-error @+1 {{the flag MTE2 to V event 0 is raised in one branch only}}
  scf.if %c {
    ascend.flag.set <MTE2> to <V> event 0
  }
  // expected-error @+1 {{V waits for MTE2 event 0, which nothing raised on some path here}}
  ascend.flag.wait <MTE2> to <V> event 0
  return
}

// -----
func.func @unbalanced(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  ascend.flag.set <MTE2> to <V> event 0
  // expected-error @+1 {{the flag MTE2 to V event 0 is raised at the end of an iteration but not at its start, or the reverse}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{V waits for MTE2 event 0, which nothing raised on some path here}}
    ascend.flag.wait <MTE2> to <V> event 0
  }
  // expected-error @+1 {{the flag MTE2 to V event 0 is still raised at the end}}
  return
}

// -----
func.func @range() {
  // expected-error @+1 {{event 6 is out of range; MTE2 to V has 6}}
  ascend.flag.set <MTE2> to <V> event 6
  // expected-error @+1 {{event 6 is out of range; MTE2 to V has 6}}
  ascend.flag.wait <MTE2> to <V> event 6
  return
}

// -----
#ub = #ascend.space<ub>
func.func @unplaced(%s: f32) {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer : memref<1x64xf32, #ub>
  // expected-error @+1 {{'ascend.vec.fill' uses a buffer that has no place in memory}}
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  return
}

// -----
// A slot that does not alternate could be either.
func.func @slot(%slot: index) {
  // expected-error @+1 {{which event this is cannot be seen: its slot does not alternate}}
  ascend.flag.set <MTE2> to <V> event 0 + %slot
  // expected-error @+1 {{which event this is cannot be seen: its slot does not alternate}}
  ascend.flag.wait <MTE2> to <V> event 0 + %slot
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// Quotient and remainder of different divisions: two iterations may have the same tile.
func.func @tiles(%y: memref<?x?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index,
                 %across: index, %other: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.divsi %i, %other : index
    %tile = arith.remsi %i, %across : index
    %col = arith.muli %tile, %c64 : index
    // expected-error @+2 {{'ascend.dma.out' on MTE3 may start while 'ascend.dma.out' on MTE3 still uses the same memory}}
    // expected-note @+1 {{the other is here}}
    ascend.dma.out %a -> %y[%row, %col] [1, 64] : memref<1x64xf32, #ub> -> memref<?x?xf32, #gm>
  }
  return
}

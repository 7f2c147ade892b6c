// A cube core and a vector core: the cube core stores sums to a workspace, the
// vector core loads them. At most one flag of a number is ever raised.
// RUN: belay-opt %s --ascend-verify-sync --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
!sums = memref<1x16x16xf32, #ascend.space<l0c>>
!work = memref<?x16x16xf32, #gm>
!tile = memref<16x16xf32, #ascend.space<ub>>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @hand_over(%w: !work {ascend.role = #ascend.role<percore>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %s = ascend.buffer at 0 : !sums
  %t = ascend.buffer at 0 : !tile
  ascend.flag.set <MTE2> to <AIC_S> event 1
  scf.for %i = %c0 to %n step %c1 {
    ascend.flag.wait <MTE2> to <AIC_S> event 1
    ascend.cube.out %s pitch %c16 -> %w[%c0, 0, 0] [1, 16, 16] : !sums -> !work
    ascend.flag.set <FIX> to <S> event 0
    ascend.flag.wait <FIX> to <S> event 0
    ascend.dma.in %w[%c0, 0, 0] [1, 16, 16] -> %t : !work -> !tile
    ascend.flag.set <MTE2> to <AIC_S> event 1
    ascend.barrier on <MTE2>
  }
  ascend.flag.wait <MTE2> to <AIC_S> event 1
  return
}
}

// -----
// The producer overtakes the consumer: it never waits until the workspace has
// been read. Public kernels hang or lose tiles by this
// (tile-ai/tilelang-ascend issue 1665).
#gm = #ascend.space<gm>
!sums = memref<1x16x16xf32, #ascend.space<l0c>>
!work = memref<?x16x16xf32, #gm>
!tile = memref<16x16xf32, #ascend.space<ub>>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @overtaken(%w: !work {ascend.role = #ascend.role<percore>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %s = ascend.buffer at 0 : !sums
  %t = ascend.buffer at 0 : !tile
  scf.for %i = %c0 to %n step %c1 {
    ascend.barrier on <FIX>
    // expected-error @+1 {{'ascend.cube.out' on FIX may start while 'ascend.dma.in' on MTE2 still uses the same memory}}
    ascend.cube.out %s pitch %c16 -> %w[%c0, 0, 0] [1, 16, 16] : !sums -> !work
    // expected-error @+1 {{may be raised again before it was awaited}}
    ascend.flag.set <FIX> to <S> event 0
    // expected-note @+1 {{it is awaited here}}
    ascend.flag.wait <FIX> to <S> event 0
    // expected-note @+1 {{the other is here}}
    ascend.dma.in %w[%c0, 0, 0] [1, 16, 16] -> %t : !work -> !tile
    ascend.barrier on <MTE2>
  }
  return
}
}

// -----
// A flag that only counts: the set of the next iteration may come before the
// wait of this one, though the workspace has two halves.
#gm = #ascend.space<gm>
!sums = memref<1x16x16xf32, #ascend.space<l0c>>
!work = memref<?x16x16xf32, #gm>
!tile = memref<16x16xf32, #ascend.space<ub>>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @counted(%w: !work {ascend.role = #ascend.role<percore>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %s = ascend.buffer at 0 : !sums
  %t = ascend.buffer at 0 : !tile
  scf.for %i = %c0 to %n step %c1 {
    ascend.cube.out %s pitch %c16 -> %w[%i, 0, 0] [1, 16, 16] : !sums -> !work
    // expected-error @+1 {{may be raised again before it was awaited}}
    ascend.flag.set <FIX> to <S> event 0
    // expected-note @+1 {{it is awaited here}}
    ascend.flag.wait <FIX> to <S> event 0
    ascend.dma.in %w[%i, 0, 0] [1, 16, 16] -> %t : !work -> !tile
    ascend.barrier on <MTE2>
  }
  return
}
}

// -----
// Barriers order one pipe of one core, not the two cores.
#gm = #ascend.space<gm>
!sums = memref<1x16x16xf32, #ascend.space<l0c>>
!work = memref<?x16x16xf32, #gm>
!tile = memref<16x16xf32, #ascend.space<ub>>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @barriers(%w: !work {ascend.role = #ascend.role<percore>}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %s = ascend.buffer at 0 : !sums
  %t = ascend.buffer at 0 : !tile
  // expected-note @+1 {{the other is here}}
  ascend.cube.out %s pitch %c16 -> %w[%c0, 0, 0] [1, 16, 16] : !sums -> !work
  ascend.barrier on <FIX>
  ascend.barrier on <MTE2>
  // expected-error @+1 {{'ascend.dma.in' on MTE2 may start while 'ascend.cube.out' on FIX still uses the same memory}}
  ascend.dma.in %w[%c0, 0, 0] [1, 16, 16] -> %t : !work -> !tile
  return
}
func.func @barrier_of_both(%w: !work {ascend.role = #ascend.role<percore>}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %s = ascend.buffer at 0 : !sums
  %t = ascend.buffer at 0 : !tile
  ascend.cube.out %s pitch %c16 -> %w[%c0, 0, 0] [1, 16, 16] : !sums -> !work
  ascend.barrier
  ascend.dma.in %w[%c0, 0, 0] [1, 16, 16] -> %t : !work -> !tile
  return
}
}

// -----
// One number does not go both ways, and what is left raised is an error.
#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @both_ways() {
  ascend.flag.set <FIX> to <S> event 3
  ascend.flag.wait <FIX> to <S> event 3
  // expected-error @+1 {{flag 3 goes from core to core in both directions}}
  ascend.flag.set <MTE3> to <AIC_S> event 3
  // expected-error @+1 {{flag 3 goes from core to core in both directions}}
  ascend.flag.wait <MTE3> to <AIC_S> event 3
  return
}
func.func @left() {
  ascend.flag.set <FIX> to <S> event 3
  // expected-error @+1 {{the flag AIC_S to S event 3 is still raised at the end}}
  return
}
// The last two are those of barriers.
func.func @too_many() {
  // expected-error @+1 {{event 9 is out of range; FIX to S has 9}}
  ascend.flag.set <FIX> to <S> event 9
  // expected-error @+1 {{event 9 is out of range; FIX to S has 9}}
  ascend.flag.wait <FIX> to <S> event 9
  return
}
// It is the same flag, whichever pipe raises it.
func.func @two_pipes() {
  ascend.flag.set <FIX> to <S> event 0
  // expected-error @+1 {{is raised again before it was awaited}}
  ascend.flag.set <M> to <S> event 0
  ascend.flag.wait <FIX> to <S> event 0
  return
}
}

// -----
#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
func.func @not_the_scalar_unit() {
  // expected-error @+1 {{is awaited by MTE2 of another core, where only the scalar unit can wait (F3)}}
  ascend.flag.set <FIX> to <MTE2> event 0
  return
}
}

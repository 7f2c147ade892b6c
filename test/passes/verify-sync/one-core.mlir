// One core with both units: an operand goes to L1 by MTE3, sums leave by V. Each flag
// that is missing is named.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-sync=soc=Ascend310P3

!u = memref<16x16xf16, #ascend.space<ub>>
!l1 = memref<1x16x16xf16, #ascend.space<l1>>
!a = memref<1x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x1x16x16xf16, #ascend.space<l0b>>
!c = memref<1x16x16xf32, #ascend.space<l0c>>
!w = memref<1x16x16xf32, #ascend.space<ub>>
func.func @right() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f16
  %u = ascend.buffer at 0 : !u
  %w = ascend.buffer at 1024 : !w
  %l1 = ascend.buffer at 0 : !l1
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  ascend.cube.fill %l1 one_core : !l1
  ascend.flag.set <MTE2> to <MTE3> event 0
  ascend.flag.wait <MTE2> to <MTE3> event 0
  ascend.cube.put_blocks %u pitch 16 -> %l1 block %c0 row %c0 rows %c16 : !u, !l1
  ascend.flag.set <MTE3> to <AI_MTE1> event 0
  ascend.flag.wait <MTE3> to <AI_MTE1> event 0
  ascend.cube.load %l1[%c0, %c0] [%c16, %c16] -> %a one_core : !l1, !a
  ascend.cube.load %l1[%c0, %c0] [%c16, %c16] -> %b one_core : !l1, !b
  ascend.flag.set <AI_MTE1> to <AI_M> event 0
  ascend.flag.wait <AI_MTE1> to <AI_M> event 0
  ascend.cube.mmad %a, %b -> %c[%c16, %c16, %c16] init %true one_core : !a, !b, !c
  ascend.flag.set <AI_M> to <V> event 0
  ascend.flag.wait <AI_M> to <V> event 0
  ascend.cube.fractals %c row %c0 rows %c16 blocks %c1 pitch %c16 -> %w : !c, !w
  return
}

// -----
!u = memref<16x16xf16, #ascend.space<ub>>
!l1 = memref<1x16x16xf16, #ascend.space<l1>>
func.func @fill_and_put() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %u = ascend.buffer at 0 : !u
  %l1 = ascend.buffer at 0 : !l1
  // expected-note @+1 {{the other is here}}
  ascend.cube.fill %l1 one_core : !l1
  // expected-error @+1 {{'ascend.cube.put_blocks' on MTE3 may start while 'ascend.cube.fill' on MTE2 still uses the same memory}}
  ascend.cube.put_blocks %u pitch 16 -> %l1 block %c0 row %c0 rows %c16 : !u, !l1
  return
}

// -----
!u = memref<16x16xf16, #ascend.space<ub>>
!l1 = memref<1x16x16xf16, #ascend.space<l1>>
!a = memref<1x1x16x16xf16, #ascend.space<l0a>>
func.func @put_and_load() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %u = ascend.buffer at 0 : !u
  %l1 = ascend.buffer at 0 : !l1
  %a = ascend.buffer at 0 : !a
  // expected-note @+1 {{the other is here}}
  ascend.cube.put_blocks %u pitch 16 -> %l1 block %c0 row %c0 rows %c16 : !u, !l1
  // expected-error @+1 {{'ascend.cube.load' on AI_MTE1 may start while 'ascend.cube.put_blocks' on MTE3 still uses the same memory}}
  ascend.cube.load %l1[%c0, %c0] [%c16, %c16] -> %a one_core : !l1, !a
  return
}

// -----
!a = memref<1x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x1x16x16xf16, #ascend.space<l0b>>
!c = memref<1x16x16xf32, #ascend.space<l0c>>
!w = memref<1x16x16xf32, #ascend.space<ub>>
func.func @product_and_copy() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %w = ascend.buffer at 0 : !w
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  // expected-note @+1 {{the other is here}}
  ascend.cube.mmad %a, %b -> %c[%c16, %c16, %c16] init %true one_core : !a, !b, !c
  // expected-error @+1 {{'ascend.cube.fractals' on V may start while 'ascend.cube.mmad' on AI_M still uses the same memory}}
  ascend.cube.fractals %c row %c0 rows %c16 blocks %c1 pitch %c16 -> %w : !c, !w
  return
}

// -----
// The next product waits for V to have read the sums.
!a = memref<1x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x1x16x16xf16, #ascend.space<l0b>>
!c = memref<1x16x16xf32, #ascend.space<l0c>>
!w = memref<1x16x16xf32, #ascend.space<ub>>
func.func @overtaking(%count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %w = ascend.buffer at 0 : !w
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  scf.for %i = %c0 to %count step %c1 {
    ascend.barrier on <AI_M>
    // expected-error @+1 {{'ascend.cube.mmad' on AI_M may start while 'ascend.cube.fractals' on V still uses the same memory}}
    ascend.cube.mmad %a, %b -> %c[%c16, %c16, %c16] init %true one_core : !a, !b, !c
    // expected-error @+1 {{the flag AI_M to V event 0 may be raised again before it was awaited}}
    ascend.flag.set <AI_M> to <V> event 0
    // expected-note @+1 {{it is awaited here}}
    ascend.flag.wait <AI_M> to <V> event 0
    ascend.barrier on <V>
    // expected-note @+1 {{the other is here}}
    ascend.cube.fractals %c row %c0 rows %c16 blocks %c1 pitch %c16 -> %w : !c, !w
  }
  return
}

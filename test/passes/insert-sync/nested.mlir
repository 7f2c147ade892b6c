// What a loop carries from iteration to iteration stays set while the loops around it run: no pipe
// waits for all others between two runs of the inner loop.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s

// The verifier sees whether what the inner loop left is still in use when it starts again.
// RUN: belay-opt %s --ascend-insert-sync | sed -e '/<V> to <MTE2>/d' \
// RUN:   | not belay-opt --ascend-verify-sync 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: 'ascend.dma.in' on MTE2 may start while 'ascend.vec.unary' on V still uses the same memory

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: @planes
// CHECK: ascend.flag.set <V> to <MTE2> event 0
// CHECK-NEXT: ascend.flag.set <V> to <MTE2> event 1
// CHECK-NOT: ascend.barrier{{$}}
// CHECK: scf.for
// CHECK-NOT: ascend.flag
// CHECK-NOT: ascend.barrier
// CHECK: scf.for
// CHECK: ascend.flag.wait <V> to <MTE2> event 0 + %
// CHECK-NEXT: ascend.dma.in
// CHECK: ascend.vec.unary
// CHECK: ascend.flag.set <V> to <MTE2> event 0 + %
// CHECK: ascend.dma.out
// CHECK-NOT: ascend.barrier{{$}}
func.func @planes(%x: memref<?x?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %y: memref<?x?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %planes: index,
                  %rows: index) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %p = %c0 to %planes step %c1 {
    %last = scf.for %r = %c0 to %rows step %c1 iter_args(%slot = %c0) -> (index) {
      %a = ascend.buffer at 0 2 slots [%slot] : memref<1x64xf32, #ub>
      %b = ascend.buffer at 512 2 slots [%slot] : memref<1x64xf32, #ub>
      ascend.dma.in %x[%p, %r, 0] [1, 1, 64] -> %a : memref<?x?x64xf32, #gm> -> memref<1x64xf32, #ub>
      ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
      ascend.dma.out %b -> %y[%p, %r, 0] [1, 1, 64] : memref<1x64xf32, #ub> -> memref<?x?x64xf32, #gm>
      %next = arith.subi %c1, %slot : index
      scf.yield %next : index
    }
  }
  return
}

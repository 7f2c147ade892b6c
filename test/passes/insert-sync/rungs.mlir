// What each step of the ladder says, and what it costs.
// RUN: belay-opt %s --ascend-insert-sync="runs=0" --ascend-expand-instructions --ascend-verify-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: belay-opt %s --ascend-insert-sync="runs=0 first-rung=2" --ascend-expand-instructions --ascend-verify-sync 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: belay-opt %s --ascend-insert-sync="runs=0 first-rung=3" --ascend-expand-instructions --ascend-verify-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: belay-opt %s --ascend-insert-sync="first-rung=4" --ascend-expand-instructions --ascend-verify-sync 2>&1 | FileCheck %s --check-prefix=LAST

// PAIR: remark: V waits here for MTE2, or else 'ascend.vec.unary' on V may start while 'ascend.copy_pad.in' on MTE2 still uses the same memory
// SLOT: remark: buffers have one slot instead of two in this loop, or else 'ascend.{{.*}}; copies wait for the iteration before
// SLOT: ascend.buffer at 0 : memref
// SLOT: ascend.buffer at 512 : memref
// ALL: remark: all pipes wait here, or else 'ascend.vec.unary' on V may start while 'ascend.copy_pad.in' on MTE2
// LAST: remark: no flags order this kernel; all pipes wait before each instruction instead
// LAST: scf.for
// LAST: ascend.barrier{{$}}
// LAST: ascend.copy_pad.in
// LAST-NEXT: ascend.barrier{{$}}
// LAST-NEXT: ascend.vec.unary
// LAST-NEXT: ascend.barrier{{$}}
// LAST: ascend.copy_pad.out

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @copy(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%slot = %c0) -> (index) {
    %a = ascend.buffer at 0 2 slots [%slot] : memref<1x64xf32, #ub>
    %b = ascend.buffer at 512 2 slots [%slot] : memref<1x64xf32, #ub>
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %b -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %next = arith.subi %c1, %slot : index
    scf.yield %next : index
  }
  return
}

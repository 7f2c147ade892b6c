// When events run out, all pipes wait; the kernel is still right.
// RUN: belay-opt %s --ascend-insert-sync=events=1 --ascend-verify-sync --verify-diagnostics | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

func.func @many(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  %c = ascend.buffer at 512 : memref<1x64xf32, #ub>
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.unary <exp> %a -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.dma.in %x[1, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in
  // CHECK: ascend.dma.in
  // CHECK-NOT: ascend.flag
  // CHECK: ascend.barrier{{$}}
  // CHECK-NEXT: ascend.vec.unary
  // expected-remark @+1 {{no event from MTE2 to V is left; all pipes wait here instead}}
  ascend.vec.unary <exp> %b -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.dma.out %a -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// A branch of tiles that canonicalisation made a select is a branch again.
// RUN: belay-opt %s --ascend-lower-tiles | FileCheck %s

#gm = #ascend.space<gm>

// CHECK-LABEL: func.func @choice
// CHECK: scf.if %arg2 {
// CHECK:   ascend.vec.copy
// CHECK: } else {
// CHECK:   ascend.vec.copy
// CHECK: ascend.dma.out
func.func @choice(%x: memref<64xf32, #gm>, %y: memref<64xf32, #gm>, %c: i1) {
  %t = ascend.load %x[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  %e = math.exp %t : tensor<1x64xf32>
  %r = arith.select %c, %t, %e : tensor<1x64xf32>
  ascend.store %r, %y[0] [64] : tensor<1x64xf32> -> memref<64xf32, #gm>
  return
}

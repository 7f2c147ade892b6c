// RUN: belay-opt %s --pass-pipeline='builtin.module(func.func(ascend-lower-tiles{soc=Ascend910B3}))' | FileCheck %s --check-prefixes=CHECK,A2201
// RUN: belay-opt %s --pass-pipeline='builtin.module(func.func(ascend-lower-tiles{soc=Ascend310P3}))' | FileCheck %s --check-prefixes=CHECK,A2002
// RUN: belay-opt %s --pass-pipeline='builtin.module(func.func(ascend-lower-tiles{soc=Ascend950PR_9599}))' | FileCheck %s --check-prefixes=CHECK,A3510

// int32_t to half multiplies by a scale: through float, then, which rounds no
// integer that half can hold.
// CHECK-LABEL: @through_float
// A2201: ascend.vec.cast <rint> {{.*}}xi32{{.*}}xf32
// A2201: ascend.vec.cast <rint> {{.*}}xf32{{.*}}xf16
// A2002: ascend.vec.cast <none> {{.*}}xi32{{.*}}xf32
// A2002: ascend.vec.cast <none> {{.*}}xf32{{.*}}xf16
// A3510: ascend.vec.cast <rint> {{.*}}xi32{{.*}}xf32
// A3510: ascend.vec.cast <rint> {{.*}}xf32{{.*}}xf16
// CHECK-NOT: ascend.vec.cast
func.func @through_float(%x: memref<64xi32, #ascend.space<gm>>,
                         %y: memref<64xf16, #ascend.space<gm>>) {
  %t = ascend.load %x[0] [64] : memref<64xi32, #ascend.space<gm>> -> tensor<1x64xi32>
  %h = arith.sitofp %t : tensor<1x64xi32> to tensor<1x64xf16>
  ascend.store %h, %y[0] [64] : tensor<1x64xf16> -> memref<64xf16, #ascend.space<gm>>
  return
}

// The operation before a conversion to integers says how it rounds, and is no
// instruction of its own. What is too large ends at the edge, whatever it was
// on the way.
// CHECK-LABEL: @to_narrow_integers
// CHECK-NOT: ascend.vec.unary
// A2201: ascend.vec.cast <floor> {{.*}}xf32{{.*}}xi16
// A2201: ascend.vec.cast <rint> {{.*}}xi16{{.*}}xf16
// A2201: ascend.vec.cast <rint> {{.*}}xf16{{.*}}xi8
// A2002: ascend.vec.cast <floor> {{.*}}xf32{{.*}}xi32
// A2002: ascend.vec.cast <none> {{.*}}xi32{{.*}}xi16
// A2002: ascend.vec.cast <none> {{.*}}xi16{{.*}}xf16
// A2002: ascend.vec.cast <none> {{.*}}xf16{{.*}}xi8
// A3510: ascend.vec.cast <floor> {{.*}}xf32{{.*}}xi16
// A3510: ascend.vec.cast <rint> {{.*}}xi16{{.*}}xf16
// A3510: ascend.vec.cast <rint> {{.*}}xf16{{.*}}xi8
// CHECK-NOT: ascend.vec.cast
func.func @to_narrow_integers(%x: memref<64xf32, #ascend.space<gm>>,
                              %y: memref<64xi8, #ascend.space<gm>>) {
  %t = ascend.load %x[0] [64] : memref<64xf32, #ascend.space<gm>> -> tensor<1x64xf32>
  %w = math.floor %t : tensor<1x64xf32>
  %n = arith.fptosi %w : tensor<1x64xf32> to tensor<1x64xi8>
  ascend.store %n, %y[0] [64] : tensor<1x64xi8> -> memref<64xi8, #ascend.space<gm>>
  return
}

// CHECK-LABEL: @wide
// CHECK: ascend.vec.cast <rint> {{.*}}xf32{{.*}}xi32
// CHECK: ascend.vec.cast <{{none|rint}}> {{.*}}xi32{{.*}}xf32
// CHECK: ascend.vec.compare
// CHECK: ascend.vec.select
func.func @wide(%x: memref<64xf32, #ascend.space<gm>>,
                %y: memref<64xf32, #ascend.space<gm>>) {
  %t = ascend.load %x[0] [64] : memref<64xf32, #ascend.space<gm>> -> tensor<1x64xf32>
  %w = math.roundeven %t : tensor<1x64xf32>
  ascend.store %w, %y[0] [64] : tensor<1x64xf32> -> memref<64xf32, #ascend.space<gm>>
  return
}

// Copies in first, copies out last, and what is independent side by side.
// RUN: belay-opt %s --ascend-schedule | FileCheck %s
// RUN: belay-opt %s --ascend-schedule=capacity=1536 | FileCheck %s --check-prefix=TIGHT

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @iteration
// TIGHT-LABEL: func.func @iteration
func.func @iteration(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: scf.for
  // CHECK: ascend.dma.in
  // CHECK: ascend.dma.in
  // CHECK: ascend.vec.unary <exp>
  // CHECK: ascend.vec.unary <abs>
  // CHECK: ascend.vec.unary <ln>
  // CHECK: ascend.vec.unary <sqrt>
  // CHECK: ascend.dma.out
  // CHECK: ascend.dma.out

  // More would be alive at a time than there is memory with two slots for copies.
  // TIGHT: ascend.dma.in
  // TIGHT: ascend.vec.unary <exp>
  // TIGHT: ascend.vec.unary <ln>
  // TIGHT: ascend.dma.out
  // TIGHT: ascend.dma.in
  scf.for %i = %c0 to %n step %c1 {
    %a = ascend.buffer : memref<1x64xf32, #ub>
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    %b = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    %c = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <ln> %b -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %c -> %x[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %d = ascend.buffer : memref<1x64xf32, #ub>
    ascend.dma.in %y[%i, 0] [1, 64] -> %d : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    %e = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <abs> %d -> %e, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    %f = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <sqrt> %e -> %f, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %f -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  }
  return
}

// What was written is read again: the copy out stays before the copy in.
// CHECK-LABEL: func.func @again
func.func @again(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>}, %s: f32)
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer : memref<1x64xf32, #ub>
  %b = ascend.buffer : memref<1x64xf32, #ub>
  // CHECK: ascend.vec.fill
  // CHECK: ascend.dma.out
  // CHECK: ascend.dma.in
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  ascend.dma.out %a -> %x[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  ascend.dma.in %x[0, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  // CHECK: ascend.vec.unary
  ascend.vec.unary <abs> %b -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // What the scalar unit makes of an element comes after the element.
  // CHECK: ascend.scalar.read
  // CHECK: arith.addf
  // CHECK: ascend.vec.fill
  %e = ascend.scalar.read %b[%c64] : memref<1x64xf32, #ub> -> f32
  %t = arith.addf %e, %s : f32
  ascend.vec.fill %t -> %a, %c64 : f32, memref<1x64xf32, #ub>
  // CHECK: ascend.dma.out
  ascend.dma.out %a -> %x[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// Nothing passes a barrier of all cores.
// CHECK-LABEL: func.func @barrier
func.func @barrier(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %s: f32)
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer : memref<1x64xf32, #ub>
  %b = ascend.buffer : memref<1x64xf32, #ub>
  // CHECK: ascend.vec.fill
  // CHECK: ascend.sync_cores
  // CHECK: ascend.dma.in
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  ascend.sync_cores
  ascend.dma.in %x[0, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  return
}

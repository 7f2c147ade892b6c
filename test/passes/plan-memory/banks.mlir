// Where there is room: buffers in different groups of banks, results beside their operands instead
// of in their place, and one fill for all iterations.
// RUN: belay-opt %s --ascend-plan-memory --split-input-file | FileCheck %s
// RUN: belay-opt %s --ascend-plan-memory=capacity=81408 --split-input-file | FileCheck %s --check-prefix=TIGHT
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!t = memref<1x4096xf32, #ub>

// What an instruction reads lies 256 bytes apart, and so does its result from one of them.
// CHECK-LABEL: func.func @read_together
func.func @read_together(%x: memref<?xf32, #gm>) {
  %c = arith.constant 4096 : index
  // CHECK: ascend.buffer at 256 :
  %a = ascend.buffer : !t
  // CHECK: ascend.buffer at {{16896|33280}} :
  %b = ascend.buffer : !t
  // CHECK: ascend.buffer at
  %d = ascend.buffer : !t
  ascend.dma.in %x[0] [4096] -> %a : memref<?xf32, #gm> -> !t
  ascend.dma.in %x[0] [4096] -> %b : memref<?xf32, #gm> -> !t
  ascend.vec.binary <add> %a, %b -> %d, %c : !t, !t, !t
  ascend.dma.out %d -> %x[0] [4096] : !t -> memref<?xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!t = memref<1x4096xf32, #ub>

// 1 / x: the dividend is filled before the loop, as a whole. With less memory, in each iteration,
// so that copies need not wait.
// CHECK-LABEL: func.func @dividend
// CHECK: %[[ONE:.*]] = ascend.buffer at
// CHECK: ascend.vec.fill %{{.*}} -> %[[ONE]], %c4096
// CHECK: scf.for
// CHECK-NOT: ascend.vec.fill
// CHECK: ascend.vec.binary <div> %[[ONE]]
// TIGHT-LABEL: func.func @dividend
// TIGHT: scf.for
// TIGHT: ascend.dma.in
// TIGHT: ascend.vec.fill %{{.*}} -> %{{.*}}, %[[N:.*]] :
// TIGHT: ascend.vec.binary <div>
func.func @dividend(%x: memref<?xf32, #gm>, %y: memref<?xf32, #gm>, %n: index, %left: index) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c4096 {
    %a = ascend.buffer : !t
    ascend.dma.in %x[%i] [%left] -> %a : memref<?xf32, #gm> -> !t
    %one = arith.constant 1.0 : f32
    %f = ascend.buffer : !t
    ascend.vec.fill %one -> %f, %left : f32, !t
    %e = ascend.buffer : !t
    ascend.vec.unary <exp> %a -> %e, %left : !t, !t
    %d = ascend.buffer : !t
    ascend.vec.binary <div> %f, %e -> %d, %left : !t, !t, !t
    ascend.dma.out %d -> %y[%i] [%left] : !t -> memref<?xf32, #gm>
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!t = memref<8x100xf32, strided<[104, 1]>, #ub>

// What lies between rows is filled as well.
// CHECK-LABEL: func.func @between_rows
// CHECK: ascend.vec.fill %{{.*}} -> %{{.*}}, %c832
// CHECK: scf.for
func.func @between_rows(%x: memref<?x100xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c832 = arith.constant 832 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = ascend.buffer : !t
    ascend.dma.in %x[%i, 0] [8, 100] -> %a : memref<?x100xf32, #gm> -> !t
    %one = arith.constant 1.0 : f32
    %f = ascend.buffer : !t
    ascend.vec.fill %one -> %f, %c832 : f32, !t
    %d = ascend.buffer : !t
    ascend.vec.binary <div> %f, %a -> %d, %c832 : !t, !t, !t
    ascend.dma.out %d -> %x[%i, 0] [8, 100] : !t -> memref<?x100xf32, #gm>
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// Rows that are transposed, an odd number of blocks apart.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[A:.*]] = ascend.buffer at {{.*}} : memref<32x64xf32, strided<[72, 1]>
// CHECK: %[[B:.*]] = ascend.buffer at {{.*}} : memref<64x32xf32, strided<[40, 1]>
// CHECK: ascend.vec.transpose %[[A]]
func.func @transposed(%x: memref<?x64xf32, #gm>, %y: memref<?x32xf32, #gm>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer : memref<32x64xf32, #ub>
  %b = ascend.buffer : memref<64x32xf32, #ub>
  ascend.dma.in %x[0, 0] [32, 64] -> %a : memref<?x64xf32, #gm> -> memref<32x64xf32, #ub>
  ascend.vec.transpose %a [%c32, %c64] -> %b : memref<32x64xf32, #ub>, memref<64x32xf32, #ub>
  ascend.dma.out %b -> %y[0, 0] [64, 32] : memref<64x32xf32, #ub> -> memref<?x32xf32, #gm>
  return
}

// What is computed as one line keeps its rows.
// CHECK-LABEL: func.func @computed
// CHECK: ascend.buffer at {{.*}} : memref<32x64xf32, #ascend.space<ub>>
// CHECK: ascend.buffer at {{.*}} : memref<64x32xf32, strided<[40, 1]>
func.func @computed(%x: memref<?x64xf32, #gm>, %y: memref<?x32xf32, #gm>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c2048 = arith.constant 2048 : index
  %a = ascend.buffer : memref<32x64xf32, #ub>
  %b = ascend.buffer : memref<64x32xf32, #ub>
  ascend.dma.in %x[0, 0] [32, 64] -> %a : memref<?x64xf32, #gm> -> memref<32x64xf32, #ub>
  ascend.vec.unary <abs> %a -> %a, %c2048 : memref<32x64xf32, #ub>, memref<32x64xf32, #ub>
  ascend.vec.transpose %a [%c32, %c64] -> %b : memref<32x64xf32, #ub>, memref<64x32xf32, #ub>
  ascend.dma.out %b -> %y[0, 0] [64, 32] : memref<64x32xf32, #ub> -> memref<?x32xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!t = memref<1x4096xf32, #ub>

// What the loop changes, or fills with another value each time, stays where it is.
// CHECK-LABEL: func.func @stays
// CHECK: scf.for
// CHECK: ascend.vec.fill
// CHECK: ascend.vec.fill
func.func @stays(%y: memref<?xf32, #gm>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %n step %c1 {
    %f = ascend.buffer : !t
    ascend.vec.fill %z -> %f, %c4096 : f32, !t
    ascend.vec.unary <exp> %f -> %f, %c4096 : !t, !t
    ascend.dma.out %f -> %y[%i] [4096] : !t -> memref<?xf32, #gm>
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    %g = ascend.buffer : !t
    ascend.vec.fill %v -> %g, %c4096 : f32, !t
    ascend.dma.out %g -> %y[%i] [4096] : !t -> memref<?xf32, #gm>
  }
  return
}

// What is printed is what was read, at the level of tiles.
// RUN: belay-opt %s | belay-opt | FileCheck %s
// RUN: belay-opt %s --mlir-print-op-generic | belay-opt | FileCheck %s

#gm = #ascend.space<gm>

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: memref<?x1024xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}
func.func @softmax(%x: memref<?x1024xf32, #gm> {ascend.role = #ascend.role<in>},
                   %y: memref<?x1024xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %xr = memref.dim %x, %c0 : memref<?x1024xf32, #gm>
  %yr = memref.dim %y, %c0 : memref<?x1024xf32, #gm>
  %same = arith.cmpi eq, %xr, %yr : index
  // CHECK: ascend.expects %{{.*}}, "x.rows() == y.rows()"
  ascend.expects %same, "x.rows() == y.rows()"
  // CHECK: ascend.core_index
  // CHECK-NEXT: ascend.core_count
  %core = ascend.core_index
  %cores = ascend.core_count
  %from = arith.muli %core, %c8 : index
  %step = arith.muli %cores, %c8 : index
  scf.for %i = %from to %yr step %step {
    %left = arith.subi %yr, %i : index
    %n = arith.minsi %left, %c8 : index
    // CHECK: ascend.load %{{.*}}[%{{.*}}, 0] [%{{.*}}, 1024] : memref<?x1024xf32, #ascend.space<gm>> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %t = ascend.load %x[%i, 0] [%n, 1024] : memref<?x1024xf32, #gm> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    // CHECK: ascend.reduce <max> along <row> %{{.*}} : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %m = ascend.reduce <max> along <row> %t : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    // CHECK: ascend.broadcast %{{.*}}[] : tensor<?x1xf32, #ascend.capacity<8x1>> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %mb = ascend.broadcast %m [] : tensor<?x1xf32, #ascend.capacity<8x1>> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %d = arith.subf %t, %mb : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %e = math.exp %d : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %s = ascend.reduce <sum> along <row> %e : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %sb = ascend.broadcast %s [] : tensor<?x1xf32, #ascend.capacity<8x1>> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %r = arith.divf %e, %sb : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    // CHECK: ascend.store %{{.*}}, %{{.*}}[%{{.*}}, 0] [%{{.*}}, 1024] : tensor<?x1024xf32, #ascend.capacity<8x1024>> -> memref<?x1024xf32, #ascend.space<gm>>
    ascend.store %r, %y[%i, 0] [%n, 1024] : tensor<?x1024xf32, #ascend.capacity<8x1024>> -> memref<?x1024xf32, #gm>
  }
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%x: memref<?xf32, #gm>, %table: memref<?x64xf16, #gm>,
                  %grid: memref<2x?x?x64xf32, #gm>, %n: index, %zero: f32,
                  %i0: i32) {
  // CHECK: ascend.load %{{.*}}[%{{.*}}] [%{{.*}}] pad(%{{.*}} : f32) : memref<?xf32, #ascend.space<gm>> -> tensor<1x256xf32>
  %padded = ascend.load %x[%n] [%n] pad(%zero : f32) : memref<?xf32, #gm> -> tensor<1x256xf32>
  // CHECK: ascend.load %{{.*}}[%{{.*}}] [%{{.*}}] pad(%{{.*}} : f32) at[%{{.*}}, %{{.*}}] of[%{{.*}}] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x256>>
  %around = ascend.load %x[%n] [%n] pad(%zero : f32) at [%n, %n] of [%n] : memref<?xf32, #gm> -> tensor<1x?xf32, #ascend.capacity<1x256>>
  // CHECK: -> tensor<?x1xf32, #ascend.capacity<16x1>>
  %column = ascend.load %x[0] [%n] : memref<?xf32, #gm> -> tensor<?x1xf32, #ascend.capacity<16x1>>
  %window = ascend.load %grid[1, %n, 0, 0] [1, 1, 8, 64] : memref<2x?x?x64xf32, #gm> -> tensor<8x64xf32>
  // CHECK: ascend.splat %{{.*}}[%{{.*}}] : f32 -> tensor<?x64xf32, #ascend.capacity<8x64>>
  %splat = ascend.splat %zero [%n] : f32 -> tensor<?x64xf32, #ascend.capacity<8x64>>
  // CHECK: ascend.iota along <row> from %{{.*}}[] : i32 -> tensor<1x64xi32>
  %iota = ascend.iota along <row> from %i0 [] : i32 -> tensor<1x64xi32>
  // CHECK: ascend.arg_reduce <max> along <row> %{{.*}} : tensor<8x64xf32>
  %where = ascend.arg_reduce <max> along <row> %window : tensor<8x64xf32>
  // CHECK: ascend.gather <zero> %{{.*}}, %{{.*}} : memref<?x64xf16, #ascend.space<gm>>, tensor<8x1xi32> -> tensor<8x64xf16>
  %rows = ascend.gather <zero> %table, %where : memref<?x64xf16, #gm>, tensor<8x1xi32> -> tensor<8x64xf16>
  // CHECK: ascend.scatter <trap> %{{.*}}, %{{.*}}, %{{.*}} combine <sum> : tensor<8x64xf16>, memref<?x64xf16, #ascend.space<gm>>, tensor<8x1xi32>
  ascend.scatter <trap> %rows, %table, %where combine <sum> : tensor<8x64xf16>, memref<?x64xf16, #gm>, tensor<8x1xi32>
  // CHECK: ascend.print %{{.*}} rows 8 columns 64 : tensor<8x64xf16>
  ascend.print %rows rows 8 columns 64 : tensor<8x64xf16>
  // CHECK: ascend.scan <sum> along <row> %{{.*}} : tensor<1x256xf32>
  %running = ascend.scan <sum> along <row> %padded : tensor<1x256xf32>
  // CHECK: ascend.take <wrap> %{{.*}}, %{{.*}} : tensor<8x64xf32>, tensor<8x1xi32>
  %named = ascend.take <wrap> %window, %where : tensor<8x64xf32>, tensor<8x1xi32>
  // CHECK: ascend.transpose %{{.*}} : tensor<8x64xf32>
  %turned = ascend.transpose %window : tensor<8x64xf32>
  // CHECK: ascend.store %{{.*}} combine <sum> : tensor<1x256xf32> -> memref<?xf32, #ascend.space<gm>>
  ascend.store %running, %x[0] [256] combine <sum> : tensor<1x256xf32> -> memref<?xf32, #gm>
  // CHECK: ascend.sync_cores
  ascend.sync_cores
  %ok = arith.cmpi sge, %n, %n : index
  // CHECK: ascend.guard %{{.*}}, "gm-out-of-bounds", "n >= n"
  ascend.guard %ok, "gm-out-of-bounds", "n >= n"
  return
}

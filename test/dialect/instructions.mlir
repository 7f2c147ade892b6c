// Single instructions are printed as they are parsed.
// RUN: belay-opt %s | belay-opt | FileCheck %s

#ub = #ascend.space<ub>
!buffer = memref<8x1024xf32, #ub>
!column = memref<8x1xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
!words = memref<?xi32, strided<[1], offset: ?>, #ub>
!halves = memref<32x64xf16, #ub>
!turned = memref<64x32xf16, #ub>

// CHECK-LABEL: func.func @slices
// CHECK: ascend.slice %{{.*}}[%{{.*}}, 64] : memref<8x1024xf32, #ascend.space<ub>> -> memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
// CHECK: ascend.slice %{{.*}}[0, 0] : memref<8x1024xf32, #ascend.space<ub>> -> memref<?xi32, strided<[1], offset: ?>, #ascend.space<ub>>
func.func @slices(%a: !buffer, %r: index) {
  %s = ascend.slice %a[%r, 64] : !buffer -> !part
  %i = ascend.slice %a[0, 0] : !buffer -> !words
  return
}

// CHECK-LABEL: func.func @repeats
// CHECK: ascend.rep.binary <max> %{{.*}}, %{{.*}} -> %{{.*}} mask %{{.*}} repeat %{{.*}} blocks [1, 1, 0] rows [8, 8, 128]
// CHECK: ascend.rep.scalar <mul> %{{.*}}, %{{.*}} -> %{{.*}} mask %{{.*}} repeat %{{.*}} blocks [1, 1] rows [8, 128]
// CHECK: ascend.rep.copy %{{.*}} -> %{{.*}} mask %{{.*}} repeat %{{.*}} blocks [1, 0] rows [8, 1]
// CHECK: ascend.rep.reduce <max> %{{.*}} -> %{{.*}} mask %{{.*}} repeat %{{.*}} row 128
// CHECK: ascend.rep.reduce <min> places %{{.*}} -> %{{.*}} mask %{{.*}} repeat %{{.*}} row 8
// CHECK: ascend.rep.block_reduce <sum> %{{.*}} -> %{{.*}} repeat %{{.*}} :
// CHECK: ascend.rep.brcb %{{.*}} -> %{{.*}} repeat %{{.*}} :
// CHECK: ascend.rep.every_other %{{.*}} -> %{{.*}}, %{{.*}} :
// CHECK: ascend.rep.every_other odd %{{.*}} -> %{{.*}}, %{{.*}} :
func.func @repeats(%a: !buffer, %w: !buffer, %c: !column, %m: index, %r: index,
                   %one: f32) {
  ascend.rep.binary <max> %w, %a -> %w mask %m repeat %r blocks [1, 1, 0]
    rows [8, 8, 128] : !buffer, !buffer, !buffer
  ascend.rep.scalar <mul> %a, %one -> %w mask %m repeat %r blocks [1, 1]
    rows [8, 128] : !buffer, f32, !buffer
  ascend.rep.copy %a -> %w mask %m repeat %r blocks [1, 0] rows [8, 1]
    : !buffer, !buffer
  ascend.rep.reduce <max> %a -> %c mask %m repeat %r row 128 : !buffer, !column
  ascend.rep.reduce <min> places %a -> %w mask %m repeat %r row 8
    : !buffer, !buffer
  ascend.rep.block_reduce <sum> %a -> %w repeat %r : !buffer, !buffer
  ascend.rep.brcb %c -> %w repeat %r : !column, !buffer
  ascend.rep.every_other %a -> %w, %m : !buffer, !buffer
  ascend.rep.every_other odd %a -> %w, %m : !buffer, !buffer
  return
}

// CHECK-LABEL: func.func @others
// CHECK: ascend.rep.transpose %{{.*}} pitch 64 -> %{{.*}} pitch 32 repeat %{{.*}} strides %{{.*}}, %{{.*}} :
// CHECK: ascend.lib.reduce <sum> %{{.*}} -> %{{.*}}, %{{.*}} work %{{.*}} :
// CHECK: ascend.lib.reduce <max> place %{{.*}} -> %{{.*}}, %{{.*}} work %{{.*}} :
func.func @others(%a: !buffer, %b: !buffer, %w: !buffer, %h: !halves,
                  %t: !turned, %n: index) {
  ascend.rep.transpose %h pitch 64 -> %t pitch 32 repeat %n strides %n, %n
    : !halves, !turned
  ascend.lib.reduce <sum> %a -> %b, %n work %w : !buffer, !buffer, !buffer
  ascend.lib.reduce <max> place %a -> %b, %n work %w : !buffer, !buffer, !buffer
  return
}

// CHECK-LABEL: func.func @rows_of_blocks
// CHECK: ascend.copy_rows.in %{{.*}}[%{{.*}}, 0] [%{{.*}}, 96] -> %{{.*}} rows %{{.*}} blocks %{{.*}} gm_gap %{{.*}} ub_gap %{{.*}} : memref<?x128xf32, #ascend.space<gm>>, memref<8x1024xf32
// CHECK: ascend.copy_rows.out %{{.*}} -> %{{.*}}[%{{.*}}, 0] [%{{.*}}, 96] rows %{{.*}} blocks %{{.*}} gm_gap %{{.*}} ub_gap %{{.*}} combine <sum> : memref<8x1024xf32
func.func @rows_of_blocks(%x: memref<?x128xf32, #ascend.space<gm>>, %a: !buffer,
                          %i: index, %n: index, %b: index, %g: index,
                          %u: index) {
  ascend.copy_rows.in %x[%i, 0] [%n, 96] -> %a rows %n blocks %b gm_gap %g
    ub_gap %u : memref<?x128xf32, #ascend.space<gm>>, !buffer
  ascend.copy_rows.out %a -> %x[%i, 0] [%n, 96] rows %n blocks %b gm_gap %g
    ub_gap %u combine <sum> : !buffer, memref<?x128xf32, #ascend.space<gm>>
  return
}

// What no instruction combines across lanes is combined half by half.
// RUN: belay-opt %s --ascend-expand-instructions | FileCheck %s

#ub = #ascend.space<ub>
#rows = strided<[104, 1]>

// Each row to one repeat, that to a block, whose elements get a block each.
// CHECK-LABEL: func.func @products
// CHECK-SAME: %[[A:.*]]: memref<8x100{{.*}} %[[B:.*]]: memref<8x1xf32{{.*}} %[[W:.*]]: memref<1x576{{.*}} %[[R:[a-z0-9]+]]: index, %
// CHECK: %[[P:.*]] = ascend.slice %[[W]][0, 512]
// CHECK: scf.if
// CHECK: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK: %[[N:.*]] = arith.muli %[[R]], %c64
// CHECK: ascend.vec.fill %[[ONE]] -> %[[W]], %[[N]]
// CHECK: scf.for
// CHECK: ascend.barrier on <V>
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[W]] mask %{{.*}} repeat %[[R]] blocks [1, 1, 1] rows [8, 8, 13]
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[W]] mask %c32{{.*}} rows [8, 8, 8]
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[W]] mask %c16{{.*}} rows [8, 8, 8]
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[P]] mask %c8{{.*}} rows [1, 8, 8]
// CHECK: ascend.rep.brcb %[[P]] -> %[[W]]
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[W]] mask %c32
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[W]] mask %c16
// CHECK: ascend.rep.binary <mul> %[[W]], %{{.*}} -> %[[P]] mask %c8{{.*}} rows [1, 8, 8]
// CHECK: ascend.rep.every_other %[[P]] -> %[[W]]
// CHECK: ascend.rep.every_other %[[W]] -> %[[P]]
// CHECK: ascend.rep.every_other %[[P]] -> %[[B]], %[[R]]
// CHECK-NOT: ascend.scalar
func.func @products(%a: memref<8x100xf32, #rows, #ub>, %b: memref<8x1xf32, #ub>,
                    %w: memref<1x576xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <prod> along <row> %a [%r, %k] -> %b work %w
    : memref<8x100xf32, #rows, #ub>, memref<8x1xf32, #ub>, memref<1x576xf32, #ub>
  return
}

// A column is one line, whose result needs no gathering. Of 16 bits the 16
// elements of a block are spread over two repeats.
// CHECK-LABEL: func.func @column
// CHECK: arith.constant -32768 : i16
// CHECK: ascend.rep.binary <max> {{.*}} mask %c16{{.*}} rows [1, 8, 8]
// CHECK: ascend.rep.brcb
// CHECK: ascend.rep.binary <max> {{.*}} mask %c128{{.*}} rows [16, 16, 16]
// CHECK: ascend.rep.binary <max> {{.*}} mask %c1{{_[0-9]+}} repeat {{.*}} rows [1, 16, 16]
// CHECK-NOT: ascend.rep.every_other
func.func @column(%a: memref<100x1xi16, #ub>, %b: memref<1x1xi16, #ub>,
                  %w: memref<1x272xi16, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <col> %a [%r, %k] -> %b work %w
    : memref<100x1xi16, #ub>, memref<1x1xi16, #ub>, memref<1x272xi16, #ub>
  return
}

// Without the space, and bytes: the scalar unit.
// CHECK-LABEL: func.func @little_space
// CHECK: ascend.scalar.read
// CHECK: ascend.scalar.read
func.func @little_space(%a: memref<8x64xi32, #ub>, %b: memref<8x1xi32, #ub>,
                        %w: memref<1x64xi32, #ub>, %c: memref<8x64xi8, #ub>,
                        %d: memref<8x1xi8, #ub>, %v: memref<1x4096xi8, #ub>,
                        %r: index, %k: index) {
  ascend.vec.reduce <sum> along <row> %a [%r, %k] -> %b work %w
    : memref<8x64xi32, #ub>, memref<8x1xi32, #ub>, memref<1x64xi32, #ub>
  ascend.vec.reduce <sum> along <row> %c [%r, %k] -> %d work %v
    : memref<8x64xi8, #ub>, memref<8x1xi8, #ub>, memref<1x4096xi8, #ub>
  return
}

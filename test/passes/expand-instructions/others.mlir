// Scans, transposes, and types for which there is another form.
// RUN: belay-opt %s --ascend-expand-instructions | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend950PR_9599 | FileCheck %s --check-prefix=REGISTERS
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend310P3 | FileCheck %s --check-prefix=OLD

#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @scan_rows
// CHECK: ascend.flag.wait <V> to <S>
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[START:.*]] = arith.muli %[[R]], %c64
// CHECK: scf.for %[[C:.*]] = {{.*}} iter_args
// CHECK: %[[AT:.*]] = arith.addi %[[START]], %[[C]]
// CHECK: ascend.scalar.read %{{.*}}[%[[AT]]]
// CHECK: ascend.scalar.write %{{.*}}, %{{.*}}[%[[AT]]]
// CHECK: ascend.flag.wait <S> to <V>
func.func @scan_rows(%a: memref<8x64xf32, #ub>, %b: memref<8x64xf32, #ub>,
                     %r: index, %k: index) {
  ascend.vec.scan <sum> along <row> %a [%r, %k] -> %b
    : memref<8x64xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// CHECK-LABEL: func.func @scan_columns
// CHECK: ascend.vec.copy
// CHECK: scf.for %[[R:.*]] = %c1
// CHECK: ascend.barrier on <V>
// CHECK: %[[BEFORE:.*]] = arith.subi %[[R]], %c1
// CHECK: ascend.slice %{{.*}}[%[[BEFORE]], 0]
// CHECK: ascend.vec.binary <max>
func.func @scan_columns(%a: memref<8x64xf32, #ub>, %b: memref<8x64xf32, #ub>,
                        %r: index, %k: index) {
  ascend.vec.scan <max> along <col> %a [%r, %k] -> %b
    : memref<8x64xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// Squares of 16 bits. With one repeat there are no strides.
// CHECK-LABEL: func.func @squares
// CHECK: %[[N:.*]] = arith.divsi %{{.*}}, %c16
// CHECK: %[[TO:.*]] = arith.select %{{.*}}, %c32, %c0
// CHECK: %[[FROM:.*]] = arith.select %{{.*}}, %c1, %c0
// CHECK: scf.for %[[R:.*]] = {{.*}} step %c16
// CHECK: ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.slice %{{.*}}[0, %[[R]]]
// CHECK: ascend.rep.transpose %{{.*}} pitch 64 -> %{{.*}} pitch 32 repeat %[[N]] strides %[[TO]], %[[FROM]]
func.func @squares(%a: memref<32x64xf16, #ub>, %b: memref<64x32xf16, #ub>,
                   %r: index, %k: index) {
  ascend.vec.transpose %a [%r, %k] -> %b
    : memref<32x64xf16, #ub>, memref<64x32xf16, #ub>
  return
}

// Words: a block has eight, so a repeat takes 16 rows of eight columns.
// CHECK-LABEL: func.func @words
// CHECK: %[[N:.*]] = arith.divsi %{{.*}}, %c8
// CHECK: %[[TO:.*]] = arith.select %{{.*}}, %c32, %c0
// CHECK: %[[FROM:.*]] = arith.select %{{.*}}, %c1, %c0
// CHECK: scf.for %[[R:.*]] = {{.*}} step %c16
// CHECK: ascend.rep.transpose %{{.*}} pitch 24 -> %{{.*}} pitch 32 repeat %[[N]] strides %[[TO]], %[[FROM]]
func.func @words(%a: memref<32x24xf32, #ub>, %b: memref<24x32xf32, #ub>,
                 %r: index, %k: index) {
  ascend.vec.transpose %a [%r, %k] -> %b
    : memref<32x24xf32, #ub>, memref<24x32xf32, #ub>
  return
}

// CHECK-LABEL: func.func @elements
// CHECK: scf.for
// CHECK: scf.for
// CHECK: ascend.scalar.read
// CHECK: ascend.scalar.write
func.func @elements(%a: memref<8x64xf32, #ub>, %b: memref<64x8xf32, #ub>,
                    %r: index, %k: index) {
  ascend.vec.transpose %a [%r, %k] -> %b
    : memref<8x64xf32, #ub>, memref<64x8xf32, #ub>
  return
}

// CHECK-LABEL: func.func @line
// CHECK: arith.muli
// CHECK: ascend.vec.copy
func.func @line(%a: memref<1x64xf32, #ub>, %b: memref<64x1xf32, #ub>, %r: index,
                %k: index) {
  ascend.vec.transpose %a [%r, %k] -> %b
    : memref<1x64xf32, #ub>, memref<64x1xf32, #ub>
  return
}

// CHECK-LABEL: func.func @bits
// CHECK: %[[TWICE:.*]] = arith.muli %{{.*}}, %c2
// CHECK: ascend.vec.binary <and> {{.*}}, %[[TWICE]] : memref<?xi16
// CHECK: %[[WORDS:.*]] = arith.divsi %{{.*}}, %c16
// CHECK: ascend.vec.unary <not> {{.*}}, %[[WORDS]] : memref<?xi16
// CHECK: ascend.vec.select {{.*}} : memref<8x64xi1, {{.*}}>, memref<?xf32
// REGISTERS-LABEL: func.func @bits
// REGISTERS: ascend.vec.select {{.*}} : memref<8x64xi1, {{.*}}>, memref<8x64xi32
func.func @bits(%a: memref<8x64xi32, #ub>, %m: memref<8x64xi1, #ub>, %n: index) {
  ascend.vec.binary <and> %a, %a -> %a, %n
    : memref<8x64xi32, #ub>, memref<8x64xi32, #ub>, memref<8x64xi32, #ub>
  ascend.vec.unary <not> %m -> %m, %n : memref<8x64xi1, #ub>, memref<8x64xi1, #ub>
  ascend.vec.select %m, %a, %a -> %a, %n : memref<8x64xi1, #ub>,
    memref<8x64xi32, #ub>, memref<8x64xi32, #ub>, memref<8x64xi32, #ub>
  return
}

// CHECK-LABEL: func.func @conversion
// CHECK: ascend.vec.cast <rint>
// OLD-LABEL: func.func @conversion
// OLD: ascend.vec.cast <none>
func.func @conversion(%a: memref<8x64xi16, #ub>, %b: memref<8x64xf16, #ub>,
                      %n: index) {
  ascend.vec.cast <rint> %a -> %b, %n : memref<8x64xi16, #ub>, memref<8x64xf16, #ub>
  return
}

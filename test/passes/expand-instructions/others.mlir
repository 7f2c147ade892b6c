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

// Where all lines are there, sums of pairs, of pairs of these, and back: ten instructions
// instead of 35.
// CHECK-LABEL: func.func @sweep
// CHECK-SAME: %[[A:.*]]: memref<36x64xf32
// CHECK-NOT: ascend.vec.copy
// CHECK: ascend.barrier on <V>
// CHECK: %[[TO:.*]] = ascend.slice %[[A]][1, 0]
// CHECK: ascend.rep.binary <add> %[[A]], %[[TO]] -> %[[TO]] mask %c64{{.*}} repeat %c18{{.*}} blocks [1, 1, 1] rows [16, 16, 16]
// CHECK: ascend.barrier on <V>
// CHECK: %[[TO:.*]] = ascend.slice %[[A]][3, 0]
// CHECK: %[[FROM:.*]] = ascend.slice %[[A]][1, 0]
// CHECK: ascend.rep.binary <add> %[[FROM]], %[[TO]] -> %[[TO]] {{.*}} repeat %c9{{.*}} rows [32, 32, 32]
// CHECK: ascend.rep.binary <add> {{.*}} repeat %c4{{.*}} rows [64, 64, 64]
// CHECK: ascend.rep.binary <add> {{.*}} repeat %c2{{.*}} rows [128, 128, 128]
// The last lines of 16, one after the other.
// CHECK: %[[TO:.*]] = ascend.slice %[[A]][31, 0]
// CHECK: %[[FROM:.*]] = ascend.slice %[[A]][15, 0]
// CHECK: ascend.rep.binary <add> %[[FROM]], %[[TO]] -> %[[TO]] {{.*}} repeat %c1{{.*}} rows [0, 0, 0]
// CHECK: %[[TO:.*]] = ascend.slice %[[A]][23, 0]
// CHECK: %[[FROM:.*]] = ascend.slice %[[A]][15, 0]
// CHECK: ascend.rep.binary <add> %[[FROM]], %[[TO]] -> %[[TO]] {{.*}} repeat %c1{{.*}} rows [0, 0, 0]
// CHECK: ascend.rep.binary <add> {{.*}} repeat %c4{{.*}} rows [64, 64, 64]
// CHECK: ascend.rep.binary <add> {{.*}} repeat %c8{{.*}} rows [32, 32, 32]
// CHECK: %[[TO:.*]] = ascend.slice %[[A]][2, 0]
// CHECK: %[[FROM:.*]] = ascend.slice %[[A]][1, 0]
// CHECK: ascend.rep.binary <add> %[[FROM]], %[[TO]] -> %[[TO]] {{.*}} repeat %c17{{.*}} rows [16, 16, 16]
// CHECK-NOT: ascend.rep.binary
// CHECK: return
func.func @sweep(%a: memref<36x64xf32, #ub>) {
  %c36 = arith.constant 36 : index
  %c64 = arith.constant 64 : index
  ascend.vec.scan <sum> along <col> %a [%c36, %c64] -> %a
    : memref<36x64xf32, #ub>, memref<36x64xf32, #ub>
  return
}

// Few long lines are faster one by one.
// CHECK-LABEL: func.func @few_lines
// CHECK: ascend.vec.copy
// CHECK: scf.for
// CHECK: ascend.vec.binary <add>
// CHECK-NOT: ascend.rep.binary
// CHECK: return
func.func @few_lines(%a: memref<8x1024xf32, #ub>, %b: memref<8x1024xf32, #ub>) {
  %c8 = arith.constant 8 : index
  %c1024 = arith.constant 1024 : index
  ascend.vec.scan <sum> along <col> %a [%c8, %c1024] -> %b
    : memref<8x1024xf32, #ub>, memref<8x1024xf32, #ub>
  return
}

// A window that may be smaller than the buffer is padded: all is filled before the copy, but
// only then, and the copy waits only then.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[LEFT:.*]] = arith.subi %c8192{{.*}}, %{{.*}}
// CHECK: %[[SHORT:.*]] = arith.cmpi sge, %[[LEFT]], %c1
// CHECK: scf.if %[[SHORT]] {
// CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 5
// CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 5
// CHECK: ascend.vec.fill %{{.*}} -> %[[A:.*]], %c8192
// CHECK-NEXT: ascend.flag.set <V> to <MTE2> event 5
// CHECK-NEXT: ascend.flag.wait <V> to <MTE2> event 5
// CHECK-NEXT: }
// CHECK: ascend.copy_pad.in {{.*}} -> %[[A]]
func.func @padded(%x: memref<?xf32, #ascend.space<gm>>, %n: index, %pad: f32) {
  %a = ascend.buffer : memref<1x8192xf32, #ub>
  ascend.dma.in %x[0] [%n] -> %a pad(%pad : f32)
    : memref<?xf32, #ascend.space<gm>> -> memref<1x8192xf32, #ub>
  return
}

// CHECK-LABEL: func.func @never_padded
// CHECK-NOT: ascend.vec.fill
// CHECK: return
func.func @never_padded(%x: memref<?xf32, #ascend.space<gm>>, %pad: f32) {
  %a = ascend.buffer : memref<1x64xf32, #ub>
  ascend.dma.in %x[0] [64] -> %a pad(%pad : f32)
    : memref<?xf32, #ascend.space<gm>> -> memref<1x64xf32, #ub>
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

// Every other column, row by row.
// CHECK-LABEL: func.func @every_other
// CHECK: scf.if
// CHECK: scf.for %[[R:.*]] = %c0
// CHECK: %[[FROM:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[R]]
// CHECK: %[[TO:.*]] = ascend.slice %{{.*}}[%[[ROW]], 0]
// CHECK: ascend.rep.every_other %[[FROM]] -> %[[TO]], %{{.*}} :
func.func @every_other(%a: memref<8x128xf32, #ub>, %b: memref<64x64xf32, #ub>,
                       %r: index, %k: index, %first: index) {
  ascend.vec.every_other %a [%r, %k] -> %b at %first
    : memref<8x128xf32, #ub>, memref<64x64xf32, #ub>
  return
}

// Rows that fill their space are one line.
// CHECK-LABEL: func.func @every_other_of_line
// CHECK-NOT: scf.for
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %c64
// CHECK: ascend.rep.every_other %{{.*}} -> %{{.*}}, %[[ALL]] :
func.func @every_other_of_line(%a: memref<8x128xf32, #ub>, %b: memref<64x64xf32, #ub>,
                               %r: index, %first: index) {
  %c64 = arith.constant 64 : index
  ascend.vec.every_other %a [%r, %c64] -> %b at %first
    : memref<8x128xf32, #ub>, memref<64x64xf32, #ub>
  return
}

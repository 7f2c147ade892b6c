// What is repeated: rows, columns, elements.
// RUN: belay-opt %s --ascend-expand-instructions | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend310P3 | FileCheck %s --check-prefix=NO-BRCB

#ub = #ascend.space<ub>
#rows = strided<[104, 1]>

// The example of the pass.
// CHECK-LABEL: func.func @example
// CHECK-SAME: %[[C:.*]]: memref<8x1xf32{{.*}} %[[W:.*]]: memref<1x64xf32{{.*}} %[[A:.*]]: memref<8x100{{.*}} %[[B:.*]]: memref<8x100{{.*}} %[[R:.*]]: index
// CHECK: %[[MORE:.*]] = arith.addi %[[R]], %c7
// CHECK: %[[N:.*]] = arith.divsi %[[MORE]], %c8
// CHECK: ascend.rep.brcb %[[C]] -> %[[W]] repeat %[[N]]
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c100 step %c64
// CHECK: %[[LEFT:.*]] = arith.subi %c100, %[[K]]
// CHECK: %[[MASK:.*]] = arith.minsi %[[LEFT]], %c64
// CHECK: %[[FROM:.*]] = ascend.slice %[[A]][0, %[[K]]]
// CHECK: %[[TO:.*]] = ascend.slice %[[B]][0, %[[K]]]
// CHECK: ascend.rep.binary <sub> %[[FROM]], %[[W]] -> %[[TO]] mask %[[MASK]] repeat %[[R]] blocks [1, 1, 0] rows [13, 13, 1]
func.func @example(%c: memref<8x1xf32, #ub>, %w: memref<1x64xf32, #ub>,
                   %a: memref<8x100xf32, #rows, #ub>,
                   %b: memref<8x100xf32, #rows, #ub>, %rows: index) {
  %c100 = arith.constant 100 : index
  ascend.vec.spread %c -> %w, %rows : memref<8x1xf32, #ub>, memref<1x64xf32, #ub>
  ascend.vec.repeated <sub> %a, %w along <col> -> %b [%rows, %c100]
    : memref<8x100xf32, #rows, #ub>, memref<1x64xf32, #ub>,
      memref<8x100xf32, #rows, #ub>
  return
}

// The reverse, and with a row: of less than a repeat, nothing is done
// without columns.
// CHECK-LABEL: func.func @reversed
// CHECK: scf.if
// CHECK: ascend.rep.binary <div> %{{.*}}, %{{.*}} -> %{{.*}} blocks [1, 0, 1] rows [8, 1, 8]
// CHECK: scf.if
// CHECK: ascend.rep.binary <add> %{{.*}}, %{{.*}} -> %{{.*}} blocks [1, 1, 1] rows [8, 8, 0]
func.func @reversed(%w: memref<1x64xf32, #ub>, %a: memref<8x64xf32, #ub>,
                    %b: memref<8x64xf32, #ub>, %r: index, %k: index) {
  ascend.vec.repeated <div> reversed %a, %w along <col> -> %b [%r, %k]
    : memref<8x64xf32, #ub>, memref<1x64xf32, #ub>, memref<8x64xf32, #ub>
  ascend.vec.repeated <add> %a, %w along <row> -> %b [%r, %k]
    : memref<8x64xf32, #ub>, memref<1x64xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// CHECK-LABEL: func.func @row
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[TO:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.vec.copy %{{.*}} -> %[[TO]], %c104
func.func @row(%a: memref<1x100xf32, #ub>, %b: memref<8x100xf32, #rows, #ub>,
               %r: index, %k: index) {
  ascend.vec.broadcast %a -> %b [%r, %k]
    : memref<1x100xf32, #ub>, memref<8x100xf32, #rows, #ub>
  return
}

// 16 bits: 240 rows keep the column and its blocks aligned.
// CHECK-LABEL: func.func @column
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %{{.*}} step %c240
// CHECK: ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.rep.brcb
// CHECK: ascend.barrier on <V>
// CHECK: scf.if
// CHECK: ascend.rep.copy {{.*}} blocks [1, 0] rows [4, 1]
// NO-BRCB-LABEL: func.func @column
// NO-BRCB-NOT: ascend.rep
// NO-BRCB: scf.for
// NO-BRCB: ascend.scalar.read
// NO-BRCB: ascend.vec.fill
func.func @column(%a: memref<300x1xf16, #ub>, %b: memref<300x64xf16, #ub>,
                  %w: memref<1x4864xf16, #ub>, %r: index, %k: index) {
  ascend.vec.broadcast %a -> %b [%r, %k] work %w : memref<1x4864xf16, #ub>
    : memref<300x1xf16, #ub>, memref<300x64xf16, #ub>
  return
}

// Bytes: neither Brcb nor Duplicate has them.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: ascend.rep
// CHECK-NOT: ascend.vec.fill
// CHECK: ascend.scalar.write
func.func @bytes(%a: memref<8x1xi8, #ub>, %b: memref<8x64xi8, #ub>,
                 %w: memref<1x256xi8, #ub>, %r: index, %k: index) {
  ascend.vec.broadcast %a -> %b [%r, %k] work %w : memref<1x256xi8, #ub>
    : memref<8x1xi8, #ub>, memref<8x64xi8, #ub>
  return
}

// CHECK-LABEL: func.func @element
// CHECK: ascend.flag.wait <V> to <S>
// CHECK: %[[E:.*]] = ascend.scalar.read %{{.*}}[%c0
// CHECK: %[[N:.*]] = arith.muli %{{.*}}, %c104
// CHECK: ascend.vec.fill %[[E]] -> %{{.*}}, %[[N]]
func.func @element(%a: memref<1x1xf32, #ub>, %b: memref<8x100xf32, #rows, #ub>,
                   %r: index, %k: index) {
  ascend.vec.broadcast %a -> %b [%r, %k]
    : memref<1x1xf32, #ub>, memref<8x100xf32, #rows, #ub>
  return
}

// With space for its block, it stays in the vector unit. All rows are one line,
// with the gaps between them, of which something may be left after all repeats.
// CHECK-LABEL: func.func @element_in_block
// CHECK-NOT: ascend.scalar
// CHECK: ascend.rep.brcb %{{.*}} -> %[[W:.*]] repeat %c1
// CHECK: %[[N:.*]] = arith.muli %{{.*}}, %c2
// CHECK: ascend.barrier on <V>
// CHECK: ascend.rep.copy %[[W]] -> %{{.*}} mask %c64{{.*}} repeat %[[N]] blocks [1, 0] rows [8, 0]
// CHECK: ascend.rep.brcb
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %c104
// CHECK: %[[FULL:.*]] = arith.divsi %[[ALL]], %c64
// CHECK: ascend.rep.copy {{.*}} mask %c64{{.*}} repeat %[[FULL]] blocks [1, 0] rows [8, 0]
// CHECK: scf.if
// CHECK: ascend.rep.copy {{.*}} repeat %c1{{.*}} blocks [1, 0] rows [8, 0]
// NO-BRCB-LABEL: func.func @element_in_block
// NO-BRCB: ascend.scalar.read
// NO-BRCB: ascend.scalar.read
func.func @element_in_block(%a: memref<1x1xf32, #ub>,
                            %w: memref<1x64xf32, #ub>,
                            %b: memref<8x128xf32, #ub>,
                            %c: memref<8x100xf32, #rows, #ub>,
                            %r: index, %k: index) {
  ascend.vec.broadcast %a -> %b [%r, %k] work %w : memref<1x64xf32, #ub>
    : memref<1x1xf32, #ub>, memref<8x128xf32, #ub>
  ascend.vec.broadcast %a -> %c [%r, %k] work %w : memref<1x64xf32, #ub>
    : memref<1x1xf32, #ub>, memref<8x100xf32, #rows, #ub>
  return
}

// Few long rows: an instruction for each row, not for each repeat of all.
// CHECK-LABEL: func.func @few_rows
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %{{.*}} step %c1
// CHECK: ascend.rep.binary <div> %{{.*}}, %{{.*}} -> %{{.*}} mask %c64{{.*}} repeat %c16{{.*}} blocks [1, 0, 1] rows [8, 0, 8]
// CHECK: scf.for
// CHECK: ascend.rep.binary <add> %{{.*}}, %{{.*}} -> %{{.*}} mask %c64{{.*}} repeat %c16{{.*}} blocks [1, 1, 1] rows [8, 8, 8]
// CHECK: return
func.func @few_rows(%w: memref<1x64xf32, #ub>, %row: memref<1x1024xf32, #ub>,
                    %a: memref<8x1024xf32, #ub>, %b: memref<8x1024xf32, #ub>,
                    %r: index) {
  %k = arith.constant 1024 : index
  ascend.vec.repeated <div> reversed %a, %w along <col> -> %b [%r, %k]
    : memref<8x1024xf32, #ub>, memref<1x64xf32, #ub>, memref<8x1024xf32, #ub>
  ascend.vec.repeated <add> %a, %row along <row> -> %b [%r, %k]
    : memref<8x1024xf32, #ub>, memref<1x1024xf32, #ub>, memref<8x1024xf32, #ub>
  return
}

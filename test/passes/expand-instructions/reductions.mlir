// Rows and columns that are combined, in each layout and on each architecture.
// RUN: belay-opt %s --ascend-expand-instructions | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend950PR_9599 | FileCheck %s --check-prefix=INTERLOCK
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend310P3 | FileCheck %s --check-prefix=PLACES

#ub = #ascend.space<ub>

// 3510 orders vector instructions itself.
// INTERLOCK-NOT: ascend.barrier

// A repeat for each row; of no columns, what combining nothing gives.
// CHECK-LABEL: func.func @short
// CHECK-SAME: %[[A:.*]]: memref<8x64xf32{{.*}} %[[B:.*]]: memref<8x1xf32{{.*}} %[[W:.*]]: memref<1x256{{.*}} %[[R:.*]]: index, %[[K:.*]]: index
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %[[K]], %c1
// CHECK: scf.if %[[SOME]]
// CHECK: ascend.rep.reduce <max> %[[A]] -> %[[B]] mask %[[K]] repeat %[[R]] row 8
// CHECK: else
// CHECK: %[[NONE:.*]] = arith.constant 0xFF800000 : f32
// CHECK: ascend.vec.fill %[[NONE]] -> %[[B]], %[[R]]
// The 310P finds the place along, which is left out, unless there are no rows.
// PLACES-LABEL: func.func @short
// PLACES: scf.if
// PLACES: scf.if
// PLACES: ascend.rep.reduce <max> places
// PLACES: ascend.barrier on <V>
// PLACES: ascend.rep.every_other %
func.func @short(%a: memref<8x64xf32, #ub>, %b: memref<8x1xf32, #ub>,
                 %w: memref<1x256xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x64xf32, #ub>, memref<8x1xf32, #ub>, memref<1x256xf32, #ub>
  return
}

// Of as many columns as are known, nothing is asked.
// CHECK-LABEL: func.func @known
// CHECK-NOT: scf.if
// CHECK: ascend.rep.reduce <sum> %{{.*}} -> %{{.*}} mask %c64{{.*}} repeat %{{.*}} row 8
// CHECK: return
func.func @known(%a: memref<8x64xf32, #ub>, %b: memref<8x1xf32, #ub>,
                 %w: memref<1x256xf32, #ub>, %r: index) {
  %k = arith.constant 64 : index
  ascend.vec.reduce <sum> along <row> %a [%r, %k] -> %b work %w
    : memref<8x64xf32, #ub>, memref<8x1xf32, #ub>, memref<1x256xf32, #ub>
  return
}

// Longer rows are folded to a repeat, the first two in one step if both are there.
// CHECK-LABEL: func.func @long
// CHECK: scf.if
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c65
// CHECK: scf.if %[[LONG]]
// CHECK: %[[TWO:.*]] = arith.cmpi sge, %{{.*}}, %c128
// CHECK: %[[BEGIN:.*]] = scf.if %[[TWO]] -> (index)
// CHECK: ascend.rep.binary <max> {{.*}} blocks [1, 1, 1] rows [8, 38, 38]
// CHECK: else
// CHECK: ascend.rep.scalar <mul> {{.*}} blocks [1, 1] rows [8, 38]
// CHECK: scf.for %[[C:.*]] = %[[BEGIN]] to %{{.*}} step %c64
// CHECK: ascend.barrier on <V>
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[C]]
// CHECK: %[[MASK:.*]] = arith.minsi %[[LEFT]], %c64
// CHECK: ascend.rep.binary <max> {{.*}} mask %[[MASK]] {{.*}} rows [8, 8, 38]
// CHECK: ascend.barrier on <V>
// CHECK: ascend.rep.reduce <max> {{.*}} row 8
// CHECK: else
// CHECK: ascend.rep.reduce <max> {{.*}} row 38
func.func @long(%a: memref<8x300xf32, strided<[304, 1]>, #ub>,
                %b: memref<8x1xf32, #ub>, %w: memref<1x1024xf32, #ub>, %r: index,
                %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x300xf32, strided<[304, 1]>, #ub>, memref<8x1xf32, #ub>,
      memref<1x1024xf32, #ub>
  return
}

// More rows than a repeat field holds. Results of 16 bits stay aligned: 240 rows.
// CHECK-LABEL: func.func @many
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %{{.*}} step %c240
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[R]]
// CHECK: %[[NOW:.*]] = arith.minsi %[[LEFT]], %c240
// CHECK: %[[FROM:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: %[[TO:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.rep.reduce <sum> %[[FROM]] -> %[[TO]] mask %c64{{.*}} repeat %[[NOW]] row 4
func.func @many(%a: memref<300x64xf16, #ub>, %b: memref<300x1xf16, #ub>,
                %w: memref<1x1024xf16, #ub>, %r: index) {
  %k = arith.constant 64 : index
  ascend.vec.reduce <sum> along <row> %a [%r, %k] -> %b work %w
    : memref<300x64xf16, #ub>, memref<300x1xf16, #ub>, memref<1x1024xf16, #ub>
  return
}

// Rows that strides do not reach across: one by one.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for
// CHECK: ascend.lib.reduce <max>
func.func @apart(%a: memref<2x4096xf32, #ub>, %b: memref<2x1xf32, #ub>,
                 %w: memref<1x512xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<2x4096xf32, #ub>, memref<2x1xf32, #ub>, memref<1x512xf32, #ub>
  return
}

// A column is packed: its rows are their own maxima.
// CHECK-LABEL: func.func @column
// CHECK-NOT: ascend.rep
// CHECK: ascend.vec.copy
// CHECK: else
// CHECK: ascend.vec.fill
func.func @column(%a: memref<8x1xf32, #ub>, %b: memref<8x1xf32, #ub>,
                  %w: memref<1x64xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x1xf32, #ub>, memref<8x1xf32, #ub>, memref<1x64xf32, #ub>
  return
}

// One row, and one column from top to bottom: a line of the library.
// CHECK-LABEL: func.func @lines
// CHECK-COUNT-2: ascend.lib.reduce <sum>
func.func @lines(%a: memref<1x64xf32, #ub>, %c: memref<64x1xf32, #ub>,
                 %b: memref<1x1xf32, #ub>, %w: memref<1x64xf32, #ub>, %n: index) {
  %one = arith.constant 1 : index
  ascend.vec.reduce <sum> along <row> %a [%one, %n] -> %b work %w
    : memref<1x64xf32, #ub>, memref<1x1xf32, #ub>, memref<1x64xf32, #ub>
  ascend.vec.reduce <sum> along <col> %c [%n, %one] -> %b work %w
    : memref<64x1xf32, #ub>, memref<1x1xf32, #ub>, memref<1x64xf32, #ub>
  return
}

// Down columns: the first row, and all others added to it.
// CHECK-LABEL: func.func @down
// CHECK: scf.if
// CHECK: ascend.vec.copy
// CHECK: scf.for %[[R:.*]] = %c1{{.*}} to
// CHECK: ascend.barrier on <V>
// CHECK: ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.vec.binary <add>
// CHECK: else
// CHECK: ascend.vec.fill
func.func @down(%a: memref<8x64xf32, #ub>, %b: memref<1x64xf32, #ub>,
                %w: memref<1x64xf32, #ub>, %r: index) {
  %k = arith.constant 64 : index
  ascend.vec.reduce <sum> along <col> %a [%r, %k] -> %b work %w
    : memref<8x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  return
}

// One row is what it is combined to.
// CHECK-LABEL: func.func @down_one
// CHECK-NOT: scf.for
// CHECK: ascend.vec.copy
// CHECK: return
func.func @down_one(%a: memref<1x64xf32, #ub>, %b: memref<1x64xf32, #ub>,
                    %w: memref<1x64xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <col> %a [%r, %k] -> %b work %w
    : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  return
}

// Integers are combined by the scalar unit, from the least of their type on.
// CHECK-LABEL: func.func @integers
// CHECK: ascend.flag.set <V> to <S>
// CHECK: ascend.flag.wait <V> to <S>
// CHECK: arith.constant -128 : i8
// CHECK: ascend.scalar.read
// CHECK: arith.maxsi
// CHECK: ascend.scalar.write
// CHECK: ascend.flag.set <S> to <V>
// CHECK: ascend.flag.wait <S> to <V>
func.func @integers(%a: memref<8x64xi8, #ub>, %b: memref<8x1xi8, #ub>,
                    %w: memref<1x256xi8, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x64xi8, #ub>, memref<8x1xi8, #ub>, memref<1x256xi8, #ub>
  return
}

// Places: pairs of an element and its place, then the places alone.
// CHECK-LABEL: func.func @places
// CHECK: scf.if
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %{{.*}} step %c248
// CHECK: %[[PAIR:.*]] = arith.muli %[[R]], %c2
// CHECK: ascend.slice %{{.*}}[0, %[[PAIR]]]
// CHECK: ascend.rep.reduce <max> places {{.*}} row 8
// CHECK: else
// CHECK: ascend.vec.fill
// CHECK: scf.if
// CHECK: ascend.rep.every_other odd
func.func @places(%a: memref<300x64xf32, #ub>, %b: memref<1x600xf32, #ub>,
                  %i: memref<300x1xi32, #ub>, %r: index, %k: index) {
  ascend.vec.extremes <max> %a [%r, %k] -> %b
    : memref<300x64xf32, #ub>, memref<1x600xf32, #ub>
  ascend.vec.places %b -> %i, %r : memref<1x600xf32, #ub>, memref<300x1xi32, #ub>
  return
}

// CHECK-LABEL: func.func @arg
// CHECK: scf.if
// CHECK: scf.for
// CHECK: %[[SPACE:.*]] = ascend.slice %[[W:.*]][0, 64]
// CHECK: ascend.lib.reduce <max> place %{{.*}} -> %[[W]], %{{.*}} work %[[SPACE]]
// CHECK: ascend.flag.wait <V> to <S>
// CHECK: ascend.scalar.read %{{.*}}[%c1{{.*}}] : {{.*}} -> i16
// CHECK: arith.extui
// CHECK: ascend.scalar.write
// CHECK: else
// CHECK: ascend.vec.fill
func.func @arg(%a: memref<8x128xf16, #ub>, %i: memref<8x1xi32, #ub>,
               %w: memref<1x192xf16, #ub>, %r: index, %k: index) {
  ascend.vec.arg_reduce <max> %a [%r, %k] -> %i work %w
    : memref<8x128xf16, #ub>, memref<8x1xi32, #ub>, memref<1x192xf16, #ub>
  return
}

// Rows of whole repeats are folded block by block, all of them at once, where
// there is space for that: 1024 elements to 128 to 16.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[TIMES:.*]] = arith.muli %{{.*}}, %c16
// CHECK: ascend.rep.block_reduce <max> %{{.*}} -> %[[W:.*]] repeat %[[TIMES]]
// CHECK: ascend.barrier on <V>
// CHECK: %[[TO:.*]] = ascend.slice %[[W]][0, 1024]
// CHECK: %[[TWICE:.*]] = arith.muli %{{.*}}, %c2
// CHECK: ascend.rep.block_reduce <max> %[[W]] -> %[[TO]] repeat %[[TWICE]]
// CHECK: ascend.barrier on <V>
// CHECK: ascend.rep.reduce <max> %{{.*}} -> %{{.*}} mask %c16{{.*}} row 2
// CHECK-NOT: ascend.rep.binary
// CHECK: return
func.func @blocks(%a: memref<8x1024xf32, #ub>, %b: memref<8x1xf32, #ub>,
                  %w: memref<1x1216xf32, #ub>, %r: index) {
  %k = arith.constant 1024 : index
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x1024xf32, #ub>, memref<8x1xf32, #ub>, memref<1x1216xf32, #ub>
  return
}

// Else repeat by repeat: no space, or columns that may be missing.
// CHECK-LABEL: func.func @no_space
// CHECK-NOT: ascend.rep.block_reduce
// CHECK: ascend.rep.binary <max>
// CHECK: return
func.func @no_space(%a: memref<8x1024xf32, #ub>, %b: memref<8x1xf32, #ub>,
                    %w: memref<1x640xf32, #ub>, %r: index) {
  %k = arith.constant 1024 : index
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x1024xf32, #ub>, memref<8x1xf32, #ub>, memref<1x640xf32, #ub>
  return
}

// CHECK-LABEL: func.func @some_columns
// CHECK-NOT: ascend.rep.block_reduce
// CHECK: return
func.func @some_columns(%a: memref<8x1024xf32, #ub>, %b: memref<8x1xf32, #ub>,
                        %w: memref<1x1216xf32, #ub>, %r: index, %k: index) {
  ascend.vec.reduce <max> along <row> %a [%r, %k] -> %b work %w
    : memref<8x1024xf32, #ub>, memref<8x1xf32, #ub>, memref<1x1216xf32, #ub>
  return
}

// More rows than one instruction takes: parts, with a barrier before each.
// CHECK-LABEL: func.func @many_blocks
// CHECK: scf.for
// CHECK: ascend.barrier on <V>
// CHECK: ascend.rep.block_reduce <sum>
// CHECK: return
func.func @many_blocks(%a: memref<16x2048xf32, #ub>, %b: memref<16x1xf32, #ub>,
                       %w: memref<1x4672xf32, #ub>, %r: index) {
  %k = arith.constant 2048 : index
  ascend.vec.reduce <sum> along <row> %a [%r, %k] -> %b work %w
    : memref<16x2048xf32, #ub>, memref<16x1xf32, #ub>, memref<1x4672xf32, #ub>
  return
}

// Places of all rows at once: of each repeat, then of each row.
// CHECK-LABEL: func.func @all_places
// CHECK: ascend.rep.reduce <max> places %{{.*}} mask %c64{{.*}} row 8
// CHECK: ascend.rep.every_other %
// CHECK: ascend.rep.reduce <max> places %{{.*}} mask %c16{{.*}} row 2
// CHECK: ascend.flag.set
// CHECK: scf.for
// CHECK: ascend.scalar.read
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: ascend.scalar.read
// CHECK: ascend.scalar.write
// CHECK-NOT: ascend.lib.reduce
// CHECK: return
func.func @all_places(%a: memref<8x1024xf32, #ub>, %b: memref<8x1xi32, #ub>,
                  %w: memref<1x448xf32, #ub>, %r: index) {
  %k = arith.constant 1024 : index
  ascend.vec.arg_reduce <max> %a [%r, %k] -> %b work %w
    : memref<8x1024xf32, #ub>, memref<8x1xi32, #ub>, memref<1x448xf32, #ub>
  return
}

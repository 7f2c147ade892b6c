// Each rule of the verifiers of single instructions, broken once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics

#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @l1_rank(%a: memref<64xf32, #ub>) {
  // expected-error @+1 {{needs a row and a column of a buffer (L1)}}
  %s = ascend.slice %a[0] : memref<64xf32, #ub> -> !part
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @l1_offsets(%a: memref<8x64xf32, #ub>) {
  // expected-error @+1 {{needs a row and a column of a buffer (L1)}}
  %s = ascend.slice %a[0] : memref<8x64xf32, #ub> -> !part
  return
}

// -----
#ub = #ascend.space<ub>
func.func @l2(%a: memref<8x64xf32, #ub>) {
  // expected-error @+1 {{cannot be 'memref<1x64xf32, #ascend.space<ub>>' (L2)}}
  %s = ascend.slice %a[1, 0] : memref<8x64xf32, #ub> -> memref<1x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @l3_row(%a: memref<8x64xf32, #ub>) {
  // expected-error @+1 {{begins at 8 of 8 (L3)}}
  %s = ascend.slice %a[8, 0] : memref<8x64xf32, #ub> -> !part
  return
}

// -----
#ub = #ascend.space<ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @l3_column(%a: memref<8x64xf32, #ub>, %r: index) {
  // expected-error @+1 {{begins at -1 of 64 (L3)}}
  %s = ascend.slice %a[%r, -1] : memref<8x64xf32, #ub> -> !part
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p1_binary(%a: !a, %b: memref<8x64xf16, #ub>, %n: index) {
  // expected-error @+1 {{mixes elements of 'f32' and 'f16' (P1)}}
  ascend.rep.binary <add> %a, %b -> %a mask %n repeat %n blocks [1, 1, 1] rows [8, 8, 8]
    : !a, memref<8x64xf16, #ub>, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p1_scalar(%a: !a, %s: f16, %n: index) {
  // expected-error @+1 {{mixes elements of 'f32' and 'f16' (P1)}}
  ascend.rep.scalar <mul> %a, %s -> %a mask %n repeat %n blocks [1, 1] rows [8, 8] : !a, f16, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p1_work(%a: !a, %w: memref<8x64xf16, #ub>, %n: index) {
  // expected-error @+1 {{mixes elements of 'f32' and 'f16' (P1)}}
  ascend.lib.reduce <sum> %a -> %a, %n work %w : !a, !a, memref<8x64xf16, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p2_most(%a: !a, %n: index) {
  %m = arith.constant 65 : index
  // expected-error @+1 {{has a mask of 65, not 1 to 64 (P2)}}
  ascend.rep.copy %a -> %a mask %m repeat %n blocks [1, 1] rows [8, 8] : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x128xf16, #ub>
func.func @p2_least(%a: !a, %n: index) {
  %m = arith.constant 0 : index
  // expected-error @+1 {{has a mask of 0, not 1 to 128 (P2)}}
  ascend.rep.reduce <sum> %a -> %a mask %m repeat %n row 8 : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p3_most(%a: !a) {
  %r = arith.constant 256 : index
  // expected-error @+1 {{has a repeat of 256, not 0 to 255 (P3)}}
  ascend.rep.brcb %a -> %a repeat %r : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p3_least(%a: !a, %n: index) {
  %r = arith.constant -1 : index
  // expected-error @+1 {{has a repeat of -1, not 0 to 255 (P3)}}
  ascend.rep.reduce <sum> %a -> %a mask %n repeat %r row 8 : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p4_number(%a: !a, %n: index) {
  // expected-error @+1 {{needs 3 strides of 0 to 255 (P4)}}
  ascend.rep.binary <add> %a, %a -> %a mask %n repeat %n blocks [1, 1] rows [8, 8, 8] : !a, !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p4_most(%a: !a, %n: index) {
  // expected-error @+1 {{needs 2 strides of 0 to 255 (P4)}}
  ascend.rep.copy %a -> %a mask %n repeat %n blocks [1, 1] rows [8, 256] : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p4_row(%a: !a, %n: index) {
  // expected-error @+1 {{needs 1 strides of 0 to 255 (P4)}}
  ascend.rep.reduce <max> %a -> %a mask %n repeat %n row -1 : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi8, #ub>
func.func @p5_copy(%a: !a, %n: index) {
  // expected-error @+1 {{has no form for 'i8' (P5)}}
  ascend.rep.copy %a -> %a mask %n repeat %n blocks [1, 1] rows [8, 8] : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi64, #ub>
func.func @p5_brcb(%a: !a, %n: index) {
  // expected-error @+1 {{has no form for 'i64' (P5)}}
  ascend.rep.brcb %a -> %a repeat %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi8, #ub>
func.func @p5_every_other(%a: !a, %n: index) {
  // expected-error @+1 {{has no form for 'i8' (P5)}}
  ascend.rep.every_other %a -> %a, %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<16x32xi8, #ub>
func.func @p5_transpose(%a: !a, %n: index) {
  // expected-error @+1 {{has no form for 'i8' (P5)}}
  ascend.rep.transpose %a pitch 32 -> %a pitch 32 repeat %n strides %n, %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi32, #ub>
func.func @p6_type(%a: !a, %n: index) {
  // expected-error @+1 {{has no 'max' of 'i32' (P6)}}
  ascend.rep.reduce <max> %a -> %a mask %n repeat %n row 8 : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p6_places(%a: !a, %n: index) {
  // expected-error @+1 {{has no 'sum' of 'f32' (P6)}}
  ascend.rep.reduce <sum> places %a -> %a mask %n repeat %n row 8 : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p6_prod(%a: !a, %n: index) {
  // expected-error @+1 {{has no 'prod' of 'f32' (P6)}}
  ascend.lib.reduce <prod> %a -> %a, %n work %a : !a, !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<16x24xf16, #ub>
func.func @p7(%a: !a, %n: index) {
  // expected-error @+1 {{has pitches of 24 and 16, which are no whole blocks (P7)}}
  ascend.rep.transpose %a pitch 24 -> %a pitch 16 repeat %n strides %n, %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p8(%a: !a) {
  %n = arith.constant 0 : index
  // expected-error @+1 {{has a count of 0, not 1 to 2147483647 (P8)}}
  ascend.lib.reduce <sum> %a -> %a, %n work %a : !a, !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p3_block_reduce(%a: !a) {
  %r = arith.constant 256 : index
  // expected-error @+1 {{has a repeat of 256, not 0 to 255 (P3)}}
  ascend.rep.block_reduce <max> %a -> %a repeat %r : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @p6_block_reduce(%a: !a, %n: index) {
  // expected-error @+1 {{has no 'prod' of 'f32' (P6)}}
  ascend.rep.block_reduce <prod> %a -> %a repeat %n : !a, !a
  return
}

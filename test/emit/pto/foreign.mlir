// What others write of PTO: both forms of tiles, all memories, operations of which only
// operands are known. What is printed is what was read.
// RUN: belay-opt %s | belay-opt | FileCheck %s
// RUN: belay-opt %s --mlir-print-op-generic | belay-opt | FileCheck %s

!mat = !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 32x32xf16, slayout=row_major>
!right = !pto.tile_buf<right, 32x32xf16, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!vec = !pto.tile_buf<vec, 32x32xf32>
!ints = !pto.tile_buf<vec, 32x32xi32>

// The long form is printed as the short one.
// CHECK-LABEL: func.func @long(%{{.*}}: !pto.tile_buf<vec, 16x32xf32, valid=?x8, pad=1>
func.func @long(%t: !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=?, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=1>) { return }

// CHECK-LABEL: func.func @cube
// CHECK-SAME: !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
// CHECK-SAME: !pto.tile_buf<left, 32x32xf16, slayout=row_major>
// CHECK-SAME: !pto.tile_buf<right, 32x32xf16, slayout=col_major>
// CHECK-SAME: !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
func.func @cube(%m: !mat, %l: !left, %r: !right, %a: !acc, %q: i64,
                %p: !pto.partition_tensor_view<32x32xf16>, %o: !pto.partition_tensor_view<32x32xf32>) {
  // CHECK: pto.tload ins(%{{.*}} : !pto.partition_tensor_view<32x32xf16>) outs(%{{.*}} : !pto.tile_buf<mat
  pto.tload ins(%p : !pto.partition_tensor_view<32x32xf16>) outs(%m : !mat)
  // CHECK: pto.tmov ins(%{{.*}} : !pto.tile_buf<mat{{.*}}) outs(%{{.*}} : !pto.tile_buf<left
  pto.tmov ins(%m : !mat) outs(%l : !left)
  pto.tmov ins(%m : !mat) outs(%r : !right)
  // CHECK: pto.tmatmul ins(%{{.*}}, %{{.*}} : !pto.tile_buf<left{{.*}}, !pto.tile_buf<right{{.*}}) outs(%{{.*}} : !pto.tile_buf<acc
  pto.tmatmul ins(%l, %r : !left, !right) outs(%a : !acc)
  // CHECK: pto.tmatmul.acc ins(%{{.*}}, %{{.*}}, %{{.*}} : !pto.tile_buf<acc
  pto.tmatmul.acc ins(%a, %l, %r : !acc, !left, !right) outs(%a : !acc)
  // An operand with its type after the first.
  // CHECK: pto.tstore ins(%{{.*}}, %{{.*}} : !pto.tile_buf<acc{{.*}}, i64) outs(
  pto.tstore ins(%a : !acc, %q : i64) outs(%o : !pto.partition_tensor_view<32x32xf32>)
  // CHECK: pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TMATMUL>, <EVENT_ID0>]
  pto.record_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TMATMUL>, #pto.event<EVENT_ID0>]
  // CHECK: pto.barrier <PIPE_M>
  pto.barrier <PIPE_M>
  // CHECK: pto.set_flag[<PIPE_MTE1>, <PIPE_FIX>, <EVENT_ID3>]
  pto.set_flag[<PIPE_MTE1>, <PIPE_FIX>, <EVENT_ID3>]
  return
}

// CHECK-LABEL: func.func @vector
func.func @vector(%a: !vec, %b: !vec, %i: !ints, %s: f32) {
  // CHECK: pto.ttrans ins(%{{.*}}, %{{.*}} : {{.*}}) outs(
  pto.ttrans ins(%a, %b : !vec, !vec) outs(%a : !vec)
  // CHECK: pto.tgather ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}} : {{.*}}) {offset = 7 : i32}
  pto.tgather ins(%a, %i, %i : !vec, !ints, !ints) outs(%b : !vec) {offset = 7 : i32}
  // CHECK: pto.tgather ins(%{{.*}}, {maskPattern = #pto.mask_pattern<P0010>} : {{.*}}) outs(
  pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0010>} : !vec) outs(%b : !vec)
  // CHECK: pto.tcmps ins(%{{.*}}, %{{.*}} {cmpMode = #pto<cmp lt>} : {{.*}}, f32) outs(
  pto.tcmps ins(%a, %s {cmpMode = #pto<cmp lt>} : !vec, f32) outs(%i : !ints)
  // CHECK: pto.tdivs ins(%{{.*}}, %{{.*}} : f32, {{.*}}) outs(
  pto.tdivs ins(%s, %a : f32, !vec) outs(%b : !vec)
  // CHECK: pto.trowexpandmul ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(
  pto.trowexpandmul ins(%a, %b, %b : !vec, !vec, !vec) outs(%a : !vec)
  return
}

// What ptoas shows once it has chosen addresses.
// CHECK-LABEL: func.func @placed
func.func @placed(%n: index) {
  %at = arith.constant 64 : i64
  // CHECK: pto.pointer_cast(%{{.*}}) {config = #pto.tile_buf_config<blayout=#pto.blayout<row_major>, pad=1>} : memref<8x8xf32, #pto.address_space<vec>>
  %p = pto.pointer_cast(%at) {config = #pto.tile_buf_config<blayout=#pto.blayout<row_major>, pad=1>} : memref<8x8xf32, #pto.address_space<vec>>
  // CHECK: pto.bind_tile %{{.*}}, %{{.*}}, %{{.*}} : memref<8x8xf32, #pto.address_space<vec>> -> memref<8x8xf32, #pto.address_space<vec>>
  %b = pto.bind_tile %p, %n, %n : memref<8x8xf32, #pto.address_space<vec>> -> memref<8x8xf32, #pto.address_space<vec>>
  // CHECK: pto.texp ins(%{{.*}} : memref<8x8xf32, #pto.address_space<vec>>) outs(
  pto.texp ins(%b : memref<8x8xf32, #pto.address_space<vec>>) outs(%b : memref<8x8xf32, #pto.address_space<vec>>)
  return
}

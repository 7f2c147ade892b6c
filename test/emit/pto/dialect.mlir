// What is printed is what was read, and what ptoas reads.
// RUN: belay-opt %s | belay-opt | FileCheck %s
// RUN: belay-opt %s --mlir-print-op-generic | belay-opt | FileCheck %s

!row = !pto.tile_buf<vec, 1x64xf32, valid=1x?>
!ints = !pto.tile_buf<vec, 1x64xi32, valid=1x?>
!half = !pto.tile_buf<vec, 1x64xf16, valid=1x?>
!tile = !pto.tile_buf<vec, 8x64xf32, valid=?x?>
!col = !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>
!blocks = !pto.tile_buf<vec, 8x8xf32, valid=?x?>
!mask = !pto.tile_buf<vec, 1x32xui8>
!view = !pto.tensor_view<?x?xf32>
!part = !pto.partition_tensor_view<?x?xf32>

// CHECK: module attributes {pto.target_arch = "a3"}
module attributes {pto.target_arch = "a3"} {

// CHECK-LABEL: func.func @copies(%{{.*}}: !pto.ptr<f32>, %{{.*}}: i64) attributes {pto.kernel_kind = #pto.kernel_kind<vector>}
func.func @copies(%x: !pto.ptr<f32>, %extent: i64) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = arith.constant 256 : i64
  %n = arith.index_cast %extent : i64 to index
  // CHECK: pto.get_block_idx
  %i = pto.get_block_idx
  // CHECK: pto.get_block_num
  %m = pto.get_block_num
  // CHECK: pto.make_tensor_view %{{.*}}, shape = [%{{.*}}, %{{.*}}], strides = [%{{.*}}, %{{.*}}] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
  %v = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] {layout = #pto.layout<nd>} : !view
  // CHECK: pto.partition_view %{{.*}}, offsets = [%{{.*}}, %{{.*}}], sizes = [%{{.*}}, %{{.*}}] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %n] : !view -> !part
  // CHECK: pto.alloc_tile addr = %{{.*}} valid_col = %{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
  %t = pto.alloc_tile addr = %at valid_col = %n : !row
  // CHECK: pto.tload ins(%{{.*}} : !pto.partition_tensor_view<?x?xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.tload ins(%p : !part) outs(%t : !row)
  // CHECK: pto.tstore ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.partition_tensor_view<?x?xf32>)
  pto.tstore ins(%t : !row) outs(%p : !part)
  // CHECK: pto.tstore {{.*}} {atomicType = #pto<atomic_type atomic_add>}
  pto.tstore ins(%t : !row) outs(%p : !part) {atomicType = #pto<atomic_type atomic_add>}
  // CHECK: pto.alloc_tile valid_row = %{{.*}} valid_col = %{{.*}} : !pto.tile_buf<vec, 8x64xf32, valid=?x?>
  %u = pto.alloc_tile valid_row = %c1 valid_col = %n : !tile
  // CHECK: pto.treshape %{{.*}} : !pto.tile_buf<vec, 8x64xf32, valid=?x?> -> !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  %w = pto.treshape %u : !tile -> !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  // CHECK: pto.set_validshape %{{.*}}, %{{.*}}, %{{.*}} : !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  pto.set_validshape %w, %c1, %n : !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  // CHECK: %[[PART:.*]] = pto.subset %{{.*}}[%{{.*}}, %{{.*}}] sizes [1, 64] : !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  %q = pto.subset %w[%c0, %n] sizes [1, 64] : !pto.tile_buf<vec, 1x512xf32, valid=?x?>
  // CHECK: pto.set_validshape %[[PART]], %{{.*}}, %{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
  pto.set_validshape %q, %c1, %n : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
  // CHECK: %[[ELEMENT:.*]] = pto.load_scalar %{{.*}}[%{{.*}}] : !pto.ptr<f32> -> f32
  %e = pto.load_scalar %x[%n] : !pto.ptr<f32> -> f32
  // CHECK: pto.tsetval ins(%{{.*}}, %[[ELEMENT]] : index, f32) outs(
  pto.tsetval ins(%n, %e : index, f32) outs(%t : !row)
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%a: !row, %b: !row, %i: !ints, %j: !ints, %h: !half, %s: f32, %k: i32, %m: !mask, %n: index, %p: !pto.tile_buf<vec, 1x64xf32, pad=3>) {
  // CHECK: pto.tabs ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.tabs ins(%a : !row) outs(%a : !row)
  // CHECK: pto.texp ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.texp ins(%a : !row) outs(%a : !row)
  // CHECK: pto.tlog ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.tlog ins(%a : !row) outs(%a : !row)
  // CHECK: pto.tsqrt ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.tsqrt ins(%a : !row) outs(%a : !row)
  // CHECK: pto.trsqrt ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.trsqrt ins(%a : !row) outs(%a : !row)
  // CHECK: pto.trecip ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.trecip ins(%a : !row) outs(%a : !row)
  // CHECK: pto.trelu ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.trelu ins(%a : !row) outs(%a : !row)
  // CHECK: pto.tnot ins(%{{.*}} : !pto.tile_buf<vec, 1x64xi32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xi32, valid=1x?>)
  pto.tnot ins(%i : !ints) outs(%i : !ints)
  // CHECK: pto.tmov ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
  pto.tmov ins(%a : !row) outs(%a : !row)
  // CHECK: pto.tadd ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tadd ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tsub ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tsub ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tmul ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tmul ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tdiv ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tdiv ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tmax ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tmax ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tmin ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tmin ins(%a, %b : !row, !row) outs(%a : !row)
  // CHECK: pto.tand ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tand ins(%i, %j : !ints, !ints) outs(%i : !ints)
  // CHECK: pto.tor ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tor ins(%i, %j : !ints, !ints) outs(%i : !ints)
  // CHECK: pto.tshl ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tshl ins(%i, %j : !ints, !ints) outs(%i : !ints)
  // CHECK: pto.tshr ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : {{.*}})
  pto.tshr ins(%i, %j : !ints, !ints) outs(%i : !ints)
  // CHECK: pto.tadds ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tadds ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tsubs ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tsubs ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tmuls ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tmuls ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tdivs ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tdivs ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tmaxs ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tmaxs ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tmins ins(%{{.*}}, %{{.*}} : {{.*}}, f32) outs(%{{.*}} : {{.*}})
  pto.tmins ins(%a, %s : !row, f32) outs(%a : !row)
  // CHECK: pto.tands ins(%{{.*}}, %{{.*}} : {{.*}}, i32) outs(%{{.*}} : {{.*}})
  pto.tands ins(%i, %k : !ints, i32) outs(%i : !ints)
  // CHECK: pto.tors ins(%{{.*}}, %{{.*}} : {{.*}}, i32) outs(%{{.*}} : {{.*}})
  pto.tors ins(%i, %k : !ints, i32) outs(%i : !ints)
  // CHECK: pto.tshls ins(%{{.*}}, %{{.*}} : {{.*}}, i32) outs(%{{.*}} : {{.*}})
  pto.tshls ins(%i, %k : !ints, i32) outs(%i : !ints)
  // CHECK: pto.tshrs ins(%{{.*}}, %{{.*}} : {{.*}}, i32) outs(%{{.*}} : {{.*}})
  pto.tshrs ins(%i, %k : !ints, i32) outs(%i : !ints)
  // CHECK: pto.texpands ins(%{{.*}} : f32) outs(
  pto.texpands ins(%s : f32) outs(%a : !row)
  // CHECK: pto.tfillpad_inplace ins(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%{{.*}} : !pto.tile_buf<vec, 1x64xf32, pad=3>)
  pto.tfillpad_inplace ins(%a : !row) outs(%p : !pto.tile_buf<vec, 1x64xf32, pad=3>)
  // CHECK: pto.tcvt ins(%{{.*}} {rmode = #pto<round_mode RINT>} : {{.*}}xf32, valid=1x?>) outs(%{{.*}} : {{.*}}xf16, valid=1x?>)
  pto.tcvt ins(%a {rmode = #pto<round_mode RINT>} : !row) outs(%h : !half)
  // CHECK: pto.tcmp ins(%{{.*}}, %{{.*}} {cmpMode = #pto<cmp lt>} : {{.*}}) outs(%{{.*}} : !pto.tile_buf<vec, 1x32xui8>)
  pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : !row, !row) outs(%m : !mask)
  // CHECK: pto.tsel ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !pto.tile_buf<vec, 1x32xui8>, {{.*}}) outs(
  pto.tsel ins(%m, %a, %b, %m : !mask, !row, !row, !mask) outs(%a : !row)
  // CHECK: pto.tci ins(%{{.*}} : i32) outs(
  pto.tci ins(%k : i32) outs(%i : !ints)
  // CHECK: pto.tgetval ins(%{{.*}}, %{{.*}} : {{.*}}, index) outs : f32
  %v = pto.tgetval ins(%a, %n : !row, index) outs : f32
  // CHECK: pto.tsetval ins(%{{.*}}, %{{.*}} : index, f32) outs(
  pto.tsetval ins(%n, %v : index, f32) outs(%a : !row)
  return
}

// CHECK-LABEL: func.func @rows
func.func @rows(%a: !tile, %r: !row, %c: !col, %b: !blocks) {
  // CHECK: pto.trowsum ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>)
  pto.trowsum ins(%a, %a : !tile, !tile) outs(%c : !col)
  // CHECK: pto.trowmax ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>)
  pto.trowmax ins(%a, %a : !tile, !tile) outs(%c : !col)
  // CHECK: pto.trowmin ins(%{{.*}}, %{{.*}} : {{.*}}, {{.*}}) outs(%{{.*}} : !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>)
  pto.trowmin ins(%a, %a : !tile, !tile) outs(%c : !col)
  // CHECK: pto.tcolsum ins(%{{.*}} : {{.*}}) outs(
  pto.tcolsum ins(%a : !tile) outs(%r : !row)
  // CHECK: pto.tcolmax ins(%{{.*}} : {{.*}}) outs(
  pto.tcolmax ins(%a : !tile) outs(%r : !row)
  // CHECK: pto.tcolmin ins(%{{.*}} : {{.*}}) outs(
  pto.tcolmin ins(%a : !tile) outs(%r : !row)
  // CHECK: pto.trowexpand ins(
  pto.trowexpand ins(%c : !col) outs(%b : !blocks)
  // CHECK: pto.tcolexpand ins(
  pto.tcolexpand ins(%r : !row) outs(%a : !tile)
  // CHECK: pto.trowexpandadd ins(
  pto.trowexpandadd ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpandadd ins(
  pto.tcolexpandadd ins(%a, %r : !tile, !row) outs(%a : !tile)
  // CHECK: pto.trowexpandsub ins(
  pto.trowexpandsub ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpandsub ins(
  pto.tcolexpandsub ins(%a, %r : !tile, !row) outs(%a : !tile)
  // CHECK: pto.trowexpandmul ins(
  pto.trowexpandmul ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpandmul ins(
  pto.tcolexpandmul ins(%a, %r : !tile, !row) outs(%a : !tile)
  // CHECK: pto.trowexpanddiv ins(
  pto.trowexpanddiv ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpanddiv ins(
  pto.tcolexpanddiv ins(%a, %r : !tile, !row) outs(%a : !tile)
  // CHECK: pto.trowexpandmax ins(
  pto.trowexpandmax ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpandmax ins(
  pto.tcolexpandmax ins(%a, %r : !tile, !row) outs(%a : !tile)
  // CHECK: pto.trowexpandmin ins(
  pto.trowexpandmin ins(%a, %b : !tile, !blocks) outs(%a : !tile)
  // CHECK: pto.tcolexpandmin ins(
  pto.tcolexpandmin ins(%a, %r : !tile, !row) outs(%a : !tile)
  return
}

// CHECK-LABEL: func.func @order
func.func @order(%e: index, %at: memref<256xi64>) {
  // CHECK: pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  // CHECK: pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  // CHECK: pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %{{.*}}]
  pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %e]
  // CHECK: pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %{{.*}}]
  pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %e]
  // CHECK: pto.barrier <PIPE_V>
  pto.barrier <PIPE_V>
  // CHECK: pto.barrier <PIPE_ALL>
  pto.barrier <PIPE_ALL>
  // CHECK: pto.set_ffts %{{.*}} : memref<256xi64>
  pto.set_ffts %at : memref<256xi64>
  // CHECK: pto.sync.set <PIPE_FIX>, 3
  pto.sync.set <PIPE_FIX>, 3
  // CHECK: pto.sync.set <PIPE_MTE3>, %{{.*}} {ffts_mode = 2 : i32}
  pto.sync.set #pto.pipe<PIPE_MTE3>, %e {ffts_mode = 2 : i32}
  // CHECK: pto.sync.wait <PIPE_S>, 3
  pto.sync.wait <PIPE_S>, 3
  // CHECK: pto.sync.wait <PIPE_V>, %{{.*}}
  pto.sync.wait <PIPE_V>, %e
  // CHECK: pto.trap
  pto.trap
  return
}
}

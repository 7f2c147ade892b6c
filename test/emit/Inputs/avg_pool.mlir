// Averages of 2x2: loads with strides.
module {
  func.func @avg_pool_64(%arg0: memref<?x?x64xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?x?x32xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %cst = arith.constant 2.500000e-01 : f32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?x64xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?x32xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?x64xf32, #ascend.space<gm>>
    %dim_2 = memref.dim %arg1, %c1 : memref<?x?x32xf32, #ascend.space<gm>>
    %1 = arith.muli %dim_2, %c2 : index
    %2 = arith.cmpi eq, %dim_1, %1 : index
    ascend.expects %0, "x.extent(0) == y.extent(0)"
    ascend.expects %2, "x.extent(1) == y.extent(1) * 2"
    %3 = ascend.core_index
    %4 = ascend.core_count
    scf.for %arg2 = %3 to %dim step %4 {
      scf.for %arg3 = %c0 to %dim_2 step %c1 {
        %subview = memref.subview %arg0[%arg2, 0, 0] [1, %dim_1, 64] [1, 1, 1] : memref<?x?x64xf32, #ascend.space<gm>> to memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>>
        %5 = arith.muli %arg3, %c2 : index
        %subview_3 = memref.subview %subview[%5, 0] [1, 64] [1, 1] : memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>>
        %subview_4 = memref.subview %subview_3[0] [32] [2] : memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>>
        %cast = memref.cast %subview_4 : memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
        %subview_5 = memref.subview %subview_3[1] [32] [2] : memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>>
        %cast_6 = memref.cast %subview_5 : memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
        %6 = arith.addi %5, %c1 : index
        %subview_7 = memref.subview %subview[%6, 0] [1, 64] [1, 1] : memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>>
        %subview_8 = memref.subview %subview_7[0] [32] [2] : memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>>
        %cast_9 = memref.cast %subview_8 : memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
        %subview_10 = memref.subview %subview_7[1] [32] [2] : memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>>
        %cast_11 = memref.cast %subview_10 : memref<32xf32, strided<[2], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
        %subview_12 = memref.subview %arg1[%arg2, 0, 0] [1, %dim_2, 32] [1, 1, 1] : memref<?x?x32xf32, #ascend.space<gm>> to memref<?x32xf32, strided<[32, 1], offset: ?>, #ascend.space<gm>>
        %subview_13 = memref.subview %subview_12[%arg3, 0] [1, 32] [1, 1] : memref<?x32xf32, strided<[32, 1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[1], offset: ?>, #ascend.space<gm>>
        %7 = ascend.load %cast[0] [32] : memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>> -> tensor<1x32xf32>
        %8 = ascend.load %cast_6[0] [32] : memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>> -> tensor<1x32xf32>
        %9 = arith.addf %7, %8 : tensor<1x32xf32>
        %10 = ascend.load %cast_9[0] [32] : memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>> -> tensor<1x32xf32>
        %11 = arith.addf %9, %10 : tensor<1x32xf32>
        %12 = ascend.load %cast_11[0] [32] : memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>> -> tensor<1x32xf32>
        %13 = arith.addf %11, %12 : tensor<1x32xf32>
        %14 = ascend.splat %cst[] : f32 -> tensor<1x32xf32>
        %15 = arith.mulf %13, %14 : tensor<1x32xf32>
        ascend.store %15, %subview_13[0] [32] : tensor<1x32xf32> -> memref<32xf32, strided<[1], offset: ?>, #ascend.space<gm>>
      }
    }
    return
  }
}

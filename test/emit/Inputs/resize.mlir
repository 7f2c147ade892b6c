// Nearest neighbours, twice as large: stores with strides.
module {
  func.func @resize_32_2(%arg0: memref<?x?x32xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?x?x64xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c65 = arith.constant 65 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?x32xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?x64xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?x32xf32, #ascend.space<gm>>
    %1 = arith.muli %dim_1, %c2 : index
    %dim_2 = memref.dim %arg1, %c1 : memref<?x?x64xf32, #ascend.space<gm>>
    %2 = arith.cmpi eq, %1, %dim_2 : index
    ascend.expects %0, "x.extent(0) == y.extent(0)"
    ascend.expects %2, "x.extent(1) * 2L == y.extent(1)"
    %3 = ascend.core_index
    %4 = ascend.core_count
    scf.for %arg2 = %3 to %dim step %4 {
      scf.for %arg3 = %c0 to %dim_1 step %c1 {
        %subview = memref.subview %arg0[%arg2, 0, 0] [1, %dim_1, 32] [1, 1, 1] : memref<?x?x32xf32, #ascend.space<gm>> to memref<?x32xf32, strided<[32, 1], offset: ?>, #ascend.space<gm>>
        %subview_3 = memref.subview %subview[%arg3, 0] [1, 32] [1, 1] : memref<?x32xf32, strided<[32, 1], offset: ?>, #ascend.space<gm>> to memref<32xf32, strided<[1], offset: ?>, #ascend.space<gm>>
        %5 = ascend.load %subview_3[0] [32] : memref<32xf32, strided<[1], offset: ?>, #ascend.space<gm>> -> tensor<1x32xf32>
        scf.for %arg4 = %c0 to %c2 step %c1 {
          scf.for %arg5 = %c0 to %c2 step %c1 {
            %subview_4 = memref.subview %arg1[%arg2, 0, 0] [1, %dim_2, 64] [1, 1, 1] : memref<?x?x64xf32, #ascend.space<gm>> to memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>>
            %6 = arith.muli %arg3, %c2 : index
            %7 = arith.addi %6, %arg4 : index
            %subview_5 = memref.subview %subview_4[%7, 0] [1, 64] [1, 1] : memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>>
            %8 = arith.subi %c65, %arg5 : index
            %9 = arith.divsi %8, %c2 : index
            %subview_6 = memref.subview %subview_5[%arg5] [%9] [2] : memref<64xf32, strided<[1], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[2], offset: ?>, #ascend.space<gm>>
            %cast = memref.cast %subview_6 : memref<?xf32, strided<[2], offset: ?>, #ascend.space<gm>> to memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
            ascend.store %5, %cast[0] [32] : tensor<1x32xf32> -> memref<?xf32, strided<[?], offset: ?>, #ascend.space<gm>>
          }
        }
      }
    }
    return
  }
}

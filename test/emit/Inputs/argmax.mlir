// Where the largest element of each row is.
module {
  func.func @argmax_512(%arg0: memref<?x512xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xi32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x512xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xi32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    ascend.expects %0, "x.rows() == where.size()"
    %1 = ascend.core_index
    %2 = arith.muli %1, %c8 : index
    %3 = ascend.core_count
    %4 = arith.muli %3, %c8 : index
    scf.for %arg2 = %2 to %dim step %4 {
      %5 = arith.subi %dim, %arg2 : index
      %6 = arith.minsi %5, %c8 : index
      %7 = ascend.load %arg0[%arg2, 0] [%6, 512] : memref<?x512xf32, #ascend.space<gm>> -> tensor<?x512xf32, #ascend.capacity<8x512>>
      %8 = ascend.arg_reduce <max> along <row> %7 : tensor<?x512xf32, #ascend.capacity<8x512>>
      ascend.store %8, %arg1[%arg2] [%6] : tensor<?x1xi32, #ascend.capacity<8x1>> -> memref<?xi32, #ascend.space<gm>>
    }
    return
  }
}

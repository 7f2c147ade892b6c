// Rows added to those that indices name, by all cores at once.
module {
  func.func @scatter_rows_512(%arg0: memref<?x512xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xi32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg2: memref<?x512xf32, #ascend.space<gm>> {ascend.role = #ascend.role<inout>}) attributes {ascend.kernel} {
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x512xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xi32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    ascend.expects %0, "x.rows() == ids.size()"
    %1 = ascend.core_index
    %2 = arith.muli %1, %c16 : index
    %3 = ascend.core_count
    %4 = arith.muli %3, %c16 : index
    scf.for %arg3 = %2 to %dim step %4 {
      %5 = arith.subi %dim, %arg3 : index
      %6 = arith.minsi %5, %c16 : index
      %7 = ascend.load %arg1[%arg3] [%6] : memref<?xi32, #ascend.space<gm>> -> tensor<?x1xi32, #ascend.capacity<16x1>>
      %8 = ascend.load %arg0[%arg3, 0] [%6, 512] : memref<?x512xf32, #ascend.space<gm>> -> tensor<?x512xf32, #ascend.capacity<16x512>>
      ascend.scatter <trap> %8, %arg2, %7 combine <sum> : tensor<?x512xf32, #ascend.capacity<16x512>>, memref<?x512xf32, #ascend.space<gm>>, tensor<?x1xi32, #ascend.capacity<16x1>>
    }
    return
  }
}

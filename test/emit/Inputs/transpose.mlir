// Windows of 64x64, transposed.
module {
  func.func @transpose_of(%arg0: memref<?x?xf16, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?x?xf16, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c64 = arith.constant 64 : index
    %c63 = arith.constant 63 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf16, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf16, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf16, #ascend.space<gm>>
    %dim_2 = memref.dim %arg1, %c0 : memref<?x?xf16, #ascend.space<gm>>
    %1 = arith.cmpi eq, %dim_1, %dim_2 : index
    ascend.expects %0, "x.rows() == y.cols()"
    ascend.expects %1, "x.cols() == y.rows()"
    %2 = arith.addi %dim_0, %c63 : index
    %3 = arith.divsi %2, %c64 : index
    %4 = arith.addi %dim_2, %c63 : index
    %5 = arith.divsi %4, %c64 : index
    %6 = arith.muli %5, %3 : index
    %7 = ascend.core_index
    %8 = ascend.core_count
    scf.for %arg2 = %7 to %6 step %8 {
      %9 = arith.divsi %arg2, %3 : index
      %10 = arith.muli %9, %c64 : index
      %11 = arith.remsi %arg2, %3 : index
      %12 = arith.muli %11, %c64 : index
      %13 = arith.subi %dim_2, %10 : index
      %14 = arith.minsi %13, %c64 : index
      %15 = arith.subi %dim_0, %12 : index
      %16 = arith.minsi %15, %c64 : index
      %17 = ascend.load %arg0[%12, %10] [%16, %14] : memref<?x?xf16, #ascend.space<gm>> -> tensor<?x?xf16, #ascend.capacity<64x64>>
      %18 = ascend.transpose %17 : tensor<?x?xf16, #ascend.capacity<64x64>>
      ascend.store %18, %arg1[%10, %12] [%14, %16] : tensor<?x?xf16, #ascend.capacity<64x64>> -> memref<?x?xf16, #ascend.space<gm>>
    }
    return
  }
}

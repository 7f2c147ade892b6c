// Prefix sums along rows of any length, in windows of 512.
module {
  func.func @cumsum_512(%arg0: memref<?x?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?x?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c512 = arith.constant 512 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32, #ascend.space<gm>>
    %dim_2 = memref.dim %arg1, %c1 : memref<?x?xf32, #ascend.space<gm>>
    %1 = arith.cmpi eq, %dim_1, %dim_2 : index
    ascend.expects %0, "x.rows() == y.rows()"
    ascend.expects %1, "x.cols() == y.cols()"
    %2 = ascend.core_index
    %3 = ascend.core_count
    scf.for %arg2 = %2 to %dim step %3 {
      %4 = arith.subi %dim, %arg2 : index
      %5 = arith.minsi %4, %c1 : index
      %6 = scf.for %arg3 = %c0 to %dim_1 step %c512 iter_args(%arg4 = %cst) -> (f32) {
        %7 = arith.subi %dim_1, %arg3 : index
        %8 = arith.minsi %7, %c512 : index
        %9 = ascend.load %arg0[%arg2, %arg3] [%5, %8] : memref<?x?xf32, #ascend.space<gm>> -> tensor<?x?xf32, #ascend.capacity<1x512>>
        %10 = ascend.scan <sum> along <row> %9 : tensor<?x?xf32, #ascend.capacity<1x512>>
        %dim_3 = tensor.dim %10, %c0 : tensor<?x?xf32, #ascend.capacity<1x512>>
        %dim_4 = tensor.dim %10, %c1 : tensor<?x?xf32, #ascend.capacity<1x512>>
        %11 = ascend.splat %arg4[%dim_3, %dim_4] : f32 -> tensor<?x?xf32, #ascend.capacity<1x512>>
        %12 = arith.addf %10, %11 : tensor<?x?xf32, #ascend.capacity<1x512>>
        ascend.store %12, %arg1[%arg2, %arg3] [%5, %8] : tensor<?x?xf32, #ascend.capacity<1x512>> -> memref<?x?xf32, #ascend.space<gm>>
        %13 = ascend.reduce <sum> along <all> %9 : tensor<?x?xf32, #ascend.capacity<1x512>>
        %extracted = tensor.extract %13[%c0, %c0] : tensor<1x1xf32>
        %14 = arith.addf %arg4, %extracted : f32
        scf.yield %14 : f32
      }
    }
    return
  }
}

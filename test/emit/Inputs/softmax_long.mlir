// A row longer than the unified buffer: three passes over it, loops in a loop.
module {
  func.func @softmax_long(%arg0: memref<?x?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?x?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c8192 = arith.constant 8192 : index
    %cst_1 = arith.constant -3.400000e+38 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, #ascend.space<gm>>
    %dim_2 = memref.dim %arg1, %c0 : memref<?x?xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_2 : index
    %dim_3 = memref.dim %arg0, %c1 : memref<?x?xf32, #ascend.space<gm>>
    %dim_4 = memref.dim %arg1, %c1 : memref<?x?xf32, #ascend.space<gm>>
    %1 = arith.cmpi eq, %dim_3, %dim_4 : index
    ascend.expects %0, "x.rows() == y.rows()"
    ascend.expects %1, "x.cols() == y.cols()"
    %2 = ascend.core_index
    %3 = ascend.core_count
    scf.for %arg2 = %2 to %dim step %3 {
      %4 = arith.subi %dim, %arg2 : index
      %5 = arith.minsi %4, %c1 : index
      %6 = scf.for %arg3 = %c0 to %dim_3 step %c8192 iter_args(%arg4 = %cst_1) -> (f32) {
        %8 = arith.subi %dim_3, %arg3 : index
        %9 = arith.minsi %8, %c8192 : index
        %10 = ascend.load %arg0[%arg2, %arg3] [%5, %9] : memref<?x?xf32, #ascend.space<gm>> -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %11 = ascend.reduce <max> along <all> %10 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %extracted = tensor.extract %11[%c0, %c0] : tensor<1x1xf32>
        %12 = arith.maxnumf %arg4, %extracted : f32
        scf.yield %12 : f32
      }
      %7 = scf.for %arg3 = %c0 to %dim_3 step %c8192 iter_args(%arg4 = %cst_0) -> (f32) {
        %8 = arith.subi %dim_3, %arg3 : index
        %9 = arith.minsi %8, %c8192 : index
        %10 = ascend.load %arg0[%arg2, %arg3] [%5, %9] : memref<?x?xf32, #ascend.space<gm>> -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %dim_5 = tensor.dim %10, %c0 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %dim_6 = tensor.dim %10, %c1 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %11 = ascend.splat %6[%dim_5, %dim_6] : f32 -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %12 = arith.subf %10, %11 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %13 = math.exp %12 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %14 = ascend.reduce <sum> along <all> %13 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %extracted = tensor.extract %14[%c0, %c0] : tensor<1x1xf32>
        %15 = arith.addf %arg4, %extracted : f32
        scf.yield %15 : f32
      }
      scf.for %arg3 = %c0 to %dim_3 step %c8192 {
        %8 = arith.subi %dim_3, %arg3 : index
        %9 = arith.minsi %8, %c8192 : index
        %10 = ascend.load %arg0[%arg2, %arg3] [%5, %9] : memref<?x?xf32, #ascend.space<gm>> -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %dim_5 = tensor.dim %10, %c0 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %dim_6 = tensor.dim %10, %c1 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %11 = ascend.splat %6[%dim_5, %dim_6] : f32 -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %12 = arith.subf %10, %11 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %13 = math.exp %12 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %14 = arith.divf %cst, %7 : f32
        %dim_7 = tensor.dim %13, %c0 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %dim_8 = tensor.dim %13, %c1 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        %15 = ascend.splat %14[%dim_7, %dim_8] : f32 -> tensor<?x?xf32, #ascend.capacity<1x8192>>
        %16 = arith.mulf %13, %15 : tensor<?x?xf32, #ascend.capacity<1x8192>>
        ascend.store %16, %arg1[%arg2, %arg3] [%5, %9] : tensor<?x?xf32, #ascend.capacity<1x8192>> -> memref<?x?xf32, #ascend.space<gm>>
      }
    }
    return
  }
}

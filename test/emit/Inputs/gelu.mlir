// erf and tanh, which are functions of AscendC's library.
module {
  func.func @gelu(%arg0: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.707106769 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %c1 = arith.constant 1 : index
    %c4096 = arith.constant 4096 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32, #ascend.space<gm>>
    %dim_2 = memref.dim %arg1, %c0 : memref<?xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_2 : index
    ascend.expects %0, "x.size() == y.size()"
    %1 = ascend.core_index
    %2 = arith.muli %1, %c4096 : index
    %3 = ascend.core_count
    %4 = arith.muli %3, %c4096 : index
    scf.for %arg2 = %2 to %dim_2 step %4 {
      %5 = arith.subi %dim_2, %arg2 : index
      %6 = arith.minsi %5, %c4096 : index
      %7 = ascend.load %arg0[%arg2] [%6] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_3 = tensor.dim %7, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %8 = ascend.splat %cst_1[%dim_3] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %9 = arith.mulf %7, %8 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %10 = ascend.splat %cst_0[%dim_3] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %11 = arith.mulf %7, %10 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %12 = math.erf %11 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_4 = tensor.dim %12, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %13 = ascend.splat %cst[%dim_4] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %14 = arith.addf %12, %13 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %15 = arith.mulf %9, %14 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      ascend.store %15, %arg1[%arg2] [%6] : tensor<1x?xf32, #ascend.capacity<1x4096>> -> memref<?xf32, #ascend.space<gm>>
    }
    return
  }
  func.func @gelu_tanh(%arg0: memref<?xf16, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xf16, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 0.797884583 : f32
    %cst_2 = arith.constant 4.471500e-02 : f32
    %c1 = arith.constant 1 : index
    %c4096 = arith.constant 4096 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf16, #ascend.space<gm>>
    %dim_3 = memref.dim %arg1, %c0 : memref<?xf16, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_3 : index
    ascend.expects %0, "x.size() == y.size()"
    %1 = ascend.core_index
    %2 = arith.muli %1, %c4096 : index
    %3 = ascend.core_count
    %4 = arith.muli %3, %c4096 : index
    scf.for %arg2 = %2 to %dim_3 step %4 {
      %5 = arith.subi %dim_3, %arg2 : index
      %6 = arith.minsi %5, %c4096 : index
      %7 = ascend.load %arg0[%arg2] [%6] : memref<?xf16, #ascend.space<gm>> -> tensor<1x?xf16, #ascend.capacity<1x4096>>
      %8 = arith.extf %7 : tensor<1x?xf16, #ascend.capacity<1x4096>> to tensor<1x?xf32, #ascend.capacity<1x4096>>
      %9 = arith.mulf %8, %8 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %10 = arith.mulf %9, %8 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_4 = tensor.dim %10, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %11 = ascend.splat %cst_2[%dim_4] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %12 = arith.mulf %10, %11 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %13 = arith.addf %8, %12 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_5 = tensor.dim %13, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %14 = ascend.splat %cst_1[%dim_5] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %15 = arith.mulf %13, %14 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %16 = math.tanh %15 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_6 = tensor.dim %8, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %17 = ascend.splat %cst_0[%dim_6] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %18 = arith.mulf %8, %17 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %dim_7 = tensor.dim %16, %c1 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %19 = ascend.splat %cst[%dim_7] : f32 -> tensor<1x?xf32, #ascend.capacity<1x4096>>
      %20 = arith.addf %16, %19 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %21 = arith.mulf %18, %20 : tensor<1x?xf32, #ascend.capacity<1x4096>>
      %22 = arith.truncf %21 : tensor<1x?xf32, #ascend.capacity<1x4096>> to tensor<1x?xf16, #ascend.capacity<1x4096>>
      ascend.store %22, %arg1[%arg2] [%6] : tensor<1x?xf16, #ascend.capacity<1x4096>> -> memref<?xf16, #ascend.space<gm>>
    }
    return
  }
}

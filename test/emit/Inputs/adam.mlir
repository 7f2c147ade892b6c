// One step of Adam: several views that are read and written.
module {
  func.func @adam(%arg0: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<inout>}, %arg1: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg2: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<inout>}, %arg3: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<inout>}, %arg4: f32, %arg5: f32, %arg6: f32, %arg7: f32, %arg8: f32, %arg9: f32) attributes {ascend.kernel} {
    %cst = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg0, %c0 : memref<?xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg2, %c0 : memref<?xf32, #ascend.space<gm>>
    %1 = arith.cmpi eq, %dim_1, %dim_0 : index
    %dim_2 = memref.dim %arg3, %c0 : memref<?xf32, #ascend.space<gm>>
    %2 = arith.cmpi eq, %dim_2, %dim_0 : index
    ascend.expects %0, "g.size() == p.size()"
    ascend.expects %1, "m.size() == p.size()"
    ascend.expects %2, "v.size() == p.size()"
    %3 = ascend.core_index
    %4 = arith.muli %3, %c2048 : index
    %5 = ascend.core_count
    %6 = arith.muli %5, %c2048 : index
    scf.for %arg10 = %4 to %dim_0 step %6 {
      %7 = arith.subi %dim_0, %arg10 : index
      %8 = arith.minsi %7, %c2048 : index
      %9 = ascend.load %arg1[%arg10] [%8] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %10 = ascend.load %arg2[%arg10] [%8] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %dim_3 = tensor.dim %10, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %11 = ascend.splat %arg5[%dim_3] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %12 = arith.mulf %10, %11 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %13 = arith.subf %cst, %arg5 : f32
      %dim_4 = tensor.dim %9, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %14 = ascend.splat %13[%dim_4] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %15 = arith.mulf %9, %14 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %16 = arith.addf %12, %15 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %17 = ascend.load %arg3[%arg10] [%8] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %dim_5 = tensor.dim %17, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %18 = ascend.splat %arg6[%dim_5] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %19 = arith.mulf %17, %18 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %20 = arith.mulf %9, %9 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %21 = arith.subf %cst, %arg6 : f32
      %dim_6 = tensor.dim %20, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %22 = ascend.splat %21[%dim_6] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %23 = arith.mulf %20, %22 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %24 = arith.addf %19, %23 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      ascend.store %16, %arg2[%arg10] [%8] : tensor<1x?xf32, #ascend.capacity<1x2048>> -> memref<?xf32, #ascend.space<gm>>
      ascend.store %24, %arg3[%arg10] [%8] : tensor<1x?xf32, #ascend.capacity<1x2048>> -> memref<?xf32, #ascend.space<gm>>
      %25 = ascend.load %arg0[%arg10] [%8] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %26 = arith.mulf %arg4, %arg8 : f32
      %dim_7 = tensor.dim %16, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %27 = ascend.splat %26[%dim_7] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %28 = arith.mulf %16, %27 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %dim_8 = tensor.dim %24, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %29 = ascend.splat %arg9[%dim_8] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %30 = arith.mulf %24, %29 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %31 = math.sqrt %30 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %dim_9 = tensor.dim %31, %c1 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %32 = ascend.splat %arg7[%dim_9] : f32 -> tensor<1x?xf32, #ascend.capacity<1x2048>>
      %33 = arith.addf %31, %32 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %34 = arith.divf %28, %33 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      %35 = arith.subf %25, %34 : tensor<1x?xf32, #ascend.capacity<1x2048>>
      ascend.store %35, %arg0[%arg10] [%8] : tensor<1x?xf32, #ascend.capacity<1x2048>> -> memref<?xf32, #ascend.space<gm>>
    }
    return
  }
}

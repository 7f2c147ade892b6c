// log(sum(exp(x))) - x[target], with a mask made by comparing.
module {
  func.func @cross_entropy_512(%arg0: memref<?x512xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xi32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg2: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x512xf32, #ascend.space<gm>>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32, #ascend.space<gm>>
    %0 = arith.cmpi eq, %dim, %dim_0 : index
    %dim_1 = memref.dim %arg1, %c0 : memref<?xi32, #ascend.space<gm>>
    %1 = arith.cmpi eq, %dim, %dim_1 : index
    ascend.expects %0, "x.rows() == loss.size()"
    ascend.expects %1, "x.rows() == target.size()"
    %2 = ascend.core_index
    %3 = arith.muli %2, %c8 : index
    %4 = ascend.core_count
    %5 = arith.muli %4, %c8 : index
    scf.for %arg3 = %3 to %dim step %5 {
      %6 = arith.subi %dim, %arg3 : index
      %7 = arith.minsi %6, %c8 : index
      %8 = ascend.load %arg0[%arg3, 0] [%7, 512] : memref<?x512xf32, #ascend.space<gm>> -> tensor<?x512xf32, #ascend.capacity<8x512>>
      %9 = ascend.reduce <max> along <row> %8 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %10 = ascend.broadcast %9[] : tensor<?x1xf32, #ascend.capacity<8x1>> -> tensor<?x512xf32, #ascend.capacity<8x512>>
      %11 = arith.subf %8, %10 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %12 = math.exp %11 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %13 = ascend.reduce <sum> along <row> %12 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %14 = math.log %13 : tensor<?x1xf32, #ascend.capacity<8x1>>
      %15 = arith.addf %14, %9 : tensor<?x1xf32, #ascend.capacity<8x1>>
      %16 = ascend.iota along <row> from %c0_i32[] : i32 -> tensor<1x512xi32>
      %17 = ascend.load %arg1[%arg3] [%7] : memref<?xi32, #ascend.space<gm>> -> tensor<?x1xi32, #ascend.capacity<8x1>>
      %dim_2 = tensor.dim %17, %c0 : tensor<?x1xi32, #ascend.capacity<8x1>>
      %18 = ascend.broadcast %16[%dim_2] : tensor<1x512xi32> -> tensor<?x512xi32, #ascend.capacity<8x512>>
      %19 = ascend.broadcast %17[] : tensor<?x1xi32, #ascend.capacity<8x1>> -> tensor<?x512xi32, #ascend.capacity<8x512>>
      %20 = arith.cmpi eq, %18, %19 : tensor<?x512xi32, #ascend.capacity<8x512>>
      %dim_3 = tensor.dim %8, %c0 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %21 = ascend.splat %cst[%dim_3] : f32 -> tensor<?x512xf32, #ascend.capacity<8x512>>
      %22 = arith.select %20, %8, %21 : tensor<?x512xi1, #ascend.capacity<8x512>>, tensor<?x512xf32, #ascend.capacity<8x512>>
      %23 = ascend.reduce <sum> along <row> %22 : tensor<?x512xf32, #ascend.capacity<8x512>>
      %24 = arith.subf %15, %23 : tensor<?x1xf32, #ascend.capacity<8x1>>
      ascend.store %24, %arg2[%arg3] [%7] : tensor<?x1xf32, #ascend.capacity<8x1>> -> memref<?xf32, #ascend.space<gm>>
    }
    return
  }
}

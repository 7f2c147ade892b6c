// Sums on one core and on all, with a barrier before the first adds up.
module {
  func.func @reduce_one(%arg0: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<1xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c8192 = arith.constant 8192 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = ascend.core_index
    %1 = arith.cmpi eq, %0, %c0 : index
    scf.if %1 {
      %dim = memref.dim %arg0, %c0 : memref<?xf32, #ascend.space<gm>>
      %2 = scf.for %arg2 = %c0 to %dim step %c8192 iter_args(%arg3 = %cst) -> (f32) {
        %4 = arith.subi %dim, %arg2 : index
        %5 = arith.minsi %4, %c8192 : index
        %6 = ascend.load %arg0[%arg2] [%5] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x8192>>
        %7 = ascend.reduce <sum> along <all> %6 : tensor<1x?xf32, #ascend.capacity<1x8192>>
        %extracted = tensor.extract %7[%c0, %c0] : tensor<1x1xf32>
        %8 = arith.addf %arg3, %extracted : f32
        scf.yield %8 : f32
      }
      %3 = ascend.splat %2[] : f32 -> tensor<1x1xf32>
      ascend.store %3, %arg1[0] [1] : tensor<1x1xf32> -> memref<1xf32, #ascend.space<gm>>
    }
    return
  }
  func.func @reduce_all(%arg0: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}, %arg1: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<percore>}, %arg2: memref<1xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
    %c8192 = arith.constant 8192 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32, #ascend.space<gm>>
    %0 = ascend.core_index
    %1 = arith.muli %0, %c8192 : index
    %2 = ascend.core_count
    %c64 = arith.constant 64 : index
    %fits = arith.cmpi sle, %2, %c64 : index
    ascend.expects %fits, "core_count() <= 64"
    %3 = arith.muli %2, %c8192 : index
    %4 = scf.for %arg3 = %1 to %dim step %3 iter_args(%arg4 = %cst) -> (f32) {
      %7 = arith.subi %dim, %arg3 : index
      %8 = arith.minsi %7, %c8192 : index
      %9 = ascend.load %arg0[%arg3] [%8] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x8192>>
      %10 = ascend.reduce <sum> along <all> %9 : tensor<1x?xf32, #ascend.capacity<1x8192>>
      %extracted = tensor.extract %10[%c0, %c0] : tensor<1x1xf32>
      %11 = arith.addf %arg4, %extracted : f32
      scf.yield %11 : f32
    }
    %5 = ascend.splat %4[] : f32 -> tensor<1x1xf32>
    ascend.store %5, %arg1[%0] [1] : tensor<1x1xf32> -> memref<?xf32, #ascend.space<gm>>
    ascend.sync_cores
    %6 = arith.cmpi eq, %0, %c0 : index
    scf.if %6 {
      %7 = ascend.load %arg1[0] [%2] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x64>>
      %8 = ascend.reduce <sum> along <all> %7 : tensor<1x?xf32, #ascend.capacity<1x64>>
      %extracted = tensor.extract %8[%c0, %c0] : tensor<1x1xf32>
      %9 = ascend.splat %extracted[] : f32 -> tensor<1x1xf32>
      ascend.store %9, %arg2[0] [1] : tensor<1x1xf32> -> memref<1xf32, #ascend.space<gm>>
    }
    return
  }
}

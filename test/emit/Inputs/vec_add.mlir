// z = x + y, this core's windows of 4096; the last may be short.
#gm = #ascend.space<gm>
#capacity = #ascend.capacity<1x4096>
#in = #ascend.role<in>
#out = #ascend.role<out>

func.func @vec_add(%x: memref<?xf32, #gm> {ascend.role = #in} loc("x"),
                   %y: memref<?xf32, #gm> {ascend.role = #in} loc("y"),
                   %z: memref<?xf32, #gm> {ascend.role = #out} loc("z"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant 4096 : index
  %size = memref.dim %z, %c0 : memref<?xf32, #gm>
  %of_x = memref.dim %x, %c0 : memref<?xf32, #gm>
  %of_x_fits = arith.cmpi eq, %of_x, %size : index
  ascend.expects %of_x_fits, "x.size() == z.size()"
  %of_y = memref.dim %y, %c0 : memref<?xf32, #gm>
  %of_y_fits = arith.cmpi eq, %of_y, %size : index
  ascend.expects %of_y_fits, "y.size() == z.size()"
  %core = ascend.core_index loc("core")
  %cores = ascend.core_count loc("cores")
  %first = arith.muli %core, %tile : index
  %step = arith.muli %cores, %tile : index loc("step")
  scf.for %at = %first to %size step %step {
    %left = arith.subi %size, %at : index loc("left")
    %n = arith.minsi %left, %tile : index loc("n")
    %a = ascend.load %x[%at] [%n] : memref<?xf32, #gm> -> tensor<1x?xf32, #capacity> loc("a")
    %b = ascend.load %y[%at] [%n] : memref<?xf32, #gm> -> tensor<1x?xf32, #capacity> loc("b")
    %c = arith.addf %a, %b : tensor<1x?xf32, #capacity> loc("c")
    ascend.store %c, %z[%at] [%n] : tensor<1x?xf32, #capacity> -> memref<?xf32, #gm>
  }
  return
}

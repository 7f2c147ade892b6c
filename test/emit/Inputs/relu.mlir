// y = max(x, 0)
#gm = #ascend.space<gm>
#capacity = #ascend.capacity<1x8192>
#in = #ascend.role<in>
#out = #ascend.role<out>

func.func @relu(%x: memref<?xf32, #gm> {ascend.role = #in} loc("x"),
                %y: memref<?xf32, #gm> {ascend.role = #out} loc("y"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tile = arith.constant 8192 : index
  %size = memref.dim %y, %c0 : memref<?xf32, #gm>
  %of_x = memref.dim %x, %c0 : memref<?xf32, #gm>
  %of_x_fits = arith.cmpi eq, %of_x, %size : index
  ascend.expects %of_x_fits, "x.size() == y.size()"
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.muli %core, %tile : index
  %step = arith.muli %cores, %tile : index
  scf.for %at = %first to %size step %step {
    %left = arith.subi %size, %at : index
    %n = arith.minsi %left, %tile : index loc("n")
    %t = ascend.load %x[%at] [%n] : memref<?xf32, #gm> -> tensor<1x?xf32, #capacity> loc("t")
    %zeros = ascend.splat %zero [%n] : f32 -> tensor<1x?xf32, #capacity>
    %r = arith.maximumf %t, %zeros : tensor<1x?xf32, #capacity> loc("r")
    ascend.store %r, %y[%at] [%n] : tensor<1x?xf32, #capacity> -> memref<?xf32, #gm>
  }
  return
}

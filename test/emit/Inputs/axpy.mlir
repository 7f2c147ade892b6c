// y = a * x + y, in place.
#gm = #ascend.space<gm>
#capacity = #ascend.capacity<1x2000>
#in = #ascend.role<in>
#inout = #ascend.role<inout>

func.func @axpy(%x: memref<?xf16, #gm> {ascend.role = #in} loc("x"),
                %y: memref<?xf16, #gm> {ascend.role = #inout} loc("y"),
                %a: f16 loc("a")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant 2000 : index
  %size = memref.dim %y, %c0 : memref<?xf16, #gm>
  %of_x = memref.dim %x, %c0 : memref<?xf16, #gm>
  %of_x_fits = arith.cmpi eq, %of_x, %size : index
  ascend.expects %of_x_fits, "x.size() == y.size()"
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.muli %core, %tile : index
  %step = arith.muli %cores, %tile : index
  scf.for %at = %first to %size step %step {
    %left = arith.subi %size, %at : index
    %n = arith.minsi %left, %tile : index loc("n")
    %xs = ascend.load %x[%at] [%n] : memref<?xf16, #gm> -> tensor<1x?xf16, #capacity> loc("xs")
    %ys = ascend.load %y[%at] [%n] : memref<?xf16, #gm> -> tensor<1x?xf16, #capacity> loc("ys")
    %as = ascend.splat %a [%n] : f16 -> tensor<1x?xf16, #capacity>
    %scaled = arith.mulf %as, %xs : tensor<1x?xf16, #capacity> loc("scaled")
    %sum = arith.addf %scaled, %ys : tensor<1x?xf16, #capacity> loc("sum")
    ascend.store %sum, %y[%at] [%n] : tensor<1x?xf16, #capacity> -> memref<?xf16, #gm>
  }
  return
}

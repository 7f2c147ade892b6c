// The sum of all elements, on one core: partial sums in a tile that the loop
// carries, added up at the end.
#gm = #ascend.space<gm>
#in = #ascend.role<in>
#out = #ascend.role<out>

func.func @total(%x: memref<?xf32, #gm> {ascend.role = #in} loc("x"),
                 %y: memref<1xf32, #gm> {ascend.role = #out} loc("y"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tile = arith.constant 4096 : index
  %size = memref.dim %x, %c0 : memref<?xf32, #gm>
  %zeros = ascend.splat %zero [] : f32 -> tensor<1x4096xf32> loc("zeros")
  %sums = scf.for %at = %c0 to %size step %tile iter_args(%sum = %zeros) -> tensor<1x4096xf32> {
    %left = arith.subi %size, %at : index
    %n = arith.minsi %left, %tile : index loc("n")
    %t = ascend.load %x[%at] [%n] pad(%zero : f32) : memref<?xf32, #gm> -> tensor<1x4096xf32> loc("t")
    %next = arith.addf %sum, %t : tensor<1x4096xf32> loc("next")
    scf.yield %next : tensor<1x4096xf32>
  }
  %all = ascend.reduce <sum> along <all> %sums : tensor<1x4096xf32> loc("all")
  ascend.store %all, %y[0] [1] : tensor<1x1xf32> -> memref<1xf32, #gm>
  return
}

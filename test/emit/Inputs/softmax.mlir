// Each row: exp(x - max) / sum. Rows of 300 are not a multiple of 32 bytes.
#gm = #ascend.space<gm>
#tile = #ascend.capacity<8x300>
#column = #ascend.capacity<8x1>
#in = #ascend.role<in>
#out = #ascend.role<out>

func.func @softmax(%x: memref<?x300xf32, #gm> {ascend.role = #in} loc("x"),
                   %y: memref<?x300xf32, #gm> {ascend.role = #out} loc("y"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %rows = memref.dim %y, %c0 : memref<?x300xf32, #gm>
  %of_x = memref.dim %x, %c0 : memref<?x300xf32, #gm>
  %of_x_fits = arith.cmpi eq, %of_x, %rows : index
  ascend.expects %of_x_fits, "x.rows() == y.rows()"
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.muli %core, %c8 : index
  %step = arith.muli %cores, %c8 : index
  scf.for %at = %first to %rows step %step {
    %left = arith.subi %rows, %at : index
    %n = arith.minsi %left, %c8 : index loc("n")
    %t = ascend.load %x[%at, 0] [%n, 300] : memref<?x300xf32, #gm> -> tensor<?x300xf32, #tile> loc("t")
    %m = ascend.reduce <max> along <row> %t : tensor<?x300xf32, #tile> loc("m")
    %mb = ascend.broadcast %m [] : tensor<?x1xf32, #column> -> tensor<?x300xf32, #tile> loc("mb")
    %d = arith.subf %t, %mb : tensor<?x300xf32, #tile> loc("d")
    %e = math.exp %d : tensor<?x300xf32, #tile> loc("e")
    %s = ascend.reduce <sum> along <row> %e : tensor<?x300xf32, #tile> loc("s")
    %sb = ascend.broadcast %s [] : tensor<?x1xf32, #column> -> tensor<?x300xf32, #tile> loc("sb")
    %r = arith.divf %e, %sb : tensor<?x300xf32, #tile> loc("r")
    ascend.store %r, %y[%at, 0] [%n, 300] : tensor<?x300xf32, #tile> -> memref<?x300xf32, #gm>
  }
  return
}

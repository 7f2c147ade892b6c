// Rows of 512 half values, computed in float; gamma and beta stay on chip.
#gm = #ascend.space<gm>
#tile = #ascend.capacity<4x512>
#column = #ascend.capacity<4x1>
#in = #ascend.role<in>
#out = #ascend.role<out>

func.func @layernorm(%x: memref<?x512xf16, #gm> {ascend.role = #in} loc("x"),
                     %gamma: memref<512xf32, #gm> {ascend.role = #in} loc("gamma"),
                     %beta: memref<512xf32, #gm> {ascend.role = #in} loc("beta"),
                     %y: memref<?x512xf16, #gm> {ascend.role = #out} loc("y"),
                     %eps: f32 loc("eps"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %scale = arith.constant 0.001953125 : f32
  %rows = memref.dim %y, %c0 : memref<?x512xf16, #gm>
  %of_x = memref.dim %x, %c0 : memref<?x512xf16, #gm>
  %of_x_fits = arith.cmpi eq, %of_x, %rows : index
  ascend.expects %of_x_fits, "x.rows() == y.rows()"
  %g = ascend.load %gamma[0] [512] : memref<512xf32, #gm> -> tensor<1x512xf32> loc("g")
  %b = ascend.load %beta[0] [512] : memref<512xf32, #gm> -> tensor<1x512xf32> loc("b")
  %core = ascend.core_index
  %cores = ascend.core_count
  %first = arith.muli %core, %c4 : index
  %step = arith.muli %cores, %c4 : index
  scf.for %at = %first to %rows step %step {
    %left = arith.subi %rows, %at : index
    %n = arith.minsi %left, %c4 : index loc("n")
    %raw = ascend.load %x[%at, 0] [%n, 512] : memref<?x512xf16, #gm> -> tensor<?x512xf16, #tile> loc("raw")
    %t = arith.extf %raw : tensor<?x512xf16, #tile> to tensor<?x512xf32, #tile> loc("t")
    %sum = ascend.reduce <sum> along <row> %t : tensor<?x512xf32, #tile> loc("sum")
    %scales = ascend.splat %scale [%n] : f32 -> tensor<?x1xf32, #column>
    %mean = arith.mulf %sum, %scales : tensor<?x1xf32, #column> loc("mean")
    %meanb = ascend.broadcast %mean [] : tensor<?x1xf32, #column> -> tensor<?x512xf32, #tile>
    %d = arith.subf %t, %meanb : tensor<?x512xf32, #tile> loc("d")
    %dd = arith.mulf %d, %d : tensor<?x512xf32, #tile> loc("dd")
    %sq = ascend.reduce <sum> along <row> %dd : tensor<?x512xf32, #tile> loc("sq")
    %var = arith.mulf %sq, %scales : tensor<?x1xf32, #column> loc("var")
    %epss = ascend.splat %eps [%n] : f32 -> tensor<?x1xf32, #column>
    %vareps = arith.addf %var, %epss : tensor<?x1xf32, #column>
    %std = math.sqrt %vareps : tensor<?x1xf32, #column> loc("std")
    %stdb = ascend.broadcast %std [] : tensor<?x1xf32, #column> -> tensor<?x512xf32, #tile>
    %norm = arith.divf %d, %stdb : tensor<?x512xf32, #tile> loc("norm")
    %gb = ascend.broadcast %g [%n] : tensor<1x512xf32> -> tensor<?x512xf32, #tile>
    %bb = ascend.broadcast %b [%n] : tensor<1x512xf32> -> tensor<?x512xf32, #tile>
    %scaled = arith.mulf %norm, %gb : tensor<?x512xf32, #tile> loc("scaled")
    %shifted = arith.addf %scaled, %bb : tensor<?x512xf32, #tile> loc("shifted")
    %r = arith.truncf %shifted : tensor<?x512xf32, #tile> to tensor<?x512xf16, #tile> loc("r")
    ascend.store %r, %y[%at, 0] [%n, 512] : tensor<?x512xf16, #tile> -> memref<?x512xf16, #gm>
  }
  return
}

// What has no pattern is an error, never a guess.
// RUN: belay-opt %s --verify-diagnostics --ascend-expand-instructions

#ub = #ascend.space<ub>
func.func @packed(%a: memref<8x1xf16, #ub>, %i: memref<8x1xi32, #ub>,
                  %w: memref<1x192xf16, #ub>, %r: index, %k: index) {
  // expected-error @+1 {{has no instructions on this architecture}}
  ascend.vec.arg_reduce <max> %a [%r, %k] -> %i work %w
    : memref<8x1xf16, #ub>, memref<8x1xi32, #ub>, memref<1x192xf16, #ub>
  return
}

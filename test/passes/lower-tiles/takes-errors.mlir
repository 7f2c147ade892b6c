// Where narrow elements have narrow offsets, a tile can be too large for them.
// RUN: belay-opt %s --verify-diagnostics --ascend-lower-tiles=soc=Ascend950PR_9599

#gm = #ascend.space<gm>
func.func @wide(%x: memref<70000xf16, #gm>, %i: memref<64xi32, #gm>, %y: memref<64xf16, #gm>) {
  %t = ascend.load %x[0] [70000] : memref<70000xf16, #gm> -> tensor<1x70000xf16>
  %ids = ascend.load %i[0] [64] : memref<64xi32, #gm> -> tensor<1x64xi32>
  // expected-error @+1 {{this architecture gathers elements of 2 bytes from at most 131072, and the tile has 140000; gather from parts of it}}
  %r = ascend.take <clamp> %t, %ids : tensor<1x70000xf16>, tensor<1x64xi32>
  ascend.store %r, %y[0] [64] : tensor<1x64xf16> -> memref<64xf16, #gm>
  return
}

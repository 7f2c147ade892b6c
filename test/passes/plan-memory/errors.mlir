// RUN: belay-opt %s --ascend-plan-memory=capacity=700 --split-input-file --verify-diagnostics
// RUN: belay-opt %s --ascend-plan-memory=capacity=768

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// expected-error @+1 {{'large' needs 768 bytes of the unified buffer, and 700 are there}}
func.func @large(%x: memref<?x64xf32, #gm>) {
  %c64 = arith.constant 64 : index
  // expected-note @+1 {{256 bytes for 1x64 of 'f32'}}
  %a = ascend.buffer : memref<1x64xf32, #ub>
  // expected-note @+1 {{256 bytes for 1x64 of 'f32'}}
  %b = ascend.buffer : memref<1x64xf32, #ub>
  // expected-note @+1 {{256 bytes for 1x64 of 'f32'}}
  %c = ascend.buffer : memref<1x64xf32, #ub>
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.dma.in %x[1, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.binary <add> %a, %b -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.dma.out %a -> %x[2, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  ascend.dma.out %b -> %x[3, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  ascend.dma.out %c -> %x[4, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// Parts of views: windows of windows, every second element, transposed.
// RUN: belay-opt %s --ascend-prove=deny --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
!view = memref<?x64xf32, #gm>
!half = memref<?x64xf32, strided<[64, 1], offset: ?>, #gm>
!turned = memref<64x?xf32, strided<[1, 64], offset: ?>, #gm>
func.func @parts(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = memref.dim %x, %c0 : !view
  %middle = arith.divsi %rows, %c2 : index
  %rest = arith.subi %rows, %middle : index
  %lower = memref.subview %x[%middle, 0] [%rest, 64] [1, 1] : !view to !half
  scf.for %i = %c0 to %rest step %c1 {
    %t = ascend.load %lower[%i, 0] [1, 64] : !half -> tensor<1x64xf32>
  }
  %turned = memref.transpose %lower (d0, d1) -> (d1, d0) : !half to !turned
  scf.for %i = %c0 to %rest step %c1 {
    %t = ascend.load %turned[0, %i] [64, 1] : !turned -> tensor<64x1xf32>
    // expected-error @+3 {{cannot prove 'i + 1 <= 64' [gm-out-of-bounds]}}
    // expected-note @+2 {{it fails for}}
    // expected-note @+1 {{'expects(x.rows() <= 64)' would settle it}}
    %u = ascend.load %turned[%i, 0] [1, 1] : !turned -> tensor<1x1xf32>
  }
  // expected-error @+2 {{cannot prove 'x.rows() / 2 + x.rows() <= x.rows()' [gm-out-of-bounds]}}
  // expected-note @+1 {{it fails for x.rows() = 2}}
  %outside = memref.subview %x[%middle, 0] [%rows, 64] [1, 1] : !view to !half
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!second = memref<?xf32, strided<[2], offset: 1>, #gm>
func.func @strided(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : !view
  %half = arith.divsi %n, %c2 : index
  %odd = memref.subview %x[1] [%half] [2] : !view to !second
  %more = arith.addi %half, %c1 : index
  // expected-error @+2 {{cannot prove '1 + (x.size() / 2 + 1 - 1) * 2 < x.size()' [gm-out-of-bounds]}}
  // expected-note @+1 {{it fails for x.size() = 0}}
  %wrong = memref.subview %x[1] [%more] [2] : !view to !second
  return
}

// -----
// Cores write their own parts.
#gm = #ascend.space<gm>
!view = memref<?x64xf32, #gm>
!row = memref<1x64xf32, strided<[64, 1], offset: ?>, #gm>
func.func @own(%y: !view {ascend.role = #ascend.role<out>} loc("y"), %v: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %y, %c0 : !view
  %core = ascend.core_index
  %cores = ascend.core_count
  %t = ascend.splat %v [] : f32 -> tensor<1x64xf32>
  scf.for %i = %core to %rows step %cores {
    %row = memref.subview %y[%i, 0] [1, 64] [1, 1] : !view to !row
    ascend.store %t, %row[0, 0] [1, 64] : tensor<1x64xf32> -> !row
  }
  return
}

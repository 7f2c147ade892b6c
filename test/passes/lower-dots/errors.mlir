// What the cube core alone cannot do is refused at its line.
// RUN: belay-opt %s --ascend-lower-dots --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @elementwise(%x: !view, %z: memref<16x16xf32, #gm>) {
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{this needs the vector core [not-emitted]}}
  %e = math.exp %d : !float
  ascend.store %e, %z[0, 0] [16, 16] : !float -> memref<16x16xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @other_use(%x: !view, %z: !view) {
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  // expected-error @+1 {{an operand of 'dot' is not loaded from global memory}}
  %d = ascend.dot %a, %a : !half, !half -> !float
  ascend.store %a, %z[0, 0] [16, 16] : !half -> !view
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @padded(%x: !view) {
  %p = arith.constant 0.0 : f16
  // expected-error @+1 {{an operand of 'dot' is loaded with padding}}
  %a = ascend.load %x[0, 0] [8, 16] pad(%p : f16) : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  return
}

// -----
#gm = #ascend.space<gm>
!apart = memref<16x16xf16, strided<[64, 2]>, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @strided(%x: !apart) {
  // expected-error @+1 {{a view of which neither rows nor columns lie side by side}}
  %a = ascend.load %x[0, 0] [16, 16] : !apart -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!turned = memref<16x16xf32, strided<[1, 16]>, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @stored_transposed(%x: !view, %z: memref<16x16xf32, #gm>) {
  %t = memref.transpose %z (i, j) -> (j, i) : memref<16x16xf32, #gm> to !turned
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{stored to a transposed view; multiply the transposed operands in reverse order instead, and store that [not-emitted]}}
  ascend.store %d, %t[0, 0] [16, 16] : !float -> !turned
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!apart = memref<16x16xf32, strided<[64, 2]>, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @stored_strided(%x: !view, %z: !apart) {
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{stored to a view whose rows do not lie side by side}}
  ascend.store %d, %z[0, 0] [16, 16] : !float -> !apart
  return
}

// -----
#gm = #ascend.space<gm>
!bytes = memref<32x32xi8, #gm>
!turned = memref<32x32xi8, strided<[1, 32]>, #gm>
!tile = tensor<32x32xi8>
func.func @bytes_on_the_left(%x: !bytes) {
  %t = memref.transpose %x (i, j) -> (j, i) : !bytes to !turned
  %a = ascend.load %t[0, 0] [32, 32] : !turned -> !tile
  // expected-error @+1 {{the left operand of 'dot' is a transposed view of elements that dav-2201 transposes for the right operand only [not-emitted]}}
  %d = ascend.dot %a, %a : !tile, !tile -> tensor<32x32xi32>
  return
}

// -----
#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @no_product(%x: memref<16x16xbf16, #gm>) {
    %a = ascend.load %x[0, 0] [16, 16] : memref<16x16xbf16, #gm> -> tensor<16x16xbf16>
    // expected-error @+1 {{does not become instructions for this type [not-emitted]}}
    %d = ascend.dot %a, %a : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
    return
  }
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @not_zero(%x: !view, %z: memref<16x16xf32, #gm>) {
  %one = arith.constant 1.0 : f32
  %s = ascend.splat %one [] : f32 -> !float
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{a product is added to a tile that is no sum of products}}
  %t = arith.addf %s, %d : !float
  ascend.store %t, %z[0, 0] [16, 16] : !float -> memref<16x16xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @sum_twice(%x: !view, %z: memref<16x16xf32, #gm>) {
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %s = ascend.dot %a, %a : !half, !half -> !float
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{that is no sum of products, or that is used again}}
  %t = arith.addf %s, %d : !float
  ascend.store %t, %z[0, 0] [16, 16] : !float -> memref<16x16xf32, #gm>
  ascend.store %s, %z[0, 0] [16, 16] : !float -> memref<16x16xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @made_anew(%x: !view, %z: memref<16x16xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %s = ascend.splat %f0 [] : f32 -> !float
  // expected-error @+1 {{that it computes anew in each iteration}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!float) {
    %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
    %d = ascend.dot %a, %a : !half, !half -> !float
    scf.yield %d : !float
  }
  ascend.store %r, %z[0, 0] [16, 16] : !float -> memref<16x16xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf16, #gm>
!half = tensor<16x16xf16>
!float = tensor<16x16xf32>
func.func @cores(%x: !view, %z: memref<16x16xf32, #gm>) {
  %a = ascend.load %x[0, 0] [16, 16] : !view -> !half
  %d = ascend.dot %a, %a : !half, !half -> !float
  // expected-error @+1 {{cores of a kernel that only cube cores run wait for each other}}
  ascend.sync_cores
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<16x16xf32, #gm>
!float = tensor<16x16xf32>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @other_architecture(%x: !view) {
    %a = ascend.load %x[0, 0] [16, 16] : !view -> !float
    // expected-error @+1 {{does not become instructions for this type [not-emitted]}}
    %d = ascend.dot %a, %a : !float, !float -> !float
    return
  }
}

// -----
#gm = #ascend.space<gm>
!view = memref<32x32xi8, #gm>
!byte = tensor<32x32xi8>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @transposed_bytes(%x: !view) {
    %a = ascend.load %x[0, 0] [32, 32] : !view -> !byte
    // expected-error @+1 {{does not transpose elements of this type}}
    %d = ascend.dot %a, %a : !byte, !byte -> tensor<32x32xi32>
    return
  }
}

// -----
#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @one_column(%x: memref<16x1xi8, #gm>, %y: memref<1x16xi8, strided<[1, 1]>, #gm>) {
    %a = ascend.load %x[0, 0] [16, 1] : memref<16x1xi8, #gm> -> tensor<16x1xi8>
    %b = ascend.load %y[0, 0] [1, 16] : memref<1x16xi8, strided<[1, 1]>, #gm> -> tensor<1x16xi8>
    // expected-error @+1 {{in steps of more than one element}}
    %d = ascend.dot %a, %b : tensor<16x1xi8>, tensor<1x16xi8> -> tensor<16x16xi32>
    return
  }
}

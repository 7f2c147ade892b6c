// Each rule of the verifiers of products and of the cube core, broken once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics

func.func @d1(%a: tensor<16x64xf16>, %b: tensor<32x16xf16>) {
  // expected-error @+1 {{cannot multiply 'tensor<16x64xf16>' by 'tensor<32x16xf16>' (D1)}}
  %p = ascend.dot %a, %b : tensor<16x64xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  return
}

// -----
func.func @d2_sum(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>) {
  // expected-error @+1 {{adds products of 'f16' and 'f16' up in 'f16' (D2)}}
  %p = ascend.dot %a, %b : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf16>
  return
}

// -----
func.func @d2_operands(%a: tensor<16x32xf16>, %b: tensor<32x16xbf16>) {
  // expected-error @+1 {{adds products of 'f16' and 'bf16' up in 'f32' (D2)}}
  %p = ascend.dot %a, %b : tensor<16x32xf16>, tensor<32x16xbf16> -> tensor<16x16xf32>
  return
}

// -----
func.func @d3(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>) {
  // expected-error @+1 {{cannot be 'tensor<16x8xf32>' (D3)}}
  %p = ascend.dot %a, %b : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @k1(%x: memref<64x64xf16, #gm>, %a: memref<4x60x16xf16, #ascend.space<l1>>) {
  // expected-error @+1 {{cannot have a matrix in 'memref<4x60x16xf16, #ascend.space<l1>>' (K1)}}
  ascend.cube.in %x[0, 0] [16, 64] -> %a : memref<64x64xf16, #gm> -> memref<4x60x16xf16, #ascend.space<l1>>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w4(%x: memref<64x64xf16, #gm>, %a: memref<2x64x16xf16, #ascend.space<l1>>) {
  // expected-error @+1 {{has a window of 64 columns for a tile of 32 (W4)}}
  ascend.cube.in %x[0, 0] [16, 64] -> %a : memref<64x64xf16, #gm> -> memref<2x64x16xf16, #ascend.space<l1>>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @k2(%z: memref<16x16xi32, #gm>, %c: memref<1x16x16xf32, #ascend.space<l0c>>, %p: index) {
  // expected-error @+1 {{cannot store sums of 'f32' as 'i32' (K2)}}
  ascend.cube.out %c pitch %p -> %z[0, 0] [16, 16] : memref<1x16x16xf32, #ascend.space<l0c>> -> memref<16x16xi32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @k3(%z: memref<16x16xf32, #gm>, %c: memref<1x16x8xf32, #ascend.space<l0c>>, %p: index) {
  // expected-error @+1 {{cannot have a matrix in 'memref<1x16x8xf32, #ascend.space<l0c>>' (K3)}}
  ascend.cube.out %c pitch %p -> %z[0, 0] [16, 16] : memref<1x16x8xf32, #ascend.space<l0c>> -> memref<16x16xf32, #gm>
  return
}

// -----
func.func @k4(%a: memref<1x16x16xf16, #ascend.space<l1>>, %b: memref<1x1x16x8xf32, #ascend.space<l0a>>, %n: index) {
  // expected-error @+1 {{loads 'f16' as 'f32' (K4)}}
  ascend.cube.load %a[%n, %n] [%n, %n] -> %b : memref<1x16x16xf16, #ascend.space<l1>>, memref<1x1x16x8xf32, #ascend.space<l0a>>
  return
}

// -----
func.func @k5(%a: memref<1x16x16xf16, #ascend.space<l1>>, %b: memref<1x1x16x8xf16, #ascend.space<l0a>>, %n: index) {
  // expected-error @+1 {{cannot have a matrix in 'memref<1x1x16x8xf16, #ascend.space<l0a>>' (K5)}}
  ascend.cube.load %a[%n, %n] [%n, %n] -> %b : memref<1x16x16xf16, #ascend.space<l1>>, memref<1x1x16x8xf16, #ascend.space<l0a>>
  return
}

// -----
func.func @k6(%a: memref<1x1x16x16xf16, #ascend.space<l0a>>, %b: memref<1x1x16x16xf16, #ascend.space<l0b>>,
              %c: memref<1x16x16xi32, #ascend.space<l0c>>, %n: index, %i: i1) {
  // expected-error @+1 {{adds products of 'f16' and 'f16' to 'i32' (K6)}}
  ascend.cube.mmad %a, %b -> %c [%n, %n, %n] init %i : memref<1x1x16x16xf16, #ascend.space<l0a>>,
    memref<1x1x16x16xf16, #ascend.space<l0b>>, memref<1x16x16xi32, #ascend.space<l0c>>
  return
}

// -----
func.func @m2() {
  // expected-error @+1 {{starts at 256, which is not a multiple of 512 (M2)}}
  %a = ascend.buffer at 256 : memref<1x1x16x16xf16, #ascend.space<l0a>>
  return
}

// -----
func.func @m2_slots(%s: index) {
  // expected-error @+1 {{has slots of 512 bytes, which is not a multiple of 1024 (M2)}}
  %c = ascend.buffer at 0 2 slots [%s] : memref<1x8x16xf32, #ascend.space<l0c>>
  return
}

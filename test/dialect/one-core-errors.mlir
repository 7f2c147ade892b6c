// Each rule of the verifiers of operations between the units of one core, broken once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics

func.func @k1(%u: memref<32x64xf16, #ascend.space<ub>>, %a: memref<4x60x16xf16, #ascend.space<l1>>, %n: index) {
  // expected-error @+1 {{cannot have a matrix in 'memref<4x60x16xf16, #ascend.space<l1>>' (K1)}}
  ascend.cube.put %u [%n, %n] -> %a row %n : memref<32x64xf16, #ascend.space<ub>>, memref<4x60x16xf16, #ascend.space<l1>>
  return
}

// -----
func.func @k4(%u: memref<32x64xi16, #ascend.space<ub>>, %a: memref<4x64x16xf16, #ascend.space<l1>>, %n: index) {
  // expected-error @+1 {{copies 'i16' as 'f16' (K4)}}
  ascend.cube.put_blocks %u pitch 64 -> %a block %n row %n rows %n : memref<32x64xi16, #ascend.space<ub>>, memref<4x64x16xf16, #ascend.space<l1>>
  return
}

// -----
func.func @k4_tile(%t: tensor<16x64xi8>, %a: memref<4x64x16xf16, #ascend.space<l1>>, %n: index) {
  // expected-error @+1 {{copies 'i8' as 'f16' (K4)}}
  ascend.to_l1 %t -> %a row %n : tensor<16x64xi8>, memref<4x64x16xf16, #ascend.space<l1>>
  return
}

// -----
func.func @k2(%c: memref<4x64x16xf32, #ascend.space<l0c>>, %w: memref<4x16x16xi32, #ascend.space<ub>>, %n: index) {
  // expected-error @+1 {{cannot copy sums of 'f32' as 'i32' (K2)}}
  ascend.cube.fractals %c row %n rows %n blocks %n pitch %n -> %w : memref<4x64x16xf32, #ascend.space<l0c>>, memref<4x16x16xi32, #ascend.space<ub>>
  return
}

// -----
func.func @k2_tile(%c: memref<4x64x16xf32, #ascend.space<l0c>>, %n: index) {
  // expected-error @+1 {{cannot copy sums of 'f32' as 'f16' (K2)}}
  %t = ascend.from_l0c %c row %n pitch %n [] : memref<4x64x16xf32, #ascend.space<l0c>> -> tensor<16x64xf16>
  return
}

// -----
func.func @k3(%c: memref<4x64x16xf32, #ascend.space<l0c>>, %s: memref<16x64xf32, #ascend.space<ub>>, %w: memref<4x16x8xf32, #ascend.space<ub>>, %n: index) {
  // expected-error @+1 {{cannot have a matrix in 'memref<4x16x8xf32, #ascend.space<ub>>' (K3)}}
  ascend.cube.get %c row %n pitch %n -> %s [%n, %n] work %w : memref<4x64x16xf32, #ascend.space<l0c>>, memref<16x64xf32, #ascend.space<ub>>, memref<4x16x8xf32, #ascend.space<ub>>
  return
}

// -----
func.func @k3_rows(%w: memref<4x12x16xf32, #ascend.space<ub>>, %s: memref<16x64xf32, #ascend.space<ub>>, %n: index) {
  // expected-error @+1 {{cannot have a matrix in 'memref<4x12x16xf32, #ascend.space<ub>>' (K3)}}
  ascend.cube.rows %w block %n -> %s rows %n length 2 pitch 64 : memref<4x12x16xf32, #ascend.space<ub>>, memref<16x64xf32, #ascend.space<ub>>
  return
}

// -----
func.func @x1(%c: memref<4x64x16xf32, #ascend.space<l0c>>, %n: index) {
  // expected-error @+1 {{has 1 sizes for 0 open extents (X1)}}
  %t = ascend.from_l0c %c row %n pitch %n [%n] : memref<4x64x16xf32, #ascend.space<l0c>> -> tensor<16x64xf32>
  return
}

// -----
func.func @v1(%u: memref<32x64xf32, #ascend.space<ub>>, %w: memref<1x16xi16, #ascend.space<ub>>, %n: index) {
  // expected-error @+1 {{clears elements of 16 bits only (V1)}}
  ascend.vec.clear %u [%n, %n] work %w : memref<32x64xf32, #ascend.space<ub>>, memref<1x16xi16, #ascend.space<ub>>
  return
}

// -----
func.func @between_cores() {
  // Pipes of the cube core of another architecture, whose flags are not those of one core.
  // expected-error @+1 {{is awaited by V of another core, where only the scalar unit can wait (F3)}}
  ascend.flag.set <M> to <V> event 0
  return
}

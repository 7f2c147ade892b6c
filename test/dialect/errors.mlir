// Each rule of the verifiers, broken once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics

#gm = #ascend.space<gm>
func.func @w1(%x: memref<?x8xf32, #gm>) {
  // expected-error @+1 {{has 1 offsets and 2 sizes for a view of rank 2 (W1)}}
  %t = ascend.load %x[0] [8, 8] : memref<?x8xf32, #gm> -> tensor<8x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w2(%x: memref<?x8x8xf32, #gm>) {
  // expected-error @+1 {{has a window with more than two dimensions (W2)}}
  %t = ascend.load %x[0, 0, 0] [2, 8, 8] : memref<?x8x8xf32, #gm> -> tensor<8x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w3(%x: memref<?x8xf32, #gm>) {
  // expected-error @+1 {{moves 'f32' as 'f16' (W3)}}
  %t = ascend.load %x[0, 0] [8, 8] : memref<?x8xf32, #gm> -> tensor<8x8xf16>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w4_static(%x: memref<?x8xf32, #gm>) {
  // expected-error @+1 {{has a window of 4 rows for a tile of 8 (W4)}}
  %t = ascend.load %x[0, 0] [4, 8] : memref<?x8xf32, #gm> -> tensor<8x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w4_capacity(%t: tensor<?x8xf32, #ascend.capacity<8x8>>, %x: memref<?x8xf32, #gm>) {
  // expected-error @+1 {{has a window of 16 rows for a tile of 8 (W4)}}
  ascend.store %t, %x[0, 0] [16, 8] : tensor<?x8xf32, #ascend.capacity<8x8>> -> memref<?x8xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w5(%x: memref<?xf32, #gm>, %n: index, %z: f16) {
  // expected-error @+1 {{pads with 'f16' into 'tensor<1x8xf32>' (W5)}}
  %t = ascend.load %x[0] [%n] pad(%z : f16) : memref<?xf32, #gm> -> tensor<1x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w7_extents(%x: memref<?xf32, #gm>, %n: index, %z: f32) {
  // expected-error @+1 {{puts the window to 2 indices of 'tensor<1x?xf32, #ascend.capacity<1x8>>' with 0 open extents (W7)}}
  %t = ascend.load %x[0] [%n] pad(%z : f32) at [%n, %n] of [] : memref<?xf32, #gm> -> tensor<1x?xf32, #ascend.capacity<1x8>>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w7_padding(%x: memref<?xf32, #gm>, %n: index) {
  // expected-error @+1 {{puts the window to 2 indices of 'tensor<1x8xf32>' with 0 open extents (W7)}}
  %t = ascend.load %x[0] [%n] at [%n, %n] of [] : memref<?xf32, #gm> -> tensor<1x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @w6(%t: tensor<1x8xf32>, %x: memref<?xf32, #gm>) {
  // expected-error @+1 {{cannot multiply atomically (W6)}}
  ascend.store %t, %x[0] [8] combine <prod> : tensor<1x8xf32> -> memref<?xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @g1(%x: memref<?x8xf32, #gm>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{has indices 'tensor<4x2xi32>' for 'tensor<8x8xf32>' (G1)}}
  %t = ascend.gather <trap> %x, %i : memref<?x8xf32, #gm>, tensor<4x2xi32> -> tensor<8x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @g1_type(%x: memref<?x8xf32, #gm>, %i: tensor<8x1xf32>) {
  // expected-error @+1 {{(G1)}}
  %t = ascend.gather <trap> %x, %i : memref<?x8xf32, #gm>, tensor<8x1xf32> -> tensor<8x8xf32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @g2(%x: memref<?x9xf32, #gm>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{(G2)}}
  %t = ascend.gather <trap> %x, %i : memref<?x9xf32, #gm>, tensor<8x1xi32> -> tensor<8x8xf32>
  return
}

// -----
func.func @p1(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{prints nothing (P1)}}
  ascend.print %t rows 8 columns 0 : tensor<8x8xf32>
  return
}

// -----
func.func @p2(%t: tensor<8x8xi1>) {
  // expected-error @+1 {{prints numbers, not truths (P2)}}
  ascend.print %t rows 8 columns 8 : tensor<8x8xi1>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @g3(%x: memref<?x8xf16, #gm>, %t: tensor<8x8xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{moves 'f16' as 'f32' (G3)}}
  ascend.scatter <trap> %t, %x, %i : tensor<8x8xf32>, memref<?x8xf16, #gm>, tensor<8x1xi32>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @g4(%x: memref<?x8x8xf32, #gm>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{needs a view of rank 1 or 2 (G4)}}
  %t = ascend.gather <trap> %x, %i : memref<?x8x8xf32, #gm>, tensor<8x1xi32> -> tensor<8x8xf32>
  return
}

// -----
func.func @s1(%z: f32) {
  // expected-error @+1 {{has 0 sizes where its result has 1 dynamic extents (S1)}}
  %t = ascend.splat %z [] : f32 -> tensor<?x8xf32, #ascend.capacity<8x8>>
  return
}

// -----
func.func @s2(%z: f16) {
  // expected-error @+1 {{makes a tile of 'f32' from 'f16' (S2)}}
  %t = ascend.splat %z [] : f16 -> tensor<8x8xf32>
  return
}

// -----
func.func @s3(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{goes along rows or columns, not over all (S3)}}
  %u = ascend.scan <sum> along <all> %t : tensor<8x8xf32>
  return
}

// -----
func.func @b1(%t: tensor<8x1xf32>) {
  // expected-error @+1 {{cannot make 'tensor<4x8xf32>' from 'tensor<8x1xf32>' (B1)}}
  %u = ascend.broadcast %t [] : tensor<8x1xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @b2(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{repeats nothing (B2)}}
  %u = ascend.broadcast %t [] : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----
func.func @r1(%t: tensor<8x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<8x1xf32>' are incompatible with return type(s) of operation 'tensor<1x8xf32>'}}
  %u = "ascend.reduce"(%t) {combine = #ascend.combine<sum>, axis = #ascend.axis<row>} : (tensor<8x8xf32>) -> tensor<1x8xf32>
  return
}

// -----
func.func @r2(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{finds the max or the min (R2)}}
  %u = ascend.arg_reduce <sum> along <row> %t : tensor<8x8xf32>
  return
}

// -----
func.func @e1(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{is a condition of the launch, which no branch or loop can decide (E1)}}
    ascend.expects %c, "c"
  }
  return
}

// -----
func.func @tile(%t: tensor<8x8x8xf32>) {
  // expected-error @+1 {{operand #0 must be tile}}
  %u = ascend.transpose %t : tensor<8x8x8xf32>
  return
}

// -----
// expected-error @+1 {{a static extent is its own capacity, but 8 is not 16}}
func.func private @capacity(tensor<?x8xf32, #ascend.capacity<8x16>>)

// -----
// expected-error @+1 {{a tile with static extents needs no capacity}}
func.func private @needless(tensor<8x8xf32, #ascend.capacity<8x8>>)

// -----
// expected-error @+1 {{a capacity is at least 1x1}}
func.func private @empty(tensor<?x8xf32, #ascend.capacity<0x8>>)

// -----
// expected-error @+1 {{argument 0 of a kernel is a view with an 'ascend.role', or a scalar}}
func.func @role(%x: memref<?xf32, #ascend.space<gm>>) attributes {ascend.kernel} {
  return
}

// -----
#ub = #ascend.space<ub>
func.func @m2() {
  // expected-error @+1 {{starts at 8, which is not a multiple of 32 (M2)}}
  %a = ascend.buffer at 8 : memref<1x8xf32, #ub>
  return
}

// -----
#gm = #ascend.space<gm>
func.func @m1() {
  // expected-error @+1 {{result #0 must be buffer}}
  %a = ascend.buffer : memref<1x8xf32, #gm>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @m3() {
  // expected-error @+1 {{has 2 slots and no slot operand (M3)}}
  %a = "ascend.buffer"() {slots = 2 : i64} : () -> memref<1x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @v1(%a: memref<1x8xf32, #ub>, %b: memref<1x8xf16, #ub>, %n: index) {
  // expected-error @+1 {{mixes elements of 'f32' and 'f16' (V1)}}
  ascend.vec.unary <exp> %a -> %b, %n : memref<1x8xf32, #ub>, memref<1x8xf16, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @v2(%a: memref<1x8xf32, #ub>) {
  %n = arith.constant 65 : index
  // expected-error @+1 {{works on 65 elements of 'memref<1x8xf32, #ascend.space<ub>>' (V2)}}
  ascend.vec.unary <exp> %a -> %a, %n : memref<1x8xf32, #ub>, memref<1x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
// Rows that are padded to 32 bytes count in full.
func.func @v2_padded(%a: memref<2x7xf32, strided<[8, 1]>, #ub>) {
  %n = arith.constant 16 : index
  ascend.vec.unary <exp> %a -> %a, %n : memref<2x7xf32, strided<[8, 1]>, #ub>, memref<2x7xf32, strided<[8, 1]>, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @v3(%a: memref<1x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{converts 'f32' to itself (V3)}}
  ascend.vec.cast <rint> %a -> %a, %n : memref<1x8xf32, #ub>, memref<1x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @v4(%a: memref<1x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{needs a mask of i1, not of 'f32' (V4)}}
  ascend.vec.compare <lt> %a, %a -> %a, %n : memref<1x8xf32, #ub>, memref<1x8xf32, #ub>, memref<1x8xf32, #ub>
  return
}

// -----
func.func @f1() {
  // expected-error @+1 {{orders V with itself; use ascend.barrier (F1)}}
  ascend.flag.set <V> to <V> event 0
  return
}

// -----
func.func @f2() {
  // expected-error @+1 {{has a negative event (F2)}}
  ascend.flag.set <V> to <MTE3> event -1
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_r3(%a: memref<8x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{gives positions as i32, not as 'f32' (R3)}}
  ascend.vec.arg_reduce <max> %a[%n, %n] -> %a work %a : memref<8x8xf32, #ub>, memref<8x8xf32, #ub>, memref<8x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_s3(%a: memref<8x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{goes along rows or columns, not over all (S3)}}
  ascend.vec.scan <sum> along <all> %a[%n, %n] -> %a : memref<8x8xf32, #ub>, memref<8x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @t1(%a: memref<8x16xf32, #ub>, %n: index) {
  // expected-error @+1 {{(T1)}}
  ascend.vec.transpose %a[%n, %n] -> %a : memref<8x16xf32, #ub>, memref<8x16xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @t2(%a: memref<8x16xf32, #ub>, %n: index) {
  // expected-error @+1 {{(T2)}}
  ascend.vec.every_other %a[%n, %n] -> %a at %n : memref<8x16xf32, #ub>, memref<8x16xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @every_other_v1(%a: memref<8x32xi8, #ub>, %b: memref<8x16xi8, #ub>, %n: index) {
  // expected-error @+1 {{takes elements of 16 or 32 bits, not 'i8' (V1)}}
  ascend.vec.every_other %a[%n, %n] -> %b at %n : memref<8x32xi8, #ub>, memref<8x16xi8, #ub>
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @core_g1(%x: memref<?x8xf32, #gm>, %i: memref<8x1xf32, #ub>, %a: memref<8x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{has indices 'memref<8x1xf32, #ascend.space<ub>>' (G1)}}
  ascend.dma.gather <trap> %x, %i -> %a, %n : memref<?x8xf32, #gm>, memref<8x1xf32, #ub>, memref<8x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_b3(%a: memref<9x1xf32, #ub>, %b: memref<9x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{cannot give the rows of 'memref<9x1xf32, #ascend.space<ub>>' a block each in 'memref<9x8xf32, #ascend.space<ub>>' (B3)}}
  ascend.vec.spread %a -> %b, %n : memref<9x1xf32, #ub>, memref<9x8xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_b4(%a: memref<8x64xf32, #ub>, %b: memref<1x32xf32, #ub>, %n: index) {
  // expected-error @+1 {{cannot repeat 'memref<1x32xf32, #ascend.space<ub>>' in 'memref<8x64xf32, #ascend.space<ub>>' (B4)}}
  ascend.vec.repeated <add> %a, %b along <row> -> %a[%n, %n] : memref<8x64xf32, #ub>, memref<1x32xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_b4_pitch(%a: memref<8x4096xf32, #ub>, %b: memref<1x4096xf32, #ub>, %n: index) {
  // expected-error @+1 {{(B4)}}
  ascend.vec.repeated <add> %a, %b along <row> -> %a[%n, %n] : memref<8x4096xf32, #ub>, memref<1x4096xf32, #ub>, memref<8x4096xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_b5(%a: memref<8x64xf32, #ub>, %b: memref<1x64xf32, #ub>, %n: index) {
  // expected-error @+1 {{knows no 'power' with what is repeated (B5)}}
  ascend.vec.repeated <power> %a, %b along <row> -> %a[%n, %n] : memref<8x64xf32, #ub>, memref<1x64xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_extremes_r2(%a: memref<8x64xf32, #ub>, %n: index) {
  // expected-error @+1 {{looks for the 'max' or the 'min' (R2)}}
  ascend.vec.extremes <sum> %a[%n, %n] -> %a : memref<8x64xf32, #ub>, memref<8x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_r4(%a: memref<8x100xf32, #ub>, %n: index) {
  // expected-error @+1 {{cannot put two words for each row of 'memref<8x100xf32, #ascend.space<ub>>'}}
  ascend.vec.extremes <max> %a[%n, %n] -> %a : memref<8x100xf32, #ub>, memref<8x100xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_r5(%a: memref<1x8xf32, #ub>, %i: memref<8x1xi32, #ub>, %n: index) {
  // expected-error @+1 {{(R5)}}
  ascend.vec.places %a -> %i, %n : memref<1x8xf32, #ub>, memref<8x1xi32, #ub>
  return
}

// -----
// expected-error @+1 {{a capacity of 4611686018427388160x1 is more than 268435456 elements}}
func.func @capacity_wraps(%t: tensor<?x1xf32, #ascend.capacity<4611686018427388160x1>>) {
  return
}

// -----
#gm = #ascend.space<gm>
func.func @tile_wraps(%x: memref<?xf32, #gm>) {
  // expected-error @+1 {{must be tile}}
  %t = ascend.load %x[0] [4611686018427388160] : memref<?xf32, #gm> -> tensor<1x4611686018427388160xf32>
  return
}

// -----
func.func @k1(%t: tensor<8x64xf32>, %i: tensor<8x4xi64>) {
  // expected-error @+1 {{has indices of 'i64' (K1)}}
  %r = ascend.take <zero> %t, %i : tensor<8x64xf32>, tensor<8x4xi64>
  return
}

// -----
func.func @k2(%t: tensor<8x64xf32>, %i: tensor<4x8xi32>) {
  // expected-error @+1 {{has indices 'tensor<4x8xi32>' for rows of 'tensor<8x64xf32>' (K2)}}
  %r = ascend.take <zero> %t, %i : tensor<8x64xf32>, tensor<4x8xi32>
  return
}

// -----
func.func @k3(%t: tensor<8x64xi8>, %i: tensor<8x8xi32>) {
  // expected-error @+1 {{takes elements of 16 or 32 bits, not 'i8' (K3)}}
  %r = ascend.take <zero> %t, %i : tensor<8x64xi8>, tensor<8x8xi32>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_k1(%a: memref<1x64xf32, #ub>, %i: memref<1x64xi16, #ub>, %n: index) {
  // expected-error @+1 {{goes by i32, not by 'i16' (K1)}}
  ascend.vec.gather %a, %i -> %a, %n : memref<1x64xf32, #ub>, memref<1x64xi16, #ub>, memref<1x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_gather_v1(%a: memref<1x64xi8, #ub>, %i: memref<1x64xi32, #ub>, %n: index) {
  // expected-error @+1 {{takes elements of 16 or 32 bits, not 'i8' (V1)}}
  ascend.vec.gather %a, %i -> %a, %n : memref<1x64xi8, #ub>, memref<1x64xi32, #ub>, memref<1x64xi8, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_gather_v2(%a: memref<1x128xf32, #ub>, %i: memref<1x64xi32, #ub>) {
  %n = arith.constant 65 : index
  // expected-error @+1 {{works on 65 elements of 'memref<1x64xi32, #ascend.space<ub>>' (V2)}}
  ascend.vec.gather %a, %i -> %a, %n : memref<1x128xf32, #ub>, memref<1x64xi32, #ub>, memref<1x128xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @core_k4(%a: memref<4x64xf32, #ub>, %i: memref<8x8xi32, #ub>, %b: memref<8x8xf32, #ub>, %n: index) {
  // expected-error @+1 {{(K4)}}
  ascend.vec.take by_row %a, %i -> %b[%n, %n] work %i : memref<4x64xf32, #ub>, memref<8x8xi32, #ub>, memref<8x8xf32, #ub>, memref<8x8xi32, #ub>
  return
}

// Each thing that the proof of single instructions asks for, broken once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions

// The same instructions with numbers that fit.
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @right(%n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %fits = arith.cmpi sle, %n, %c64 : index
  %some = arith.cmpi sge, %n, %c1 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  ascend.rep.copy %a -> %b mask %n repeat %c8 blocks [1, 1] rows [8, 8] : !a, !a
  scf.for %r = %c0 to %c8 step %c1 {
    %s = ascend.slice %a[%r, 8] : !a -> !part
    %t = ascend.slice %b[%r, 0] : !a -> !part
    ascend.rep.copy %s -> %t mask %c1 repeat %c1 blocks [1, 1] rows [8, 8] : !part, !part
    %x = ascend.scalar.read %a[%r] : !a -> f32
  }
  ascend.vec.unary <abs> %a -> %a, %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @mask_most(%n: index) {
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %fits = arith.cmpi sle, %n, %c65 : index
  %some = arith.cmpi sge, %n, %c1 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  // expected-error @+1 {{cannot prove that Copy has a mask of 1 to 64; this is an error of Belay [unproven-instruction]}}
  ascend.rep.copy %a -> %b mask %n repeat %c1 blocks [1, 1] rows [8, 8] : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @mask_least(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %fits = arith.cmpi sle, %n, %c64 : index
  %some = arith.cmpi sge, %n, %c0 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  // expected-error @+1 {{cannot prove that Add has a mask of 1 to 64}}
  ascend.rep.binary <add> %a, %a -> %b mask %n repeat %c1 blocks [1, 1, 1] rows [8, 8, 8] : !a, !a, !a
  return
}

// -----
// 256 repeats of the same 256 bytes: only the field is too small.
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @repeat(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %fits = arith.cmpi sle, %n, %c256 : index
  %some = arith.cmpi sge, %n, %c0 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  // expected-error @+1 {{cannot prove that Copy has a repeat of 0 to 255}}
  ascend.rep.copy %a -> %b mask %c1 repeat %n blocks [1, 1] rows [0, 0] : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @bounds_of_repeats() {
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 4096 : memref<16x64xf32, #ub>
  // expected-error @+1 {{cannot prove that Copy has what is read to be inside of the 2048 bytes of its buffer}}
  ascend.rep.copy %a -> %b mask %c64 repeat %c9 blocks [1, 1] rows [8, 8] : !a, memref<16x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @bounds_of_blocks() {
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : memref<1x64xf32, #ub>
  // expected-error @+1 {{cannot prove that Copy has what is written to be inside of the 256 bytes of its buffer}}
  ascend.rep.copy %a -> %b mask %c1 repeat %c1 blocks [2, 1] rows [8, 8] : !a, memref<1x64xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @bounds_of_count(%n: index) {
  %a = ascend.buffer at 0 : !a
  // expected-error @+3 {{cannot prove that Abs has a count of 0 to 2147483647}}
  // expected-error @+2 {{cannot prove that Abs has what is read to be inside of the 2048 bytes}}
  // expected-error @+1 {{cannot prove that Abs has what is written to be inside of the 2048 bytes}}
  ascend.vec.unary <abs> %a -> %a, %n : !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @bounds_of_elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c513 = arith.constant 513 : index
  %a = ascend.buffer at 0 : !a
  scf.for %i = %c0 to %c513 step %c1 {
    // expected-error @+1 {{cannot prove that GetValue has what is read to be inside of the 2048 bytes of its buffer}}
    %x = ascend.scalar.read %a[%i] : !a -> f32
  }
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @alignment() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c60 = arith.constant 60 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  scf.for %i = %c0 to %c60 step %c4 {
    %s = ascend.slice %a[0, %i] : !a -> !part
    // expected-error @+1 {{cannot prove that Copy has what is read to begin at a multiple of 32 bytes}}
    ascend.rep.copy %s -> %b mask %c1 repeat %c1 blocks [1, 1] rows [8, 8] : !part, !a
  }
  return
}

// -----
// An element and its place are a pair.
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @alignment_of_results() {
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %t = ascend.slice %b[0, 1] : !a -> !part
  ascend.rep.reduce <max> %a -> %t mask %c1 repeat %c1 row 8 : !a, !part
  // expected-error @+1 {{cannot prove that WholeReduceMax has what is written to begin at a multiple of 8 bytes}}
  ascend.rep.reduce <max> places %a -> %t mask %c1 repeat %c1 row 8 : !a, !part
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
func.func @multiple(%n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %m = ascend.buffer at 4096 : memref<8x64xi1, #ub>
  %fits = arith.cmpi sle, %n, %c64 : index
  %some = arith.cmpi sge, %n, %c0 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  // expected-error @+1 {{cannot prove that DataCopy has a count that is a multiple of 8}}
  ascend.vec.copy %a -> %b, %n : !a, !a
  // expected-error @+1 {{cannot prove that Compare has a count that is a multiple of 64}}
  ascend.vec.compare <lt> %a, %b -> %m, %n : !a, !a, memref<8x64xi1, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @overlap() {
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !a
  %s = ascend.slice %a[1, 0] : !a -> !part
  ascend.rep.binary <add> %a, %a -> %b mask %c64 repeat %c2 blocks [1, 1, 1] rows [8, 8, 8] : !a, !a, !a
  // expected-error @+1 {{cannot prove that Add has a result in the place of an operand or apart from it}}
  ascend.rep.binary <add> %b, %b -> %s mask %c64 repeat %c2 blocks [1, 1, 1] rows [8, 8, 8] : !a, !a, !part
  // Row 1 and 2 from row 0.
  ascend.rep.binary <add> %b, %b -> %s mask %c64 repeat %c2 blocks [1, 1, 1] rows [8, 0, 0] : !a, !a, !part
  // expected-error @+1 {{cannot prove that Add has a result in the place of an operand or apart from it}}
  ascend.rep.binary <add> %a, %a -> %b mask %c64 repeat %c2 blocks [1, 1, 1] rows [8, 16, 16] : !a, !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!part = memref<?xf32, strided<[1], offset: ?>, #ub>
func.func @interlaced(%n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %fits = arith.cmpi sle, %n, %c64 : index
  %some = arith.cmpi sge, %n, %c1 : index
  ascend.expects %fits, "n is not too large"
  ascend.expects %some, "n is not too small"
  %a = ascend.buffer at 0 : !a
  %s = ascend.slice %a[1, 0] : !a -> !part
  %t = ascend.slice %a[1, 8] : !a -> !part
  %u = ascend.slice %a[2, 0] : !a -> !part
  // Even rows to odd ones.
  ascend.rep.binary <add> %a, %s -> %s mask %n repeat %c3 blocks [1, 1, 1] rows [16, 16, 16] : !a, !part, !part
  // From odd ones on, up to the row after the last.
  // expected-error @+1 {{cannot prove that Add has a result in the place of an operand or apart from it}}
  ascend.rep.binary <add> %a, %t -> %t mask %n repeat %c3 blocks [1, 1, 1] rows [16, 16, 16] : !a, !part, !part
  // Even rows to even ones.
  // expected-error @+1 {{cannot prove that Add has a result in the place of an operand or apart from it}}
  ascend.rep.binary <add> %a, %u -> %u mask %n repeat %c3 blocks [1, 1, 1] rows [16, 16, 16] : !a, !part, !part
  // Of other strides.
  // expected-error @+1 {{cannot prove that Add has a result in the place of an operand or apart from it}}
  ascend.rep.binary <add> %a, %s -> %s mask %n repeat %c3 blocks [1, 1, 1] rows [16, 8, 16] : !a, !part, !part
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!w = memref<1x2048xf32, #ub>
func.func @library() {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !a
  %w = ascend.buffer at 8192 : !w
  ascend.vec.unary <tanh> %a -> %b, %c64 work %w : !w : !a, !a
  // expected-error @+1 {{cannot prove that Tanh has a result apart from operands}}
  ascend.vec.unary <tanh> %a -> %a, %c64 work %w : !w : !a, !a
  // expected-error @+1 {{cannot prove that Power has a result apart from operands}}
  ascend.vec.binary <power> %a, %b -> %b, %c64 work %w : !w : !a, !a, !a
  return
}

// -----
// 64 elements of space are enough for 1024 elements, and not for more.
#ub = #ascend.space<ub>
!a = memref<1x4096xf32, #ub>
!b = memref<1x64xf32, #ub>
func.func @space() {
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 16384 : !b
  %w = ascend.buffer at 20480 : !b
  ascend.lib.reduce <max> %a -> %b, %c1024 work %w : !a, !b, !b
  // expected-error @+1 {{cannot prove that ReduceMax has a count of 1 to}}
  ascend.lib.reduce <max> %a -> %b, %c4096 work %w : !a, !b, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi64, #ub>
func.func @types() {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i64
  %a = ascend.buffer at 0 : !a
  // expected-error @+1 {{dav-2201 has no Duplicate of i64}}
  ascend.vec.fill %zero -> %a, %c64 : i64, !a
  // expected-error @+1 {{dav-2201 has no CreateVecIndex of i64}}
  ascend.vec.iota %zero -> %a, %c64 : i64, !a
  // expected-error @+1 {{dav-2201 has no Add of i64}}
  ascend.vec.binary <add> %a, %a -> %a, %c64 : !a, !a, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xi32, #ub>
!b = memref<8x64xf16, #ub>
func.func @conversions() {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 4096 : !b
  ascend.vec.cast <rint> %b -> %a, %c64 : !b, !a
  // expected-error @+1 {{dav-2201 has no Cast of i32}}
  ascend.vec.cast <none> %b -> %a, %c64 : !b, !a
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<8x64xf32, #ub>
!c = memref<8x1xf32, #ub>
func.func @macros(%r: index, %k: index) {
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 2048 : !c
  %w = ascend.buffer at 4096 : !a
  // expected-error @+1 {{'ascend.vec.reduce' is no single instruction of dav-2201}}
  ascend.vec.reduce <sum> along <row> %a [%r, %k] -> %b work %w : !a, !c, !a
  return
}

// -----
#ub = #ascend.space<ub>
func.func @memory(%i: index) {
  // expected-error @+1 {{the buffer ends at byte 262144 of a memory of}}
  %a = ascend.buffer at 131072 : memref<1x32768xf32, #ub>
  // expected-error @+1 {{cannot prove that the slot is one of 2}}
  %b = ascend.buffer at 0 2 slots [%i] : memref<1x64xf32, #ub>
  return
}

// -----
// Copies: fields are those of the window, and the window is inside of the view.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!v = memref<?x128xf32, #gm>
!a = memref<8x100xf32, strided<[104, 1]>, #ub>
func.func @copies(%x: !v {ascend.role = #ascend.role<in>}) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c112 = arith.constant 112 : index
  %c116 = arith.constant 116 : index
  %c400 = arith.constant 400 : index
  %c404 = arith.constant 404 : index
  %c4096 = arith.constant 4096 : index
  %rows = memref.dim %x, %c0 : !v
  %enough = arith.cmpi sge, %rows, %c8 : index
  ascend.expects %enough, "x.rows() >= 8"
  %a = ascend.buffer at 0 : !a
  ascend.copy_pad.in %x[0, 0] [8, 100] -> %a blocks %c8 bytes %c400 gm_gap %c112 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has the rows, bytes and gaps of its window}}
  ascend.copy_pad.in %x[0, 0] [8, 100] -> %a blocks %c7 bytes %c400 gm_gap %c112 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has the rows, bytes and gaps of its window}}
  ascend.copy_pad.in %x[0, 0] [8, 100] -> %a blocks %c8 bytes %c404 gm_gap %c112 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has the rows, bytes and gaps of its window}}
  ascend.copy_pad.in %x[0, 0] [8, 100] -> %a blocks %c8 bytes %c400 gm_gap %c116 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has what is written to be inside of the 3328 bytes of its buffer}}
  ascend.copy_pad.in %x[0, 0] [8, 100] -> %a blocks %c8 bytes %c400 gm_gap %c112 ub_gap %c1 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has a window inside of its view}}
  ascend.copy_pad.in %x[1, 0] [8, 100] -> %a blocks %c8 bytes %c400 gm_gap %c112 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopyPad has a window inside of its view}}
  ascend.copy_pad.in %x[0, 29] [8, 100] -> %a blocks %c8 bytes %c400 gm_gap %c112 ub_gap %c0 : !v, !a
  // expected-error @+3 {{cannot prove that DataCopyPad has a number of blocks of 0 to 4095}}
  // expected-error @+2 {{cannot prove that DataCopyPad has a window inside of its view}}
  // expected-error @+1 {{cannot prove that DataCopyPad has what is written to be inside}}
  ascend.copy_pad.in %x[0, 0] [4096, 100] -> %a blocks %c4096 bytes %c400 gm_gap %c112 ub_gap %c0 : !v, !a
  // From column 96 of 104 on, one row of 4 elements after 3 fits, of 6 after 3 does not.
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %late = ascend.slice %a[2, 96] : !a -> memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
  ascend.copy_pad.in %x[0, 0] [1, 4] -> %late blocks %c1 bytes %c16 gm_gap %c0 ub_gap %c0 pad %zero, %c1 : f32 left %c3 : !v, memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
  // expected-error @+1 {{cannot prove that DataCopyPad has each row to end where a row of its buffer ends}}
  ascend.copy_pad.in %x[0, 0] [1, 6] -> %late blocks %c1 bytes %c24 gm_gap %c0 ub_gap %c0 pad %zero, %c7 : f32 left %c3 : !v, memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
  // expected-error @+2 {{cannot prove that DataCopyPad has a number of elements padded on the left of 0 to 8}}
  // expected-error @+1 {{cannot prove that DataCopyPad has each row to end where a row of its buffer ends}}
  ascend.copy_pad.in %x[0, 0] [1, 4] -> %late blocks %c1 bytes %c16 gm_gap %c0 ub_gap %c0 pad %zero, %c1 : f32 left %c16 : !v, memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
  %e = ascend.gm.read %x[7, 127] : !v -> f32
  // expected-error @+1 {{cannot prove that GetValue has a window inside of its view}}
  %f = ascend.gm.read %x[8, 0] : !v -> f32
  return
}

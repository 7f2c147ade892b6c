// What one core with both units can execute, and each way in which it cannot, once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions=soc=Ascend310P3

// All of it.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @right(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true one_core : !a, !b, !c
  ascend.cube.put_blocks %u pitch 32 -> %l1 block %c1 row %c16 rows %c16 : !u, !l1
  ascend.cube.load %l1[%c0, %c0] [%c32, %c16] -> %a one_core : !l1, !a
  ascend.cube.fill %l1 one_core : !l1
  ascend.cube.fractals %c row %c16 rows %c16 blocks %c2 pitch %c32 -> %w : !c, !w
  ascend.cube.rows %w block %c1 -> %s rows %c32 length 2 pitch 32 : !w, !s
  return
}

// -----
// Sums that nobody wrote.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @not_written(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{cannot prove that the sums that DataCopy reads have been written}}
  ascend.cube.fractals %c row %c0 rows %c32 blocks %c2 pitch %c32 -> %w : !c, !w
  return
}

// -----
// A fractal of which a product wrote one row.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @too_few_written(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  ascend.cube.mmad %a, %b -> %c[%c17, %c32, %c16] init %true one_core : !a, !b, !c
  // expected-error @+1 {{DataCopy has no more rows than have been written}}
  ascend.cube.fractals %c row %c0 rows %c32 blocks %c2 pitch %c32 -> %w : !c, !w
  return
}

// -----
// Fractals lie as m said.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @other_pitch(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  ascend.cube.mmad %a, %b -> %c[%c16, %c32, %c16] init %true one_core : !a, !b, !c
  // expected-error @+1 {{DataCopy has the pitch with which products have written}}
  ascend.cube.fractals %c row %c0 rows %c16 blocks %c2 pitch %c32 -> %w : !c, !w
  return
}

// -----
// Fractals leave as a whole.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @half_a_fractal(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true one_core : !a, !b, !c
  // expected-error @+1 {{DataCopy has a number of rows that is a multiple of 16}}
  ascend.cube.fractals %c row %c0 rows %c17 blocks %c2 pitch %c32 -> %w : !c, !w
  return
}

// -----
// More rows than L1 has from there on.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @beyond_rows(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{DataCopy has a row of 0 to 32}}
  ascend.cube.put_blocks %u pitch 32 -> %l1 block %c0 row %c17 rows %c16 : !u, !l1
  return
}

// -----
// A column of blocks that the matrix does not have.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @beyond_blocks(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{DataCopy has a column of blocks of 0 to 2}}
  ascend.cube.put_blocks %u pitch 32 -> %l1 block %c2 row %c0 rows %c16 : !u, !l1
  return
}

// -----
// Rows that the unified buffer does not have.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @beyond_source(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{DataCopy has what is read to be inside of the 2048 bytes of its buffer}}
  ascend.cube.put_blocks %u pitch 64 -> %l1 block %c0 row %c0 rows %c32 : !u, !l1
  return
}

// -----
// Rows that end past the end of the buffer.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @beyond_columns(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{DataCopy has what is written to be inside of the 4096 bytes of its buffer}}
  ascend.cube.rows %w block %c0 -> %s rows %c32 length 2 pitch 48 : !w, !s
  return
}

// -----
// A product of a core without a vector unit.
!a = memref<2x1x16x16xf16, #ascend.space<l0a>>
!b = memref<1x2x16x16xf16, #ascend.space<l0b>>
!c = memref<2x32x16xf32, #ascend.space<l0c>>
!w = memref<2x32x16xf32, #ascend.space<ub>>
!u = memref<32x32xf16, #ascend.space<ub>>
!s = memref<32x32xf32, #ascend.space<ub>>
!l1 = memref<2x32x16xf16, #ascend.space<l1>>
func.func @other_core(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %a = ascend.buffer at 0 : !a
  %b = ascend.buffer at 0 : !b
  %c = ascend.buffer at 0 : !c
  %w = ascend.buffer at 0 : !w
  %u = ascend.buffer at 4096 : !u
  %s = ascend.buffer at 8192 : !s
  %l1 = ascend.buffer at 0 : !l1
  // expected-error @+1 {{'ascend.cube.mmad' is no single instruction of dav-2002}}
  ascend.cube.mmad %a, %b -> %c[%c32, %c32, %c16] init %true : !a, !b, !c
  return
}

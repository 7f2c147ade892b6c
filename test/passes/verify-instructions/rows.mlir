// Rows of whole blocks, and each way in which a copy of them can be wrong, once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions=soc=Ascend310P3

!a = memref<8x104xf32, #ascend.space<ub>>
!v = memref<?x128xf32, #ascend.space<gm>>
func.func @fields(%x: !v {ascend.role = #ascend.role<inout>}) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %rows = memref.dim %x, %c0 : !v
  %enough = arith.cmpi sge, %rows, %c8 : index
  ascend.expects %enough, "x.rows() >= 8"
  %a = ascend.buffer at 0 : !a
  ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %c4 ub_gap %c1 : !v, !a
  ascend.copy_rows.out %a -> %x[0, 0] [8, 96] rows %c8 blocks %c12 gm_gap %c4 ub_gap %c1 combine <sum> : !a, !v
  // expected-error @+1 {{cannot prove that DataCopy has the rows, bytes and gaps of its window}}
  ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c7 blocks %c12 gm_gap %c4 ub_gap %c1 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopy has the rows, bytes and gaps of its window}}
  ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c11 gm_gap %c4 ub_gap %c1 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopy has the rows, bytes and gaps of its window}}
  ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %c3 ub_gap %c1 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopy has the rows, bytes and gaps of its window}}
  ascend.copy_rows.out %a -> %x[0, 0] [8, 96] rows %c8 blocks %c12 gm_gap %c8 ub_gap %c1 : !a, !v
  // expected-error @+1 {{cannot prove that DataCopy has what is written to be inside of the 3328 bytes of its buffer}}
  ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %c4 ub_gap %c3 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopy has a window inside of its view}}
  ascend.copy_rows.out %a -> %x[1, 0] [8, 96] rows %c8 blocks %c12 gm_gap %c4 ub_gap %c1 : !a, !v
  // A row of 14 blocks is longer than one of the buffer.
  // expected-error @+1 {{cannot prove that DataCopy has a number of blocks of 1 to 13}}
  ascend.copy_rows.in %x[0, 0] [1, 112] -> %a rows %c1 blocks %c14 gm_gap %c0 ub_gap %c0 : !v, !a
  // expected-error @+1 {{cannot prove that DataCopy has a number of rows of 1 to 4095}}
  ascend.copy_rows.in %x[0, 0] [0, 96] -> %a rows %c0 blocks %c12 gm_gap %c4 ub_gap %c1 : !v, !a
  return
}

// -----
// Rows that are no whole blocks apart.
!a = memref<8x96xf32, #ascend.space<ub>>
!v = memref<?x?xf32, #ascend.space<gm>>
func.func @apart(%x: !v {ascend.role = #ascend.role<inout>}) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c96 = arith.constant 96 : index
  %c65535 = arith.constant 65535 : index
  %rows = memref.dim %x, %c0 : !v
  %cols = memref.dim %x, %c1 : !v
  %enough = arith.cmpi sge, %rows, %c8 : index
  ascend.expects %enough, "x.rows() >= 8"
  %long = arith.cmpi sge, %cols, %c96 : index
  ascend.expects %long, "x.cols() >= 96"
  %a = ascend.buffer at 0 : !a
  %blocks = arith.divsi %cols, %c8 : index
  %gap = arith.subi %blocks, %c12 : index
  %fits = arith.cmpi sle, %gap, %c65535 : index
  scf.if %fits {
    // expected-error @+1 {{cannot prove that DataCopy has the rows, bytes and gaps of its window}}
    ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %gap ub_gap %c0 : !v, !a
  }
  %back = arith.muli %blocks, %c8 : index
  %whole = arith.cmpi eq, %back, %cols : index
  scf.if %whole {
    // expected-error @+1 {{cannot prove that DataCopy has a gap in global memory of 0 to 65535}}
    ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %gap ub_gap %c0 : !v, !a
  }
  %both = arith.andi %whole, %fits : i1
  scf.if %both {
    ascend.copy_rows.in %x[0, 0] [8, 96] -> %a rows %c8 blocks %c12 gm_gap %gap ub_gap %c0 : !v, !a
  }
  return
}

//===- VectorOps.td - Instructions of the vector unit ------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector instructions work on `count` consecutive elements from the start of
// their operands: what a tile leaves unused at the end of its rows is computed
// as well and never stored.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_VECTOROPS_TD
#define BELAY_DIALECT_VECTOROPS_TD

include "dialect/CoreOps.td"

class Ascend_Vector<string mnemonic, list<string> says = []>
    : Ascend_Instruction<"vec." # mnemonic, "V", [], says> {
  let hasVerifier = 1;
}

/// What is one instruction already.
class Ascend_Single<string mnemonic> : Ascend_Vector<mnemonic, ["describe"]>;

def Ascend_VecUnaryOp : Ascend_Single<"unary"> {
  let summary = "an elementwise function of one operand";
  let description = [{
    `work` is space for intermediate values, for functions that are not one
    instruction.

    Constraints: (V1) operands have the same element type; (V2) a constant count
    fits every operand.

    ```mlir
    ascend.vec.unary <exp> %a -> %b, %n : memref<8x1024xf32, #ascend.space<ub>>,
      memref<8x1024xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_UnaryAttr:$kind, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count,
    Arg<Optional<Ascend_UB>, "", [MemWrite]>:$work);
  let assemblyFormat = [{
    $kind $src `->` $dst `,` $count (`work` $work^ `:` type($work))?
    attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecBinaryOp : Ascend_Single<"binary"> {
  let summary = "an elementwise function of two operands";
  let description = [{
    `work` is space for intermediate values, as for `ascend.vec.unary`.

    Constraints: (V1), (V2) as for `ascend.vec.unary`.

    ```mlir
    ascend.vec.binary <add> %a, %b -> %c, %n : memref<1x64xf32, #ascend.space<ub>>,
      memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_BinaryAttr:$kind, Ascend_Reads<Ascend_UB>:$lhs,
    Ascend_Reads<Ascend_UB>:$rhs, Ascend_Writes<Ascend_UB>:$dst, Index:$count,
    Arg<Optional<Ascend_UB>, "", [MemWrite]>:$work);
  let assemblyFormat = [{
    $kind $lhs `,` $rhs `->` $dst `,` $count
    (`work` $work^ `:` type($work))? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($dst)
  }];
  let builders = [OpBuilder<(ins "Binary":$kind, "::mlir::Value":$lhs,
      "::mlir::Value":$rhs, "::mlir::Value":$dst, "::mlir::Value":$count), [{
    build($_builder, $_state, kind, lhs, rhs, dst, count, /*work=*/{});
  }]>];
}

def Ascend_VecScalarOp : Ascend_Single<"scalar"> {
  let summary = "an elementwise function of a buffer and a scalar";
  let description = [{
    The scalar is the right operand.

    Constraints: (V1), (V2) as for `ascend.vec.unary`; the scalar has the element
    type.

    ```mlir
    ascend.vec.scalar <mul> %a, %s -> %b, %n : memref<1x64xf32, #ascend.space<ub>>,
      f32, memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_BinaryAttr:$kind, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Scalar:$scalar, Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $kind $src `,` $scalar `->` $dst `,` $count attr-dict
    `:` type($src) `,` type($scalar) `,` type($dst)
  }];
}

def Ascend_VecFillOp : Ascend_Single<"fill"> {
  let summary = "the same value everywhere";
  let description = [{
    Constraints: (V2) as for `ascend.vec.unary`; the value has the element type.

    ```mlir
    ascend.vec.fill %zero -> %a, %n : f32, memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Scalar:$value, Ascend_Writes<Ascend_UB>:$dst,
    Index:$count);
  let assemblyFormat = [{
    $value `->` $dst `,` $count attr-dict `:` type($value) `,` type($dst)
  }];
}

def Ascend_VecCopyOp : Ascend_Single<"copy"> {
  let summary = "copy elements between buffers";
  let description = [{
    Constraints: (V1), (V2) as for `ascend.vec.unary`.

    ```mlir
    ascend.vec.copy %a -> %b, %n : memref<8x1024xf32, #ascend.space<ub>>,
      memref<8x1024xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $src `->` $dst `,` $count attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecCastOp : Ascend_Single<"cast"> {
  let summary = "convert each element";
  let description = [{
    Constraints: (V2) as for `ascend.vec.unary`; (V3) element types differ.

    ```mlir
    ascend.vec.cast <rint> %a -> %b, %n : memref<1x64xf32, #ascend.space<ub>>,
      memref<1x64xf16, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_RoundAttr:$round, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $round $src `->` $dst `,` $count attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecCompareOp : Ascend_Single<"compare"> {
  let summary = "compare two buffers, one bit for each element";
  let description = [{
    Constraints: (V1), (V2) as for `ascend.vec.unary`; (V4) the destination has
    elements of i1.

    ```mlir
    ascend.vec.compare <lt> %a, %b -> %m, %n : memref<1x64xf32, #ascend.space<ub>>,
      memref<1x64xf32, #ascend.space<ub>>, memref<1x64xi1, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_CompareAttr:$kind, Ascend_Reads<Ascend_UB>:$lhs,
    Ascend_Reads<Ascend_UB>:$rhs, Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $kind $lhs `,` $rhs `->` $dst `,` $count attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($dst)
  }];
}

def Ascend_VecSelectOp : Ascend_Single<"select"> {
  let summary = "choose by the bits of a mask";
  let description = [{
    Constraints: (V1), (V2) as for `ascend.vec.unary`; (V4) the mask has elements
    of i1.

    ```mlir
    ascend.vec.select %m, %a, %b -> %c, %n : memref<1x64xi1, #ascend.space<ub>>,
      memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>,
      memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$mask,
    Ascend_Reads<Ascend_UB>:$lhs, Ascend_Reads<Ascend_UB>:$rhs,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $mask `,` $lhs `,` $rhs `->` $dst `,` $count attr-dict
    `:` type($mask) `,` type($lhs) `,` type($rhs) `,` type($dst)
  }];
}

def Ascend_VecReduceOp : Ascend_Vector<"reduce"> {
  let summary = "combine elements of a buffer of rows and columns";
  let description = [{
    Works on the first `rows` rows and `cols` columns; `work` is space for
    intermediate values.

    Constraints: (V1) source, destination and work have the same element type.

    ```mlir
    ascend.vec.reduce <sum> along <row> %a [%r, %c] -> %b work %w
      : memref<8x1024xf32, #ascend.space<ub>>, memref<8x1xf32, #ascend.space<ub>>,
        memref<8x1024xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, Ascend_AxisAttr:$axis,
    Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst, Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    $combine `along` $axis $src `[` $rows `,` $cols `]` `->` $dst `work` $work
    attr-dict `:` type($src) `,` type($dst) `,` type($work)
  }];
}

def Ascend_VecBroadcastOp : Ascend_Vector<"broadcast"> {
  let summary = "repeat a row, a column or an element";
  let description = [{
    Fills the first `rows` rows and `cols` columns of the destination. `work` is
    space for 32 bytes of each row, in multiples of eight; a column that is
    repeated needs it. An element is read by the scalar unit without it.

    Constraints: (V1) the same element type; (B1) extents agree or are 1.

    ```mlir
    ascend.vec.broadcast %a -> %b [%r, %c] work %w : memref<8x8xf32, #ascend.space<ub>>
      : memref<8x1xf32, #ascend.space<ub>>, memref<8x1024xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows, Index:$cols,
    Arg<Optional<Ascend_UB>, "", [MemWrite]>:$work);
  let assemblyFormat = [{
    $src `->` $dst `[` $rows `,` $cols `]` (`work` $work^ `:` type($work))?
    attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecSpreadOp : Ascend_Vector<"spread"> {
  let summary = "give each element of a column a block of its own";
  let description = [{
    Row `k` of the destination, which is 32 bytes long, is the `k`th of the first
    `rows` elements of the source. Eight rows are written at a time.

    Constraints: (V1) the same element type; (B3) the source is one column, and
    the destination has blocks for its rows, up to a multiple of eight.

    ```mlir
    ascend.vec.spread %a -> %b, %r
      : memref<8x1xf32, #ascend.space<ub>>, memref<8x8xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows);
  let assemblyFormat = [{
    $src `->` $dst `,` $rows attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecRepeatedOp : Ascend_Vector<"repeated"> {
  let summary = "an elementwise function of a tile and what is repeated in it";
  let description = [{
    Combines the first `rows` rows and `cols` columns of the source with a row
    that is the same for all of them (`along` row), or with a number for each
    row, spread over a block by `ascend.vec.spread` (`along` col). With
    `reversed`, what is repeated is the left operand.

    Constraints: (V1) the same element type; (B4) source and destination have
    the same shape, of rows that are at most 255 blocks apart, and what is
    repeated has a row, or a block for each row; (B5) one of `add`, `sub`,
    `mul`, `div`, `max`, `min`.

    ```mlir
    ascend.vec.repeated <sub> %a, %b along <col> -> %c [%r, %k]
      : memref<8x64xf32, #ascend.space<ub>>, memref<8x8xf32, #ascend.space<ub>>,
        memref<8x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_BinaryAttr:$kind, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Reads<Ascend_UB>:$repeated, Ascend_AxisAttr:$axis,
    UnitAttr:$reversed, Ascend_Writes<Ascend_UB>:$dst, Index:$rows, Index:$cols);
  let assemblyFormat = [{
    $kind (`reversed` $reversed^)? $src `,` $repeated `along` $axis `->` $dst
    `[` $rows `,` $cols `]` attr-dict
    `:` type($src) `,` type($repeated) `,` type($dst)
  }];
}

def Ascend_VecArgReduceOp : Ascend_Vector<"arg_reduce"> {
  let summary = "where the largest or smallest element of each row is";
  let description = [{
    The first position in each of the first `rows` rows, among `cols` columns.

    Constraints: (R2) `max` or `min`; (R3) positions are i32.

    ```mlir
    ascend.vec.arg_reduce <max> %a [%r, %c] -> %i work %w
      : memref<8x64xf32, #ascend.space<ub>>, memref<8x1xi32, #ascend.space<ub>>,
        memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine,
    Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst, Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    $combine $src `[` $rows `,` $cols `]` `->` $dst `work` $work
    attr-dict `:` type($src) `,` type($dst) `,` type($work)
  }];
}

def Ascend_VecExtremesOp : Ascend_Vector<"extremes"> {
  let summary = "the largest or smallest element of each row, and where it is";
  let description = [{
    Two words for each of the first `rows` rows of at most 64 columns: the
    element, and the first position where it is.

    Constraints: (R2) `max` or `min`; (R4) elements are f32, at most 64 in a row,
    and the destination has two words for each row.

    ```mlir
    ascend.vec.extremes <max> %a [%r, %c] -> %b
      : memref<8x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine,
    Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst);
  let assemblyFormat = [{
    $combine $src `[` $rows `,` $cols `]` `->` $dst
    attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecPlacesOp : Ascend_Vector<"places"> {
  let summary = "only the positions from what `ascend.vec.extremes` leaves";
  let description = [{
    Of the first `rows` rows.

    Constraints: (R3) positions are i32; (R5) the source has two words for each
    position.

    ```mlir
    ascend.vec.places %b -> %i, %r
      : memref<1x64xf32, #ascend.space<ub>>, memref<8x1xi32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows);
  let assemblyFormat = [{
    $src `->` $dst `,` $rows attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecScanOp : Ascend_Vector<"scan"> {
  let summary = "inclusive prefix sums, maxima and minima";
  let description = [{
    Along each row, or down each column, of the first `rows` rows and `cols`
    columns.

    Constraints: (V1) the same element type; (S3) the axis is `row` or `col`.

    ```mlir
    ascend.vec.scan <sum> along <row> %a [%r, %c] -> %b
      : memref<8x64xf32, #ascend.space<ub>>, memref<8x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, Ascend_AxisAttr:$axis,
    Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst);
  let assemblyFormat = [{
    $combine `along` $axis $src `[` $rows `,` $cols `]` `->` $dst
    attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecTransposeOp : Ascend_Vector<"transpose"> {
  let summary = "exchange rows and columns";
  let description = [{
    Of the first `rows` rows and `cols` columns of the source.

    Constraints: (V1) the same element type; (T1) the destination's shape is the
    source's, transposed.

    ```mlir
    ascend.vec.transpose %a [%r, %c] -> %b
      : memref<8x64xf32, #ascend.space<ub>>, memref<64x8xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst);
  let assemblyFormat = [{
    $src `[` $rows `,` $cols `]` `->` $dst attr-dict
    `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecEveryOtherOp : Ascend_Vector<"every_other"> {
  let summary = "take every other column";
  let description = [{
    Columns 0, 2, 4 and so on of the first `rows` rows of the source, `cols` of
    them, side by side in rows of the destination from a row on.

    Constraints: (V1) the same element type, of 16 or 32 bits; (T2) a row of the
    source has room for twice the columns of the destination.

    ```mlir
    ascend.vec.every_other %a [%r, %c] -> %b at %first
      : memref<8x128xf32, #ascend.space<ub>>, memref<64x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$dst, Index:$first);
  let assemblyFormat = [{
    $src `[` $rows `,` $cols `]` `->` $dst `at` $first attr-dict
    `:` type($src) `,` type($dst)
  }];
}

def Ascend_VecTakeOp : Ascend_Vector<"take"> {
  let summary = "elements of a buffer that indices name";
  let description = [{
    Element (r, c) of the first `rows` rows and `cols` columns of the destination
    is the element of the source whose place the index says: with `by_row` a
    column of row r, else the place from the beginning of the buffer on. An index
    that names no place of the row, or of the buffer, means the nearest one.
    `work` is space for as many offsets as there are indices.

    Constraints: (V1) the same element type, of 16 or 32 bits; (K1) indices and
    work are i32; (K4) the destination and `work` have the shape of the indices,
    and with `by_row` the source has as many rows.

    ```mlir
    ascend.vec.take %a, %i -> %b [%r, %c] work %w
      : memref<1x1024xf32, #ascend.space<ub>>, memref<8x64xi32, #ascend.space<ub>>,
        memref<8x64xf32, #ascend.space<ub>>, memref<8x64xi32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins UnitAttr:$by_row, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Reads<Ascend_UB>:$indices, Ascend_Writes<Ascend_UB>:$dst,
    Index:$rows, Index:$cols, Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    (`by_row` $by_row^)? $src `,` $indices `->` $dst `[` $rows `,` $cols `]`
    `work` $work attr-dict
    `:` type($src) `,` type($indices) `,` type($dst) `,` type($work)
  }];
}

def Ascend_VecGatherOp : Ascend_Single<"gather"> {
  let summary = "elements at the bytes that offsets say";
  let description = [{
    Element `k` of `count` consecutive ones is the element of the source that
    begins `offsets[k]` bytes from its beginning on. ascend-verify-instructions
    asks the instructions before it what offsets can be.

    Constraints: (V1) the same element type, of 16 or 32 bits; (V2) as for
    `ascend.vec.unary`; (K1) offsets are i32.

    ```mlir
    ascend.vec.gather %a, %offsets -> %b, %n
      : memref<1x1024xf32, #ascend.space<ub>>, memref<1x64xi32, #ascend.space<ub>>,
        memref<1x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Reads<Ascend_UB>:$offsets, Ascend_Writes<Ascend_UB>:$dst,
    Index:$count);
  let assemblyFormat = [{
    $src `,` $offsets `->` $dst `,` $count attr-dict
    `:` type($src) `,` type($offsets) `,` type($dst)
  }];
}

def Ascend_VecIotaOp : Ascend_Single<"iota"> {
  let summary = "count up";
  let description = [{
    Element `k` of `count` consecutive ones is `start + k`.

    Constraints: (V2) as for `ascend.vec.unary`; the start has the element type.

    ```mlir
    ascend.vec.iota %zero -> %a, %n : i32, memref<1x64xi32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Scalar:$start, Ascend_Writes<Ascend_UB>:$dst,
    Index:$count);
  let assemblyFormat = [{
    $start `->` $dst `,` $count attr-dict `:` type($start) `,` type($dst)
  }];
}

#endif // BELAY_DIALECT_VECTOROPS_TD

//===- OneCoreOps.td - Between the units of one core -------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one core has the cube and the vector unit, operands of products come
// from the unified buffer, and sums go there: in blocks of 32 bytes by MTE3, and
// in fractals by V. What holds of matrices in fractals is said in CubeOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ONECOREOPS_TD
#define BELAY_DIALECT_ONECOREOPS_TD

include "dialect/CubeOps.td"

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Ascend_HandOp
    : Ascend_TileOp<"hand", [Pure, SameOperandsAndResultType]> {
  let summary = "the same tile for the other unit";
  let description = [{
    Of a sum of products, for the vector unit; of any other tile, for products.
    There is none after `ascend-lower-dots`.

    ```mlir
    %v = ascend.hand %sum : tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Ascend_Tile:$source);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Ascend_ToL1Op : Ascend_TileOp<"to_l1"> {
  let summary = "copy a tile into fractals of L1";
  let description = [{
    Rows of the tile go to rows of the fractals, from row `row` on.

    Constraints: (K1) as for `ascend.cube.in`, (K4) as for `ascend.cube.load`.

    ```mlir
    ascend.to_l1 %t -> %a row %r
      : tensor<32x64xf16>, memref<4x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Tile:$tile, Ascend_Writes<Ascend_L1>:$dst,
    Index:$row);
  let assemblyFormat = [{
    $tile `->` $dst `row` $row attr-dict `:` type($tile) `,` type($dst)
  }];
  let hasVerifier = 1;
}

def Ascend_FromL0COp : Ascend_TileOp<"from_l0c"> {
  let summary = "rows of sums as a tile";
  let description = [{
    From row `row` of the sums on; `pitch` is as in `ascend.cube.out`. `sizes` are
    the open extents of the tile.

    Constraints: (K3) as for `ascend.cube.out`, (K2) without rounding; (X1) one
    size for each open extent.

    ```mlir
    %t = ascend.from_l0c %c row %r pitch %p [%n]
      : memref<4x128x16xf32, #ascend.space<l0c>> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0C>:$src, Index:$row, Index:$pitch,
    Variadic<Index>:$sizes);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $src `row` $row `pitch` $pitch `[` $sizes `]` attr-dict
    `:` type($src) `->` type($tile)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

def Ascend_VecClearOp : Ascend_Instruction<"vec.clear", "V"> {
  let summary = "zeros from the last column to the end of its block";
  let description = [{
    In the first `rows` rows, so that what is left of fractals is zero. `work` has
    room for a block.

    Constraints: (V1) elements of 16 bits.

    ```mlir
    ascend.vec.clear %a [%r, %c] work %w
      : memref<32x64xf16, #ascend.space<ub>>, memref<1x16xi16, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Arg<Ascend_UB, "", [MemRead, MemWrite]>:$buffer,
    Index:$rows, Index:$cols, Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    $buffer `[` $rows `,` $cols `]` `work` $work attr-dict
    `:` type($buffer) `,` type($work)
  }];
  let hasVerifier = 1;
}

def Ascend_CubePutOp : Ascend_Instruction<"cube.put", "MTE3"> {
  let summary = "copy rows of the unified buffer into fractals of L1";
  let description = [{
    The first `rows` rows and `cols` columns, to rows of the fractals from `row`
    on, in whole blocks. Other rows stay as they are.

    Constraints: (K1) as for `ascend.cube.in`, (K4) as for `ascend.cube.load`.

    ```mlir
    ascend.cube.put %t [%m, %n] -> %a row %r
      : memref<32x64xf16, #ascend.space<ub>>, memref<4x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_L1>:$dst, Index:$row);
  let assemblyFormat = [{
    $src `[` $rows `,` $cols `]` `->` $dst `row` $row attr-dict
    `:` type($src) `,` type($dst)
  }];
  let hasVerifier = 1;
}

def Ascend_CubeGetOp : Ascend_Instruction<"cube.get", "V"> {
  let summary = "copy rows of sums from L0C into the unified buffer";
  let description = [{
    `rows` rows and `cols` columns, from row `row` of the sums on; `pitch` is as
    in `ascend.cube.out`. `work` has room for fractals, so many rows at once.

    Constraints: (K3) as for `ascend.cube.out`, also of `work`; (K2) without
    rounding.

    ```mlir
    ascend.cube.get %c row %r pitch %p -> %t [%m, %n] work %w
      : memref<4x128x16xf32, #ascend.space<l0c>>, memref<32x64xf32, #ascend.space<ub>>,
        memref<4x16x16xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0C>:$src, Index:$row, Index:$pitch,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows, Index:$cols,
    Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    $src `row` $row `pitch` $pitch `->` $dst `[` $rows `,` $cols `]`
    `work` $work attr-dict `:` type($src) `,` type($dst) `,` type($work)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Single instructions
//===----------------------------------------------------------------------===//

def Ascend_CubePutBlocksOp
    : Ascend_Instruction<"cube.put_blocks", "MTE3", [], ["describe"]> {
  let summary = "copy a column of blocks from the unified buffer to L1";
  let description = [{
    DataCopy with DataCopyParams. A block from each of `rows` rows, which are
    `pitch` elements apart, goes to column `block` of blocks of the matrix, from
    row `row` on.

    Constraints: (K1), (K4) as for `ascend.cube.put`.

    ```mlir
    ascend.cube.put_blocks %s pitch 64 -> %a block %b row %r rows %m
      : !part, memref<4x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, I64Attr:$pitch,
    Ascend_Writes<Ascend_L1>:$dst, Index:$block, Index:$row, Index:$rows);
  let assemblyFormat = [{
    $src `pitch` $pitch `->` $dst `block` $block `row` $row `rows` $rows
    attr-dict `:` type($src) `,` type($dst)
  }];
  let hasVerifier = 1;
}

def Ascend_CubeFractalsOp
    : Ascend_Instruction<"cube.fractals", "V", [], ["describe"]> {
  let summary = "copy fractals of sums from L0C to the unified buffer";
  let description = [{
    DataCopy with DataCopyEnhancedParams for matrices. The fractals of `rows` rows
    from `row` on, of the first `blocks` columns of fractals, which are `pitch`
    rows apart, go to the beginning of the columns of the destination.

    Constraints: (K3) as for `ascend.cube.get`; (K2) without rounding.

    ```mlir
    ascend.cube.fractals %c row %r rows %m blocks %n pitch %p -> %w
      : memref<4x128x16xf32, #ascend.space<l0c>>, memref<4x16x16xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0C>:$src, Index:$row, Index:$rows,
    Index:$blocks, Index:$pitch, Ascend_Writes<Ascend_UB>:$dst);
  let assemblyFormat = [{
    $src `row` $row `rows` $rows `blocks` $blocks `pitch` $pitch `->` $dst
    attr-dict `:` type($src) `,` type($dst)
  }];
  let hasVerifier = 1;
}

def Ascend_CubeRowsOp
    : Ascend_Instruction<"cube.rows", "V", [], ["describe"]> {
  let summary = "copy a column of fractals to columns of a buffer";
  let description = [{
    DataCopy with DataCopyParams inside the unified buffer. The first `length`
    blocks of 32 bytes of `rows` rows of column `block` of fractals go to rows
    that are `pitch` elements apart.

    Constraints: (K3) as for `ascend.cube.get`, (K4) as for `ascend.cube.load`.

    ```mlir
    ascend.cube.rows %w block %b -> %s rows %m length 2 pitch 64
      : memref<4x16x16xf32, #ascend.space<ub>>, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$block,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows, I64Attr:$length,
    I64Attr:$pitch);
  let assemblyFormat = [{
    $src `block` $block `->` $dst `rows` $rows `length` $length `pitch` $pitch
    attr-dict `:` type($src) `,` type($dst)
  }];
  let hasVerifier = 1;
}

#endif // BELAY_DIALECT_ONECOREOPS_TD

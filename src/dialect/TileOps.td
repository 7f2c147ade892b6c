//===- TileOps.td - Kernels as values ----------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraint tags in brackets, (W1) and so on, are quoted by the verifiers
// and by their tests.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_TILEOPS_TD
#define BELAY_DIALECT_TILEOPS_TD

include "dialect/AscendAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ascend_Element : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32],
                               "element of a tile">;
def Ascend_Tile : Type<
    And<[CPred<"::belay::ascend::isTile($_self)">,
         SubstLeaves<"$_self",
                     "::llvm::cast<::mlir::ShapedType>($_self).getElementType()",
                     Ascend_Element.predicate>]>,
    "tile (a tensor of rank 2 with static extents or a capacity)",
    "::mlir::RankedTensorType">;
def Ascend_View : Type<CPred<"::belay::ascend::isView($_self)">,
    "view (a memref of rank 1 to 5 in #ascend.space<gm>)",
    "::mlir::MemRefType">;
def Ascend_Scalar : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32, Index],
                              "scalar">;

/// Sizes of a result, as SSA values where its type is dynamic.
class Ascend_TileOp<string mnemonic, list<Trait> traits = []>
    : Ascend_Op<mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Between global memory and tiles
//===----------------------------------------------------------------------===//

class Ascend_WindowOp<string mnemonic, list<Trait> traits = []>
    : Ascend_TileOp<mnemonic, traits # [AttrSizedOperandSegments]> {
  code windowAccessors = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets() {
      return ::mlir::getMixedValues(getStaticOffsets(), getOffsets(),
                                    getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(), getContext());
    }
  }];
  let extraClassDeclaration = windowAccessors;
  let hasVerifier = 1;
}

def Ascend_LoadOp : Ascend_WindowOp<"load"> {
  let summary = "read a window of global memory into a tile";
  let description = [{
    The window starts at `offsets` and has `sizes` elements in each dimension of
    the view. Its last two dimensions become rows and columns of the tile; all
    others have size 1. A window of a view of rank 1 becomes one row, or one
    column if the tile has one column.

    With `pad`, the tile has its full capacity, and every element outside the
    window is the padding value. Without, the extents of the tile are those of
    the window. With `at`, the window goes to a row and a column of a padded tile
    whose open extents are those `of` it.

    What the verifier cannot see and the prover has to: the window lies inside
    the view, and is not larger than the tile's capacity, or, where it goes, than
    the tile.

    Constraints: (W1) one offset and one size for each dimension of the view;
    (W2) sizes before the last two are 1; (W3) element types agree; (W4) static
    sizes agree with the tile and are within its capacity; (W5) a padded tile
    has static extents unless the window goes to a place in it, and the padding
    value has the element type; (W7) that place is a row and a column of a
    padded tile, for each of whose open extents there is a size.

    ```mlir
    %t = ascend.load %x[%row, 0] [%n, 1024]
      : memref<?x1024xf32, #ascend.space<gm>>
      -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    %u = ascend.load %x[0, %c] [%n, %m] pad(%zero : f32) at [%c0, %left] of [%rows, %cols]
      : memref<?x?xf32, #ascend.space<gm>>
      -> tensor<?x?xf32, #ascend.capacity<16x64>>
    ```
  }];
  let arguments = (ins
    Arg<Ascend_View, "", [MemRead]>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Optional<Ascend_Scalar>:$pad, Variadic<Index>:$inset,
    Variadic<Index>:$extents,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    (`pad` `(` $pad^ `:` type($pad) `)`)?
    (`at` `[` $inset^ `]` `of` `[` $extents `]`)?
    attr-dict `:` type($view) `->` type($tile)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$tile, "::mlir::Value":$view,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
      CArg<"::mlir::Value", "{}">:$pad,
      CArg<"::mlir::ValueRange", "{}">:$inset,
      CArg<"::mlir::ValueRange", "{}">:$extents)>];
}

def Ascend_StoreOp : Ascend_WindowOp<"store"> {
  let summary = "write a tile into a window of global memory";
  let description = [{
    The opposite of `ascend.load`, with the same constraints. With `combine`,
    elements are combined with what is there, atomically for each element; the
    order of cores is not defined.

    Constraints: (W1) to (W4) as for `ascend.load`; (W6) atomics combine by sum,
    max or min.

    ```mlir
    ascend.store %t, %y[%row, 0] [%n, 1024]
      : tensor<?x1024xf32, #ascend.capacity<8x1024>>
      -> memref<?x1024xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins
    Ascend_Tile:$tile,
    Arg<Ascend_View, "", [MemWrite]>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $tile `,` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    (`combine` $combine^)? attr-dict `:` type($tile) `->` type($view)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$tile, "::mlir::Value":$view,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
      CArg<"CombineAttr", "{}">:$combine)>];
}

def Ascend_GatherOp : Ascend_TileOp<"gather"> {
  let summary = "read rows of global memory that indices name";
  let description = [{
    Row `i` of the tile is row `indices[i]` of a view of rank 2; with a view of
    rank 1 every element of the tile is the element that its index names. What a
    bad index means is the policy.

    Constraints: (G1) indices are i32 or i64 and, for rows, one column or one
    row of as many as the tile has rows; (G2) a view of rank 2 has as many
    columns as the tile, statically; (G3) element types agree; (G4) the view has
    rank 1 or 2.

    ```mlir
    %t = ascend.gather <zero> %table, %ids
      : memref<?x64xf16, #ascend.space<gm>>,
        tensor<?x1xi32, #ascend.capacity<16x1>>
      -> tensor<?x64xf16, #ascend.capacity<16x64>>
    ```
  }];
  let arguments = (ins Ascend_BadIndexAttr:$policy,
    Arg<Ascend_View, "", [MemRead]>:$view, Ascend_Tile:$indices);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $policy $view `,` $indices attr-dict
    `:` type($view) `,` type($indices) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Ascend_ScatterOp : Ascend_TileOp<"scatter"> {
  let summary = "write rows of global memory that indices name";
  let description = [{
    The opposite of `ascend.gather`: row `i` of the tile goes to row
    `indices[i]`; a view of rank 1 takes single elements. `zero` writes nothing
    for a bad index. Equal indices are only defined with `combine`, which is
    atomic.

    Constraints: (G1) to (G4) as for `ascend.gather`; (W6) as for
    `ascend.store`.

    ```mlir
    ascend.scatter <trap> %t, %grad, %ids combine <sum>
      : tensor<16x64xf32>, memref<?x64xf32, #ascend.space<gm>>,
        tensor<16x1xi32>
    ```
  }];
  let arguments = (ins Ascend_BadIndexAttr:$policy, Ascend_Tile:$tile,
    Arg<Ascend_View, "", [MemRead, MemWrite]>:$view, Ascend_Tile:$indices,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $policy $tile `,` $view `,` $indices (`combine` $combine^)? attr-dict
    `:` type($tile) `,` type($view) `,` type($indices)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles from scalars and from other tiles
//===----------------------------------------------------------------------===//

def Ascend_SplatOp : Ascend_TileOp<"splat", [Pure]> {
  let summary = "a tile with the same value everywhere";
  let description = [{
    `sizes` are the extents that the type leaves open.

    Constraints: (S1) one size for each dynamic extent; (S2) the value has the
    element type.

    ```mlir
    %zero = ascend.splat %c0 [%n] : f32
      -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
    ```
  }];
  let arguments = (ins Ascend_Scalar:$value, Variadic<Index>:$sizes);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $value `[` $sizes `]` attr-dict `:` type($value) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Ascend_IotaOp : Ascend_TileOp<"iota", [Pure]> {
  let summary = "a tile that counts";
  let description = [{
    Element (r, c) is `start + c` along `row`, `start + r` along `col`.

    Constraints: (S1) one size for each dynamic extent; (S2) the start has the
    element type; (S3) the axis is `row` or `col`.

    ```mlir
    %i = ascend.iota along <row> from %c0 [] : i32 -> tensor<1x64xi32>
    ```
  }];
  let arguments = (ins Ascend_AxisAttr:$axis, Ascend_Scalar:$start,
    Variadic<Index>:$sizes);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    `along` $axis `from` $start `[` $sizes `]` attr-dict
    `:` type($start) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Ascend_BroadcastOp : Ascend_TileOp<"broadcast", [Pure]> {
  let summary = "repeat one row, one column or one element";
  let description = [{
    Each extent of the source that is 1 while the result's is not is repeated.

    Constraints: (S1) one size for each dynamic extent of the result that is
    repeated; (B1) element types agree, every other extent has the same static
    size or the same capacity; (B2) something is repeated.

    ```mlir
    %b = ascend.broadcast %max [] : tensor<8x1xf32> -> tensor<8x1024xf32>
    ```
  }];
  let arguments = (ins Ascend_Tile:$source, Variadic<Index>:$sizes);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $source `[` $sizes `]` attr-dict `:` type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Ascend_ReduceOp : Ascend_TileOp<"reduce", [Pure, InferTypeOpAdaptor]> {
  let summary = "combine the elements of each row, of each column, or all";
  let description = [{
    Over the extents of the tile, not over its capacity. The order in which
    floats are added is not defined. An empty reduction is the neutral element:
    0, 1, or the lowest or highest value of the type.

    Constraints: (R1) the result keeps the element type, and has extent 1 where
    it was reduced.

    ```mlir
    %m = ascend.reduce <max> along <row> %t : tensor<8x1024xf32>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, Ascend_AxisAttr:$axis,
    Ascend_Tile:$source);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $combine `along` $axis $source attr-dict `:` type($source)
  }];
}

def Ascend_ArgReduceOp
    : Ascend_TileOp<"arg_reduce", [Pure, InferTypeOpAdaptor]> {
  let summary = "where the largest or smallest element is";
  let description = [{
    The first position, counted from 0 along the axis, as i32; for `all`, row by
    row.

    Constraints: (R2) `max` or `min`.

    ```mlir
    %i = ascend.arg_reduce <max> along <row> %t : tensor<8x1024xf32>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, Ascend_AxisAttr:$axis,
    Ascend_Tile:$source);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $combine `along` $axis $source attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def Ascend_ScanOp : Ascend_TileOp<"scan", [Pure, SameOperandsAndResultType]> {
  let summary = "inclusive prefix sums, maxima and minima";
  let description = [{
    Element k along the axis is the combination of elements 0 to k.

    Constraints: (S3) the axis is `row` or `col`.

    ```mlir
    %s = ascend.scan <sum> along <row> %t : tensor<1x1024xf32>
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, Ascend_AxisAttr:$axis,
    Ascend_Tile:$source);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $combine `along` $axis $source attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def Ascend_TakeOp
    : Ascend_TileOp<"take", [NoMemoryEffect, InferTypeOpAdaptor]> {
  let summary = "elements of a tile that indices name";
  let description = [{
    Element (r, c) is element (r, `indices`(r, c)) of the source, or element
    (0, `indices`(r, c)) of a source of one row. What an index means that names
    no column of the source is the policy: `trap` stops the kernel, and is why
    the operation does not move to where it would be executed more often.

    Constraints: (K1) indices are i32; (K2) the source has as many rows as they
    have, or one; (K3) elements of 16 or 32 bits.

    ```mlir
    %t = ascend.take <clamp> %row, %i : tensor<1x1024xf32>, tensor<8x64xi32>
    ```
  }];
  let arguments = (ins Ascend_BadIndexAttr:$policy, Ascend_Tile:$source,
    Ascend_Tile:$indices);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $policy $source `,` $indices attr-dict
    `:` type($source) `,` type($indices)
  }];
  let hasVerifier = 1;
}

def Ascend_TransposeOp
    : Ascend_TileOp<"transpose", [Pure, InferTypeOpAdaptor]> {
  let summary = "exchange rows and columns";
  let description = [{
    ```mlir
    %u = ascend.transpose %t : tensor<16x32xf16>
    ```
  }];
  let arguments = (ins Ascend_Tile:$source);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Ascend_DotOp : Ascend_TileOp<"dot", [Pure]> {
  let summary = "the product of two matrices";
  let description = [{
    Element (r, c) of the result is the sum of `lhs[r, k] * rhs[k, c]` over all k,
    in an order that is not defined.

    What the verifier cannot see and the prover has to: the left operand has as
    many columns as the right one has rows.

    Constraints: (D1) the capacities, and static extents, of columns and rows
    agree; (D2) f16, bf16 or f32 make f32, i8 makes i32; (D3) the result has the
    rows of the left operand and the columns of the right one.

    ```mlir
    %p = ascend.dot %a, %b : tensor<128x256xf16>, tensor<256x64xf16>
      -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Ascend_Tile:$lhs, Ascend_Tile:$rhs);
  let results = (outs Ascend_Tile:$tile);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($tile)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What a kernel says
//===----------------------------------------------------------------------===//

def Ascend_PrintOp : Ascend_TileOp<"print"> {
  let summary = "print the first elements of a tile";
  let description = [{
    At most the first `rows` rows and the first `columns` elements of each; of a
    tile with one column, as many elements as a row would have. Nothing of the
    kernel depends on it, and nothing may drop it.

    Constraints: (P1) both limits are above 0; (P2) elements are numbers.

    ```mlir
    ascend.print %t rows 8 columns 64
      : tensor<?x1024xf32, #ascend.capacity<8x1024>>
    ```
  }];
  let arguments = (ins Ascend_Tile:$tile, I64Attr:$rows, I64Attr:$columns);
  let assemblyFormat = [{
    $tile `rows` $rows `columns` $columns attr-dict `:` type($tile)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Cores and contracts
//===----------------------------------------------------------------------===//

def Ascend_CoreIndexOp : Ascend_TileOp<"core_index", [Pure]> {
  let summary = "which core this is, from 0";
  let description = [{
    Below `ascend.core_count`. Folds to 0 where `ascend.cores` leaves all work
    to one core.
  }];
  let results = (outs Index:$index);
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
}

def Ascend_CoreCountOp : Ascend_TileOp<"core_count", [Pure]> {
  let summary = "how many cores work on the kernel, at least 1";
  let description = [{
    The blocks of the launch, unless `ascend.cores` leaves all work to one core;
    folds to 1 where it always does.
  }];
  let results = (outs Index:$count);
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
}

def Ascend_SyncCoresOp : Ascend_TileOp<"sync_cores"> {
  let summary = "barrier across cores; earlier writes are visible after it";
  let description = [{
    Must be reached by every core, equally often. The prover shows it.
  }];
  let assemblyFormat = "attr-dict";
}

def Ascend_ExpectsOp : Ascend_TileOp<"expects"> {
  let summary = "what the launcher checks before the kernel starts";
  let description = [{
    A condition on the arguments of the kernel. The launcher refuses to start a
    kernel for which it is false; proofs use it. `text` is the condition as the
    author wrote it.

    Constraints: (E1) it is in the body of the kernel itself, not in a loop or
    branch.

    ```mlir
    ascend.expects %same, "x.size() == y.size()"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
  let hasVerifier = 1;
}

def Ascend_GuardOp : Ascend_TileOp<"guard"> {
  let summary = "stop the kernel, with the source line, unless a condition holds";
  let description = [{
    What could not be proven is guarded. `id` is the stable id of the error,
    `text` the property.

    ```mlir
    ascend.guard %ok, "gm-out-of-bounds", "i + 256 <= x.size()"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$id, StrAttr:$text);
  let assemblyFormat = "$condition `,` $id `,` $text attr-dict";
}

#endif // BELAY_DIALECT_TILEOPS_TD

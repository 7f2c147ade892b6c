//===- CoreOps.td - Kernels as instructions ----------------*- tablegen -*-===//
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

#ifndef BELAY_DIALECT_COREOPS_TD
#define BELAY_DIALECT_COREOPS_TD

include "dialect/AscendAttributes.td"
include "dialect/AscendInterfaces.td"
include "dialect/TileOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ascend_Buffer : Type<CPred<"::belay::ascend::isBuffer($_self)">,
    "buffer (a memref with static shape in an on-chip #ascend.space)",
    "::mlir::MemRefType">;
def Ascend_UB : Type<CPred<
    "::belay::ascend::isInSpace($_self, ::belay::ascend::MemorySpace::UB)">,
    "buffer in #ascend.space<ub>", "::mlir::MemRefType">;

class Ascend_Reads<Type type> : Arg<type, "", [MemRead]>;
class Ascend_Writes<Type type> : Arg<type, "", [MemWrite]>;

class Ascend_Instruction<string mnemonic, string pipe, list<Trait> traits = []>
    : Ascend_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<Ascend_InstructionInterface>]> {
  code pipeMethod = "::belay::ascend::Pipe $cppClass::getPipe() { "
                    "return ::belay::ascend::Pipe::" # pipe # "; }";
  let extraClassDefinition = pipeMethod;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Ascend_BufferOp : Ascend_Op<"buffer", [
    MemoryEffects<[MemAlloc]>]> {
  let summary = "space in a memory of the core";
  let description = [{
    Lives as long as the kernel. `offset` is where it starts, in bytes, once
    memory is planned. It takes whole repeats of 256 bytes, so that instructions
    which work on whole repeats stay inside. A buffer with `slots` above 1 is
    that many buffers in a row; `slot` chooses one.

    Constraints: (M1) the memory is on chip; (M2) the offset is aligned to 32
    bytes; (M3) at least one slot, and a `slot` operand exactly if there are
    several.

    ```mlir
    %b = ascend.buffer at 4096 : memref<8x1024xf32, #ascend.space<ub>>
    %d = ascend.buffer 2 slots [%parity] : memref<1x8192xf16, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset,
    DefaultValuedAttr<I64Attr, "1">:$slots, Optional<Index>:$slot);
  let results = (outs Ascend_Buffer:$buffer);
  let assemblyFormat = [{
    (`at` $offset^)? ($slots^ `slots` `[` $slot `]`)? attr-dict
    `:` type($buffer)
  }];
  let extraClassDeclaration = [{
    /// Bytes of one slot.
    int64_t getSlotBytes();
  }];
  let hasVerifier = 1;
}

class Ascend_Dma<string mnemonic, string pipe>
    : Ascend_Instruction<mnemonic, pipe, [AttrSizedOperandSegments]> {
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

def Ascend_DmaInOp : Ascend_Dma<"dma.in", "MTE2"> {
  let summary = "copy a window of global memory into the unified buffer";
  let description = [{
    Rows of the window go to rows of the buffer. With `pad`, the rest of each
    row up to the next 32 bytes is that value.

    Constraints: (W1) to (W4) as for `ascend.load`.

    ```mlir
    ascend.dma.in %x[%i] [%n] -> %a
      : memref<?xf32, #ascend.space<gm>> -> memref<1x8192xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_UB>:$dst, Optional<Ascend_Scalar>:$pad,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst
    (`pad` `(` $pad^ `:` type($pad) `)`)?
    attr-dict `:` type($view) `->` type($dst)
  }];
}

def Ascend_DmaOutOp : Ascend_Dma<"dma.out", "MTE3"> {
  let summary = "copy from the unified buffer to a window of global memory";
  let description = [{
    Constraints: (W1) to (W4) as for `ascend.load`; (W6) as for `ascend.store`.

    ```mlir
    ascend.dma.out %c -> %z[%i] [%n]
      : memref<1x8192xf32, #ascend.space<ub>> -> memref<?xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `->` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    (`combine` $combine^)? attr-dict `:` type($src) `->` type($view)
  }];
}

def Ascend_DmaGatherOp : Ascend_Instruction<"dma.gather", "MTE2"> {
  let summary = "copy rows or elements of global memory that indices name";
  let description = [{
    The first `count` indices are read. Row `i` of the buffer is row
    `indices[i]` of a view of rank 2; a view of rank 1 gives single elements. A
    bad index with policy `zero` leaves the destination as it is.

    Constraints: (G1) indices are i32 or i64; (G3) element types agree; (G4) the view
    has rank 1 or 2.

    ```mlir
    ascend.dma.gather <clamp> %table, %ids -> %rows, %n
      : memref<?x64xf16, #ascend.space<gm>>, memref<16x1xi32, #ascend.space<ub>>,
        memref<16x64xf16, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_BadIndexAttr:$policy,
    Ascend_Reads<Ascend_View>:$view, Ascend_Reads<Ascend_UB>:$indices,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    $policy $view `,` $indices `->` $dst `,` $count attr-dict
    `:` type($view) `,` type($indices) `,` type($dst)
  }];
  let hasVerifier = 1;
}

def Ascend_DmaScatterOp : Ascend_Instruction<"dma.scatter", "MTE3"> {
  let summary = "copy to rows or elements of global memory that indices name";
  let description = [{
    The opposite of `ascend.dma.gather`. A bad index with policy `zero` writes
    nothing.

    Constraints: (G1), (G3), (G4) as for `ascend.dma.gather`; (W6) as for
    `ascend.store`.

    ```mlir
    ascend.dma.scatter <trap> %rows -> %table, %ids, %n combine <sum>
      : memref<16x64xf32, #ascend.space<ub>>, memref<?x64xf32, #ascend.space<gm>>,
        memref<16x1xi32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_BadIndexAttr:$policy,
    Ascend_Reads<Ascend_UB>:$src, Ascend_Writes<Ascend_View>:$view,
    Ascend_Reads<Ascend_UB>:$indices, Index:$count,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $policy $src `->` $view `,` $indices `,` $count (`combine` $combine^)?
    attr-dict `:` type($src) `,` type($view) `,` type($indices)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Vector unit
//===----------------------------------------------------------------------===//

class Ascend_Vector<string mnemonic, list<Trait> traits = []>
    : Ascend_Instruction<"vec." # mnemonic, "V", traits> {
  let hasVerifier = 1;
}

def Ascend_VecUnaryOp : Ascend_Vector<"unary"> {
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

def Ascend_VecBinaryOp : Ascend_Vector<"binary"> {
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

def Ascend_VecScalarOp : Ascend_Vector<"scalar"> {
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

def Ascend_VecFillOp : Ascend_Vector<"fill"> {
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

def Ascend_VecCopyOp : Ascend_Vector<"copy"> {
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

def Ascend_VecCastOp : Ascend_Vector<"cast"> {
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

def Ascend_VecCompareOp : Ascend_Vector<"compare"> {
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

def Ascend_VecSelectOp : Ascend_Vector<"select"> {
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
    space for 32 bytes of each row; a column that is repeated needs it.

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
  let summary = "running sums and their kin";
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
    source's, turned.

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

def Ascend_VecIotaOp : Ascend_Vector<"iota"> {
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

//===----------------------------------------------------------------------===//
// Scalar unit
//===----------------------------------------------------------------------===//

def Ascend_ReadScalarOp : Ascend_Instruction<"scalar.read", "S"> {
  let summary = "read one element of a buffer";
  let description = [{
    The scalar unit reads at once; nothing waits for the pipes but flags to S.

    ```mlir
    %s = ascend.scalar.read %a[%i] : memref<1x8xf32, #ascend.space<ub>> -> f32
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$index);
  let results = (outs Ascend_Scalar:$value);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` type($src) `->` type($value)
  }];
  let hasVerifier = 1;
}

def Ascend_WriteScalarOp : Ascend_Instruction<"scalar.write", "S"> {
  let summary = "write one element of a buffer";
  let description = [{
    ```mlir
    ascend.scalar.write %s, %a[%i] : f32, memref<1x8xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Scalar:$value, Ascend_Writes<Ascend_UB>:$dst,
    Index:$index);
  let assemblyFormat = [{
    $value `,` $dst `[` $index `]` attr-dict `:` type($value) `,` type($dst)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

class Ascend_Flag<string mnemonic> : Ascend_Op<"flag." # mnemonic> {
  let arguments = (ins Ascend_PipeAttr:$from, Ascend_PipeAttr:$to,
    I64Attr:$event, Optional<Index>:$slot);
  let assemblyFormat = [{
    $from `to` $to `event` $event (`+` $slot^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ascend_FlagSetOp : Ascend_Flag<"set"> {
  let summary = "raise a flag when all that `from` has been given is done";
  let description = [{
    `slot`, where there are several buffers in turn, counts up from the event.

    Constraints: (F1) two different pipes; (F2) the event is not negative.

    ```mlir
    ascend.flag.set <MTE2> to <V> event 0
    ```
  }];
}

def Ascend_FlagWaitOp : Ascend_Flag<"wait"> {
  let summary = "let `to` start nothing further before the flag is raised";
  let description = [{
    Lowers the flag again.

    Constraints: (F1), (F2) as for `ascend.flag.set`.

    ```mlir
    ascend.flag.wait <MTE2> to <V> event 0
    ```
  }];
}

def Ascend_BarrierOp : Ascend_Op<"barrier"> {
  let summary = "let a pipe finish before it goes on";
  let description = [{
    Without a pipe, all pipes finish before any goes on.

    ```mlir
    ascend.barrier on <V>
    ascend.barrier
    ```
  }];
  let arguments = (ins OptionalAttr<Ascend_PipeAttr>:$pipe);
  let assemblyFormat = "(`on` $pipe^)? attr-dict";
}

#endif // BELAY_DIALECT_COREOPS_TD

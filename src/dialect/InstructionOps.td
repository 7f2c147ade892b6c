//===- InstructionOps.td - Single instructions -------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the device executes, one operation for each instruction, with the fields
// that the instruction has: mask, repeat, strides of blocks (32 bytes) and of
// repeats, in the units of the hardware. Instructions of CoreOps.td and
// VectorOps.td that are one instruction already stay what they are; all others
// are macros, which ascend-expand-instructions replaces by these.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_INSTRUCTIONOPS_TD
#define BELAY_DIALECT_INSTRUCTIONOPS_TD

include "dialect/CoreOps.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Ascend_SliceOp : Ascend_Op<"slice", [Pure,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a buffer from one of its elements on";
  let description = [{
    The operand of an instruction that does not begin where its buffer begins:
    at a row and a column of the buffer. Another element type of the result
    reads the same bytes as elements of that type.

    Constraints: (L1) the source is a buffer of rows and columns, with an offset
    for each; (L2) the result is a line of elements without a known length; (L3)
    constant offsets are inside the buffer.

    ```mlir
    %s = ascend.slice %a[%r, 64] : memref<8x1024xf32, #ascend.space<ub>>
      -> memref<?xf32, strided<[1], offset: ?>, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Buffer:$source, Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets);
  let results = (outs Ascend_UB:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets) attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
      CArg<"::mlir::Type", "{}">:$element)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets() {
      return ::mlir::getMixedValues(getStaticOffsets(), getOffsets(),
                                    getContext());
    }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Vector unit, by repeats
//===----------------------------------------------------------------------===//

class Ascend_Repeated<string mnemonic>
    : Ascend_Instruction<"rep." # mnemonic, "V", [], ["describe"]> {
  let hasVerifier = 1;
}

def Ascend_RepBinaryOp : Ascend_Repeated<"binary"> {
  let summary = "an elementwise function of two operands, by repeats";
  let description = [{
    The first `mask` lanes of each of `repeat` repeats of 256 bytes. `blocks` are
    the strides between the eight blocks of a repeat, `rows` those between
    repeats: of the destination, of the left and of the right operand, in blocks.

    Constraints: (P1) element types agree; (P2) a constant mask is between 1 and
    the lanes of a repeat; (P3) a constant repeat is between 0 and 255; (P4)
    strides are between 0 and 255, one for each operand.

    ```mlir
    ascend.rep.binary <max> %w, %a -> %w mask %m repeat %r
      blocks [1, 1, 1] rows [8, 8, 128] : !part, !part, !part
    ```
  }];
  let arguments = (ins Ascend_BinaryAttr:$kind, Ascend_Reads<Ascend_UB>:$lhs,
    Ascend_Reads<Ascend_UB>:$rhs, Ascend_Writes<Ascend_UB>:$dst, Index:$mask,
    Index:$repeat, DenseI64ArrayAttr:$blocks, DenseI64ArrayAttr:$rows);
  let assemblyFormat = [{
    $kind $lhs `,` $rhs `->` $dst `mask` $mask `repeat` $repeat
    `blocks` $blocks `rows` $rows attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($dst)
  }];
}

def Ascend_RepScalarOp : Ascend_Repeated<"scalar"> {
  let summary = "an elementwise function of a buffer and a scalar, by repeats";
  let description = [{
    As `ascend.rep.binary`; the scalar is the right operand. Strides are of the
    destination and of the source.

    Constraints: (P1) to (P4) as for `ascend.rep.binary`.

    ```mlir
    ascend.rep.scalar <mul> %a, %one -> %w mask %m repeat %r
      blocks [1, 1] rows [8, 128] : !part, f32, !part
    ```
  }];
  let arguments = (ins Ascend_BinaryAttr:$kind, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Scalar:$scalar, Ascend_Writes<Ascend_UB>:$dst, Index:$mask,
    Index:$repeat, DenseI64ArrayAttr:$blocks, DenseI64ArrayAttr:$rows);
  let assemblyFormat = [{
    $kind $src `,` $scalar `->` $dst `mask` $mask `repeat` $repeat
    `blocks` $blocks `rows` $rows attr-dict
    `:` type($src) `,` type($scalar) `,` type($dst)
  }];
}

def Ascend_RepCopyOp : Ascend_Repeated<"copy"> {
  let summary = "copy elements between buffers, by repeats";
  let description = [{
    As `ascend.rep.binary`, with strides of the destination and of the source.

    Constraints: (P1) to (P4) as for `ascend.rep.binary`; (P5) elements of 16 or
    32 bits.

    ```mlir
    ascend.rep.copy %a -> %b mask %m repeat %r blocks [1, 0] rows [8, 1]
      : !part, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$mask, Index:$repeat,
    DenseI64ArrayAttr:$blocks, DenseI64ArrayAttr:$rows);
  let assemblyFormat = [{
    $src `->` $dst `mask` $mask `repeat` $repeat `blocks` $blocks `rows` $rows
    attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_RepReduceOp : Ascend_Repeated<"reduce"> {
  let summary = "one result for each repeat";
  let description = [{
    Combines the first `mask` lanes of each repeat of the source. Results lie
    side by side. With `places`, each is followed by the lane where it was found
    first, as an integer of the same width. `row` is the stride between repeats
    of the source, in blocks.

    Constraints: (P1), (P2), (P3) as for `ascend.rep.binary`; (P4) the stride is
    between 0 and 255; (P6) `sum`, `max` or `min` of f16 or f32, and `places` of
    the last two only.

    ```mlir
    ascend.rep.reduce <max> %a -> %b mask %m repeat %r row 128 : !part, !part
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, UnitAttr:$places,
    Ascend_Reads<Ascend_UB>:$src, Ascend_Writes<Ascend_UB>:$dst, Index:$mask,
    Index:$repeat, I64Attr:$row);
  let assemblyFormat = [{
    $combine (`places` $places^)? $src `->` $dst `mask` $mask `repeat` $repeat
    `row` $row attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_RepBlockReduceOp : Ascend_Repeated<"block_reduce"> {
  let summary = "one result for each block";
  let description = [{
    Combines the elements of each block of the source: each repeat reads eight
    consecutive blocks, and writes eight elements side by side.

    Constraints: (P1), (P3) as for `ascend.rep.binary`; (P6) `sum`, `max` or
    `min` of f16 or f32.

    ```mlir
    ascend.rep.block_reduce <max> %a -> %b repeat %r : !part, !part
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine,
    Ascend_Reads<Ascend_UB>:$src, Ascend_Writes<Ascend_UB>:$dst, Index:$repeat);
  let assemblyFormat = [{
    $combine $src `->` $dst `repeat` $repeat attr-dict
    `:` type($src) `,` type($dst)
  }];
}

def Ascend_RepBrcbOp : Ascend_Repeated<"brcb"> {
  let summary = "fill a block with each element";
  let description = [{
    Each repeat reads eight consecutive elements and fills eight consecutive
    blocks, one with each.

    Constraints: (P1), (P3) as for `ascend.rep.binary`; (P5) elements of 16 or
    32 bits.

    ```mlir
    ascend.rep.brcb %a -> %b repeat %r : !part, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$repeat);
  let assemblyFormat = [{
    $src `->` $dst `repeat` $repeat attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_RepEveryOtherOp : Ascend_Repeated<"every_other"> {
  let summary = "gather the first or the second of each pair of elements";
  let description = [{
    GatherMask with one of its fixed patterns: `count` elements of the source
    with an even place, or with `odd` with an odd one, side by side. The source
    is read up to the last of them.

    Constraints: (P1) as for `ascend.rep.binary`; (P5) elements of 16 or 32 bits.

    ```mlir
    ascend.rep.every_other odd %pairs -> %places, %n : !part, !part
    ```
  }];
  let arguments = (ins UnitAttr:$odd, Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count);
  let assemblyFormat = [{
    (`odd` $odd^)? $src `->` $dst `,` $count attr-dict
    `:` type($src) `,` type($dst)
  }];
}

def Ascend_RepTransposeOp : Ascend_Repeated<"transpose"> {
  let summary = "exchange rows and columns of 16 rows of a block";
  let description = [{
    Reads a block of each of 16 rows of the source, `src_pitch` elements apart,
    and writes as many rows of 16 elements as a block has elements, `dst_pitch`
    elements apart. Each further repeat takes the next blocks of the source to
    the next rows of the destination: `strides` between repeats are the
    destination's and the source's, in blocks. With one repeat the hardware adds
    them to its start, so they are 0 then.

    Constraints: (P1), (P3) as for `ascend.rep.binary`; (P5) elements of 16 or
    32 bits; (P7) pitches are whole blocks.

    ```mlir
    ascend.rep.transpose %a pitch 64 -> %b pitch 32 repeat %r
      strides %d, %s : !part, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, I64Attr:$src_pitch,
    Ascend_Writes<Ascend_UB>:$dst, I64Attr:$dst_pitch, Index:$repeat,
    Index:$dst_stride, Index:$src_stride);
  let assemblyFormat = [{
    $src `pitch` $src_pitch `->` $dst `pitch` $dst_pitch `repeat` $repeat
    `strides` $dst_stride `,` $src_stride attr-dict `:` type($src) `,` type($dst)
  }];
}

//===----------------------------------------------------------------------===//
// Functions of the vendor's library
//===----------------------------------------------------------------------===//

def Ascend_LibReduceOp : Ascend_Instruction<"lib.reduce", "V", [], ["describe"]> {
  let summary = "combine consecutive elements to one";
  let description = [{
    ReduceSum, ReduceMax or ReduceMin of AscendC, which order their own
    instructions. With `place`, the result is followed by the first place where
    it was found, as an integer of the same width.

    Constraints: (P1) as for `ascend.rep.binary`; (P6) as for
    `ascend.rep.reduce`; (P8) a constant count is at least 1.

    ```mlir
    ascend.lib.reduce <sum> %a -> %b, %n work %w : !part, !part, !part
    ```
  }];
  let arguments = (ins Ascend_CombineAttr:$combine, UnitAttr:$place,
    Ascend_Reads<Ascend_UB>:$src, Ascend_Writes<Ascend_UB>:$dst, Index:$count,
    Ascend_Writes<Ascend_UB>:$work);
  let assemblyFormat = [{
    $combine (`place` $place^)? $src `->` $dst `,` $count `work` $work attr-dict
    `:` type($src) `,` type($dst) `,` type($work)
  }];
  let hasVerifier = 1;
}

#endif // BELAY_DIALECT_INSTRUCTIONOPS_TD

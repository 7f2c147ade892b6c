//===- CopyOps.td - Single copies and accesses to global memory -*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the copy engine and the scalar unit do with global memory, one operation
// for each instruction. A copy names a window of a view, which is what the
// proofs speak about, and the fields of the instruction, which is what the
// hardware gets; ascend-verify-instructions shows that they say the same.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_COPYOPS_TD
#define BELAY_DIALECT_COPYOPS_TD

include "dialect/InstructionOps.td"

class Ascend_Copy<string mnemonic, string pipe, list<Trait> traits = []>
    : Ascend_Instruction<mnemonic, pipe, traits # [AttrSizedOperandSegments],
                         ["describe"]> {
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

def Ascend_CopyPadInOp : Ascend_Copy<"copy_pad.in", "MTE2"> {
  let summary = "copy rows of global memory into the unified buffer";
  let description = [{
    DataCopyPad. `blocks` rows of `bytes` each, `gm_gap` bytes apart in global
    memory; in the buffer each begins with a block of 32 bytes, `ub_gap` blocks
    after the end of the one before. With `pad`, `pad_count` elements after each
    row get that value, and `left` elements before it.

    Constraints: (C1) one offset and one size for each dimension of the view;
    (C2) element types agree; (C3) a value for padding has a count, and nothing
    else has.

    ```mlir
    ascend.copy_pad.in %x[%i, 0] [%n, 100] -> %a
      blocks %n bytes %b gm_gap %g ub_gap %u : memref<?x128xf32, #ascend.space<gm>>, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_UB>:$dst, Index:$blocks, Index:$bytes, Index:$gm_gap,
    Index:$ub_gap, Optional<Ascend_Scalar>:$pad, Optional<Index>:$pad_count,
    Optional<Index>:$left,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst
    `blocks` $blocks `bytes` $bytes `gm_gap` $gm_gap `ub_gap` $ub_gap
    (`pad` $pad^ `,` $pad_count `:` type($pad))? (`left` $left^)?
    attr-dict `:` type($view) `,` type($dst)
  }];
}

def Ascend_CopyPadOutOp : Ascend_Copy<"copy_pad.out", "MTE3"> {
  let summary = "copy rows of the unified buffer to global memory";
  let description = [{
    The opposite of `ascend.copy_pad.in`. With `combine`, what is there is
    combined with it, atomically.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`; (W6) as for
    `ascend.store`.

    ```mlir
    ascend.copy_pad.out %a -> %x[%i, 0] [%n, 100]
      blocks %n bytes %b gm_gap %g ub_gap %u combine <sum>
      : !part, memref<?x128xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_View>:$view, Variadic<Index>:$offsets,
    Variadic<Index>:$sizes, Index:$blocks, Index:$bytes, Index:$gm_gap,
    Index:$ub_gap, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes, OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `->` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    `blocks` $blocks `bytes` $bytes `gm_gap` $gm_gap `ub_gap` $ub_gap
    (`combine` $combine^)? attr-dict `:` type($src) `,` type($view)
  }];
}

def Ascend_CopyBlocksInOp : Ascend_Copy<"copy_blocks.in", "MTE2"> {
  let summary = "copy whole blocks of global memory into the unified buffer";
  let description = [{
    DataCopy of `count` elements that lie side by side in both memories and fill
    blocks of 32 bytes.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`.

    ```mlir
    ascend.copy_blocks.in %x[%i, 0] [1, 96] -> %a count %c96
      : memref<?x100xf32, #ascend.space<gm>>, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_UB>:$dst, Index:$count,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst `count` $count
    attr-dict `:` type($view) `,` type($dst)
  }];
}

def Ascend_CopyBlocksOutOp : Ascend_Copy<"copy_blocks.out", "MTE3"> {
  let summary = "copy whole blocks of the unified buffer to global memory";
  let description = [{
    The opposite of `ascend.copy_blocks.in`. With `combine`, what is there is
    combined with it, atomically.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`; (W6) as for
    `ascend.store`.

    ```mlir
    ascend.copy_blocks.out %a -> %x[%i, 0] [1, 96] count %c96 combine <sum>
      : !part, memref<?x100xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_View>:$view, Variadic<Index>:$offsets,
    Variadic<Index>:$sizes, Index:$count, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes, OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `->` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `count` $count
    (`combine` $combine^)? attr-dict `:` type($src) `,` type($view)
  }];
}

def Ascend_CopyRowsInOp : Ascend_Copy<"copy_rows.in", "MTE2"> {
  let summary = "copy rows of whole blocks of global memory into the unified buffer";
  let description = [{
    DataCopy with DataCopyParams. `rows` rows of `blocks` blocks of 32 bytes each;
    from the end of one to the beginning of the next are `gm_gap` blocks in global
    memory and `ub_gap` blocks in the buffer.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`.

    ```mlir
    ascend.copy_rows.in %x[%i, 0] [%n, 96] -> %a
      rows %n blocks %c12 gm_gap %c4 ub_gap %c0
      : memref<?x128xf32, #ascend.space<gm>>, !part
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_UB>:$dst, Index:$rows, Index:$blocks, Index:$gm_gap,
    Index:$ub_gap, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst
    `rows` $rows `blocks` $blocks `gm_gap` $gm_gap `ub_gap` $ub_gap
    attr-dict `:` type($view) `,` type($dst)
  }];
}

def Ascend_CopyRowsOutOp : Ascend_Copy<"copy_rows.out", "MTE3"> {
  let summary = "copy rows of whole blocks of the unified buffer to global memory";
  let description = [{
    The opposite of `ascend.copy_rows.in`. With `combine`, what is there is
    combined with it, atomically.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`; (W6) as for
    `ascend.store`.

    ```mlir
    ascend.copy_rows.out %a -> %x[%i, 0] [%n, 96]
      rows %n blocks %c12 gm_gap %c4 ub_gap %c0 combine <sum>
      : !part, memref<?x128xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_View>:$view, Variadic<Index>:$offsets,
    Variadic<Index>:$sizes, Index:$rows, Index:$blocks, Index:$gm_gap,
    Index:$ub_gap, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes, OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `->` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    `rows` $rows `blocks` $blocks `gm_gap` $gm_gap `ub_gap` $ub_gap
    (`combine` $combine^)? attr-dict `:` type($src) `,` type($view)
  }];
}

//===----------------------------------------------------------------------===//
// Scalar unit
//===----------------------------------------------------------------------===//

class Ascend_GlobalAccess<string mnemonic>
    : Ascend_Instruction<mnemonic, "S", [], ["describe"]> {
  code offsetAccessor = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets() {
      return ::mlir::getMixedValues(getStaticOffsets(), getOffsets(),
                                    getContext());
    }
  }];
  let extraClassDeclaration = offsetAccessor;
  let hasVerifier = 1;
}

def Ascend_GlobalReadOp : Ascend_GlobalAccess<"gm.read"> {
  let summary = "read one element of global memory";
  let description = [{
    Through the data cache of the core, which no copy engine keeps up to date:
    what was written since the line was read first is seen after
    `ascend.cache.clean` only.

    Constraints: (C1) one offset for each dimension of the view; (C2) element
    types agree.

    ```mlir
    %v = ascend.gm.read %x[%i, %j] : memref<?x?xf32, #ascend.space<gm>> -> f32
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let results = (outs Ascend_Scalar:$value);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets) attr-dict
    `:` type($view) `->` type($value)
  }];
}

def Ascend_GlobalWriteOp : Ascend_GlobalAccess<"gm.write"> {
  let summary = "write one element of global memory";
  let description = [{
    Into the data cache of the core: others see it after `ascend.cache.clean`.

    Constraints: (C1), (C2) as for `ascend.gm.read`.

    ```mlir
    ascend.gm.write %v, %x[%i] : f32, memref<?xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Scalar:$value, Ascend_Writes<Ascend_View>:$view,
    Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let assemblyFormat = [{
    $value `,` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    attr-dict `:` type($value) `,` type($view)
  }];
}

// Of its view it only reads. What it changes is the cache: without that effect
// it would be dead code to any rewrite.
def Ascend_CacheCleanOp : Ascend_Copy<"cache.clean", "S", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "write back and forget what the data cache has of a window";
  let description = [{
    Of the line of the first element, or with `all` of all that the core has. The
    window is what reads that follow may rely on.

    Constraints: (C1) one offset and one size for each dimension of the view.

    ```mlir
    ascend.cache.clean all %x[%i, 0] [%n, 3] : memref<?x?xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins UnitAttr:$all, Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    (`all` $all^)? $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:` type($view)
  }];
}

#endif // BELAY_DIALECT_COPYOPS_TD

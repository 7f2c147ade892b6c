//===- CubeOps.td - Instructions of the cube core ----------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices lie in fractals of 512 bytes: 16 rows of a block of C0 elements, or
// 16 by 16 sums in L0C. The shape of a buffer is its layout: an operand in L1 is
// `<blocks of columns x rows x C0>`, a sum in L0C `<blocks of columns x rows x
// 16>`, and L0A and L0B hold `<outer x inner x 16 x C0>` fractals in the order
// in which `ascend.cube.mmad` reads them. A matrix that is smaller than its
// buffer begins where the buffer begins.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_CUBEOPS_TD
#define BELAY_DIALECT_CUBEOPS_TD

include "dialect/CopyOps.td"

class Ascend_BufferIn<string space, string text> : Type<CPred<
    "::belay::ascend::isInSpace($_self, ::belay::ascend::MemorySpace::" # space
    # ")">, "buffer in #ascend.space<" # text # ">", "::mlir::MemRefType">;
def Ascend_L1 : Ascend_BufferIn<"L1", "l1">;
def Ascend_L0A : Ascend_BufferIn<"L0A", "l0a">;
def Ascend_L0B : Ascend_BufferIn<"L0B", "l0b">;
def Ascend_L0C : Ascend_BufferIn<"L0C", "l0c">;
def Ascend_L0 : AnyTypeOf<[Ascend_L0A, Ascend_L0B], "buffer in L0A or L0B",
                          "::mlir::MemRefType">;
def Ascend_Filled : AnyTypeOf<[Ascend_L1, Ascend_L0A, Ascend_L0B],
                              "buffer in L1, L0A or L0B", "::mlir::MemRefType">;

/// `one_core` says that the core has the vector unit, too: then the pipe is
/// another one, to which flags of that core lead.
class Ascend_CubeUnit<string mnemonic, string pipe>
    : Ascend_Instruction<mnemonic, pipe, [], ["describe"]> {
  let extraClassDefinition = "::belay::ascend::Pipe $cppClass::getPipe() { "
      "return getOneCore() ? ::belay::ascend::Pipe::Fused" # pipe #
      " : ::belay::ascend::Pipe::" # pipe # "; }";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

def Ascend_CubeInOp : Ascend_Dma<"cube.in", "CubeMTE2"> {
  let summary = "copy a window of global memory into fractals of L1";
  let description = [{
    Rows of the window go to rows of the fractals. What is left of the last rows
    and columns of fractals is zero.

    Constraints: (W1), (W2), (W3) as for `ascend.load`; (K1) the buffer is
    `<blocks x rows x C0>` with rows in multiples of 16, and has room for the
    static sizes of the window.

    ```mlir
    ascend.cube.in %x[%i, %k] [%m, %n] -> %a
      : memref<?x?xf16, #ascend.space<gm>> -> memref<16x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_L1>:$dst,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst
    attr-dict `:` type($view) `->` type($dst)
  }];
}

def Ascend_CubeOutOp : Ascend_Dma<"cube.out", "FIX"> {
  let summary = "copy sums from L0C to a window of global memory";
  let description = [{
    Sums are rounded to the view's elements. `pitch` is how many rows the
    fractals have room for: those of the `ascend.cube.mmad` that made the sums,
    in multiples of 16. With `combine`, what is there is combined with it,
    atomically.

    Constraints: (W1), (W2) as for `ascend.load`; (W6) as for `ascend.store`;
    (K2) floats are stored as f32, f16 or bf16, i32 as i32; (K3) the buffer is
    `<blocks x rows x 16>` with rows in multiples of 16, and has room for the
    static sizes of the window.

    ```mlir
    ascend.cube.out %c pitch %p -> %z[%i, %j] [%m, %n]
      : memref<16x128x16xf32, #ascend.space<l0c>> -> memref<?x?xf16, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0C>:$src, Index:$pitch,
    Ascend_Writes<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `pitch` $pitch `->` $view
    `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    (`combine` $combine^)? attr-dict `:` type($src) `->` type($view)
  }];
}

//===----------------------------------------------------------------------===//
// Single instructions
//===----------------------------------------------------------------------===//

def Ascend_CubeNd2NzOp : Ascend_Copy<"cube.nd2nz", "CubeMTE2"> {
  let summary = "copy rows of global memory into fractals of L1";
  let description = [{
    DataCopy with Nd2NzParams. `rows` rows of `cols` elements, `pitch` elements
    apart in global memory, go to rows of the fractals, from row `row` of the
    buffer on. The last block of each row is filled up with zeros; rows that
    follow stay as they are.

    Constraints: (C1), (C2) as for `ascend.copy_pad.in`; (K1) as for
    `ascend.cube.in`.

    ```mlir
    ascend.cube.nd2nz %x[%i, %k] [%m, %n] -> %a row %c0 rows %m cols %n pitch %p
      : memref<?x?xf16, #ascend.space<gm>>, memref<16x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_L1>:$dst, Index:$row, Index:$rows, Index:$cols,
    Index:$pitch, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst `row` $row
    `rows` $rows `cols` $cols `pitch` $pitch attr-dict
    `:` type($view) `,` type($dst)
  }];
}

def Ascend_CubeFillOp : Ascend_Op<"cube.fill", [
    DeclareOpInterfaceMethods<Ascend_InstructionInterface, ["describe"]>]> {
  let summary = "fill all of a buffer of the cube core with zeros";
  let description = [{
    On AIC_MTE2 in L1, on MTE1 in L0A and L0B; with `one_core`, on MTE2 and on
    AI_MTE1.

    ```mlir
    ascend.cube.fill %a : memref<16x128x16xf16, #ascend.space<l1>>
    ```
  }];
  let arguments = (ins Ascend_Writes<Ascend_Filled>:$dst, UnitAttr:$one_core);
  let assemblyFormat = "$dst (`one_core` $one_core^)? attr-dict `:` type($dst)";
}

def Ascend_CubeLoadOp
    : Ascend_CubeUnit<"cube.load", "MTE1"> {
  let summary = "load a part of a matrix from L1 into L0A or L0B";
  let description = [{
    `rows` rows and `cols` columns, from `row` and `col` on, are the left or the
    right operand of a product; with `transposed`, they are the operand's
    transpose. L0A keeps rows side by side and L0B columns, so that the hardware
    transposes what goes to L0B as it is, and what goes to L0A transposed. LoadData
    with LoadData3DParamsV2, whose filter is a single point, or with
    LoadData2DParamsV2; where there is no such form, several
    `ascend.cube.load_fractals`.

    Constraints: (K4) element types agree; (K5) the source is `<blocks x rows x
    C0>`, the destination `<outer x inner x 16 x C0>`.

    ```mlir
    ascend.cube.load %a1[%c0, %k] [%m, %n] -> %a
      : memref<16x128x16xf16, #ascend.space<l1>>, memref<8x4x16x16xf16, #ascend.space<l0a>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L1>:$src, Index:$row, Index:$col,
    Index:$rows, Index:$cols, Ascend_Writes<Ascend_L0>:$dst,
    UnitAttr:$transposed, UnitAttr:$one_core);
  let assemblyFormat = [{
    $src `[` $row `,` $col `]` `[` $rows `,` $cols `]`
    (`transposed` $transposed^)? `->` $dst (`one_core` $one_core^)? attr-dict
    `:` type($src) `,` type($dst)
  }];
  let extraClassDeclaration = [{
    /// Whether it goes to L0B.
    bool isRight();
    /// Whether the hardware transposes by the way.
    bool isTransposing() { return isRight() != getTransposed(); }
  }];
}

def Ascend_CubeLoadFractalsOp
    : Ascend_CubeUnit<"cube.load_fractals", "MTE1"> {
  let summary = "load fractals of a matrix from L1 into L0B";
  let description = [{
    A part of the source, or of its transpose, as `ascend.cube.load` has it, goes
    to the destination from its row `outer` of fractals on, in which as many
    fractals follow each other as the part has columns for. With `transposed`,
    LoadData with LoadData2DParams: fractals that follow each other in L1, so that
    the part is one column of fractals, or has all rows of the source. Without,
    LoadDataWithTranspose: a row of square matrices.

    Constraints: (K4), (K5) as for `ascend.cube.load`.

    ```mlir
    ascend.cube.load_fractals %b1[%c0, %k] [%n, %c16] transposed -> %b outer %i
      : memref<16x256x16xf16, #ascend.space<l1>>, memref<4x16x16x16xf16, #ascend.space<l0b>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L1>:$src, Index:$row, Index:$col,
    Index:$rows, Index:$cols, Ascend_Writes<Ascend_L0B>:$dst, Index:$outer,
    UnitAttr:$transposed, UnitAttr:$one_core);
  let assemblyFormat = [{
    $src `[` $row `,` $col `]` `[` $rows `,` $cols `]`
    (`transposed` $transposed^)? `->` $dst `outer` $outer
    (`one_core` $one_core^)? attr-dict `:` type($src) `,` type($dst)
  }];
}

def Ascend_CubeMmadOp
    : Ascend_CubeUnit<"cube.mmad", "M"> {
  let summary = "multiply two matrices and add up the products";
  let description = [{
    The sums are those in `dst` plus the product of `lhs`, `m` by `k`, and `rhs`,
    `k` by `n`; the product alone where `init` holds. Fractals of both operands
    are packed as these sizes say. One row would mean a vector that is stored
    without fractals, so that `m` is at least 2. With `align_k`, fractals of a left
    operand of f32 are packed in pairs: that is how they come transposed.

    Constraints: (K6) f16, bf16 or f32 make f32, i8 makes i32; (K5) operands are
    `<outer x inner x 16 x C0>`, (K3) sums as for `ascend.cube.out`.

    ```mlir
    ascend.cube.mmad %a, %b -> %c [%m, %n, %k] init %first
      : memref<8x4x16x16xf16, #ascend.space<l0a>>,
        memref<4x16x16x16xf16, #ascend.space<l0b>>, memref<16x128x16xf32, #ascend.space<l0c>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0A>:$lhs,
    Ascend_Reads<Ascend_L0B>:$rhs,
    Arg<Ascend_L0C, "", [MemRead, MemWrite]>:$dst, Index:$m, Index:$n, Index:$k,
    I1:$init, UnitAttr:$align_k, UnitAttr:$one_core);
  let assemblyFormat = [{
    $lhs `,` $rhs `->` $dst `[` $m `,` $n `,` $k `]` `init` $init
    (`align_k` $align_k^)? (`one_core` $one_core^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($dst)
  }];
}

def Ascend_CubeFixpipeOp : Ascend_Copy<"cube.fixpipe", "FIX"> {
  let summary = "copy rows of sums from L0C to global memory";
  let description = [{
    Fixpipe to rows. `rows` rows of `cols` sums, from row `row` of the buffer on,
    whose blocks of columns are `src_pitch` rows apart, go to rows that are
    `pitch` elements apart in global memory, rounded to its elements, with
    `combine` as in `ascend.cube.out`.

    Constraints: (C1) as for `ascend.copy_pad.in`; (K2), (K3), (W6) as for
    `ascend.cube.out`.

    ```mlir
    ascend.cube.fixpipe %c row %c0 src_pitch %s -> %z[%i, %j] [%m, %n]
      rows %m cols %n pitch %p
      : memref<16x128x16xf32, #ascend.space<l0c>>, memref<?x?xf16, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_L0C>:$src, Index:$row,
    Index:$src_pitch, Ascend_Writes<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes, Index:$rows, Index:$cols,
    Index:$pitch, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `row` $row `src_pitch` $src_pitch `->` $view
    `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    `rows` $rows `cols` $cols `pitch` $pitch
    (`combine` $combine^)? attr-dict
    `:` type($src) `,` type($view)
  }];
}

#endif // BELAY_DIALECT_CUBEOPS_TD

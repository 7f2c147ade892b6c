//===- CoreOps.td - Kernels as instructions ----------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// `says` is "describe" for what is a single instruction.
class Ascend_Instruction<string mnemonic, string pipe, list<Trait> traits = [],
                         list<string> says = []>
    : Ascend_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<Ascend_InstructionInterface, says>]> {
  code pipeMethod = "::belay::ascend::Pipe $cppClass::getPipe() { "
                    "return ::belay::ascend::Pipe::" # pipe # "; }";
  let extraClassDefinition = pipeMethod;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Ascend_BufferOp : Ascend_Op<"buffer", [
    MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer in a memory of the core";
  let description = [{
    Lives as long as the kernel. `offset` is where it starts, in bytes, once
    memory is planned. It takes whole repeats of 256 bytes, so that instructions
    which work on whole repeats stay inside. A buffer with `slots` above 1 is
    that many buffers in a row; `slot` chooses one.

    Constraints: (M1) the memory is on chip; (M2) offset and
    slots are aligned as the memory wants: to 32 bytes in UB and L1, to 512 in L0A
    and L0B, to 1024 in L0C; (M3) at least one slot, and a `slot` operand exactly if there are
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
    Rows of the window go to rows of the buffer. With `pad`, the rest of the
    buffer's rows and columns is that value. With `at`, the window goes to a row
    and a column of the buffer.

    Constraints: (W1) to (W4), (W7) as for `ascend.load`.

    ```mlir
    ascend.dma.in %x[%i] [%n] -> %a
      : memref<?xf32, #ascend.space<gm>> -> memref<1x8192xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Ascend_Writes<Ascend_UB>:$dst, Optional<Ascend_Scalar>:$pad,
    Variadic<Index>:$inset,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let assemblyFormat = [{
    $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes) `->` $dst
    (`pad` `(` $pad^ `:` type($pad) `)`)? (`at` `[` $inset^ `]`)?
    attr-dict `:` type($view) `->` type($dst)
  }];
}

def Ascend_DmaOutOp : Ascend_Dma<"dma.out", "MTE3"> {
  let summary = "copy from the unified buffer to a window of global memory";
  let description = [{
    `work` is space for elements that do not lie side by side in global memory.

    Constraints: (W1) to (W4) as for `ascend.load`; (W6) as for `ascend.store`.

    ```mlir
    ascend.dma.out %c -> %z[%i] [%n]
      : memref<1x8192xf32, #ascend.space<ub>> -> memref<?xf32, #ascend.space<gm>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src,
    Ascend_Writes<Ascend_View>:$view,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    Arg<Optional<Ascend_UB>, "", [MemWrite]>:$work,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $src `->` $view `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    (`combine` $combine^)? (`work` $work^ `:` type($work))? attr-dict `:` type($src) `->` type($view)
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
    nothing. `work` is space for single elements.

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
    Arg<Optional<Ascend_UB>, "", [MemWrite]>:$work,
    OptionalAttr<Ascend_CombineAttr>:$combine);
  let assemblyFormat = [{
    $policy $src `->` $view `,` $indices `,` $count (`combine` $combine^)?
    (`work` $work^ `:` type($work))? attr-dict `:` type($src) `,` type($view) `,` type($indices)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Scalar unit
//===----------------------------------------------------------------------===//

def Ascend_ReadScalarOp : Ascend_Instruction<"scalar.read", "S", [], ["describe"]> {
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

def Ascend_WriteScalarOp : Ascend_Instruction<"scalar.write", "S", [], ["describe"]> {
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

// Of its buffer it only reads. What it changes is what people see: without that
// effect it would be dead code to any rewrite.
def Ascend_DumpOp : Ascend_Instruction<"scalar.dump", "S", [
    MemoryEffects<[MemWrite]>], ["describe"]> {
  let summary = "print consecutive elements of a buffer";
  let description = [{
    From an element that starts a block of the memory on; `line` is the line of
    the source, which is printed with them.

    ```mlir
    ascend.scalar.dump %a[%i], %n line 12 : memref<8x64xf32, #ascend.space<ub>>
    ```
  }];
  let arguments = (ins Ascend_Reads<Ascend_UB>:$src, Index:$index, Index:$count,
    I64Attr:$line);
  let assemblyFormat = [{
    $src `[` $index `]` `,` $count `line` $line attr-dict `:` type($src)
  }];
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
  let summary = "set the flag once all earlier instructions of `from` have completed";
  let description = [{
    `slot`, where several buffers alternate, is added to the event.

    Between the cube core and its vector core, the flag stops the scalar unit of
    the other, and with it all that is issued there later.

    Constraints: (F1) two different pipes; (F2) the event is not negative; (F3)
    between cores, `to` is the scalar unit of the other.

    ```mlir
    ascend.flag.set <MTE2> to <V> event 0
    ```
  }];
}

def Ascend_FlagWaitOp : Ascend_Flag<"wait"> {
  let summary = "hold later instructions of `to` until the flag is set";
  let description = [{
    Clears the flag.

    Constraints: (F1), (F2), (F3) as for `ascend.flag.set`.

    ```mlir
    ascend.flag.wait <MTE2> to <V> event 0
    ```
  }];
}

def Ascend_BarrierOp : Ascend_Op<"barrier"> {
  let summary = "complete all earlier instructions of a pipe before later ones start";
  let description = [{
    Without a pipe, all pipes finish before any goes on: those of both cores,
    where a cube core and a vector core work together.

    ```mlir
    ascend.barrier on <V>
    ascend.barrier
    ```
  }];
  let arguments = (ins OptionalAttr<Ascend_PipeAttr>:$pipe);
  let assemblyFormat = "(`on` $pipe^)? attr-dict";
}

#endif // BELAY_DIALECT_COREOPS_TD

//===- PtoOps.td - Operations of PTO -----------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_PTOOPS_TD
#define BELAY_EMIT_PTO_PTOOPS_TD

include "emit/pto/PtoDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pto_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pto_Dialect, mnemonic, traits>;

def Pto_Scalar : AnyTypeOf<[AnySignlessInteger, AnySignedInteger,
    AnyUnsignedInteger, F16, BF16, F32], "scalar">;
/// ptoas writes both as memrefs once it has chosen addresses.
def Pto_Tile : AnyTypeOf<[Pto_TileBufType, AnyMemRef], "tile">;
def Pto_Window : AnyTypeOf<[Pto_PartitionType, AnyMemRef], "window">;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def Pto_InstructionInterface : OpInterface<"TileInstruction"> {
  let cppNamespace = "::belay::pto";
  let description = [{
    An operation that a pipe executes: `ins`, of which some may be space for
    intermediate values, and then `outs`, which are written.
  }];
  let methods = [
    InterfaceMethod<"The pipe that executes it in pto-isa.",
                    "::belay::pto::Pipe", "getPipe">,
    InterfaceMethod<"How many of the last operands are `outs`.",
                    "unsigned", "getNumOuts">,
    InterfaceMethod<"The operands of `ins` that are written.",
                    "::llvm::ArrayRef<unsigned>", "getScratch">,
  ];
}

/// `ins(...) outs(...)`. Operands are named in their order; without a pipe, that
/// depends on the memories. Attributes are read anywhere, and printed where ptoas
/// wants them: at the end, inside of `ins`, or there after a comma.
class Pto_TileOp<string mnemonic, list<Trait> traits = [],
                 string pipe = "PIPE_V", list<int> scratch = [],
                 int attrsInIns = 0, bit segments = 0>
    : Pto_Op<mnemonic,
             [DeclareOpInterfaceMethods<Pto_InstructionInterface>] # traits> {
  let results = (outs);
  let hasCustomAssemblyFormat = 1;
  string pipeText = !if(!empty(pipe),
    "::belay::pto::pipeByMemories(*getOperation())",
    "::belay::pto::Pipe::" # pipe);
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &Parser,
                                         ::mlir::OperationState &Result) {
      return ::belay::pto::parseInsOuts(Parser, Result, }] # segments # [{);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &Printer) {
      ::belay::pto::printInsOuts(
          Printer, *this, ::belay::pto::AttrPlace(}] # attrsInIns # [{));
    }
    ::llvm::ArrayRef<unsigned> $cppClass::getScratch() {
      static const ::llvm::SmallVector<unsigned, 1> Indices = {}]
      # !interleave(scratch, ", ") # [{};
      return Indices;
    }
    unsigned $cppClass::getNumOuts() {
      return }] # !if(segments, "getOuts().size()", "1") # [{;
    }
    ::belay::pto::Pipe $cppClass::getPipe() {
      return }] # pipeText # [{;
    }
  }];
}

/// What others write: any operands.
class Pto_AnyTileOp<string mnemonic, string pipe = "PIPE_V",
                    list<int> scratch = [], int attrsInIns = 0>
    : Pto_TileOp<mnemonic, [AttrSizedOperandSegments], pipe, scratch,
                 attrsInIns, /*segments=*/1> {
  let arguments = (ins Variadic<AnyType>:$ins, Variadic<AnyType>:$outs);
}

//===----------------------------------------------------------------------===//
// Views and tiles
//===----------------------------------------------------------------------===//

def Pto_MakeTensorViewOp
    : Pto_Op<"make_tensor_view", [Pure, AttrSizedOperandSegments,
        TypesMatchWith<"the pointer has the view's element type", "view", "ptr",
          "::belay::pto::PtrType::get($_self.getContext(), "
          "::llvm::cast<::belay::pto::TensorViewType>($_self).getElementType())">]> {
  let summary = "an argument with its extents and strides, in elements";
  let arguments = (ins Pto_PtrType:$ptr, Variadic<Index>:$shape,
    Variadic<Index>:$strides, OptionalAttr<Pto_LayoutAttr>:$layout);
  let results = (outs Pto_TensorViewType:$view);
  let assemblyFormat = [{
    $ptr `,` `shape` `=` `[` $shape `]` `,` `strides` `=` `[` $strides `]`
    attr-dict `:` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Pto_PartitionViewOp
    : Pto_Op<"partition_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a window of a view";
  let arguments = (ins Pto_TensorViewType:$source, Variadic<Index>:$offsets,
    Variadic<Index>:$sizes);
  let results = (outs Pto_PartitionType:$part);
  let assemblyFormat = [{
    $source `,` `offsets` `=` `[` $offsets `]` `,` `sizes` `=` `[` $sizes `]`
    attr-dict `:` qualified(type($source)) `->` qualified(type($part))
  }];
  let hasVerifier = 1;
}

def Pto_AllocTileOp : Pto_Op<"alloc_tile", [AttrSizedOperandSegments,
    MemoryEffects<[MemAlloc]>]> {
  let summary = "a tile, where ptoas puts it or at an address";
  let arguments = (ins Optional<I64>:$addr, Optional<Index>:$valid_row,
    Optional<Index>:$valid_col);
  let results = (outs Pto_TileBufType:$tile);
  let assemblyFormat = [{
    (`addr` `=` $addr^)? (`valid_row` `=` $valid_row^)?
    (`valid_col` `=` $valid_col^)? attr-dict `:` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

def Pto_TReshapeOp : Pto_Op<"treshape", [Pure]> {
  let summary = "the same memory as a tile of another shape";
  let arguments = (ins Pto_Tile:$src);
  let results = (outs Pto_Tile:$tile);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

def Pto_SubsetOp : Pto_Op<"subset", [Pure, InferTypeOpAdaptor]> {
  let summary = "a part of a tile, from a row and a column on";
  let description = [{
    The rows of the part are as far apart as those of the tile. How much of it is
    in use follows from the tile: what a type leaves open stays open.
  }];
  let arguments = (ins Pto_TileBufType:$source, Variadic<Index>:$offsets,
    I64ArrayAttr:$sizes);
  let results = (outs Pto_TileBufType:$part);
  let assemblyFormat = [{
    $source `[` $offsets `]` `sizes` $sizes attr-dict
    `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def Pto_SetValidShapeOp : Pto_Op<"set_validshape"> {
  let summary = "change how much of a tile is in use";
  let arguments = (ins Pto_Tile:$source, Index:$valid_row, Index:$valid_col);
  let assemblyFormat = [{
    $source `,` $valid_row `,` $valid_col attr-dict
    `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Between global memory and tiles
//===----------------------------------------------------------------------===//

def Pto_TLoadOp : Pto_TileOp<"tload", [], "PIPE_MTE2"> {
  let summary = "copy a window of global memory into a tile";
  let arguments = (ins Pto_Window:$src, Pto_Tile:$dst);
  let hasVerifier = 1;
}

def Pto_TStoreOp : Pto_TileOp<"tstore", [], ""> {
  let summary = "copy a tile into a window of global memory";
  let arguments = (ins Pto_Tile:$src, Optional<Pto_Scalar>:$preQuantScalar,
    Pto_Window:$dst, OptionalAttr<Pto_AtomicTypeAttr>:$atomicType);
  let hasVerifier = 1;
}

def Pto_LoadScalarOp : Pto_Op<"load_scalar"> {
  let summary = "read one element of global memory";
  let arguments = (ins Pto_PtrType:$ptr, Index:$offset);
  let results = (outs Pto_Scalar:$value);
  let assemblyFormat = [{
    $ptr `[` $offset `]` attr-dict `:` qualified(type($ptr)) `->` type($value)
  }];
}

//===----------------------------------------------------------------------===//
// Vector unit
//===----------------------------------------------------------------------===//

/// Tiles of one element type, with rows side by side.
def Pto_OneElementType : PredOpTrait<"tiles and scalars have one element type",
    CPred<"::belay::pto::haveOneElementType($_op)">>;
def Pto_RowMajor : PredOpTrait<"tiles have their rows side by side",
    CPred<"::belay::pto::areRowMajor($_op)">>;
def Pto_SameValid : PredOpTrait<"tiles have as much in use, as far as types say",
    CPred<"::belay::pto::haveSameValid($_op)">>;

class Pto_Unary<string mnemonic, list<Trait> traits>
    : Pto_TileOp<mnemonic, traits> {
  let arguments = (ins Pto_Tile:$src, Pto_Tile:$dst);
}
class Pto_Elementwise<string mnemonic>
    : Pto_Unary<mnemonic, [Pto_OneElementType, Pto_RowMajor, Pto_SameValid]>;

class Pto_Binary<string mnemonic, list<Trait> traits>
    : Pto_TileOp<mnemonic, traits> {
  let arguments = (ins Pto_Tile:$src0, Pto_Tile:$src1, Pto_Tile:$dst);
}
class Pto_ElementwiseBinary<string mnemonic>
    : Pto_Binary<mnemonic, [Pto_OneElementType, Pto_RowMajor, Pto_SameValid]>;

class Pto_TileScalar<string mnemonic> : Pto_TileOp<mnemonic,
    [Pto_OneElementType, Pto_RowMajor, Pto_SameValid]> {
  let arguments = (ins Pto_Tile:$src, Pto_Scalar:$scalar, Pto_Tile:$dst);
}

def Pto_TAbsOp : Pto_Elementwise<"tabs">;
def Pto_TExpOp : Pto_Elementwise<"texp">;
def Pto_TLogOp : Pto_Elementwise<"tlog">;
def Pto_TSqrtOp : Pto_Elementwise<"tsqrt">;
def Pto_TRsqrtOp : Pto_TileOp<"trsqrt",
    [Pto_OneElementType, Pto_RowMajor, Pto_SameValid], "PIPE_V", [1]> {
  let arguments = (ins Pto_Tile:$src, Optional<Pto_Tile>:$tmp, Pto_Tile:$dst);
}
def Pto_TRecipOp : Pto_Elementwise<"trecip">;
def Pto_TReluOp : Pto_Elementwise<"trelu">;
def Pto_TNotOp : Pto_Elementwise<"tnot">;
def Pto_TMovOp : Pto_TileOp<"tmov", [], ""> {
  let summary = "copy a tile, also from memory to memory";
  let arguments = (ins Pto_Tile:$src, Optional<AnyType>:$fp, Pto_Tile:$dst);
}

def Pto_TAddOp : Pto_ElementwiseBinary<"tadd">;
def Pto_TSubOp : Pto_ElementwiseBinary<"tsub">;
def Pto_TMulOp : Pto_ElementwiseBinary<"tmul">;
def Pto_TDivOp : Pto_ElementwiseBinary<"tdiv">;
def Pto_TMaxOp : Pto_ElementwiseBinary<"tmax">;
def Pto_TMinOp : Pto_ElementwiseBinary<"tmin">;
def Pto_TAndOp : Pto_ElementwiseBinary<"tand">;
def Pto_TOrOp : Pto_ElementwiseBinary<"tor">;
def Pto_TShlOp : Pto_ElementwiseBinary<"tshl">;
def Pto_TShrOp : Pto_ElementwiseBinary<"tshr">;

def Pto_TAddSOp : Pto_TileScalar<"tadds">;
def Pto_TSubSOp : Pto_TileScalar<"tsubs">;
def Pto_TMulSOp : Pto_TileScalar<"tmuls">;
def Pto_TDivSOp : Pto_TileOp<"tdivs",
    [Pto_OneElementType, Pto_RowMajor, Pto_SameValid]> {
  let summary = "a tile by a number, or a number by a tile";
  let arguments = (ins AnyTypeOf<[Pto_Tile, Pto_Scalar]>:$dividend,
    AnyTypeOf<[Pto_Tile, Pto_Scalar]>:$divisor, Pto_Tile:$dst);
}
def Pto_TMaxSOp : Pto_TileScalar<"tmaxs">;
def Pto_TMinSOp : Pto_TileScalar<"tmins">;
def Pto_TAndSOp : Pto_TileScalar<"tands">;
def Pto_TOrSOp : Pto_TileScalar<"tors">;
def Pto_TShlSOp : Pto_TileScalar<"tshls">;
def Pto_TShrSOp : Pto_TileScalar<"tshrs">;

def Pto_TExpandsOp : Pto_TileOp<"texpands", [Pto_OneElementType], ""> {
  let summary = "the same value everywhere";
  let arguments = (ins Pto_Scalar:$scalar, Pto_Tile:$dst);
}

def Pto_TCvtOp : Pto_TileOp<"tcvt", [Pto_RowMajor, Pto_SameValid], "PIPE_V",
    [1], /*attrsInIns=*/1> {
  let summary = "convert each element";
  let arguments = (ins Pto_Tile:$src, Optional<Pto_Tile>:$tmp, Pto_Tile:$dst,
    OptionalAttr<Pto_RoundModeAttr>:$rmode);
  let hasVerifier = 1;
}

def Pto_TFillPadInplaceOp : Pto_TileOp<"tfillpad_inplace",
    [Pto_OneElementType, Pto_RowMajor], ""> {
  let summary = "write the destination's padding value where the source ends";
  let arguments = (ins Pto_Tile:$src, Pto_Tile:$dst);
  let hasVerifier = 1;
}

def Pto_TCmpOp : Pto_TileOp<"tcmp", [Pto_RowMajor], "PIPE_V", [],
    /*attrsInIns=*/1> {
  let summary = "compare two tiles, one bit for each element";
  let arguments = (ins Pto_Tile:$src0, Pto_Tile:$src1, Pto_Tile:$dst,
    OptionalAttr<Pto_CmpModeAttr>:$cmpMode);
  let hasVerifier = 1;
}

def Pto_TSelOp : Pto_TileOp<"tsel", [Pto_RowMajor], "PIPE_V", [3]> {
  let summary = "choose by the bits of a mask";
  let arguments = (ins Pto_Tile:$mask, Pto_Tile:$src0, Pto_Tile:$src1,
    Pto_Tile:$tmp, Pto_Tile:$dst);
  let hasVerifier = 1;
}

def Pto_TCIOp : Pto_TileOp<"tci", [Pto_OneElementType, Pto_RowMajor],
    "PIPE_S", [], /*attrsInIns=*/1> {
  let summary = "count up; by the scalar unit";
  let arguments = (ins AnyTypeOf<[I16, I32]>:$start, Pto_Tile:$dst);
}

class Pto_RowReduce<string mnemonic>
    : Pto_TileOp<mnemonic, [Pto_OneElementType], "PIPE_V", [1]> {
  let summary = "combine the elements of each row";
  let arguments = (ins Pto_Tile:$src, Pto_Tile:$tmp, Pto_Tile:$dst);
}
def Pto_TRowSumOp : Pto_RowReduce<"trowsum">;
def Pto_TRowMaxOp : Pto_RowReduce<"trowmax">;
def Pto_TRowMinOp : Pto_RowReduce<"trowmin">;

class Pto_ColReduce<string mnemonic>
    : Pto_Unary<mnemonic, [Pto_OneElementType, Pto_RowMajor]> {
  let summary = "combine the elements of each column";
}
def Pto_TColSumOp : Pto_TileOp<"tcolsum", [Pto_OneElementType, Pto_RowMajor],
    "PIPE_V", [1], /*attrsInIns=*/1> {
  let summary = "add the elements of each column";
  let arguments = (ins Pto_Tile:$src, Optional<Pto_Tile>:$tmp, Pto_Tile:$dst);
}
def Pto_TColMaxOp : Pto_ColReduce<"tcolmax">;
def Pto_TColMinOp : Pto_ColReduce<"tcolmin">;

def Pto_TRowExpandOp : Pto_Unary<"trowexpand", [Pto_OneElementType]> {
  let summary = "repeat one element along each row";
}
def Pto_TColExpandOp
    : Pto_Unary<"tcolexpand", [Pto_OneElementType, Pto_RowMajor]> {
  let summary = "repeat one row";
}

/// The second tile has one element, or one block, for each row.
class Pto_RowExpandBinary<string mnemonic>
    : Pto_TileOp<mnemonic, [Pto_OneElementType], "PIPE_V", [2]> {
  let arguments = (ins Pto_Tile:$src0, Pto_Tile:$src1, Optional<Pto_Tile>:$tmp,
    Pto_Tile:$dst);
}
def Pto_TRowExpandAddOp : Pto_RowExpandBinary<"trowexpandadd">;
def Pto_TRowExpandSubOp : Pto_RowExpandBinary<"trowexpandsub">;
def Pto_TRowExpandMulOp : Pto_RowExpandBinary<"trowexpandmul">;
def Pto_TRowExpandDivOp : Pto_RowExpandBinary<"trowexpanddiv">;
def Pto_TRowExpandMaxOp : Pto_RowExpandBinary<"trowexpandmax">;
def Pto_TRowExpandMinOp : Pto_RowExpandBinary<"trowexpandmin">;

class Pto_ColExpandBinary<string mnemonic>
    : Pto_Binary<mnemonic, [Pto_OneElementType, Pto_RowMajor]>;
def Pto_TColExpandAddOp : Pto_ColExpandBinary<"tcolexpandadd">;
def Pto_TColExpandSubOp : Pto_ColExpandBinary<"tcolexpandsub">;
def Pto_TColExpandMulOp : Pto_ColExpandBinary<"tcolexpandmul">;
def Pto_TColExpandDivOp : Pto_ColExpandBinary<"tcolexpanddiv">;
def Pto_TColExpandMaxOp : Pto_ColExpandBinary<"tcolexpandmax">;
def Pto_TColExpandMinOp : Pto_ColExpandBinary<"tcolexpandmin">;

def Pto_TGatherOp : Pto_AnyTileOp<"tgather", "PIPE_V", [2], /*attrsInIns=*/2> {
  let summary = "elements that indices name, or those of a pattern";
}

//===----------------------------------------------------------------------===//
// Cube core
//===----------------------------------------------------------------------===//

def Pto_TExtractOp : Pto_TileOp<"textract", [], ""> {
  let summary = "copy a part of a tile, from a row and a column on";
  let arguments = (ins Pto_Tile:$src, Index:$indexRow, Index:$indexCol,
    Pto_Tile:$dst);
}

/// Memories and extents agree: `left` by `right` makes `acc`.
class Pto_Product<string mnemonic>
    : Pto_TileOp<mnemonic, [PredOpTrait<"a left operand of m by k and a right one "
          "of k by n make sums of m by n", CPred<"::belay::pto::isProduct($_op)">>],
                 "PIPE_M">;
def Pto_TMatmulOp : Pto_Product<"tmatmul"> {
  let summary = "the product of two matrices";
  let arguments = (ins Pto_Tile:$lhs, Pto_Tile:$rhs, Pto_Tile:$dst);
}
def Pto_TMatmulAccOp : Pto_Product<"tmatmul.acc"> {
  let summary = "sums, and the product of two matrices";
  let arguments = (ins Pto_Tile:$acc_in, Pto_Tile:$lhs, Pto_Tile:$rhs,
    Pto_Tile:$dst);
}

//===----------------------------------------------------------------------===//
// Scalar unit
//===----------------------------------------------------------------------===//

def Pto_TGetValOp : Pto_Op<"tgetval", [Pto_OneElementType]> {
  let summary = "read one element of a tile";
  let arguments = (ins Pto_Tile:$src, AnySignlessIntegerOrIndex:$offset);
  let results = (outs Pto_Scalar:$value);
  let assemblyFormat = [{
    `ins` `(` $src `,` $offset `:` qualified(type($src)) `,` type($offset) `)`
    `outs` `:` type($value) attr-dict
  }];
}

def Pto_TSetValOp : Pto_TileOp<"tsetval", [Pto_OneElementType], "PIPE_S"> {
  let summary = "write one element of a tile";
  let arguments = (ins AnySignlessIntegerOrIndex:$offset, Pto_Scalar:$val,
    Pto_Tile:$dst);
}

def Pto_TrapOp : Pto_Op<"trap"> {
  let summary = "stop the kernel";
  let assemblyFormat = "attr-dict";
}

class Pto_CoreNumber<string mnemonic> : Pto_Op<mnemonic, [Pure]> {
  let results = (outs I64:$number);
  let assemblyFormat = "attr-dict";
}
def Pto_GetBlockIdxOp : Pto_CoreNumber<"get_block_idx">;
def Pto_GetBlockNumOp : Pto_CoreNumber<"get_block_num">;
def Pto_GetSubblockIdxOp : Pto_CoreNumber<"get_subblock_idx">;
def Pto_GetSubblockNumOp : Pto_CoreNumber<"get_subblock_num">;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

class Pto_Flag<string mnemonic> : Pto_Op<mnemonic> {
  let arguments = (ins Pto_PipeAttr:$src_pipe, Pto_PipeAttr:$dst_pipe,
    Pto_EventAttr:$event_id);
  let assemblyFormat = "`[` $src_pipe `,` $dst_pipe `,` $event_id `]` attr-dict";
}
def Pto_SetFlagOp : Pto_Flag<"set_flag">;
def Pto_WaitFlagOp : Pto_Flag<"wait_flag">;

class Pto_FlagDyn<string mnemonic> : Pto_Op<mnemonic> {
  let arguments = (ins Pto_PipeAttr:$src_pipe, Pto_PipeAttr:$dst_pipe,
    Index:$event_id);
  let assemblyFormat = "`[` $src_pipe `,` $dst_pipe `,` $event_id `]` attr-dict";
}
def Pto_SetFlagDynOp : Pto_FlagDyn<"set_flag_dyn">;
def Pto_WaitFlagDynOp : Pto_FlagDyn<"wait_flag_dyn">;

def Pto_BarrierOp : Pto_Op<"barrier"> {
  let summary = "complete all earlier instructions of a pipe before later ones";
  let arguments = (ins Pto_PipeAttr:$pipe);
  let assemblyFormat = "$pipe attr-dict";
}

//===----------------------------------------------------------------------===//
// Between cube and vector cores
//===----------------------------------------------------------------------===//

def Pto_SetFftsOp : Pto_Op<"set_ffts"> {
  let summary = "where the flags between cores are; a launch knows it";
  let arguments = (ins AnyMemRef:$ffts);
  let assemblyFormat = "$ffts attr-dict `:` type($ffts)";
}

/// The number of a flag is a constant or a value.
class Pto_CoreFlag<string mnemonic> : Pto_Op<mnemonic> {
  let assemblyFormat = [{
    $pipe `,` custom<FlagNumber>($event_id, $event_id_dyn) attr-dict
  }];
  let hasVerifier = 1;
}
def Pto_SyncSetOp : Pto_CoreFlag<"sync.set"> {
  let summary = "raise a flag for the other core once a pipe is done";
  let arguments = (ins Pto_PipeAttr:$pipe, OptionalAttr<I32Attr>:$event_id,
    OptionalAttr<I32Attr>:$ffts_mode, Optional<Index>:$event_id_dyn);
}
def Pto_SyncWaitOp : Pto_CoreFlag<"sync.wait"> {
  let summary = "wait for a flag of the other core";
  let arguments = (ins Pto_PipeAttr:$pipe, OptionalAttr<I32Attr>:$event_id,
    Optional<Index>:$event_id_dyn);
}

include "emit/pto/PtoForeignOps.td"

#endif // BELAY_EMIT_PTO_PTOOPS_TD

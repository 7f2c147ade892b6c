//===- PtoDialect.td - Types and attributes of PTO ---------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own definition of the PTO dialect, from its public description: what Belay
// writes, with what verifiers can say of it without an assembler, and what
// `belay check --pto` reads of others. docs/pto.md says which version it was held
// against.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_PTODIALECT_TD
#define BELAY_EMIT_PTO_PTODIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Pto_Dialect : Dialect {
  let name = "pto";
  let cppNamespace = "::belay::pto";
  let summary = "Tiles of an AI Core as ptoas reads them";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &Parser,
                                     ::mlir::Type Type) const override;
    void printAttribute(::mlir::Attribute Attr,
                        ::mlir::DialectAsmPrinter &Printer) const override;
  }];
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Pto_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::belay::pto";
}
/// As in #pto.pipe<PIPE_V>.
class Pto_BracketAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Pto_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Pto_Pipe : Pto_Enum<"Pipe", "a queue of instructions", [
    I32EnumCase<"PIPE_S", 0>, I32EnumCase<"PIPE_V", 1>,
    I32EnumCase<"PIPE_M", 2>, I32EnumCase<"PIPE_MTE1", 3>,
    I32EnumCase<"PIPE_MTE2", 4>, I32EnumCase<"PIPE_MTE3", 5>,
    I32EnumCase<"PIPE_ALL", 6>, I32EnumCase<"PIPE_FIX", 10>]>;
def Pto_PipeAttr : Pto_BracketAttr<Pto_Pipe, "pipe">;

def Pto_Event : Pto_Enum<"Event", "a flag between two pipes", [
    I32EnumCase<"EVENT_ID0", 0>, I32EnumCase<"EVENT_ID1", 1>,
    I32EnumCase<"EVENT_ID2", 2>, I32EnumCase<"EVENT_ID3", 3>,
    I32EnumCase<"EVENT_ID4", 4>, I32EnumCase<"EVENT_ID5", 5>,
    I32EnumCase<"EVENT_ID6", 6>, I32EnumCase<"EVENT_ID7", 7>]>;
def Pto_EventAttr : Pto_BracketAttr<Pto_Event, "event">;

def Pto_KernelKind : Pto_Enum<"KernelKind", "which core runs a function", [
    I32EnumCase<"Cube", 0, "cube">, I32EnumCase<"Vector", 1, "vector">]>;
def Pto_KernelKindAttr : Pto_BracketAttr<Pto_KernelKind, "kernel_kind">;

def Pto_Layout : Pto_Enum<"Layout", "what lies side by side in a view", [
    I32EnumCase<"ND", 0, "nd">, I32EnumCase<"DN", 1, "dn">,
    I32EnumCase<"NZ", 2, "nz">]>;
def Pto_LayoutAttr : Pto_BracketAttr<Pto_Layout, "layout">;

// As in #pto<round_mode RINT>.
def Pto_RoundMode : Pto_Enum<"RoundMode", "how a conversion rounds", [
    I32EnumCase<"NONE", 0>, I32EnumCase<"RINT", 1>, I32EnumCase<"ROUND", 2>,
    I32EnumCase<"FLOOR", 3>, I32EnumCase<"CEIL", 4>,
    I32EnumCase<"TRUNC", 5>]>;
def Pto_RoundModeAttr : EnumAttr<Pto_Dialect, Pto_RoundMode, "round_mode">;

def Pto_CmpMode : Pto_Enum<"CmpMode", "a comparison", [
    I32EnumCase<"EQ", 0, "eq">, I32EnumCase<"NE", 1, "ne">,
    I32EnumCase<"LT", 2, "lt">, I32EnumCase<"LE", 3, "le">,
    I32EnumCase<"GT", 4, "gt">, I32EnumCase<"GE", 5, "ge">]>;
def Pto_CmpModeAttr : EnumAttr<Pto_Dialect, Pto_CmpMode, "cmp">;

def Pto_AtomicType : Pto_Enum<"AtomicType", "how a store combines", [
    I32EnumCase<"None", 0, "atomic_none">,
    I32EnumCase<"Add", 1, "atomic_add">]>;
def Pto_AtomicTypeAttr : EnumAttr<Pto_Dialect, Pto_AtomicType, "atomic_type">;

def Pto_Space : Pto_Enum<"Space", "a memory", [
    I32EnumCase<"Gm", 0, "gm">, I32EnumCase<"Vec", 1, "vec">,
    I32EnumCase<"Mat", 2, "mat">, I32EnumCase<"Left", 3, "left">,
    I32EnumCase<"Right", 4, "right">, I32EnumCase<"Acc", 5, "acc">,
    I32EnumCase<"Bias", 6, "bias">, I32EnumCase<"Scaling", 7, "scaling">]>;
def Pto_SpaceAttr : Pto_BracketAttr<Pto_Space, "address_space">;

def Pto_Box : Pto_Enum<"Box", "order inside of a fractal", [
    I32EnumCase<"None", 0, "none_box">, I32EnumCase<"RowMajor", 1, "row_major">,
    I32EnumCase<"ColMajor", 2, "col_major">]>;

def Pto_ForeignAttr : AttrDef<Pto_Dialect, "Foreign"> {
  let summary = "an attribute of which Belay knows the text only";
  let description = [{
    What no answer of Belay depends on: modes of operations that others write.
  }];
  let mnemonic = "foreign";
  let parameters = (ins StringRefParameter<>:$text);
  let assemblyFormat = "`<` $text `>`";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Pto_Type<string name, string mnemonicName> : TypeDef<Pto_Dialect, name> {
  let mnemonic = mnemonicName;
}

def Pto_PtrType : Pto_Type<"Ptr", "ptr"> {
  let summary = "where an argument begins in global memory";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

class Pto_ViewType<string name, string mnemonicName>
    : Pto_Type<name, mnemonicName> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
}
def Pto_TensorViewType : Pto_ViewType<"TensorView", "tensor_view"> {
  let summary = "an argument with its extents and strides";
}
def Pto_PartitionType
    : Pto_ViewType<"PartitionTensorView", "partition_tensor_view"> {
  let summary = "a window of a tensor_view";
}

def Pto_TileBufType : Pto_Type<"TileBuf", "tile_buf"> {
  let summary = "a tile in a memory of the core";
  let description = [{
    `rows` and `cols` are the space, `validRows` and `validCols` what is in use,
    ShapedType::kDynamic where a value says so. Rows lie side by side, or, with
    `colMajor`, columns; `box` and `fractal` say how the cube's fractals are made.
    `pad` is the value that tfillpad writes where nothing is in use: 1 zero, 2 the
    highest, 3 the lowest, infinite where there is infinity. Two forms are read,
    and the shorter one is printed.

    ```mlir
    !pto.tile_buf<vec, 8x64xf32>
    !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>
    !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16,
                  blayout=col_major, slayout=row_major, fractal=512, pad=0>
    ```
  }];
  let parameters = (ins "::belay::pto::Space":$space, "int64_t":$rows,
    "int64_t":$cols, "::mlir::Type":$elementType, "int64_t":$validRows,
    "int64_t":$validCols, "bool":$colMajor, "::belay::pto::Box":$box,
    "int64_t":$fractal, "::belay::pto::Pad":$pad, "int64_t":$compact);
  let builders = [TypeBuilder<(ins "int64_t":$rows, "int64_t":$cols,
      "::mlir::Type":$elementType, "int64_t":$validRows, "int64_t":$validCols,
      CArg<"bool", "false">:$colMajor), [{
    return $_get($_ctxt, Space::Vec, rows, cols, elementType, validRows,
                 validCols, colMajor, Box::None, DefaultFractal, Pad::Null,
                 int64_t(0));
  }]>];
  let extraClassDeclaration = [{
    /// Bytes of a fractal, where a type does not say.
    static constexpr int64_t DefaultFractal = 512;
    /// The same tile with another value for what is not in use.
    TileBufType withPad(Pad Value) const {
      return get(getContext(), getSpace(), getRows(), getCols(),
                 getElementType(), getValidRows(), getValidCols(),
                 getColMajor(), getBox(), getFractal(), Value, getCompact());
    }
    /// The same tile of other elements.
    TileBufType withElement(::mlir::Type Element) const {
      return get(getContext(), getSpace(), getRows(), getCols(), Element,
                 getValidRows(), getValidCols(), getColMajor(), getBox(),
                 getFractal(), getPad(), getCompact());
    }
    int64_t getBytes() const {
      return getRows() * getCols() *
             getElementType().getIntOrFloatBitWidth() / 8;
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // BELAY_EMIT_PTO_PTODIALECT_TD

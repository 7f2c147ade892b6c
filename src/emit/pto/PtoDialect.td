//===- PtoDialect.td - Types and attributes of PTO ---------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own definition of the part of the PTO dialect that Belay writes, from its
// public description: the same text, and what the verifiers can say of it
// without an assembler. docs/pto.md says which version it was held against.
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
    "::mlir::scf::SCFDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
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
    I32EnumCase<"PIPE_MTE2", 4>, I32EnumCase<"PIPE_MTE3", 5>,
    I32EnumCase<"PIPE_ALL", 6>]>;
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
    I32EnumCase<"ND", 0, "nd">]>;
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
  let summary = "a tile in the unified buffer";
  let description = [{
    `rows` and `cols` are the space, `validRows` and `validCols` what is in use,
    ShapedType::kDynamic where a value says so. Rows lie side by side, or, with
    `colMajor`, columns. `pad` is the value that tfillpad writes where nothing is
    in use: 1 zero, 2 the highest, 3 the lowest, infinite where there is infinity.

    ```mlir
    !pto.tile_buf<vec, 8x64xf32>
    !pto.tile_buf<vec, 8x1xf32, valid=?x1, blayout=col_major>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols,
    "::mlir::Type":$elementType, "int64_t":$validRows, "int64_t":$validCols,
    "bool":$colMajor, "::belay::pto::Pad":$pad);
  let builders = [TypeBuilder<(ins "int64_t":$rows, "int64_t":$cols,
      "::mlir::Type":$elementType, "int64_t":$validRows, "int64_t":$validCols,
      CArg<"bool", "false">:$colMajor), [{
    return $_get($_ctxt, rows, cols, elementType, validRows, validCols, colMajor,
                 Pad::Null);
  }]>];
  let extraClassDeclaration = [{
    /// The same tile with another value for what is not in use.
    TileBufType withPad(Pad Value) const {
      return get(getContext(), getRows(), getCols(), getElementType(),
                 getValidRows(), getValidCols(), getColMajor(), Value);
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // BELAY_EMIT_PTO_PTODIALECT_TD

//===- AscendAttributes.td - Memories, pipes, kinds --------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ASCENDATTRIBUTES_TD
#define BELAY_DIALECT_ASCENDATTRIBUTES_TD

include "dialect/AscendDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"

class Ascend_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::belay::ascend";
}
class Ascend_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Ascend_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Memories and pipes
//===----------------------------------------------------------------------===//

def Ascend_MemorySpace : Ascend_Enum<"MemorySpace", "a memory of an AI Core", [
    I32EnumCase<"GM", 0, "gm">, I32EnumCase<"UB", 1, "ub">,
    I32EnumCase<"L1", 2, "l1">, I32EnumCase<"L0A", 3, "l0a">,
    I32EnumCase<"L0B", 4, "l0b">, I32EnumCase<"L0C", 5, "l0c">,
    I32EnumCase<"BT", 6, "bt">, I32EnumCase<"FB", 7, "fb">]>;
def Ascend_MemorySpaceAttr : Ascend_EnumAttr<Ascend_MemorySpace, "space"> {
  let description = [{
    The memory space of a `memref`: global memory, the unified buffer, L1, the
    three L0 buffers of the cube, the bias table and the fixpipe buffer.
  }];
}

def Ascend_Pipe : Ascend_Enum<"Pipe", "a queue of instructions", [
    I32EnumCase<"S", 0, "S">, I32EnumCase<"V", 1, "V">,
    I32EnumCase<"M", 2, "M">, I32EnumCase<"MTE1", 3, "MTE1">,
    I32EnumCase<"MTE2", 4, "MTE2">, I32EnumCase<"MTE3", 5, "MTE3">,
    I32EnumCase<"FIX", 6, "FIX">, I32EnumCase<"CubeS", 7, "AIC_S">,
    I32EnumCase<"CubeMTE2", 8, "AIC_MTE2">, I32EnumCase<"FusedM", 9, "AI_M">,
    I32EnumCase<"FusedMTE1", 10, "AI_MTE1">]>;
def Ascend_PipeAttr : Ascend_EnumAttr<Ascend_Pipe, "pipe"> {
  let description = [{
    One of the queues into which the scalar unit issues instructions. A pipe
    starts its instructions in order; nothing orders two pipes but flags.
    M, MTE1 and FIX are pipes of the cube core, whose scalar unit and whose copies
    from global memory are AIC_S and AIC_MTE2; the others are those of the vector
    core. Where one core has both units, it has S, V, MTE2, MTE3, and AI_M and
    AI_MTE1 for products and their operands: flags between these and the others
    are those of one core.
  }];
}

//===----------------------------------------------------------------------===//
// Tiles and kernels
//===----------------------------------------------------------------------===//

def Ascend_CapacityAttr : AttrDef<Ascend_Dialect, "Capacity", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "capacity";
  let summary = "how large a tile with dynamic extents may be";
  let description = [{
    The encoding of a tile that has a dynamic extent: the space that is set
    aside for it. A static extent equals its capacity, so a tile without dynamic
    extents has no encoding.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Ascend_TargetAttr : AttrDef<Ascend_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the SoC that a module is compiled for";
  let description = [{
    On a module, as `ascend.target`: what all passes and the emission ask for
    memories, pipes and instructions.

    ```mlir
    module attributes {ascend.target = #ascend.target<"Ascend910B3">} { ... }
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the SoC">:$soc);
  let assemblyFormat = "`<` $soc `>`";
  let genVerifyDecl = 1;
}

def Ascend_CoresAttr : AttrDef<Ascend_Dialect, "Cores"> {
  let mnemonic = "cores";
  let summary = "which cores of a launch work";
  let description = [{
    On a kernel, as `ascend.cores`. `all`: every core of the launch. `one`: the
    first core does all the work, the others return at once. `one unless`: the
    same, unless each of the named extents of arguments is a multiple of a
    number; the launch decides.

    `ascend.core_count` is the number of cores that work, and
    `ascend.core_index` is below it: in proofs, on the device, and in what a
    launcher checks of `ascend.expects`.

    ```mlir
    func.func @k(...) attributes {ascend.kernel, ascend.cores = #ascend.cores<one>}
    // The launch works on all cores if dimension 0 of argument 1 is a multiple of 8.
    ascend.cores = #ascend.cores<one unless [1, 0, 8]>
    ```
  }];
  let parameters = (ins "bool":$one,
    OptionalArrayRefParameter<"int64_t", "argument, dimension, divisor">:$unless);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// One extent of an argument, and what it is a multiple of where all cores
    /// work.
    struct Extent {
      unsigned Argument, Dim;
      int64_t Of;
      bool operator==(const Extent &) const = default;
    };
    ::llvm::SmallVector<Extent> getExtents() const;
    static CoresAttr all(::mlir::MLIRContext *Context);
    static CoresAttr alone(::mlir::MLIRContext *Context);
    static CoresAttr aloneUnless(::mlir::MLIRContext *Context,
                                 ::llvm::ArrayRef<Extent> Extents);
    /// One core does all the work of every launch.
    bool isAlways() const { return getOne() && getUnless().empty(); }
  }];
}

def Ascend_Role : Ascend_Enum<"Role", "what a kernel does with an argument", [
    I32EnumCase<"In", 0, "in">, I32EnumCase<"Out", 1, "out">,
    I32EnumCase<"InOut", 2, "inout">, I32EnumCase<"PerCore", 3, "percore">]>;
def Ascend_RoleAttr : Ascend_EnumAttr<Ascend_Role, "role"> {
  let description = [{
    The launcher starts no kernel in which a view that is written overlaps
    another. `percore` views are its own, with one element for each core.
  }];
}

def Ascend_Axis : Ascend_Enum<"Axis", "a direction in a tile", [
    I32EnumCase<"Row", 0, "row">, I32EnumCase<"Col", 1, "col">,
    I32EnumCase<"All", 2, "all">]>;
def Ascend_AxisAttr : Ascend_EnumAttr<Ascend_Axis, "axis"> {
  let description = [{
    `row` works along each row (a reduction leaves one column), `col` along each
    column (it leaves one row), `all` over the whole tile.
  }];
}

def Ascend_Combine : Ascend_Enum<"Combine", "how elements are combined", [
    I32EnumCase<"Sum", 0, "sum">, I32EnumCase<"Max", 1, "max">,
    I32EnumCase<"Min", 2, "min">, I32EnumCase<"Prod", 3, "prod">]>;
def Ascend_CombineAttr : Ascend_EnumAttr<Ascend_Combine, "combine">;

def Ascend_BadIndex : Ascend_Enum<"BadIndex", "what to do with a bad index", [
    I32EnumCase<"Trap", 0, "trap">, I32EnumCase<"Clamp", 1, "clamp">,
    I32EnumCase<"Zero", 2, "zero">, I32EnumCase<"Wrap", 3, "wrap">]>;
def Ascend_BadIndexAttr : Ascend_EnumAttr<Ascend_BadIndex, "bad_index"> {
  let description = [{
    Indices that come from data are never proven, so gather and scatter carry
    what a bad one means: stop the kernel, use the nearest row, read zeros (or
    write nothing), or count modulo the number of rows.
  }];
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def Ascend_Unary : Ascend_Enum<"Unary", "a vector instruction of one operand", [
    I32EnumCase<"Abs", 0, "abs">, I32EnumCase<"Exp", 1, "exp">,
    I32EnumCase<"Ln", 2, "ln">, I32EnumCase<"Sqrt", 3, "sqrt">,
    I32EnumCase<"Rsqrt", 4, "rsqrt">, I32EnumCase<"Reciprocal", 5, "reciprocal">,
    I32EnumCase<"Relu", 6, "relu">, I32EnumCase<"Not", 7, "not">,
    I32EnumCase<"Tanh", 8, "tanh">, I32EnumCase<"Erf", 9, "erf">,
    I32EnumCase<"Sin", 10, "sin">, I32EnumCase<"Cos", 11, "cos">,
    I32EnumCase<"Floor", 12, "floor">, I32EnumCase<"Ceil", 13, "ceil">,
    I32EnumCase<"Round", 14, "round">, I32EnumCase<"Trunc", 15, "trunc">]>;
def Ascend_UnaryAttr : Ascend_EnumAttr<Ascend_Unary, "unary">;

def Ascend_Binary : Ascend_Enum<"Binary", "a vector instruction of two operands", [
    I32EnumCase<"Add", 0, "add">, I32EnumCase<"Sub", 1, "sub">,
    I32EnumCase<"Mul", 2, "mul">, I32EnumCase<"Div", 3, "div">,
    I32EnumCase<"Max", 4, "max">, I32EnumCase<"Min", 5, "min">,
    I32EnumCase<"And", 6, "and">, I32EnumCase<"Or", 7, "or">,
    I32EnumCase<"Power", 8, "power">, I32EnumCase<"Shl", 9, "shl">,
    I32EnumCase<"Shr", 10, "shr">]>;
def Ascend_BinaryAttr : Ascend_EnumAttr<Ascend_Binary, "binary">;

def Ascend_Compare : Ascend_Enum<"Compare", "a comparison", [
    I32EnumCase<"LT", 0, "lt">, I32EnumCase<"GT", 1, "gt">,
    I32EnumCase<"EQ", 2, "eq">, I32EnumCase<"LE", 3, "le">,
    I32EnumCase<"GE", 4, "ge">, I32EnumCase<"NE", 5, "ne">]>;
def Ascend_CompareAttr : Ascend_EnumAttr<Ascend_Compare, "compare">;

def Ascend_Round : Ascend_Enum<"Round", "how a conversion rounds", [
    I32EnumCase<"None", 0, "none">, I32EnumCase<"Rint", 1, "rint">,
    I32EnumCase<"Floor", 2, "floor">, I32EnumCase<"Ceil", 3, "ceil">,
    I32EnumCase<"Round", 4, "round">, I32EnumCase<"Trunc", 5, "trunc">]>;
def Ascend_RoundAttr : Ascend_EnumAttr<Ascend_Round, "round">;

#endif // BELAY_DIALECT_ASCENDATTRIBUTES_TD

//===- Dialect.cpp - The dialect, its attributes and types ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "dialect/Pipes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "targets/Target.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

#include "dialect/AscendDialect.cpp.inc"
#include "dialect/AscendEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/AscendAttributes.cpp.inc"
#include "dialect/AscendInterfaces.cpp.inc"

void AscendDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/AscendOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/AscendAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool belay::ascend::isPossibleTile(int64_t Rows, int64_t Cols) {
  // A tile of no rows or columns exists as a type; capacities are positive.
  std::optional<int64_t> Elements = llvm::checkedMul(Rows, Cols);
  return Rows >= 0 && Cols >= 0 && Elements && *Elements <= MaxTileElements &&
         Rows <= MaxTileElements && Cols <= MaxTileElements;
}

bool belay::ascend::isTile(Type Type) {
  auto Tensor = dyn_cast<RankedTensorType>(Type);
  if (!Tensor || Tensor.getRank() != 2)
    return false;
  // The encoding has verified itself and against the shape.
  return Tensor.hasStaticShape()
             ? !Tensor.getEncoding() &&
                   isPossibleTile(Tensor.getDimSize(0), Tensor.getDimSize(1))
             : isa_and_nonnull<CapacityAttr>(Tensor.getEncoding());
}

std::optional<MemorySpace> belay::ascend::getSpace(MemRefType Type) {
  auto Space = dyn_cast_or_null<MemorySpaceAttr>(Type.getMemorySpace());
  return Space ? std::optional(Space.getValue()) : std::nullopt;
}

bool belay::ascend::isInSpace(Type Type, MemorySpace Space) {
  auto MemRef = dyn_cast<MemRefType>(Type);
  return MemRef && getSpace(MemRef) == Space &&
         (Space == MemorySpace::GM || MemRef.hasStaticShape() || isSlice(Type));
}

bool belay::ascend::isSlice(Type Type) {
  auto MemRef = dyn_cast<MemRefType>(Type);
  std::optional<MemorySpace> Space =
      MemRef ? getSpace(MemRef) : std::optional<MemorySpace>();
  return Space && *Space != MemorySpace::GM &&
         MemRef == getSliceType(MemRef.getElementType(), *Space);
}

MemRefType belay::ascend::getSliceType(Type Element, MemorySpace Space) {
  MLIRContext *Context = Element.getContext();
  return MemRefType::get(
      {ShapedType::kDynamic}, Element,
      StridedLayoutAttr::get(Context, ShapedType::kDynamic, {1}),
      MemorySpaceAttr::get(Context, Space));
}

int64_t belay::ascend::pitchOf(MemRefType Buffer) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  [[maybe_unused]] LogicalResult Known =
      Buffer.getStridesAndOffset(Strides, Offset);
  assert(succeeded(Known) && "buffers have strides");
  return Strides[0];
}

bool belay::ascend::isView(Type Type) {
  auto MemRef = dyn_cast<MemRefType>(Type);
  return MemRef && MemRef.getRank() >= 1 && MemRef.getRank() <= MaxViewRank &&
         isInSpace(Type, MemorySpace::GM);
}

bool belay::ascend::isBuffer(Type Type) {
  auto MemRef = dyn_cast<MemRefType>(Type);
  std::optional<MemorySpace> Space =
      MemRef ? getSpace(MemRef) : std::optional<MemorySpace>();
  return Space && *Space != MemorySpace::GM && MemRef.hasStaticShape() &&
         getBufferBytes(MemRef);
}

std::optional<int64_t> belay::ascend::getBufferSpan(MemRefType Buffer) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  if (failed(Buffer.getStridesAndOffset(Strides, Offset)))
    return std::nullopt;
  int64_t Last = 0;
  for (auto [Size, Stride] : llvm::zip_equal(Buffer.getShape(), Strides)) {
    std::optional<int64_t> Reach = llvm::checkedMul(Size, Stride);
    if (ShapedType::isDynamic(Size) || ShapedType::isDynamic(Stride) || !Reach)
      return std::nullopt;
    Last = std::max(Last, *Reach);
  }
  return Last;
}

std::optional<int64_t> belay::ascend::getBufferBytes(MemRefType Buffer) {
  // What a buffer takes is a multiple of this: a repeat of the vector unit.
  constexpr int64_t RepeatBytes = 256;
  std::optional<int64_t> Span = getBufferSpan(Buffer);
  if (!Span || *Span > MaxBufferBytes)
    return std::nullopt;
  int64_t Bits = *Span * Buffer.getElementTypeBitWidth();
  int64_t Bytes = llvm::alignTo(llvm::divideCeil(Bits, 8), RepeatBytes);
  return Bytes <= MaxBufferBytes ? std::optional(Bytes) : std::nullopt;
}

CapacityAttr belay::ascend::getCapacity(RankedTensorType Tile) {
  if (auto Capacity = dyn_cast_or_null<CapacityAttr>(Tile.getEncoding()))
    return Capacity;
  return CapacityAttr::get(Tile.getContext(), Tile.getDimSize(0),
                           Tile.getDimSize(1));
}

RankedTensorType belay::ascend::getTileType(Type Element,
                                            ArrayRef<int64_t> Extents,
                                            ArrayRef<int64_t> Capacity) {
  Attribute Encoding;
  if (ShapedType::isDynamicShape(Extents))
    Encoding =
        CapacityAttr::get(Element.getContext(), Capacity[0], Capacity[1]);
  return RankedTensorType::get(Extents, Element, Encoding);
}

//===----------------------------------------------------------------------===//
// Capacity
//===----------------------------------------------------------------------===//

Attribute CapacityAttr::parse(AsmParser &Parser, Type) {
  SmallVector<int64_t> Shape;
  SMLoc Loc = Parser.getCurrentLocation();
  if (Parser.parseLess() ||
      Parser.parseDimensionList(Shape, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      Parser.parseGreater())
    return {};
  if (Shape.size() != 2) {
    Parser.emitError(Loc, "a capacity has rows and columns");
    return {};
  }
  return Parser.getChecked<CapacityAttr>(Loc, Parser.getContext(), Shape[0],
                                         Shape[1]);
}

void CapacityAttr::print(AsmPrinter &Printer) const {
  Printer << "<" << getRows() << "x" << getCols() << ">";
}

LogicalResult
CapacityAttr::verify(llvm::function_ref<InFlightDiagnostic()> EmitError,
                     int64_t Rows, int64_t Cols) {
  if (Rows < 1 || Cols < 1)
    return EmitError() << "a capacity is at least 1x1";
  if (!isPossibleTile(Rows, Cols))
    return EmitError() << "a capacity of " << Rows << "x" << Cols
                       << " is more than " << MaxTileElements << " elements";
  return success();
}

LogicalResult CapacityAttr::verifyEncoding(
    ArrayRef<int64_t> Shape, Type,
    llvm::function_ref<InFlightDiagnostic()> EmitError) const {
  if (Shape.size() != 2)
    return EmitError() << "a tile has rank 2";
  if (!ShapedType::isDynamicShape(Shape))
    return EmitError() << "a tile with static extents needs no capacity";
  const int64_t Capacity[] = {getRows(), getCols()};
  for (auto [Extent, Most] : llvm::zip_equal(Shape, Capacity))
    if (!ShapedType::isDynamic(Extent) && Extent != Most)
      return EmitError() << "a static extent is its own capacity, but "
                         << Extent << " is not " << Most;
  return success();
}

//===----------------------------------------------------------------------===//
// Targets and cores
//===----------------------------------------------------------------------===//

LogicalResult
TargetAttr::verify(llvm::function_ref<InFlightDiagnostic()> EmitError,
                   StringRef Soc) {
  if (!targets::findSoc(Soc))
    return EmitError() << "there is no SoC '" << Soc << "'";
  return success();
}

CoresAttr CoresAttr::all(MLIRContext *Context) {
  return get(Context, /*one=*/false, {});
}

CoresAttr CoresAttr::alone(MLIRContext *Context) {
  return get(Context, /*one=*/true, {});
}

CoresAttr CoresAttr::aloneUnless(MLIRContext *Context,
                                 ArrayRef<Extent> Extents) {
  SmallVector<int64_t> Flat;
  for (const Extent &E : Extents)
    Flat.append({E.Argument, E.Dim, E.Of});
  return get(Context, /*one=*/!Flat.empty(), Flat);
}

SmallVector<CoresAttr::Extent> CoresAttr::getExtents() const {
  SmallVector<Extent> Result;
  ArrayRef<int64_t> Flat = getUnless();
  for (; !Flat.empty(); Flat = Flat.drop_front(3))
    Result.push_back({unsigned(Flat[0]), unsigned(Flat[1]), Flat[2]});
  return Result;
}

/// all, one, or one unless [argument, dimension, divisor], [...]
Attribute CoresAttr::parse(AsmParser &Parser, Type) {
  StringRef Word;
  SmallVector<int64_t> Flat;
  SMLoc Loc = Parser.getCurrentLocation();
  if (Parser.parseLess() || Parser.parseKeyword(&Word))
    return {};
  if (Word != "all" && Word != "one") {
    Parser.emitError(Loc, "cores are 'all' or 'one'");
    return {};
  }
  auto ParseExtent = [&] {
    return Parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return Parser.parseInteger(Flat.emplace_back());
    });
  };
  if (Word == "one" && succeeded(Parser.parseOptionalKeyword("unless")) &&
      Parser.parseCommaSeparatedList(ParseExtent))
    return {};
  if (Parser.parseGreater())
    return {};
  return Parser.getChecked<CoresAttr>(Loc, Parser.getContext(), Word == "one",
                                      Flat);
}

void CoresAttr::print(AsmPrinter &Printer) const {
  Printer << "<" << (getOne() ? "one" : "all");
  if (!getUnless().empty())
    Printer << " unless ";
  llvm::interleaveComma(getExtents(), Printer, [&](const Extent &E) {
    Printer << "[" << E.Argument << ", " << E.Dim << ", " << E.Of << "]";
  });
  Printer << ">";
}

LogicalResult
CoresAttr::verify(llvm::function_ref<InFlightDiagnostic()> EmitError, bool One,
                  ArrayRef<int64_t> Unless) {
  if ((!One && !Unless.empty()) || Unless.size() % 3)
    return EmitError() << "an extent is an argument, a dimension and a divisor";
  for (; !Unless.empty(); Unless = Unless.drop_front(3))
    if (Unless[0] < 0 || Unless[1] < 0 || Unless[2] < 1)
      return EmitError() << "an extent has a divisor of at least 1";
  return success();
}

CoresAttr belay::ascend::getCores(Operation *Kernel) {
  return Kernel->getAttrOfType<CoresAttr>(AscendDialect::CoresAttrName);
}

bool belay::ascend::worksAlone(Operation *Op) {
  auto Kernel = dyn_cast<func::FuncOp>(Op);
  if (!Kernel)
    Kernel = Op->getParentOfType<func::FuncOp>();
  CoresAttr Cores = Kernel ? getCores(Kernel) : CoresAttr();
  return Cores && Cores.isAlways();
}

Operation *AscendDialect::materializeConstant(OpBuilder &Builder,
                                              Attribute Value, Type Type,
                                              Location Loc) {
  return arith::ConstantOp::materialize(Builder, Value, Type, Loc);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The extents that a decision names are those of arguments, and left open.
static LogicalResult verifyCores(Operation *Op, Attribute Value) {
  auto Kernel = dyn_cast<func::FuncOp>(Op);
  auto Cores = dyn_cast<CoresAttr>(Value);
  if (!Kernel || !Cores)
    return Op->emitError() << "'" << AscendDialect::CoresAttrName
                           << "' is an #ascend.cores of a func.func";
  for (const CoresAttr::Extent &E : Cores.getExtents()) {
    bool Named =
        E.Argument < Kernel.getNumArguments() &&
        isView(Kernel.getArgumentTypes()[E.Argument]) &&
        E.Dim <
            cast<MemRefType>(Kernel.getArgumentTypes()[E.Argument]).getRank();
    if (!Named)
      return Op->emitError()
             << "'" << AscendDialect::CoresAttrName << "' names extent "
             << E.Dim << " of argument " << E.Argument << ", which is none";
  }
  return success();
}

LogicalResult AscendDialect::verifyOperationAttribute(Operation *Op,
                                                      NamedAttribute Attr) {
  if (Attr.getName() == OriginAttrName && isa<IntegerAttr>(Attr.getValue()))
    return success();
  if (Attr.getName() == CoresAttrName)
    return verifyCores(Op, Attr.getValue());
  if (Attr.getName() == KernelCoreAttrName) {
    auto Core = dyn_cast<StringAttr>(Attr.getValue());
    if (isa<func::FuncOp>(Op) && Core &&
        (Core.getValue() == CubeCores || Core.getValue() == BothCores))
      return success();
    return Op->emitError() << "'" << KernelCoreAttrName
                           << "' of a func.func is " << CubeCores << " or "
                           << BothCores;
  }
  if (Attr.getName() == TargetAttrName) {
    if (isa<ModuleOp>(Op) && isa<TargetAttr>(Attr.getValue()))
      return success();
    return Op->emitError() << "'" << TargetAttrName
                           << "' is an #ascend.target of a module";
  }
  if (Attr.getName() != KernelAttr)
    return Op->emitError() << "no operation has the attribute "
                           << Attr.getName();
  auto Kernel = dyn_cast<func::FuncOp>(Op);
  if (!Kernel || !isa<UnitAttr>(Attr.getValue()))
    return Op->emitError() << "'" << KernelAttr << "' marks a func.func";
  if (Kernel.getNumResults())
    return Op->emitError() << "a kernel returns nothing";
  for (auto [I, Type] : llvm::enumerate(Kernel.getArgumentTypes())) {
    bool HasRole =
        isa_and_nonnull<RoleAttr>(Kernel.getArgAttr(I, RoleAttrName));
    if (isView(Type) ? !HasRole : !Type.isIntOrIndexOrFloat())
      return Op->emitError()
             << "argument " << I << " of a kernel is a view with an '"
             << RoleAttrName << "', or a scalar";
  }
  return success();
}

#define GET_OP_CLASSES
#include "dialect/AscendOps.cpp.inc"

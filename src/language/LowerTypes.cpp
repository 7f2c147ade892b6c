//===- LowerTypes.cpp - C++ types of kernels ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Elements.h"
#include "language/Annotations.h"
#include "language/Lowering.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace belay;
using namespace belay::language;
using clang::BuiltinType;
using clang::QualType;
using clang::SourceLocation;
using llvm::SmallVector;
using llvm::StringRef;
using support::DiagId;

/// i64 is an index: what addresses memory is never narrower.
mlir::Type Lowering::scalarType(QualType Type, SourceLocation Where) {
  Type = Type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (Type->isIntegerType() && !Type->isBooleanType() &&
      AST.getTypeSize(Type) == 64)
    return Builder.getIndexType();
  return elementType(Type, Where);
}

mlir::Type Lowering::elementType(QualType Type, SourceLocation Where) {
  Type = Type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  StringRef Ours = getOurClass(Type);
  if (element_types::id Class = ascend::elementNamed(Ours);
      Class != element_types::id::none)
    return ascend::typeOfElement(Builder.getContext(), Class);
  if (Type->isBooleanType())
    return Builder.getI1Type();
  if (Type->isSpecificBuiltinType(BuiltinType::Float))
    return Builder.getF32Type();
  if (Type->isSignedIntegerType())
    return Builder.getIntegerType(AST.getTypeSize(Type));
  Report.error(Where, DiagId::NotInKernels,
               "%0 has no place in a kernel; it has float, half, bfloat16, "
               "bool, i8 to i64, views and tiles")
      << Type;
  return {};
}

mlir::MemRefType Lowering::viewType(QualType Type, SourceLocation Where) {
  auto Args = getTemplateArgs(Type); // role, element, extents
  mlir::Type Element = elementType(Args[1].getAsType(), Where);
  if (!Element)
    return {};
  SmallVector<int64_t> Shape;
  std::optional<int64_t> Elements = 1;
  for (const clang::TemplateArgument &Arg : llvm::drop_begin(Args, 2)) {
    int64_t Extent = Arg.getAsIntegral().getExtValue();
    Shape.push_back(Extent < 0 ? mlir::ShapedType::kDynamic : Extent);
    if (Extent >= 0 && Elements)
      Elements = llvm::checkedMul(*Elements, Extent);
  }
  if (!Elements || *Elements > ascend::MaxViewElements) {
    Report.error(Where, DiagId::BadExtent,
                 "a view has at most 2^40 elements; the extents of this one "
                 "have more");
    return {};
  }
  return mlir::MemRefType::get(
      Shape, Element, mlir::MemRefLayoutAttrInterface(),
      ascend::MemorySpaceAttr::get(Builder.getContext(),
                                   ascend::MemorySpace::GM));
}

/// No memory of a core has as much as the dialect's largest tile; what is
/// larger would not even have a size in 64 bits.
bool Lowering::hasPossibleSize(QualType Type, SourceLocation Where) {
  if (getOurClass(Type) != "Tile")
    return true;
  SmallVector<int64_t, 2> Capacity = capacityOf(Type);
  if (Capacity.size() != 2 || ascend::isPossibleTile(Capacity[0], Capacity[1]))
    return true;
  Report.error(Where, DiagId::TileCapacity,
               "a tile of %0 rows and %1 columns is larger than any memory of "
               "a core; divide the work into smaller tiles")
      << static_cast<long long>(Capacity[0])
      << static_cast<long long>(Capacity[1]);
  return false;
}

SmallVector<int64_t, 2> Lowering::capacityOf(QualType Type) {
  SmallVector<int64_t, 2> Capacity;
  for (const clang::TemplateArgument &Arg : getTemplateArgs(Type))
    if (Arg.getKind() == clang::TemplateArgument::Integral)
      Capacity.push_back(Arg.getAsIntegral().getExtValue());
  return Capacity;
}

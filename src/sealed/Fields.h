//===- Fields.h - The fields of a structure, one by one ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structures of src/abi are plain aggregates, so that one rule for each
// type of field is enough to write, read and check all of them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_FIELDS_H
#define BELAY_SEALED_FIELDS_H

#include "abi/Functions.h"

#include <cstring>
#include <type_traits>

namespace belay::sim::sealed {

/// Calls Visit with each field.
template <typename T, typename Fn> void forEachField(T &Value, Fn Visit) {
  auto &[... Field] = Value;
  // The analyzer does not follow packs of bindings.
  (Visit(Field), ...); // NOLINT(clang-analyzer-core.CallAndMessage)
}

/// The last enumerator, where they start at 0 and have no gaps.
template <typename E> inline constexpr E LastOf = E::NotListed;
template <>
inline constexpr Elem LastOf<Elem> = [] {
  Elem Last{};
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump) Last = Elem::Id;
#include "belay/elements.def"
  return Last;
}();
template <>
inline constexpr UnaryOp LastOf<UnaryOp> = [] {
  UnaryOp Last{};
#define BELAY_UNARY(Name) Last = UnaryOp::Name;
#include "abi/Ops.def"
  return Last;
}();
template <>
inline constexpr BinaryOp LastOf<BinaryOp> = [] {
  BinaryOp Last{};
#define BELAY_BINARY(Name) Last = BinaryOp::Name;
#include "abi/Ops.def"
  return Last;
}();
template <>
inline constexpr ScalarOp LastOf<ScalarOp> = [] {
  ScalarOp Last{};
#define BELAY_SCALAR(Name) Last = ScalarOp::Name;
#include "abi/Ops.def"
  return Last;
}();
template <>
inline constexpr MathOp LastOf<MathOp> = [] {
  MathOp Last{};
#define BELAY_MATH(Name, Sources, Types, NewTypes) Last = MathOp::Name;
#include "abi/Math.def"
  return Last;
}();
template <>
inline constexpr RegisterOp LastOf<RegisterOp> = [] {
  RegisterOp Last{};
#define BELAY_REGISTER_OP(Name) Last = RegisterOp::Name;
#include "abi/RegisterOps.def"
  return Last;
}();
#define BELAY_LAST(Enum, Enumerator)                                           \
  template <> inline constexpr Enum LastOf<Enum> = Enum::Enumerator;
BELAY_LAST(WarpOp, ReduceMin)
BELAY_LAST(ThreadAtomic, Compare)
BELAY_LAST(ThreadEvent, Inactive)
BELAY_LAST(Space, FB) // Host is an answer, not a memory
BELAY_LAST(Pipe, All)
BELAY_LAST(CoreKind, Coupled)
BELAY_LAST(MaskMode, Register)
BELAY_LAST(ReduceOp, Min)
BELAY_LAST(CompareOp, NE)
BELAY_LAST(Rounding, Odd)
BELAY_LAST(AtomicOp, Min)
BELAY_LAST(SelectMode, Tensor)
BELAY_LAST(Second, ScalarFirst)
BELAY_LAST(GlobalAtomic, Compare)
BELAY_LAST(PrintArg::Kind, Pointer)
BELAY_LAST(QuantMode, QuantF32ToF32)
BELAY_LAST(OutLayout, DN)
BELAY_LAST(DequantMode, B16)
BELAY_LAST(CubeRegister, ClipRelu)
BELAY_LAST(MatrixFormat, ColumnMajor)
BELAY_LAST(BatchLayout, Normal)
BELAY_LAST(MatmulState::Quant, Vector)
BELAY_LAST(MatmulState::Triangle, Lower)
BELAY_LAST(ReduceUnit, Pair)
BELAY_LAST(ReduceResult, Index)
BELAY_LAST(ReduceRegister, Index)
BELAY_LAST(ProposalOp, Extract)
BELAY_LAST(LayoutChange, Other)
BELAY_LAST(SoftmaxOp, SoftmaxFlashV3)
BELAY_LAST(NormOp, Normalize)
BELAY_LAST(FoldOp, All)
BELAY_LAST(QuantPolicy, Group)
BELAY_LAST(QuantOp, AntiQuant)
BELAY_LAST(TransposeKind, NdToNd210)
BELAY_LAST(BufferState, DeQueued)
BELAY_LAST(LoadForm, MaskDownsample)
BELAY_LAST(StoreForm, MaskUnaligned)
BELAY_LAST(MemoryPort, ScalarAll)
#undef BELAY_LAST

/// Whether the bytes of a bool or an enumeration are one of its values. They
/// must not be read as such before.
template <typename T> bool hasValue(const T &Field) {
  std::conditional_t<sizeof(T) == 1, uint8_t, uint32_t> Bits;
  static_assert(sizeof(Bits) == sizeof(T));
  std::memcpy(&Bits, &Field, sizeof(T));
  if constexpr (std::is_same_v<T, bool>)
    return Bits <= 1;
  else if constexpr (std::is_same_v<T, TransposeKind>)
    return (Bits >= static_cast<uint8_t>(TransposeKind::NzToNd0213) &&
            Bits <= static_cast<uint8_t>(TransposeKind::NdToNd)) ||
           (Bits >= static_cast<uint8_t>(TransposeKind::NdToNd021) &&
            Bits <= static_cast<uint8_t>(TransposeKind::NdToNd210));
  else
    return Bits <= static_cast<decltype(Bits)>(LastOf<T>);
}

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_FIELDS_H

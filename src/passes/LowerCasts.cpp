//===- LowerCasts.cpp - Conversions, in the steps that a part has ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// targets/Casts.def says which conversions an architecture has, and how each
// rounds. Any other is made of several of them. A way counts if it rounds once:
//
//  - types on the way hold every value of the first, or
//  - the last is an integer, the fraction is gone, and types on the way hold
//    every value of the last: what is outside of it stays there, and ends at
//    the edge, because each step saturates and keeps the order; or
//  - it leads from an integer through float to half or bfloat16. Integers that
//    a float rounds are too large for half; bfloat16 is defined that way.
//
// arith.fptosi and arith.trunci saturate on tiles: `cast` of the language says
// so, and so does the hardware.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "dialect/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;
using belay::targets::Element;

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

namespace {
struct Form {
  uint32_t Arch;
  Element From, To;
  unsigned Modes; ///< A bit for each rounding mode.
};

struct Step {
  Element To;
  Round Mode;
};
} // namespace

static constexpr unsigned bit(Round Mode) {
  return 1u << static_cast<unsigned>(Mode);
}

static constexpr Form Forms[] = {
#define BELAY_CAST(Arch, From, To, Modes)                                      \
  {Arch, Element::From, Element::To, [] {                                      \
     [[maybe_unused]] constexpr unsigned N = bit(Round::None),                 \
                                         R = bit(Round::Rint),                 \
                                         F = bit(Round::Floor),                \
                                         C = bit(Round::Ceil),                 \
                                         A = bit(Round::Round),                \
                                         T = bit(Round::Trunc), O = 0;         \
     return Modes;                                                             \
   }()},
#include "targets/Casts.def"
};

/// Bits of whole numbers that are held exactly, with the sign.
static unsigned wholeBits(Element Element) {
  switch (Element) {
#define BELAY_ELEMENT_FLOAT(Id, Exponent, Mantissa, Infinities, Semantics)     \
  case Element::Id:                                                            \
    return Mantissa + 2;
#include "targets/Elements.def"
  default:
    return element_types::of(targets::idOf(Element)).bits;
  }
}

static bool isInteger(Element Element) {
  return element_types::of(targets::idOf(Element)).what ==
         element_types::kind::Signed;
}

/// Whether tiles can have it.
static bool isOfLanguage(Element Element) {
  return !languageNameOf(targets::idOf(Element)).empty();
}

/// Whether every value of Values is one of Holder.
static bool holds(Element Holder, Element Values) {
  if (isInteger(Values))
    return wholeBits(Holder) >= wholeBits(Values);
  return Holder == Values || Holder == Element::F32;
}

//===----------------------------------------------------------------------===//
// Finding a way
//===----------------------------------------------------------------------===//

namespace {
class Way {
public:
  Way(uint32_t Arch, Element From, Element To, Round Mode)
      : Arch(Arch), From(From), To(To), Mode(Mode) {}

  /// The shortest one; empty if there is none.
  SmallVector<Step> find() {
    for (unsigned Most = 1; Most <= 4; ++Most)
      if (extend(From, isInteger(From), Most))
        return Steps;
    return {};
  }

private:
  /// The rounding to write for a step, if there is one that will do.
  std::optional<Round> modeFor(const Form &Form, bool IsIntegral) const {
    // int32_t to half multiplies by what SetDeqScale left.
    if (Form.From == Element::S32 && Form.To == Element::F16)
      return std::nullopt;
    auto Has = [&](Round Mode) { return Form.Modes & bit(Mode); };
    if (!IsIntegral && (isInteger(Form.To) || !holds(Form.To, Form.From))) {
      if (Has(Mode))
        return Mode;
      // None is the nearest where something is lost.
      return Mode == Round::Rint && Has(Round::None)
                 ? std::optional(Round::None)
                 : std::nullopt;
    }
    bool Exact = holds(Form.To, Form.From);
    for (Round Any : {Exact ? Round::None : Round::Rint,
                      Exact ? Round::Rint : Round::None, Round::Trunc})
      if (Has(Any))
        return Any;
    return std::nullopt;
  }

  bool mayPass(Element Through, bool IsIntegral) const {
    if (Through == To || holds(Through, From))
      return true;
    if (isInteger(To))
      return IsIntegral && holds(Through, To);
    return isInteger(From) && Through == Element::F32;
  }

  bool extend(Element At, bool IsIntegral, unsigned Most) {
    for (const Form &Form : Forms) {
      if (Form.Arch != Arch || Form.From != At || !isOfLanguage(Form.To) ||
          (Most == 1) != (Form.To == To))
        continue;
      std::optional<Round> Written = modeFor(Form, IsIntegral);
      bool NowIntegral = IsIntegral || isInteger(Form.To);
      if (!Written || !mayPass(Form.To, NowIntegral))
        continue;
      Steps.push_back({Form.To, *Written});
      if (Most == 1 || extend(Form.To, NowIntegral, Most - 1))
        return true;
      Steps.pop_back();
    }
    return false;
  }

  uint32_t Arch;
  Element From, To;
  Round Mode;
  SmallVector<Step> Steps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// How an operation rounds, and what: integers are rounded by the operation
/// that fptosi takes its operand from.
static std::pair<Value, Round> roundedBy(Operation &Op) {
  Value From = Op.getOperand(0);
  if (!isa<arith::FPToSIOp>(Op))
    return {From, Round::Rint};
  if (auto Even = From.getDefiningOp<math::RoundEvenOp>())
    return {Even.getOperand(), Round::Rint};
  if (auto Away = From.getDefiningOp<math::RoundOp>())
    return {Away.getOperand(), Round::Round};
  if (auto Floor = From.getDefiningOp<math::FloorOp>())
    return {Floor.getOperand(), Round::Floor};
  if (auto Ceil = From.getDefiningOp<math::CeilOp>())
    return {Ceil.getOperand(), Round::Ceil};
  if (auto Trunc = From.getDefiningOp<math::TruncOp>())
    return {Trunc.getOperand(), Round::Trunc};
  return {From, Round::Trunc};
}

bool belay::passes::isRoundedByCast(Operation &Op) {
  return isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
             math::TruncOp>(Op) &&
         !Op.use_empty() &&
         llvm::all_of(Op.getUsers(), llvm::IsaPred<arith::FPToSIOp>);
}

LogicalResult TileLowering::lowerCast(Operation &Op) {
  auto [From, Mode] = roundedBy(Op);
  auto To = cast<RankedTensorType>(Op.getResult(0).getType());
  Type Have = cast<RankedTensorType>(From.getType()).getElementType();
  std::optional<Element> First = targetElementOf(Have),
                         Last = targetElementOf(To.getElementType());
  SmallVector<Step> Steps;
  if (First && Last)
    Steps = Way(Arch.number, *First, *Last, Mode).find();
  if (Steps.empty())
    return Op.emitError() << "the vector unit of " << Arch.name
                          << " has no conversion from " << Have << " to "
                          << To.getElementType()
                          << ", and no way around that rounds once";
  Value Src = bufferOf(From);
  Tile Tile = tileOf(From);
  Tile.Splat = {};
  Tile.Type = To;
  Value Count = countOf(Op.getLoc(), Tile);
  for (const Step &Step : ArrayRef(Steps).drop_back()) {
    Value Between =
        makeBuffer(unnamed(Op.getLoc()),
                   bufferTypeFor(cast<RankedTensorType>(To.clone(typeOfElement(
                       Builder.getContext(), targets::idOf(Step.To))))));
    VecCastOp::create(Builder, Op.getLoc(), Step.Mode, Src, Between, Count);
    Src = Between;
  }
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecCastOp::create(Builder, Op.getLoc(), Steps.back().Mode, Src, Tile.Buffer,
                    Count);
  setTile(Op.getResult(0), Tile);
  return success();
}

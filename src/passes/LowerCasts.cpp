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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

namespace {
/// Those of the language come first.
enum class Kind : uint8_t {
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F32, //
  S4,
  U8,
  U16,
  U32,
  F64,
  F8E5M2,
  F8E4M3,
};

struct Form {
  uint32_t Arch;
  Kind From, To;
  unsigned Modes; ///< A bit for each rounding mode.
};

struct Step {
  Kind To;
  Round Mode;
};
} // namespace

static constexpr unsigned bit(Round Mode) {
  return 1u << static_cast<unsigned>(Mode);
}

static constexpr Form Forms[] = {
#define BELAY_CAST(Arch, From, To, Modes)                                      \
  {Arch, Kind::From, Kind::To, [] {                                            \
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

static std::optional<Kind> kindOf(Type Element) {
  if (Element.isF16())
    return Kind::F16;
  if (Element.isBF16())
    return Kind::BF16;
  if (Element.isF32())
    return Kind::F32;
  if (Element.isInteger(8))
    return Kind::S8;
  if (Element.isInteger(16))
    return Kind::S16;
  if (Element.isInteger(32))
    return Kind::S32;
  if (Element.isInteger(64))
    return Kind::S64;
  return std::nullopt;
}

static Type typeOf(OpBuilder &B, Kind Kind) {
  switch (Kind) {
  case Kind::F16:
    return B.getF16Type();
  case Kind::BF16:
    return B.getBF16Type();
  case Kind::F32:
    return B.getF32Type();
  case Kind::S8:
    return B.getI8Type();
  case Kind::S16:
    return B.getI16Type();
  case Kind::S32:
    return B.getI32Type();
  case Kind::S64:
    return B.getI64Type();
  default:
    llvm_unreachable("no element of the language");
  }
}

/// Bits of whole numbers that are held exactly, with the sign.
static unsigned wholeBits(Kind Kind) {
  switch (Kind) {
  case Kind::S8:
    return 8;
  case Kind::BF16:
    return 9;
  case Kind::F16:
    return 12;
  case Kind::S16:
    return 16;
  case Kind::F32:
    return 25;
  case Kind::S32:
    return 32;
  default:
    return 64;
  }
}

static bool isInteger(Kind Kind) { return Kind <= Kind::S64; }

/// Whether every value of Values is one of Holder.
static bool holds(Kind Holder, Kind Values) {
  if (isInteger(Values))
    return wholeBits(Holder) >= wholeBits(Values);
  return Holder == Values || Holder == Kind::F32;
}

//===----------------------------------------------------------------------===//
// Finding a way
//===----------------------------------------------------------------------===//

namespace {
class Way {
public:
  Way(uint32_t Arch, Kind From, Kind To, Round Mode)
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
    if (Form.From == Kind::S32 && Form.To == Kind::F16)
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

  bool mayPass(Kind Through, bool IsIntegral) const {
    if (Through == To || holds(Through, From))
      return true;
    if (isInteger(To))
      return IsIntegral && holds(Through, To);
    return isInteger(From) && Through == Kind::F32;
  }

  bool extend(Kind At, bool IsIntegral, unsigned Most) {
    for (const Form &Form : Forms) {
      if (Form.Arch != Arch || Form.From != At || Form.To > Kind::F32 ||
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
  Kind From, To;
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
  std::optional<Kind> First = kindOf(Have), Last = kindOf(To.getElementType());
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
    Value Between = makeBuffer(unnamed(Op.getLoc()),
                               bufferTypeFor(cast<RankedTensorType>(
                                   To.clone(typeOf(Builder, Step.To)))));
    VecCastOp::create(Builder, Op.getLoc(), Step.Mode, Src, Between, Count);
    Src = Between;
  }
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecCastOp::create(Builder, Op.getLoc(), Steps.back().Mode, Src, Tile.Buffer,
                    Count);
  setTile(Op.getResult(0), Tile);
  return success();
}

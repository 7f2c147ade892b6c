//===- Operands.cpp - Which bytes an instruction touches ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Reduce.h"
#include "check/Runtime.h"
#include <bit>

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;
using sim::Space;
namespace wording = sim::wording;

static constexpr int64_t BlockBytes = 32, RepeatBytes = 256;

static Elem elemOf(const Value &V) {
  std::optional<int64_t> C = V.constant();
  return C ? static_cast<Elem>(*C) : Elem::U8;
}

static int64_t sizeOf(Elem T) { return sim::bytesOf(T); }

Event Runtime::makeEvent(Pipe On, EventKind Kind) {
  Event E;
  E.Kind = Kind;
  E.Name = I.apiName();
  E.On = On;
  E.At = I.here();
  return E;
}

void Runtime::operandLost(const Event &E) {
  for (Topic T : {Topic::Sync, Topic::Bounds, Topic::Values, Topic::Queues})
    Kernel.unknown(T, E.At, "an operand of " + E.Name + " is not followed");
  // What computes, computes in the memories of its own core.
  if (E.On != Pipe::V && E.On != Pipe::M)
    Kernel.unknown(Topic::Cores, E.At,
                   "an operand of " + E.Name + " is not followed");
}

/// An operand at an address, with the tensor that the newest note names.
std::optional<Operand> Runtime::operand(const Value &Address, bool Write) {
  if (!Address.isAddress())
    return std::nullopt;
  Operand O;
  O.In = Address.Id;
  O.Begin = Address.N;
  O.Write = Write;
  O.Atomic = Atomic && Write && Regions[O.In].Where == Space::GM;
  for (const Note &N : reverse(Notes))
    if (N.Address.isAddress() && N.Address.Id == O.In &&
        N.Address.N == O.Begin) {
      // An intrinsic takes a pointer, and says nothing about its tensor: what
      // was said before the buffer changed hands is about another one.
      if (auto At = Buffers.find(N.Buffer);
          At != Buffers.end() && N.When < At->second.Changed)
        break;
      O.TensorBytes = N.Bytes;
      O.Buffer = N.Buffer;
      O.Generation = N.Generation;
      break;
    }
  return O;
}

void Runtime::addBytes(Event &E, const Value &Address, bool Write, Elem T,
                       Number Span, Number Certain) {
  if (Address.What == Value::Kind::Null || Address.isPointer())
    return; // left out, or a variable of the kernel's own
  std::optional<Operand> O = operand(Address, Write);
  if (!O)
    return operandLost(E);
  O->Type = T;
  if (Regions[O->In].Where != Space::GM)
    for (const Number::Term &Each : Span.terms())
      if (Each.Of.size() > 1 && Each.Factor > 0) // more than what is left
        LocalProducts.insert({Each.Of.begin(), Each.Of.end()});
  O->Span = std::move(Span);
  O->Certain = std::move(Certain);
  E.Operands.push_back(std::move(*O));
}

/// At most so many bytes, of which only the first is certain.
void Runtime::addAtMost(Event &E, const Value &Address, bool Write, Elem T,
                        int64_t Bytes) {
  size_t Before = E.Operands.size();
  addBytes(E, Address, Write, T, Number(Bytes),
           Number(std::min<int64_t>(Bytes, 1)));
  if (E.Operands.size() > Before)
    E.Operands.back().Size = Operand::Extent::AtMost;
}

/// As much as the tensor has, of which only the first byte is certain.
void Runtime::addWhole(Event &E, const Value &Address, bool Write, Elem T) {
  if (Address.What == Value::Kind::Null || Address.isPointer())
    return;
  std::optional<Operand> O = operand(Address, Write);
  if (!O)
    return operandLost(E);
  O->Type = T;
  O->Size = Operand::Extent::Believed;
  O->Certain = Number(1);
  const Region &R = Regions[O->In];
  if (O->TensorBytes)
    O->Span = *O->TensorBytes;
  else if (R.Sized)
    O->Span = R.Bytes - O->Begin;
  else {
    O->Span = Number(BlockBytes);
    for (Topic Each : {Topic::Sync, Topic::Cores})
      Kernel.unknown(Each, E.At,
                     "how much " + E.Name + " touches is not followed");
  }
  E.Operands.push_back(std::move(*O));
}

/// How many lanes of a repeat take part, at most; nothing if it is not known.
static std::optional<Number> lanesOf(const Number &Low, const Number &High) {
  if (!Low.isConstant() || !High.isConstant())
    return std::nullopt;
  auto L = static_cast<uint64_t>(Low.constant()),
       H = static_cast<uint64_t>(High.constant());
  return Number(H ? 128 - std::countl_zero(H) : 64 - std::countl_zero(L));
}

void Runtime::addByWalk(Event &E, const Value &Address, bool Write, Elem T,
                        PathId Walk, unsigned Index, unsigned Widest) {
  Value Mode = I.member(Walk, "Mode");
  Value Masks = I.member(Walk, "Mask");
  auto MaskAt = [&](unsigned N) -> std::optional<Number> {
    if (!Masks.isPointer())
      return std::nullopt;
    const Value *V = I.store().find(I.store().element(Masks.Id, N));
    return V && V->isNumber() ? std::optional(V->N) : std::nullopt;
  };
  auto How = static_cast<sim::MaskMode>(Mode.constant().value_or(0));
  std::optional<Number> Elements, Lanes;
  Value Repeat = I.member(Walk, "Repeat");
  if (How == sim::MaskMode::Count)
    Elements = MaskAt(0);
  else if (Counter)
    Elements = How == sim::MaskMode::Register ? MaskLow : MaskAt(0);
  else if (How == sim::MaskMode::Lanes)
    Lanes = MaskAt(0);
  else if (How == sim::MaskMode::Register) {
    if (MaskLow && MaskHigh)
      Lanes = lanesOf(*MaskLow, *MaskHigh);
  } else if (MaskAt(0) && MaskAt(1))
    Lanes = lanesOf(*MaskAt(0), *MaskAt(1));
  Value Operands = I.member(Walk, "Operand");
  std::optional<int64_t> Block, Step;
  if (Operands.isPointer()) {
    PathId Strides = I.store().element(Operands.Id, Index);
    Block = I.member(Strides, "Block").constant();
    Step = I.member(Strides, "Repeat").constant();
  }
  if (Elements) {
    // A counter counts elements, which strides take apart all the same.
    bool SideBySide =
        How == sim::MaskMode::Count ||
        (Block == 1 && Step && *Step * 32 * Widest == 256 * int64_t(sizeOf(T)));
    std::optional<Number> Bytes = Number::multiply(*Elements, sizeOf(T));
    if (SideBySide && Bytes)
      return addBytes(E, Address, Write, T, *Bytes, *Bytes);
    return addWhole(E, Address, Write, T);
  }
  if (!Lanes || !Repeat.isNumber() || !Operands.isPointer())
    return addWhole(E, Address, Write, T);
  if (!Block || !Step)
    return addWhole(E, Address, Write, T);
  if (Lanes->isConstant() && Lanes->constant() > RepeatBytes / Widest)
    Lanes = Number(RepeatBytes / Widest);
  // One repeat: whole blocks a stride apart, and what the last one holds.
  std::optional<Number> One = Number::multiply(*Lanes, sizeOf(T));
  if (!One)
    return addWhole(E, Address, Write, T);
  bool Gaps = *Block != 1;
  if (Gaps && One->isConstant()) {
    int64_t Blocks = (One->constant() + BlockBytes - 1) / BlockBytes;
    int64_t Last = One->constant() - (Blocks - 1) * BlockBytes;
    One = Number((Blocks - 1) * *Block * BlockBytes + Last);
  }
  std::optional<Number> More =
      Number::multiply(Repeat.N - Number(1), *Step * BlockBytes);
  if (!More)
    return addWhole(E, Address, Write, T);
  Number Span = *More + *One;
  bool Tight =
      !Gaps && One->isConstant() && One->constant() == *Step * BlockBytes;
  Number Certain = Gaps ? Number(std::min<int64_t>(BlockBytes, 32))
                   : Tight || Repeat.constant() == 1 ? Span
                                                     : *One;
  addBytes(E, Address, Write, T, Span, Certain);
}

/// Masks and repeats that the instruction does not have.
void Runtime::checkWalk(const Event &E, PathId Walk, unsigned Widest) {
  auto How =
      static_cast<sim::MaskMode>(I.member(Walk, "Mode").constant().value_or(0));
  if (How == sim::MaskMode::Count) {
    Counter = false;
    MaskLow = MaskHigh = Number(-1);
    return;
  }
  Value Repeat = I.member(Walk, "Repeat");
  uint32_t Most = Kernel.Target.arch->maxRepeat;
  Symbols &Names = I.symbols();
  if (Repeat.isNumber() && !I.facts().holds(Number(Most) - Repeat.N)) {
    if (I.facts().holds(Repeat.N - Number(Most + 1))) {
      Kernel.find("bad-repeat", {E.At, ""}, {},
                  wording::badRepeat(E.Name, Names.str(Repeat.N), Most));
    } else if (std::optional<std::string> When =
                   sizedByKernel(Repeat.N)
                       ? I.facts().counterexample(Number(Most) - Repeat.N)
                       : std::nullopt) {
      wording::Text T = wording::badRepeat(E.Name, Names.str(Repeat.N), Most);
      T.Message += "; as for " + *When;
      Kernel.find("bad-repeat", {E.At, ""}, {}, T);
    } else {
      Kernel.unknown(Topic::Parameters, E.At,
                     "whether " + Names.str(Repeat.N) + " is at most " +
                         Twine(Most) + " is decided by the launch");
    }
  }
  Value Masks = I.member(Walk, "Mask");
  const Value *First = Masks.isPointer()
                           ? I.store().find(I.store().element(Masks.Id, 0))
                           : nullptr;
  int64_t PerRepeat = RepeatBytes / Widest;
  if (How == sim::MaskMode::Lanes && First && First->isNumber()) {
    if (Counter) {
      if (std::optional<int64_t> Requested = Repeat.constant(),
          Count = First->constant();
          Requested && Count) {
        int64_t Made = (*Count + PerRepeat - 1) / PerRepeat;
        if (*Requested > 1 && *Requested != Made)
          Kernel.find("mask-left-on", {E.At, ""}, {CounterAt, "switched on"},
                      wording::counterMode(E.Name, std::to_string(*Requested),
                                           std::to_string(Made)));
      }
      MaskLow = First->N;
    } else {
      if (I.facts().holds(First->N - Number(PerRepeat + 1)))
        Kernel.find("bad-mask", {E.At, ""}, {},
                    wording::badMask(E.Name, Names.str(First->N), PerRepeat));
      if (std::optional<int64_t> C = First->constant(); C && *C >= 0) {
        MaskLow = Number(*C >= 64 ? -1 : (int64_t(1) << *C) - 1);
        MaskHigh = Number(*C >= 128 ? -1
                          : *C > 64 ? (int64_t(1) << (*C - 64)) - 1
                                    : 0);
      } else {
        MaskLow = MaskHigh = std::nullopt;
      }
    }
  } else if (How == sim::MaskMode::Bits && Masks.isPointer()) {
    const Value *Second = I.store().find(I.store().element(Masks.Id, 1));
    MaskLow =
        First && First->isNumber() ? std::optional(First->N) : std::nullopt;
    MaskHigh =
        Second && Second->isNumber() ? std::optional(Second->N) : std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Bursts of so many bytes, Stride apart.
static std::optional<std::pair<Number, Number>>
burstsOf(const Value &Bursts, const Value &Bytes,
         std::optional<Number> Stride) {
  if (!Bytes.isNumber() || !Bursts.isNumber())
    return std::nullopt;
  if (Bursts.constant() == 1)
    return std::pair(Bytes.N, Bytes.N);
  std::optional<Number> Rest =
      Stride ? Number::multiply(Bursts.N - Number(1), *Stride) : std::nullopt;
  if (!Rest)
    return std::nullopt;
  Number Span = *Rest + Bytes.N;
  return std::pair(Span, *Stride == Bytes.N ? Span : Bytes.N);
}

/// An operand of bursts; the whole tensor if how many there are, or how far
/// apart, is not followed.
void Runtime::addBursts(Event &E, const Value &Address, bool Write, Elem T,
                        const std::optional<std::pair<Number, Number>> &Of) {
  if (Of)
    addBytes(E, Address, Write, T, Of->first, Of->second);
  else
    addWhole(E, Address, Write, T);
}

static std::optional<Number> numberOf(const Value &V) {
  return V.isNumber() ? std::optional(V.N) : std::nullopt;
}

void Runtime::copy(PathId C) {
  Pipe On = static_cast<Pipe>(I.member(C, "On").constant().value_or(4));
  Event E = makeEvent(On);
  Elem T = elemOf(I.member(C, "Type"));
  Value Bursts = I.member(C, "Bursts"), Bytes = I.member(C, "BurstBytes");
  addBursts(E, I.member(C, "Src"), false, T,
            burstsOf(Bursts, Bytes, numberOf(I.member(C, "SrcStride"))));
  addBursts(E, I.member(C, "Dst"), true, T,
            burstsOf(Bursts, Bytes, numberOf(I.member(C, "DstStride"))));
  E.ByElement = true;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

void Runtime::copyPad(PathId C) {
  bool Global = I.member(C, "Global").constant().value_or(0);
  Event E = makeEvent(Global ? Pipe::MTE3 : Pipe::MTE2);
  Elem T = elemOf(I.member(C, "Type"));
  Value Bursts = I.member(C, "Bursts"), Bytes = I.member(C, "BurstBytes");
  Value SrcGap = I.member(C, "SrcGap"), DstGap = I.member(C, "DstGap");
  std::optional<Number> Far, Near, Slot;
  const Value &FarGap = Global ? DstGap : SrcGap;
  const Value &NearGap = Global ? SrcGap : DstGap;
  if (FarGap.Wrapped)
    Kernel.find("offset-overflow", {FarGap.Wrapped->At, ""},
                {E.At, "used as a stride"},
                wording::wrapped(FarGap.Wrapped->Type, FarGap.Wrapped->Result,
                                 "used as a stride"));
  if (FarGap.MayBeNegative)
    Kernel.find("offset-overflow", {FarGap.MayBeNegative->At, ""},
                {E.At, "used as a stride"},
                {FarGap.MayBeNegative->Result + " may be below zero, which " +
                     FarGap.MayBeNegative->Type +
                     " does not have, and is then used as a stride",
                 wording::wrapped("", "", "").Hint},
                "", FarGap.isNumber() ? FarGap.N : Number());
  if (Bytes.isNumber()) {
    Slot = Bytes.N;
    Value Left = I.member(C, "Left"), Right = I.member(C, "Right");
    if (Left.isNumber() && Right.isNumber() && !Global)
      if (std::optional<Number> Pad =
              Number::multiply(Left.N + Right.N, sizeOf(T)))
        Slot = *Slot + *Pad;
    if (Slot->isConstant())
      Slot =
          Number((Slot->constant() + BlockBytes - 1) / BlockBytes * BlockBytes);
    if (FarGap.isNumber())
      Far = Bytes.N + FarGap.N;
    if (NearGap.isNumber())
      if (std::optional<Number> Gap = Number::multiply(NearGap.N, BlockBytes))
        Near = *Slot + *Gap;
  }
  auto AtGlobal = burstsOf(Bursts, Bytes, Far);
  auto AtLocal =
      burstsOf(Bursts, Slot && !Global ? Value::number(*Slot) : Bytes, Near);
  if (AtLocal && Near && Slot && *Near == *Slot && !Global)
    AtLocal->second = AtLocal->first; // padding fills the blocks
  addBursts(E, I.member(C, "Src"), false, T, Global ? AtLocal : AtGlobal);
  addBursts(E, I.member(C, "Dst"), true, T, Global ? AtGlobal : AtLocal);
  E.ByElement = Bursts.constant() == 1;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

//===----------------------------------------------------------------------===//
// Other instructions
//===----------------------------------------------------------------------===//

void Runtime::reduceAll(PathId R) {
  Event E = makeEvent(Pipe::V);
  Elem T = elemOf(I.member(R, "T"));
  // The count form has its count where others have their repeats.
  Value Count = I.member(R, "Repeat");
  std::optional<Number> Bytes;
  if (Count.isNumber() && I.member(R, "CountForm").constant().value_or(0))
    Bytes = Number::multiply(Count.N, sizeOf(T));
  std::optional<int64_t> Rows = Count.constant(),
                         Stride = I.member(R, "SrcRepeatStride").constant();
  if (Bytes)
    addBytes(E, I.member(R, "Src"), false, T, *Bytes, *Bytes);
  else if (Rows && Stride && *Rows > 0)
    addAtMost(E, I.member(R, "Src"), false, T,
              (*Rows - 1) * *Stride * BlockBytes + RepeatBytes);
  else
    addWhole(E, I.member(R, "Src"), false, T);
  // As many results as repeats, and in turn of these, each in whole blocks.
  bool CountForm = I.member(R, "CountForm").constant().value_or(0);
  if (CountForm && Rows)
    Rows = *Rows * sizeOf(T) / RepeatBytes;
  if (Rows) {
    auto Blocks = [](int64_t N) {
      return (N + BlockBytes - 1) / BlockBytes * BlockBytes;
    };
    int64_t First = std::max<int64_t>(*Rows, 1) * 2 * sizeOf(T);
    int64_t Second = (First + RepeatBytes - 1) / RepeatBytes * 2 * sizeOf(T);
    int64_t Third = (Second + RepeatBytes - 1) / RepeatBytes * 2 * sizeOf(T);
    bool Sum =
        static_cast<sim::ReduceOp>(I.member(R, "Op").constant().value_or(0)) ==
        sim::ReduceOp::Sum;
    const targets::Arch &Arch = *Kernel.Target.arch;
    // A sum keeps those of repeats there, unless it adds them sequentially, or
    // lane by lane as long as there are few.
    std::optional<int64_t> Size = Bytes ? Bytes->isConstant()
                                              ? std::optional(Bytes->constant())
                                              : std::nullopt
                                        : std::nullopt;
    bool Few = Size && *Size >= RepeatBytes && *Size <= 4 * RepeatBytes;
    bool ByLane = Arch.sumsLanes && (sizeOf(T) == 8 || Few);
    bool Uses = Sum ? !ByLane && !(CountForm && Arch.sumsSequentially)
                    : Arch.reduceNeedsTmp;
    if (Uses)
      addAtMost(E, I.member(R, "Tmp"), true, T,
                Sum ? Blocks(First / 2)
                    : Blocks(First) + Blocks(Second) + Blocks(Third));
  } else {
    addWhole(E, I.member(R, "Tmp"), true, T);
  }
  int64_t Results = I.member(R, "CalIndex").constant().value_or(0) ? 2 : 1;
  addBytes(E, I.member(R, "Dst"), true, T, Number(Results * sizeOf(T)),
           Number(Results * sizeOf(T)));
  E.Alignment = 1;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

void Runtime::mmad(PathId M) {
  Event E = makeEvent(Pipe::M);
  std::optional<int64_t> Rows = I.member(M, "M").constant(),
                         Columns = I.member(M, "N").constant(),
                         Inner = I.member(M, "K").constant();
  // In fractals of 512 bytes; of sums, 16 by 16 of 4 bytes.
  auto Fractals = [](int64_t N, int64_t By) { return (N + By - 1) / By; };
  int64_t Wide = sizeOf(elemOf(I.member(M, "AType")));
  bool Sized = Rows && Columns && Inner && Wide >= 1 && *Rows < (1 << 16) &&
               *Columns < (1 << 16) && *Inner < (1 << 16);
  int64_t Deep = Sized ? Fractals(*Inner, 2 * BlockBytes / Wide) * 2 * 512 : 0;
  auto Add = [&](StringRef Which, bool Write, Elem T, int64_t Bytes) {
    if (Sized)
      addAtMost(E, I.member(M, Which), Write, T, Bytes);
    else
      addWhole(E, I.member(M, Which), Write, T);
  };
  int64_t Down = Sized ? Fractals(*Rows, 16) : 0,
          Across = Sized ? Fractals(*Columns, 16) : 0;
  Add("A", false, Elem::F16, Down * Deep);
  Add("B", false, Elem::F16, Across * Deep);
  Add("Bias", false, Elem::F32, Across * 16 * 4);
  if (!I.member(M, "ZeroC").constant().value_or(1) &&
      !I.member(M, "CFromBias").constant().value_or(0))
    Add("C", false, Elem::F32, Down * Across * 1024);
  Add("C", true, Elem::F32, Down * Across * 1024);
  E.UnitFlag = I.member(M, "UnitFlag").constant().value_or(0) != 0;
  E.Interlocked = Rows && Columns && Down * Across >= 10;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

void Runtime::fixpipe(PathId F) {
  Event E = makeEvent(Pipe::FIX);
  addWhole(E, I.member(F, "Src"), false, Elem::F32);
  addWhole(E, I.member(F, "QuantTensor"), false, Elem::U8);
  addWhole(E, I.member(F, "Dst"), true, Elem::F32);
  E.UnitFlag = I.member(F, "UnitFlag").constant().value_or(0) != 0;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

/// Pointers of a structure are operands: those to constants are read.
void Runtime::addStructure(Event &E, const Value &Structure) {
  if (!Structure.isPointer())
    return;
  std::vector<PathId> Parts(I.store().partsOf(Structure.Id).begin(),
                            I.store().partsOf(Structure.Id).end());
  for (bool Write : {false, true})
    for (PathId Part : Parts) {
      const clang::FieldDecl *Field = I.store().fieldOf(Part);
      if (Field && Field->getType()->isRecordType()) {
        if (!Write)
          addStructure(E, Value::pointer(Part));
        continue;
      }
      const Value *V = I.store().find(Part);
      if (Field && V && Field->getType()->isPointerType())
        addPointer(E, *V, Field->getType()->getPointeeType(), Write);
    }
}

/// A pointer to \p To, if that is what the instruction reads, or writes. Names
/// are neither.
void Runtime::addPointer(Event &E, const Value &V, clang::QualType To,
                         bool Write) {
  if (To.isConstQualified() == Write ||
      To->isSpecificBuiltinType(clang::BuiltinType::Char_S))
    return;
  if (!V.isAddress() && !V.isPointer() && V.What != Value::Kind::Null)
    LostWrites |= Write;
  addWhole(E, V, Write, Elem::U8);
}

/// The forms whose operands all follow one walk.
bool Runtime::byWalk(InstructionCall Which, Args A) {
  struct Form {
    InstructionCall Which;
    int DstType, SrcType, Dst;
    int Srcs[2];
    int Walk;
  };
  using enum InstructionCall;
  static constexpr Form Forms[] = {
      {unary, 1, 1, 2, {3, -1}, 4},      {binary, 1, 2, 3, {4, 5}, 6},
      {scalar, 1, 2, 3, {4, -1}, 6},     {cast, 0, 1, 3, {4, -1}, 5},
      {duplicate, 0, 0, 1, {-1, -1}, 3}, {vector_copy, 0, 0, 1, {2, -1}, 3},
      {truncate, 0, 0, 2, {3, -1}, 4},   {vec_index, 0, 0, 1, {-1, -1}, 3},
  };
  const Form *F =
      find_if(Forms, [&](const Form &F) { return F.Which == Which; });
  if (F == std::end(Forms))
    return false;
  Event E = makeEvent(Pipe::V);
  Elem Dst = elemOf(A[F->DstType]), Src = elemOf(A[F->SrcType]);
  unsigned Widest = std::max(sizeOf(Dst), sizeOf(Src));
  PathId Walk = A[F->Walk].isPointer() ? A[F->Walk].Id : 0;
  if (!Walk)
    return operandLost(E), true;
  unsigned Index = 1;
  for (int S : F->Srcs)
    if (S >= 0)
      addByWalk(E, A[S], false, Src, Walk, Index++, Widest);
  // MulAddDst, FusedMulAdd and Axpy read what they add to.
  if (Which == binary && (StringRef(E.Name).contains("AddDst") ||
                          StringRef(E.Name).contains("FusedMulAdd")))
    addByWalk(E, A[F->Dst], false, Dst, Walk, 0, Widest);
  if (StringRef(E.Name) == "Axpy")
    addByWalk(E, A[F->Dst], false, Dst, Walk, 0, Widest);
  addByWalk(E, A[F->Dst], true, Dst, Walk, 0, Widest);
  E.ByElement = true;
  checkWalk(E, Walk, Widest);
  checkOperands(E);
  flow(E);
  issue(std::move(E));
  return true;
}

/// Everything else: pointers are operands, as large as their tensors.
void Runtime::byPointers(const AbiCall &Call,
                         const clang::FunctionDecl *Function, Args A) {
  Event E = makeEvent(sim::pipeBy(Call.On, Space::GM, Space::UB));
  for (bool Write : {false, true})
    for (unsigned N = 0; N < A.size() && N < Function->getNumParams(); ++N) {
      clang::QualType Type = Function->getParamDecl(N)->getType();
      if (!Type->isPointerType())
        continue;
      if (A[N].isPointer() && !Write)
        addStructure(E, A[N]);
      else
        addPointer(E, A[N], Type->getPointeeType(), Write);
    }
  if (E.Operands.empty()) {
    LostWrites = true;
    return operandLost(E);
  }
  E.On = pipeBy(Call.On, Regions[E.Operands.front().In].Where,
                Regions[E.Operands.back().In].Where);
  E.AlignmentUnknown = E.On == Pipe::V;
  auto Which = static_cast<InstructionCall>(Call.Which);
  if (Which == InstructionCall::indexed_move ||
      Which == InstructionCall::gather_blocks)
    Kernel.unknown(Topic::Alignment, E.At,
                   "the offsets of " + E.Name + " are data");
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

void Runtime::instruction(const AbiCall &Call,
                          const clang::FunctionDecl *Function, Args A) {
  auto Pointer = [&] { return A[0].isPointer() ? A[0].Id : 0; };
  auto Which = static_cast<InstructionCall>(Call.Which);
  switch (Which) {
  case InstructionCall::copy:
    return copy(Pointer());
  case InstructionCall::copy_pad:
    return copyPad(Pointer());
  case InstructionCall::reduce_all:
    return reduceAll(Pointer());
  case InstructionCall::cube_mmad:
    return mmad(Pointer());
  case InstructionCall::cube_fixpipe:
    return fixpipe(Pointer());
  case InstructionCall::cube_matmul_iterate:
  case InstructionCall::cube_matmul_get:
  case InstructionCall::cube_matmul_all:
  case InstructionCall::cube_matmul_batch:
  case InstructionCall::global_atomic:
    for (Topic T : {Topic::Sync, Topic::Cores, Topic::Bounds})
      Kernel.unknown(T, I.here(),
                     "what " + I.apiName() + " touches is not followed");
    return;
  default:
    if (!byWalk(Which, A) && !sized(Which, A))
      byPointers(Call, Function, A);
  }
}

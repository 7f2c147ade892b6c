//===- Operands.cpp - Which bytes an instruction touches ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Reduce.h"
#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;
using sim::Space;
namespace wording = sim::wording;

static constexpr int64_t BlockBytes = 32, RepeatBytes = 256;

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
  if (auto At = Spaces.find(Regions[O.In].Where);
      At != Spaces.end() && At->second == O.In) {
    Fixed.insert(At->first);
    if (sharesFixed(O.In))
      sharesMemory();
  }
  for (const Note &N : reverse(Notes))
    if (N.Address.isAddress() && N.Address.Id == O.In &&
        N.Address.N == O.Begin) {
      // An intrinsic takes a pointer, and says nothing about its tensor: what
      // was said before the buffer changed hands is about another one.
      if (auto At = Buffers.find(N.Buffer);
          At != Buffers.end() && N.When < At->second.Changed)
        break;
      // Of two tensors of one instruction that begin there, which is meant is
      // not told.
      if (O.TensorBytes) {
        if (N.When > LastCall && !(N.Bytes == *O.TensorBytes))
          O.OtherBytes = N.Bytes;
        continue;
      }
      O.TensorBytes = N.Bytes;
      O.Buffer = N.Buffer;
      O.Generation = N.Generation;
    }
  return O;
}

Elem Runtime::elemOf(const Value &V) {
  if (std::optional<int64_t> C = V.constant())
    return static_cast<Elem>(*C);
  for (Topic T : {Topic::Sync, Topic::Bounds, Topic::Values, Topic::Cores})
    Kernel.unknown(T, I.here(),
                   "the element type of " + I.apiName() + " is not followed");
  return Elem::U8;
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
                        const Number &Bytes) {
  size_t Before = E.Operands.size();
  addBytes(E, Address, Write, T, Bytes,
           Number(Bytes.isConstant() && Bytes.constant() < 1 ? 0 : 1));
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

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Bursts of so many bytes, Stride apart.
static std::optional<Bursts> burstsOf(const Value &Count, const Value &Bytes,
                                      std::optional<Number> Stride) {
  if (!Bytes.isNumber() || !Count.isNumber())
    return std::nullopt;
  if (Count.constant() == 1)
    return Bursts{Bytes.N, Bytes.N, std::nullopt};
  std::optional<Number> Rest =
      Stride ? Number::multiply(Count.N - Number(1), *Stride) : std::nullopt;
  if (!Rest)
    return std::nullopt;
  Number Span = *Rest + Bytes.N;
  if (*Stride == Bytes.N)
    return Bursts{Span, Span, std::nullopt};
  return Bursts{Span, Bytes.N, Stride};
}

/// An operand of bursts; the whole tensor if how many there are, or how far
/// apart, is not followed.
void Runtime::addBursts(Event &E, const Value &Address, bool Write, Elem T,
                        const std::optional<Bursts> &Of) {
  if (!Of)
    return addWhole(E, Address, Write, T);
  size_t Before = E.Operands.size();
  addBytes(E, Address, Write, T, Of->Span, Of->Each);
  if (E.Operands.size() > Before)
    E.Operands.back().Pitch = Of->Pitch;
}

static std::optional<Number> numberOf(const Value &V) {
  return V.isNumber() ? std::optional(V.N) : std::nullopt;
}

/// A count of elements becomes a number of blocks, and what is left of them is
/// left out.
void Runtime::checkWholeBlocks(const Event &E) {
  constexpr int64_t BlockBytes = 32;
  if (!E.Requested)
    return;
  std::optional<int64_t> Left =
      I.facts().normal(*E.Requested).remainder(BlockBytes);
  if (Left == 0)
    return;
  if (Left)
    return Kernel.find("misaligned-address", {E.At, ""}, {},
                       {E.Name + " copies whole blocks of 32 bytes: of " +
                            I.symbols().str(*E.Requested) + " bytes the last " +
                            std::to_string(*Left) + " are left out",
                        "copy such lengths with DataCopyPad, or whole blocks"});
  Kernel.require(Topic::Alignment, E.At,
                 "whether " + E.Name +
                     " is told whole blocks of 32 bytes is "
                     "decided by the launch",
                 {{Clause::Atom::Kind::Multiple, *E.Requested, BlockBytes}});
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
  E.Requested = numberOf(I.member(C, "AskedBytes"));
  checkWholeBlocks(E);
  checkAtomicType(E);
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

/// What lies between parts of rows in global memory is a difference. Of a
/// tensor that has rows of so many elements, a launch copies a part.
void Runtime::gapBelowZero(const Event &E, const Value &Gap) {
  const Wrap &Of = *Gap.MayBeNegative;
  const std::string Why = Of.Result + " may be below zero, which " + Of.Type +
                          " does not have, and is then used as a stride";
  auto HasRowsOf = [&](const Operand &O, SymbolId S) {
    return Regions[O.In].Where == Space::GM && O.TensorBytes &&
           any_of(O.TensorBytes->terms(), [&](const Number::Term &T) {
             return T.Factor > 0 && T.Of.size() > 1 && is_contained(T.Of, S);
           });
  };
  bool OfRows = false;
  if (Gap.isNumber())
    for (const Number::Term &T : Gap.N.terms())
      OfRows |= T.Factor > 0 && T.Of.size() == 1 &&
                any_of(E.Operands,
                       [&](const Operand &O) { return HasRowsOf(O, T.Of[0]); });
  if (OfRows)
    Kernel.requireNotNegative(Topic::Overflow, Of.At, Why, Gap.N);
  else
    Kernel.find("offset-overflow", {Of.At, ""}, {E.At, "used as a stride"},
                {Why, wording::wrapped("", "", "").Hint}, "",
                {Gap.isNumber() ? Gap.N : Number(), Gap.isNumber()});
}

/// A burst is a whole number of elements.
void Runtime::checkBurst(const Event &E, const Number &Bytes, Elem T) {
  const int64_t Size = sizeOf(T);
  if (Size <= 1 || Bytes.remainder(Size) == 0)
    return;
  if (Bytes.isConstant())
    return Kernel.find(
        "bad-repeat", {E.At, ""}, {},
        {E.Name + " has a blockLen of " + I.symbols().str(Bytes) +
             " bytes, which is no whole number of " + sim::nameOf(T),
         "blockLen is in bytes: count * sizeof(T)"});
  Kernel.require(Topic::Parameters, E.At,
                 "whether a blockLen of " + I.symbols().str(Bytes) +
                     " bytes is a whole number of " + sim::nameOf(T) +
                     " is decided by the launch",
                 {{Clause::Atom::Kind::Multiple, Bytes, Size}});
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
  if (Bytes.isNumber()) {
    Slot = Bytes.N;
    Value Left = I.member(C, "Left"), Right = I.member(C, "Right");
    if (Left.isNumber() && Right.isNumber() && !Global)
      if (std::optional<Number> Pad =
              Number::multiply(Left.N + Right.N, sizeOf(T)))
        Slot = *Slot + *Pad;
    // Each burst has whole blocks of its own.
    if (Slot->isConstant() || Bursts.constant() != 1)
      Slot = wholeBlocks(*Slot);
    if (FarGap.isNumber())
      Far = Bytes.N + FarGap.N;
    if (NearGap.isNumber() && Slot)
      if (std::optional<Number> Gap = Number::multiply(NearGap.N, BlockBytes))
        Near = *Slot + *Gap;
  }
  constexpr int64_t MostBursts = 4095;
  if (Bursts.isNumber())
    checkField(E, Bursts.N, MostBursts,
               {"DataCopyPad of " + I.symbols().str(Bursts.N) +
                    " blocks, of which it takes at most 4095",
                "copy in several steps"});
  if (Bytes.isNumber())
    checkBurst(E, Bytes.N, T);
  for (StringRef Side : {"Left", "Right"})
    if (Value Pad = I.member(C, Side); Pad.isNumber() && !Global)
      checkField(E, Pad.N, BlockBytes / sizeOf(T),
                 {"DataCopyPad pads " + I.symbols().str(Pad.N) +
                      " elements on one side, which has at most 32 bytes",
                  "pad at most 32 bytes on each side"});
  auto AtGlobal = burstsOf(Bursts, Bytes, Far);
  auto AtLocal = burstsOf(Bursts,
                          Global ? Bytes
                          : Slot ? Value::number(*Slot)
                                 : Value(),
                          Near);
  if (AtLocal && Near && Slot && *Near == *Slot && !Global)
    AtLocal = {AtLocal->Span, AtLocal->Span, {}}; // padding fills the blocks
  addBursts(E, I.member(C, "Src"), false, T, Global ? AtLocal : AtGlobal);
  addBursts(E, I.member(C, "Dst"), true, T, Global ? AtGlobal : AtLocal);
  if (FarGap.MayBeNegative)
    gapBelowZero(E, FarGap);
  // Rows are often whole blocks, which only the host knows.
  if (Bursts.constant() != 1 && Slot && !Slot->isConstant())
    for (Operand &O : E.Operands)
      if (O.Write != Global && O.Size == Operand::Extent::Exact)
        O.Size = Operand::Extent::AtMost;
  E.ByElement = Bursts.constant() == 1;
  checkAtomicType(E);
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

//===----------------------------------------------------------------------===//
// Other instructions
//===----------------------------------------------------------------------===//

/// Whether a reduction keeps the results of its repeats in a tensor that it is
/// lent. A sum does, unless it adds them sequentially, or lane by lane as long
/// as there are few.
bool Runtime::usesWork(PathId R, Elem T, const std::optional<Number> &Bytes) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  if (I.member(R, "Op").constant() != static_cast<int64_t>(sim::ReduceOp::Sum))
    return Arch.reduceNeedsTmp;
  bool Few = Bytes && Bytes->isConstant() && Bytes->constant() >= RepeatBytes &&
             Bytes->constant() <= 4 * RepeatBytes;
  bool ByLane = Arch.sumsLanes && (sizeOf(T) == 8 || Few);
  bool CountForm = I.member(R, "CountForm").constant().value_or(0);
  return !ByLane && !(CountForm && Arch.sumsSequentially);
}

/// The tensor that a reduction is lent: as many results as repeats, and in turn
/// of these, each in whole blocks.
void Runtime::addWork(Event &E, PathId R, Elem T) {
  const Value &Work = I.member(R, "Tmp"), &Count = I.member(R, "Repeat");
  bool Sum =
      I.member(R, "Op").constant() == static_cast<int64_t>(sim::ReduceOp::Sum);
  int64_t PerRepeat = RepeatBytes / sizeOf(T);
  auto Up = [&](std::optional<Number> N, int64_t By) -> std::optional<Number> {
    if (N && N->isConstant())
      return Number((N->constant() + By - 1) / By);
    return N ? I.quotient(*N + Number(By - 1), By) : std::nullopt;
  };
  auto Times = [](const std::optional<Number> &N, int64_t By) {
    return N ? Number::multiply(*N, By) : std::nullopt;
  };
  std::optional<Number> Repeats;
  if (Count.isNumber() && I.facts().holds(Count.N))
    Repeats = Count.N;
  if (Repeats && I.member(R, "CountForm").constant().value_or(0))
    Repeats = Repeats->isConstant() ? Number(Repeats->constant() / PerRepeat)
                                    : I.quotient(*Repeats, PerRepeat);
  std::optional<Number> First = Times(Repeats, Sum ? 1 : 2),
                        Second = Times(Up(First, PerRepeat), 2),
                        Third = Times(Up(Second, PerRepeat), 2), Needed;
  if (First && First->isConstant() && Sum)
    First = Number(std::max<int64_t>(First->constant(), 1));
  Needed = Times(Up(Times(First, sizeOf(T)), BlockBytes), BlockBytes);
  // Only an index needs those of results.
  bool OneList = Sum || I.member(R, "CalIndex").constant() == 0;
  if (!OneList)
    for (const auto &More : {Second, Third}) {
      std::optional<Number> Bytes =
          Times(Up(Times(More, sizeOf(T)), BlockBytes), BlockBytes);
      Needed = Needed && Bytes ? std::optional(*Needed + *Bytes) : std::nullopt;
    }
  if (!Needed)
    return addWhole(E, Work, true, T);
  size_t Before = E.Operands.size();
  if (Needed->isConstant())
    addAtMost(E, Work, true, T, *Needed);
  else
    addWhole(E, Work, true, T);
  if (E.Operands.size() == Before || !E.Operands.back().TensorBytes)
    return;
  Operand &O = E.Operands.back();
  O.Size = Operand::Extent::AtMost;
  const Number Has = *O.TensorBytes;
  // Of whole blocks, a tensor that has the results has their blocks as well.
  if (OneList && !Needed->isConstant() && Has.remainder(BlockBytes) == 0)
    Needed = Times(First, sizeOf(T));
  requireWork(E, Count.N, Has, *Needed);
  if (Sum)
    requireWork(E, Count.N, Has, Number(BlockBytes));
}

/// Nothing is needed if there is nothing to reduce.
void Runtime::requireWork(const Event &E, const Number &Count,
                          const Number &Has, const Number &Needed) {
  Facts Any = I.facts();
  Any.assume(Count - Number(1));
  if (Any.holds(Has - Needed))
    return;
  Symbols &Names = I.symbols();
  Kernel.require(Topic::Bounds, E.At,
                 "whether " + E.Name + " needs at most " + Names.str(Has) +
                     " bytes of its work buffer is not known",
                 {{Clause::Atom::Kind::NotNegative, Has - Needed},
                  {Clause::Atom::Kind::NotNegative, Number() - Count}});
}

void Runtime::reduceAll(PathId R) {
  Event E = makeEvent(Pipe::V);
  E.Mixes = true;
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
  if (usesWork(R, T, Bytes))
    addWork(E, R, T);
  int64_t Results = I.member(R, "CalIndex").constant().value_or(0) ? 2 : 1;
  addBytes(E, I.member(R, "Dst"), true, T, Number(Results * sizeOf(T)),
           Number(Results * sizeOf(T)));
  E.Alignment = 1;
  checkTypes(E, InstructionCall::reduce_all, {}, /*ByCount=*/false);
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
      const auto *List =
          Field ? I.ast().getAsConstantArrayType(Field->getType()) : nullptr;
      if (List && List->getElementType()->isPointerType())
        for (unsigned N = 0; N < List->getZExtSize(); ++N)
          if (const Value *Each = I.store().find(I.store().element(Part, N)))
            addPointer(E, *Each, List->getElementType()->getPointeeType(),
                       Write);
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
  if (Which == InstructionCall::gather_blocks)
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
  checkInstruction(Which);
  switch (Which) {
  case InstructionCall::copy:
    return copy(Pointer());
  case InstructionCall::copy_pad:
    return copyPad(Pointer());
  case InstructionCall::reduce_all:
    return reduceAll(Pointer());
  case InstructionCall::indexed_move:
    return indexedMove(Pointer());
  case InstructionCall::cube_mmad:
    return mmad(Pointer());
  case InstructionCall::cube_fixpipe:
    return fixpipe(Pointer());
  case InstructionCall::cube_load_fractals:
    return loadFractals(Pointer(), Call.On);
  case InstructionCall::cube_load_matrix:
    return loadMatrix(Pointer(), Call.On);
  case InstructionCall::cube_nd2nz:
    return rowsToFractals(Pointer(), Call.On);
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

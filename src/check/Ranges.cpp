//===- Ranges.cpp - Bounds, alignment, overlap ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "llvm/ADT/StringSwitch.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Space;
namespace wording = sim::wording;

static constexpr int64_t BlockBytes = 32;

std::string Runtime::bufferOf(const Operand &O) const {
  return Regions[O.In].Name;
}

/// Whether one lies between the rows of the other: between the first and the
/// second, so that it does between all of them, if both have the same pitch or
/// one has no rows.
bool Runtime::rowsApart(const Operand &A, const Operand &B,
                        const Facts &Known) {
  if ((!A.Pitch && !B.Pitch) || (A.Pitch && B.Pitch && !(*A.Pitch == *B.Pitch)))
    return false;
  const Number &Pitch = A.Pitch ? *A.Pitch : *B.Pitch;
  auto Each = [](const Operand &O) { return O.Pitch ? O.Certain : O.Span; };
  auto Follows = [&](const Operand &First, const Operand &Second) {
    Number Apart = Second.Begin - First.Begin;
    return Known.holds(Apart - Each(First)) &&
           Known.holds(Pitch - Apart - Each(Second));
  };
  return Follows(A, B) || Follows(B, A);
}

/// Certainly no byte in common.
bool Runtime::disjoint(const Operand &A, const Operand &B) {
  return A.In != B.In || I.facts().holds(B.Begin - A.Begin - A.Span) ||
         I.facts().holds(A.Begin - B.Begin - B.Span) ||
         rowsApart(A, B, I.facts()) || inOtherTensors(A, B);
}

/// Certainly a byte in common.
/// A length that the launch decides is taken to be at least one.
bool Runtime::overlap(const Operand &A, const Operand &B) {
  if (A.In != B.In)
    return false;
  auto NotEmpty = [](const Operand &O) {
    return !O.Certain.isConstant() || O.Certain.constant() > 0;
  };
  if (A.Begin == B.Begin && NotEmpty(A) && NotEmpty(B))
    return true;
  return I.facts().holds(A.Begin + A.Certain - B.Begin - Number(1)) &&
         I.facts().holds(B.Begin + B.Certain - A.Begin - Number(1));
}

/// What N was computed from.
SmallSetVector<SymbolId, 4> Runtime::basesOf(const Number &N) const {
  SmallSetVector<SymbolId, 4> Bases;
  std::function<void(const Number &, unsigned)> Visit = [&](const Number &X,
                                                            unsigned Depth) {
    X.forEachSymbol([&](SymbolId S) {
      const Symbol &Each = Kernel.Names[S];
      if (Each.From != Origin::Derived)
        Bases.insert(S);
      else if (Depth && !Each.Facts.empty())
        Visit(Each.Facts[0], Depth - 1);
    });
  };
  Visit(N, 3);
  return Bases;
}

/// Whether N depends on one number only, which also decides the size of a
/// buffer: then the kernel is made for many values of it, and one that breaks
/// it is a mistake. Between several numbers the host may keep relations that
/// the kernel does not show.
bool Runtime::sizedByKernel(const Number &N) const {
  SmallSetVector<SymbolId, 4> Bases = basesOf(N);
  return Bases.size() == 1 && Kernel.Names[Bases[0]].SizesAlone;
}

/// Whether N is not negative even if buffers did not have to fit. Otherwise the
/// host may know that what leads here needs larger ones.
bool Runtime::holdsInAnyRoom(const Number &N) {
  if (!I.facts().holds(N) || RoomFacts.empty())
    return I.facts().holds(N);
  return inAnyRoom(I.facts()).holds(N);
}

/// How many bytes an argument has, which each launch knows.
std::optional<Number> Runtime::sizeOfArgument(RegionId R) {
  std::optional<unsigned> Index = argumentOf(R);
  if (!Index)
    return std::nullopt;
  constexpr int64_t Most = int64_t(1) << 61;
  return Number::symbol(I.symbols().get("size:" + std::to_string(*Index), [&] {
    Symbol New{"bytes of " + Regions[R].Name, 0, Most, Origin::Launch, {}};
    New.InLaunch.emplace();
    New.InLaunch->What = LaunchNumber::Kind::Size;
    New.InLaunch->Argument = *Index;
    New.InLaunch->Least = 0;
    New.InLaunch->Most = Most;
    return New;
  }));
}

/// Rounded up; nothing if it may be negative. In the unit that the kernel
/// counts in, so that it is the quotient which the kernel has.
std::optional<Number> Runtime::wholeBlocks(const Number &Of) {
  const Number Bytes = I.facts().normal(Of);
  if (Bytes.dividedBy(BlockBytes))
    return Bytes;
  if (!I.facts().holds(Bytes))
    return std::nullopt;
  int64_t Unit = BlockBytes;
  while (Unit > 1 && !Bytes.dividedBy(Unit))
    Unit /= 2;
  int64_t PerBlock = BlockBytes / Unit;
  Number More = *Bytes.dividedBy(Unit) + Number(PerBlock - 1);
  if (More.isConstant())
    return Number(More.constant() / PerBlock * BlockBytes);
  std::optional<Number> Blocks = I.quotient(More, PerBlock);
  return Blocks ? Number::multiply(*Blocks, BlockBytes) : std::nullopt;
}

void Runtime::checkOperands(const Event &E) {
  for (const Operand &O : E.Operands) {
    checkTensor(E, O);
    if (Regions[O.In].Where == Space::GM)
      checkGlobal(E, O);
    else
      checkAlignment(E, O);
  }
  checkOverlap(E);
}

void Runtime::checkTensor(const Event &E, const Operand &O) {
  if (auto At = Buffers.find(O.Buffer); At != Buffers.end()) {
    const Buffer &B = At->second;
    if (B.State == sim::BufferState::Free ||
        (O.Generation.isConstant() &&
         O.Generation.constant() != B.Generation)) {
      Kernel.find("use-after-free", {E.At, "used"}, {B.FreedAt, "freed"},
                  wording::useAfterFree(E.Name, O.Write), B.Name);
      return;
    }
  }
  Space Where = Regions[O.In].Where;
  if (O.Size == Operand::Extent::Believed)
    return Kernel.unknown(Topic::Bounds, E.At,
                          "how much " + E.Name + " uses of " + bufferOf(O) +
                              " is not compared with its size");
  if (!O.TensorBytes) {
    // Nobody says which part of the buffer it may use.
    const Region &R = Regions[O.In];
    if (Where != Space::GM && !(R.Sized && I.facts().holds(O.Begin) &&
                                I.facts().holds(R.Bytes - O.Begin - O.Span)))
      Kernel.unknown(Topic::Bounds, E.At,
                     "which tensor " + E.Name + " uses is not followed");
    return;
  }
  if (O.OtherBytes && !I.facts().holds(*O.OtherBytes - O.Span))
    Kernel.unknown(Topic::Bounds, E.At,
                   "which of two tensors " + E.Name + " uses at byte " +
                       I.symbols().str(O.Begin) + " of " + bufferOf(O) +
                       " is not followed");
  if (Where == Space::GM && O.Span == *O.TensorBytes && !O.Span.isConstant())
    UsedRests.push_back(O.Span);
  Number Has = *O.TensorBytes;
  if (Where != Space::GM && Has.isConstant()) // whole blocks
    Has = Number((Has.constant() + BlockBytes - 1) / BlockBytes * BlockBytes);
  Number Left = Has - O.Span;
  if (I.facts().holds(Left))
    return checkBuffer(E, O);
  Symbols &Names = I.symbols();
  if (O.Size == Operand::Extent::AtMost) {
    Kernel.requireNotNegative(Topic::Bounds, E.At,
                              "whether up to " + Names.str(O.Span) +
                                  " bytes fit into " +
                                  Names.str(*O.TensorBytes) + " is not known",
                              Left);
    return checkBuffer(E, O);
  }
  auto Text = [&](const std::string &Add) {
    wording::Text T = wording::tensorOutOfBounds(
        E.Name, O.Write, Names.str(O.Span), Where, Names.str(*O.TensorBytes));
    T.Message += Add;
    return T;
  };
  // Local memory is given out in whole blocks.
  Number Room = (Where == Space::GM
                     ? *O.TensorBytes
                     : wholeBlocks(*O.TensorBytes).value_or(*O.TensorBytes)) -
                O.Span;
  if (I.facts().holds(Room))
    return checkBuffer(E, O);
  // Between two numbers of the launch the host may keep a relation that the
  // path ignores: then it is no path.
  if (basesOf(Left).size() <= 1 && holdsInAnyRoom(Number(-1) - Left)) {
    Kernel.find("tensor-out-of-bounds", {E.At, ""}, {}, Text(""), bufferOf(O),
                {Left, true});
    return;
  }
  // What is counted in elements may leave a block that is not full.
  Number Short = Left + Number(BlockBytes - 1);
  if (sizedByKernel(Left) && !O.Span.isConstant() && Where != Space::GM &&
      !Kernel.isSettled(Topic::Bounds))
    if (std::optional<std::string> When = I.facts().counterexample(Short)) {
      Kernel.find("tensor-out-of-bounds", {E.At, ""}, {},
                  Text("; as for " + *When), bufferOf(O), {Left, true});
      return;
    }
  if (O.TensorBytes->constant() <= 0)
    noteTight(E.At, O, Room, Text(""));
  Kernel.requireNotNegative(Topic::Bounds, E.At,
                            "whether " + Names.str(O.Span) +
                                " bytes fit into " + Names.str(*O.TensorBytes) +
                                " is decided by the launch",
                            Room);
  checkBuffer(E, O);
}

/// A tensor may be said to be larger than what its buffer has left.
void Runtime::checkBuffer(const Event &E, const Operand &O) {
  const Region &R = Regions[O.In];
  if (R.Where == Space::GM || !R.Sized)
    return;
  Number Left = R.Bytes - O.Begin - O.Span;
  if (I.facts().holds(Left) && I.facts().holds(O.Begin))
    return;
  Symbols &Names = I.symbols();
  if (Left.isConstant() && O.Size == Operand::Extent::Exact)
    Kernel.find("tensor-out-of-bounds", {E.At, ""}, {},
                wording::tensorOutOfBounds(E.Name, O.Write, Names.str(O.Span),
                                           R.Where,
                                           Names.str(R.Bytes - O.Begin)),
                bufferOf(O));
  else {
    const Number Room =
        wholeBlocks(R.Bytes).value_or(R.Bytes) - O.Begin - O.Span;
    if (R.Bytes.constant() <= 0 && O.Size == Operand::Extent::Exact)
      noteTight(E.At, O, Room,
                wording::tensorOutOfBounds(E.Name, O.Write, Names.str(O.Span),
                                           R.Where,
                                           Names.str(R.Bytes - O.Begin)));
    for (const Number &Needed : {Room, O.Begin})
      if (!I.facts().holds(Needed))
        Kernel.requireNotNegative(
            Topic::Bounds, E.At,
            "whether " + Names.str(O.Begin + O.Span) + " bytes fit into the " +
                Names.str(R.Bytes) + " of " + bufferOf(O) + " is not known",
            Needed);
  }
}

/// Whether F says that S is at most something that is no constant.
static bool isAtMostOther(const Number &F, SymbolId S) {
  return any_of(F.terms(), [](const auto &T) { return T.Factor > 0; }) &&
         any_of(F.terms(), [&](const auto &T) {
           return T.Factor < 0 && T.Of.size() == 1 && is_contained(T.Of, S);
         });
}

/// What can be said of global memory without knowing its size.
void Runtime::checkGlobal(const Event &E, const Operand &O) {
  Symbols &Names = I.symbols();
  bool Sized = O.TensorBytes.has_value();
  if (!Sized) {
    std::string Why = "the size of " + Regions[O.In].Name + " is not stated";
    if (std::optional<Number> Size = sizeOfArgument(O.In)) {
      for (const Number &Needed : {*Size - O.Begin - O.Span, O.Begin})
        if (!I.facts().holds(Needed))
          Kernel.requireNotNegative(Topic::Bounds, E.At, Why, Needed);
    } else {
      Kernel.unknown(Topic::Bounds, E.At, Why);
    }
  } else if (!I.facts().holds(O.Begin)) {
    // A tensor's size says where it ends only.
    if (O.Begin.isConstant())
      Kernel.find("gm-out-of-bounds", {E.At, ""}, {},
                  {E.Name + " " + wording::verb(O.Write) + " from byte " +
                       Names.str(O.Begin) + " of {buffer|GM}, before it begins",
                   "begin at 0"},
                  Regions[O.In].Name);
    else
      Kernel.requireNotNegative(
          Topic::Bounds, E.At,
          "whether " + Names.str(O.Begin) + " is not before the beginning of " +
              Regions[O.In].Name + " is decided by the launch",
          O.Begin);
  }
  if (Sized)
    checkClaim(E, O);
  // A length that was rounded up to whole blocks, of a length that was not.
  // The host sizes workspaces as the kernel needs them.
  if (!Kernel.Target.arch->copiesWholeBlocks() && !Sized && !isWorkspace(O.In))
    O.Span.forEachSymbol([&](SymbolId S) {
      const Symbol &Q = Names[S];
      std::optional<int64_t> Factor = O.Span.factorOf(S);
      if (Q.From != Origin::Derived || Q.Facts.empty() || !Factor ||
          *Factor % BlockBytes)
        return;
      // Facts[0] is L - Q * R, not negative; rounded up if L is x + R - 1.
      const Number &Rest = Q.Facts[0];
      std::optional<int64_t> Divisor = Rest.factorOf(S);
      if (!Divisor || *Divisor >= -1 || Rest.constant() != -*Divisor - 1)
        return;
      // It was held against what there is: a shorter rest goes another way.
      if (any_of(I.facts().all(), [&](const Number &F) {
            return !is_contained(Q.Facts, F) && isAtMostOther(F, S);
          }))
        return;
      Kernel.find(
          "gm-out-of-bounds", {E.At, ""}, {},
          {E.Name + " " + wording::verb(O.Write) + " " + Names.str(O.Span) +
               " bytes of {buffer|GM}: a length rounded up to whole blocks, "
               "which goes past the end unless the tensor is padded",
           "copy the tail with DataCopyPad and its exact length"},
          Regions[O.In].Name, O.Span);
    });
  // A guard that lets one block too many through.
  SymbolId Block = 0;
  bool Uses = false;
  O.Begin.forEachSymbol([&](SymbolId S) {
    if (Names[S].From == Origin::Block)
      Block = S, Uses = true;
  });
  if (!Uses)
    return;
  for (const Number &F : I.facts().all()) {
    // limit - block >= 0, where the limit is a number of the launch's.
    if (F.constant() != 0 || F.terms().size() != 2 || F.factorOf(Block) != -1)
      continue;
    bool Launch = false;
    F.forEachSymbol([&](SymbolId S) {
      if (Names[S].From == Origin::Launch && F.factorOf(S) == 1)
        Launch = true;
    });
    // Skip facts that only constrain the current block.
    if (!Launch || I.facts().holds(F - Number(1)) ||
        I.facts().holds(Number() - F))
      continue;
    Kernel.OneTooMany.push_back(
        {F,
         E.At,
         {E.Name + " " + wording::verb(O.Write) + " {buffer|GM} for block " +
              Names.str(F + Number::symbol(Block)) +
              " as well, which is one more than there are parts: they are "
              "counted from 0",
          "return if GetBlockIdx() >= the number of blocks in use"},
         Regions[O.In].Name});
  }
}

void Runtime::checkAlignment(const Event &E, const Operand &O) {
  if (E.Alignment == 1)
    return;
  const targets::Arch &A = *Kernel.Target.arch;
  uint32_t Needed = 1;
  switch (Regions[O.In].Where) {
  case Space::UB:
    Needed = A.ubAlign;
    break;
  case Space::L1:
    Needed = A.l1Align;
    break;
  case Space::L0A:
    Needed = A.l0aAlign;
    break;
  case Space::L0B:
    Needed = A.l0bAlign;
    break;
  case Space::L0C:
    Needed = A.l0cAlign;
    break;
  case Space::BT:
    Needed = A.btAlign;
    break;
  default:
    return;
  }
  if (Needed <= 1)
    return;
  std::optional<int64_t> Off = I.facts().normal(O.Begin).remainder(Needed);
  if (Off && *Off == 0)
    return;
  Symbols &Names = I.symbols();
  if (Off && !E.AlignmentUnknown) {
    Kernel.find("misaligned-address", {E.At, ""}, {},
                wording::misaligned(E.Name, O.Write, Regions[O.In].Where,
                                    Names.str(O.Begin), Needed),
                bufferOf(O));
    return;
  }
  Kernel.require(Topic::Alignment, E.At,
                 "whether byte " + Names.str(O.Begin) + " of " + bufferOf(O) +
                     " is a multiple of " + Twine(Needed) +
                     (E.AlignmentUnknown ? ", or need not be, is not known"
                                         : " is decided by the launch"),
                 {{Clause::Atom::Kind::Multiple, O.Begin, Needed}});
}

/// Instructions that read and write in an order of their own: not even the same
/// tensor may be both.
static bool wantsApart(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"Gather", "Gatherb", "Scatter", "MrgSort", "MrgSort4"}, true)
      .Cases({"Sort", "Sort32", "RpSort16", "ConfusionTranspose"}, true)
      .Cases({"TransDataTo5HD", "ClampMax", "ClampMin"}, true)
      .Default(false);
}

/// What is written over a source that is not read and written element by
/// element. Only the result of those that are may have its place.
void Runtime::checkOverSources(const Event &E) {
  bool Apart = wantsApart(E.Name);
  for (const Operand &W : E.Operands)
    for (const Operand &R : E.Operands) {
      // Which operands those only read is not always told.
      bool Suspect = W.Write && &W != &R && (!R.Write || Apart);
      if (!Suspect || W.In != R.In || disjoint(R, W))
        continue;
      bool Same =
          W.Begin == R.Begin && sim::bytesOf(W.Type) == sim::bytesOf(R.Type);
      bool Result = E.ByElement && &W == &E.Operands.back();
      if (!Apart && (Same || Result))
        continue;
      if (Apart && overlap(R, W))
        return Kernel.find("operand-overlap", {E.At, ""}, {},
                           wording::overItsSource(E.Name), bufferOf(W));
      Kernel.unknown(Topic::Values, E.At,
                     "whether " + E.Name +
                         " may write over its source is not followed");
    }
}

/// A destination that runs over source bytes which are still to be read.
void Runtime::checkOverlap(const Event &E) {
  if (E.On != sim::Pipe::V || E.Operands.size() < 2)
    return;
  checkOverSources(E);
  if (!E.ByElement)
    return;
  const Operand &Dst = E.Operands.back();
  int64_t DstBytes = sim::bytesOf(Dst.Type);
  for (const Operand &Src : drop_end(E.Operands)) {
    if (Src.Write || Src.In != Dst.In)
      continue;
    int64_t SrcBytes = sim::bytesOf(Src.Type);
    Number Apart = Dst.Begin - Src.Begin;
    if (Apart == Number() && SrcBytes == DstBytes)
      continue;
    if (disjoint(Src, Dst))
      continue;
    auto Unknown = [&] {
      Kernel.unknown(Topic::Values, E.At,
                     "whether " + E.Name +
                         " overwrites what it still has to "
                         "read is decided by the launch");
    };
    if (!overlap(Src, Dst) || !Apart.isConstant()) {
      Unknown();
      continue;
    }
    std::optional<int64_t> Count =
        Dst.Span.isConstant() ? std::optional(Dst.Span.constant() /
                                              std::max<int64_t>(1, DstBytes))
                              : std::nullopt;
    if (!Count) {
      Unknown();
      continue;
    }
    // Element by element in steps of a repeat, as the vector unit goes.
    int64_t Step = 256 / std::max(SrcBytes, DstBytes);
    bool Bad = false;
    for (int64_t At = 0; At < *Count && !Bad; At += Step) {
      int64_t Now = std::min(Step, *Count - At);
      int64_t DstFrom = Apart.constant() + At * DstBytes,
              DstTo = DstFrom + Now * DstBytes;
      int64_t SameFrom = At * SrcBytes, SameTo = SameFrom + Now * SrcBytes;
      Bad = DstFrom < SameTo && SameFrom < DstTo && DstFrom != SameFrom &&
            SrcBytes == DstBytes;
      int64_t NextTo = std::min(*Count, At + 2 * Step) * SrcBytes;
      if (At + Step < *Count)
        Bad |= DstFrom < NextTo && SameTo < DstTo;
    }
    if (Bad)
      Kernel.find("partial-overlap", {E.At, ""}, {},
                  wording::partialOverlap(
                      E.Name, std::to_string(std::abs(Apart.constant()))),
                  bufferOf(Dst));
  }
}

//===- Decoder.cpp - From a record to a call of the model -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sealed/Decoder.h"

#include "abi/Overflow.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"
#include "sealed/Fields.h"
#include "sealed/Rules.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace belay::sim {
void tellOverflow(const overflow::Note &N, const void *PC);
} // namespace belay::sim

namespace belay::sim::sealed {

/// More than any kernel has; each is a text of the source, or the name of an
/// instruction.
static constexpr size_t MaxTexts = 1 << 14;
static constexpr size_t MaxBufferRecords = 1 << 20;
static constexpr size_t MaxMatmuls = 1 << 12;
static constexpr uint64_t MaxDumped = 1 << 24;

void refuse(const char *Why) {
  fail("forged-call", BELAY_PC,
       "if the kernel was compiled by Belay and corrupts no memory of its own, "
       "report it",
       "the kernel's process sent what no kernel sends: %s", Why);
}

// --- pieces ------------------------------------------------------------------

uint8_t *Decoder::take(uint64_t Bytes) {
  uint64_t Rounded = (Bytes + 7) & ~uint64_t(7);
  if (Bytes > MaxRecord || Rounded > static_cast<uint64_t>(End - At))
    refuse("a record that is too short");
  uint8_t *Begin = At;
  At += Rounded;
  return Begin;
}

uint64_t Decoder::takeWord() {
  uint64_t Word;
  std::memcpy(&Word, take(sizeof(Word)), sizeof(Word));
  return Word;
}

const char *Decoder::takeText(bool Kept) {
  uint64_t Length = takeWord();
  if (Length == NoText)
    return nullptr;
  if (Length > MaxText)
    refuse("a text that is too long");
  auto *Begin = reinterpret_cast<const char *>(take(Length));
  std::string_view Text(Begin, strnlen(Begin, Length));
  if (!Kept)
    return Printed.emplace_back(Text).c_str();
  auto Known = Texts.find(Text);
  if (Known == Texts.end()) {
    if (Texts.size() == MaxTexts)
      refuse("more texts than a kernel has");
    Known = Texts.emplace(Text).first;
  }
  return Known->c_str();
}

const void *Decoder::takeValue() {
  uint64_t Present = takeWord(), Word = takeWord();
  uint64_t &Place = Values[NextValue++ % NumValues];
  Place = Word;
  return Present ? &Place : nullptr;
}

void *Decoder::result() {
  if (AnswerEnd - AnswerAt < 8)
    refuse("a call with too many results");
  uint8_t *Place = AnswerAt;
  AnswerAt += 8;
  return Place;
}

void Decoder::answer(const void *Data, size_t Bytes) {
  if (static_cast<size_t>(AnswerEnd - AnswerAt) < Bytes)
    refuse("a call with too long an answer");
  std::memcpy(AnswerAt, Data, Bytes);
  AnswerAt += Bytes;
}

// --- objects -----------------------------------------------------------------

void Decoder::reset() {
  Records.clear();
  KnownBlocks = 0;
}

void Decoder::updateRecords() {
  const auto &Blocks = Core::current().BufferBlocks;
  for (; KnownBlocks < Blocks.size(); ++KnownBlocks)
    for (uint32_t N = 0; N < Blocks[KnownBlocks].Num; ++N)
      Records.push_back(&Blocks[KnownBlocks].Records[N]);
  if (Records.size() > MaxBufferRecords)
    refuse("more buffers than a kernel has");
}

BufferRecord *Decoder::record(uint64_t Ordinal) {
  if (!Ordinal)
    return nullptr;
  updateRecords();
  return Ordinal <= Records.size() ? Records[Ordinal - 1] : &Foreign;
}

/// A queue is the kernel's own: it may be in any state that a queue can be in.
void Decoder::checkQueue(QueueState &Q) {
  uint64_t First = reinterpret_cast<uint64_t>(Q.Buffers);
  if (!hasValue(Q.Where) || !hasValue(Q.Producer) || !hasValue(Q.Consumer) ||
      Q.Producer == Pipe::All || Q.Consumer == Pipe::All ||
      Q.Num > MaxQueueBuffers || (Q.Num && Q.Next >= Q.Num) ||
      Q.Head >= MaxQueueBuffers || Q.Length > MaxQueueBuffers ||
      (!Q.Num && Q.Length))
    refuse("a queue that is none");
  Q.Buffers = Q.Num ? record(First) : nullptr;
  updateRecords();
  if (Q.Num &&
      (First - 1 >= Records.size() || Records.size() - (First - 1) < Q.Num ||
       Records[First - 1 + Q.Num - 1] != Q.Buffers + Q.Num - 1))
    refuse("a queue with the buffers of another");
  for (uint32_t N = 0; N < Q.Length; ++N)
    if (Q.Ring[(Q.Head + N) % MaxQueueBuffers] >= Q.Num)
      refuse("a queue that holds what it does not own");
}

void Decoder::checkPool(const PoolRange &P) {
  if (!hasValue(P.Where))
    refuse("a pool in no memory");
  uint32_t All = Core::current().Memories.bytes(P.Where);
  if (P.Begin > All || P.Bytes > All - P.Begin || P.Used > P.Bytes)
    refuse("a pool outside of its memory");
}

/// The headers have Matmul for these; the model need not ask again.
static bool canMultiply(Elem T) {
  return T == Elem::F16 || T == Elem::BF16 || T == Elem::F32 || T == Elem::S8 ||
         T == Elem::U8 || T == Elem::S4;
}
static bool canAdd(Elem T) {
  return T == Elem::F16 || T == Elem::BF16 || T == Elem::F32 || T == Elem::S32;
}

/// What the model keeps for a Matmul object travels as its number.
void Decoder::openMatmul(MatmulState &S) {
  if (!canMultiply(S.A.Type) || !canMultiply(S.B.Type) ||
      !(canAdd(S.Bias.Type) || canMultiply(S.Bias.Type)) ||
      !(canAdd(S.CType) || canMultiply(S.CType)))
    refuse("a Matmul of types that it does not have");
  auto Token = reinterpret_cast<uint64_t>(S.Results);
  const auto &Objects = Core::current().Objects;
  if (Token > Objects.size())
    refuse("a Matmul object that was never made");
  if (!Token && Objects.size() >= MaxMatmuls)
    refuse("more Matmul objects than a kernel has");
  S.Results = Token ? Objects[Token - 1].get() : nullptr;
}

uint64_t Decoder::tokenOf(const void *Results) {
  const auto &Objects = Core::current().Objects;
  for (size_t N = 0; N < Objects.size(); ++N)
    if (Objects[N].get() == Results)
      return N + 1;
  return 0;
}

// --- parameters --------------------------------------------------------------

namespace {

/// Printed at once, and different each time; all other texts are kept.
constexpr bool isPrinted(Function F) {
  return F == Function::print || F == Function::printf ||
         F == Function::assert || F == Function::fail || F == Function::guard;
}

constexpr bool takesAllPipes(Function F) {
  return F == Function::pipe_barrier || F == Function::cross_set ||
         F == Function::cross_wait;
}

/// One element of the kernel that a structure points at.
const void *takeElement(Decoder &D) {
  static constexpr uint64_t Zero = 0;
  const void *Element = D.takeValue();
  return Element ? Element : &Zero;
}

/// Checks a structure, or a part of one, and takes what its pointers carry.
template <typename T> void check(Decoder &D, T &Value) {
  if constexpr (std::is_same_v<T, const char *>) {
    Value = D.takeText(/*Kept=*/true);
    if (!Value)
      Value = "";
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    if (!hasValue(Value))
      refuse("a number that is no value of its type");
    if constexpr (std::is_same_v<T, Pipe>)
      if (Value == Pipe::All)
        refuse("all pipes in the place of one");
  } else if constexpr (std::is_array_v<T>) {
    for (auto &Each : Value)
      check(D, Each);
  } else if constexpr (std::is_same_v<T, Source>) {
    check(D, Value.Scalar);
    if (Value.Scalar) {
      Value.Data = D.takeValue();
      Value.Scalar = Value.Data != nullptr;
    }
  } else if constexpr (std::is_class_v<T>) {
    forEachField(Value, [&](auto &Field) { check(D, Field); });
  }
  if constexpr (std::is_same_v<T, PadCall>)
    Value.Value = takeElement(D);
  if constexpr (std::is_same_v<T, AdjustSoftmaxCall>)
    Value.To = takeElement(D);
}

/// Numbers that the headers make, so that the model need not ask. All other
/// numbers are the kernel's, and the model's to compare with its memories.
template <Function F, typename... Params>
bool isPossible(const std::tuple<Params...> &P) {
  if constexpr (F == Function::note_buffer) // the size of an element
    return std::get<1>(P) > 0;
  else if constexpr (F == Function::set_loop_mode) // to global memory, or from
    return std::get<0>(P) <= 1;
  else
    return true;
}

template <typename T> T *takeArray(Decoder &D, uint64_t &Count) {
  uint64_t Bytes = D.takeWord();
  if (Bytes % sizeof(T))
    refuse("part of an element");
  Count = Bytes / sizeof(T);
  auto *Values = reinterpret_cast<T *>(D.take(Bytes));
  if constexpr (std::is_same_v<T, PrintArg>)
    for (uint64_t N = 0; N < Count; ++N) {
      check(D, Values[N].What);
      if (Values[N].What == PrintArg::Kind::Text) {
        const char *Text = D.takeText(/*Kept=*/false);
        Values[N].Address = Text ? Text : "";
      }
    }
  return Values;
}

template <typename T> T *takeStructure(Decoder &D) {
  auto *Value = reinterpret_cast<T *>(D.take(sizeof(T)));
  if constexpr (std::is_same_v<T, QueueState>) {
    D.checkQueue(*Value);
  } else {
    check(D, *Value);
    if constexpr (std::is_same_v<T, PoolRange>)
      D.checkPool(*Value);
    if constexpr (std::is_same_v<T, MatmulState>)
      D.openMatmul(*Value);
    if constexpr (std::is_same_v<T, Dump>) {
      uint64_t Dims;
      Value->Shape = takeArray<uint32_t>(D, Dims);
      if (Dims != Value->Dims || Dims > 8)
        refuse("a shape of another rank");
      uint64_t Elements = 1;
      for (uint64_t N = 0; N < Dims; ++N) {
        // Rows of nothing are printed, too.
        Elements *= std::max<uint64_t>(Value->Shape[N], 1);
        if (Elements > MaxDumped)
          refuse("a shape that is too large");
      }
    }
  }
  return Value;
}

/// The parameters of one call. Array rules look at other parameters, so they
/// are checked when all are there.
template <Function F, typename T> struct Call;
template <Function F, typename R, typename... Params>
struct Call<F, R(Params...)> {
  static constexpr size_t Num = sizeof...(Params);
  std::tuple<Params...> P;
  uint64_t Counts[Num + 1] = {};

  template <size_t N> void take(Decoder &D) {
    using T = std::tuple_element_t<N, decltype(P)>;
    if constexpr (std::is_pointer_v<T>) {
      std::get<N>(P) = pointer<N, std::remove_pointer_t<T>>(D);
    } else {
      T Value;
      std::memcpy(&Value, D.take(sizeof(T)), sizeof(T));
      if constexpr (std::is_same_v<T, Pipe> && takesAllPipes(F)) {
        if (!hasValue(Value))
          refuse("a number that is no value of its type");
      } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
        check(D, Value);
      }
      std::get<N>(P) = Value;
    }
  }

  template <size_t N, typename T> T *pointer(Decoder &D) {
    using Target = std::remove_cv_t<T>;
    using Kind = Rule::Kind;
    constexpr Rule Is = ruleOf(F, N);
    if constexpr (Is.What == Kind::Array) {
      return takeArray<Target>(D, Counts[N]);
    } else if constexpr (std::is_same_v<Target, char>) {
      const char *Text = D.takeText(!isPrinted(F));
      // Of all texts only that of an assertion may be left out.
      return Text || (F == Function::assert &&N == 3) ? Text : "";
    } else if constexpr (Is.What == Kind::Buffer ||
                         std::is_same_v<Target, BufferRecord>) {
      BufferRecord *Record = D.record(D.takeWord());
      return Record || F != Function::note_slice ? Record : D.foreign();
    } else if constexpr (std::is_class_v<Target>) {
      return takeStructure<Target>(D);
    } else if constexpr (Is.What == Kind::Bytes) {
      auto *Bytes = reinterpret_cast<T *>(D.take(Is.Number));
      if constexpr (std::is_same_v<Target, bool>)
        for (unsigned I = 0; I < Is.Number; ++I)
          check(D, const_cast<bool &>(Bytes[I]));
      return Bytes;
    } else if constexpr (Is.What == Kind::Value) {
      if constexpr (Is.IfSecond) {
        Counts[N] = D.takeWord(); // settle() compares it
        if (!Counts[N])
          return reinterpret_cast<T *>(D.takeWord());
      }
      const void *Value = D.takeValue();
      if (!Value && F != Function::global_atomic)
        refuse("an operand without a value");
      return Value;
    } else if constexpr (Is.What == Kind::Result) {
      D.takeWord(); // whether the kernel wants it is its own affair
      return static_cast<T *>(D.result());
    } else {
      return reinterpret_cast<T *>(D.takeWord());
    }
  }

  /// What can be checked only when all parameters are there.
  template <size_t N> void settle() {
    using Kind = Rule::Kind;
    constexpr Rule Is = ruleOf(F, N);
    if constexpr (Is.What == Kind::Array) {
      if (Counts[N] != std::get<Is.Number>(P))
        refuse("a list of another length");
    } else if constexpr (Is.What == Kind::Value && Is.IfSecond != 0) {
      bool IsValue = std::get<Is.Number>(P) == static_cast<Second>(Is.IfSecond);
      if (Counts[N] != IsValue)
        refuse("a value in the place of an address");
    }
  }

  template <size_t N> void giveBack(Decoder &D) {
    if constexpr (std::is_same_v<std::tuple_element_t<N, decltype(P)>,
                                 MatmulState *>) {
      MatmulState Back = *std::get<N>(P);
      Back.Results = reinterpret_cast<void *>(D.tokenOf(Back.Results));
      D.answer(&Back, sizeof(Back));
    }
  }

  template <typename Fn> void run(Decoder &D, Fn *Target) {
    run(D, Target, std::make_index_sequence<Num>());
  }

private:
  template <typename Fn, size_t... N>
  void run(Decoder &D, Fn *Target, std::index_sequence<N...>) {
    void *Result = D.result();
    (take<N>(D), ...);
    (settle<N>(), ...);
    if (!isPossible<F>(P))
      refuse("a number that no header makes");
    if constexpr (std::is_void_v<R>) {
      Target(std::get<N>(P)...);
    } else {
      R Value = Target(std::get<N>(P)...);
      std::memcpy(Result, static_cast<const void *>(&Value), sizeof(R));
    }
    (giveBack<N>(D), ...);
  }
};

/// Refused: the issuer answers these itself, and some write through a pointer.
template <Function F> void question(Decoder &) {
  refuse("a question that needs no answer");
}

template <Function F, typename T, T *Target> void call(Decoder &D) {
  if constexpr (F == Function::global_atomic) {
    Call<F, T> C;
    C.run(
        D, +[](GlobalAtomic Op, Elem E, void *Address, const void *Value,
               const void *Expected, void *Old) {
          if (!Value || !Old || (Op == GlobalAtomic::Compare && !Expected))
            refuse("an atomic without its operands");
          Target(Op, E, Address, Value, Expected, Old);
        });
  } else {
    Call<F, T>().run(D, Target);
  }
}

// --- what is no function -----------------------------------------------------

/// The record came with a later call: its line is not that of the store.
[[noreturn]] void storedPastEnd(const GlobalBuffer &B, uint64_t Offset) {
  TheIssuedCall = {};
  fail("gm-out-of-bounds", nullptr, "run it with --check, which names the line",
       "a pointer wrote byte %llu of '%s', which has %llu bytes",
       static_cast<unsigned long long>(Offset), B.Name,
       static_cast<unsigned long long>(B.Bytes));
}

void rawStore(Decoder &D) {
  RawStore S;
  std::memcpy(&S, D.take(sizeof(S)), sizeof(S));
  const uint8_t *From = D.take(S.Bytes);
  auto *To = reinterpret_cast<uint8_t *>(S.Address);
  Core &C = Core::current();
  Space Where = C.Memories.spaceOf(To);
  if (Where != Space::Host) {
    uint64_t Offset = static_cast<uint64_t>(To - C.Memories.base(Where));
    // The last page of a memory may be longer than it.
    uint64_t Room = (C.Memories.bytes(Where) + 4095) & ~4095u;
    if (Offset > Room || S.Bytes > Room - Offset)
      kernelCrashed(11, To, false);
  } else {
    const GlobalBuffer *B = C.device().nearestGlobal(To);
    if (!B || !B->Writable || To < B->Address)
      kernelCrashed(11, To, false);
    auto Offset = static_cast<uint64_t>(To - B->Address);
    uint64_t Room = B->Bytes + B->Slack;
    if (Offset > Room || S.Bytes > Room - Offset)
      storedPastEnd(*B, std::max(Offset, Room));
  }
  std::memcpy(To, From, S.Bytes);
}

void crash(Decoder &D) {
  Crash C;
  uint8_t *From = D.take(sizeof(C));
  std::memcpy(&C, From, offsetof(Crash, OutOfMemory));
  bool OutOfMemory = From[offsetof(Crash, OutOfMemory)];
  kernelCrashed(C.Signal, reinterpret_cast<void *>(C.Address), OutOfMemory);
}

template <bool Truncation> void noteInteger(Decoder &D) {
  IntegerNote N;
  std::memcpy(&N, D.take(sizeof(N)), sizeof(N));
  const char *Type = D.takeText(/*Kept=*/true);
  tellOverflow(
      {N.Value, Type ? Type : "", N.Op, N.Left, N.Right, N.Before, Truncation},
      BELAY_PC);
}

void nextBlock(Decoder &) { refuse("the end of a block inside of a call"); }

constexpr void (*Handlers[])(Decoder &) = {
#define BELAY_ABI(Name, Result, Parameters)                                    \
  call<Function::Name, function_types::Name, belay_sim_##Name>,
#define BELAY_ABI_QUESTION(Name, Result, Parameters) question<Function::Name>,
#define BELAY_ABI_THREADS(Name, Result, Parameters) question<Function::Name>,
#include "abi/Functions.def"
    nextBlock, rawStore, crash, noteInteger<false>, noteInteger<true>,
};
static_assert(std::size(Handlers) == NumFunctions);

} // namespace

size_t Decoder::execute(uint8_t *Record, uint32_t Bytes,
                        uint8_t (&Answer)[MaxAnswer]) {
  RecordHeader Header;
  std::memcpy(&Header, Record, sizeof(Header));
  At = Record + sizeof(Header);
  End = Record + Bytes;
  AnswerAt = Answer;
  AnswerEnd = Answer + MaxAnswer;
  if (!Printed.empty())
    Printed.clear();
  // Not null: what is called here must not look like the kernel's place.
  TheIssuedCall = {reinterpret_cast<const void *>(1), nullptr, 0};
  if (static_cast<unsigned>(Header.What) >= NumFunctions)
    refuse("a call of an unknown function");
  if (Header.NumFrames > MaxStack)
    refuse("a call stack that is too deep");
  auto *Frames = reinterpret_cast<uint64_t *>(take(Header.NumFrames * 8ul));
  if (Header.NumFrames)
    TheIssuedCall = {reinterpret_cast<const void *>(Frames[0]), Frames,
                     Header.NumFrames};
  if (!TheIssuedCall.PC)
    TheIssuedCall.PC = reinterpret_cast<const void *>(1);
  Handlers[static_cast<unsigned>(Header.What)](*this);
  if (Core::current().BufferBlocks.size() > KnownBlocks)
    updateRecords();           // buffers of no bytes fit into every memory
  TheIssuedCall.NumFrames = 0; // they are in the record
  return static_cast<size_t>(AnswerAt - Answer);
}

} // namespace belay::sim::sealed

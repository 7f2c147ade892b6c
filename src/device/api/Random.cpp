//===- Random.cpp - Random numbers as a task ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox 4x32 with 10 rounds: the key is the seed, the counter begins with what
// the program has put into its 16 bytes. The vendor does not say how the device
// makes the numbers; theirs are of the same distributions, and others.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "belay/elements.h"
#include "belay/floats.h"

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

using namespace belay;
using namespace belay::device;

namespace {

class Philox {
public:
  Philox(uint64_t Seed, const std::array<uint32_t, 4> &Counter)
      : Key{static_cast<uint32_t>(Seed), static_cast<uint32_t>(Seed >> 32)},
        Counter(Counter) {}

  uint32_t bits() {
    if (Used == Block.size()) {
      Block = shuffled();
      Used = 0;
      for (uint32_t &Word : Counter)
        if (++Word)
          break;
    }
    return Block[Used++];
  }
  uint64_t wideBits() {
    uint64_t Low = bits();
    return Low | (uint64_t(bits()) << 32);
  }
  /// From 0 to 1, without 1.
  double unit() { return static_cast<double>(wideBits() >> 11) * 0x1p-53; }
  double normal() {
    double Radius = std::sqrt(-2 * std::log(1 - unit()));
    return Radius * std::cos(2 * std::numbers::pi * unit());
  }

private:
  std::array<uint32_t, 4> shuffled() const {
    constexpr uint64_t A = 0xd2511f53, B = 0xcd9e8d57;
    std::array<uint32_t, 4> C = Counter;
    uint32_t K0 = Key[0], K1 = Key[1];
    for (int Round = 0; Round < 10; ++Round) {
      uint64_t X = A * C[0], Y = B * C[2];
      C = {static_cast<uint32_t>(Y >> 32) ^ C[1] ^ K0, static_cast<uint32_t>(Y),
           static_cast<uint32_t>(X >> 32) ^ C[3] ^ K1,
           static_cast<uint32_t>(X)};
      K0 += 0x9e3779b9;
      K1 += 0xbb67ae85;
    }
    return C;
  }
  uint32_t Key[2];
  std::array<uint32_t, 4> Counter, Block = {};
  size_t Used = 4;
};

enum Function : int { Dropout, Uniform, Normal, TruncatedNormal };

/// What a task needs, with the program's structure copied.
struct Numbers {
  aclrtRandomNumTaskInfo Info;
  Device *On = nullptr;
  element_types::id Type{};

  /// The bytes of a parameter: its own, or those that it points to.
  Outcome read(const aclrtRandomParaInfo &P, uint64_t &Value) const {
    Value = 0;
    if (!P.isAddr) {
      std::memcpy(&Value, P.valueOrAddr, std::min<size_t>(P.size, 8));
      return {};
    }
    uint64_t Address;
    std::memcpy(&Address, P.valueOrAddr, sizeof(Address));
    return bytes(Address, &Value, std::min<size_t>(P.size, 8));
  }
  Outcome bytes(uint64_t Address, void *To, size_t Count) const {
    AllocationTable &Table = On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(Address, Count) == Table.Live.end())
      return {RtParam, "random numbers: " + std::to_string(Count) +
                           " bytes from " + Table.describe(Address)};
    std::memcpy(To, On->Memory.bytes(Address), Count);
    return {};
  }
  Outcome run() const;
};

double toDouble(element_types::id Type, uint64_t Bits) {
  float F;
  switch (Type) {
  case element_types::id::F16:
    return small_floats::float_from_half(static_cast<uint16_t>(Bits));
  case element_types::id::BF16:
    return small_floats::float_from_bfloat(static_cast<uint16_t>(Bits));
  default: {
    auto Word = static_cast<uint32_t>(Bits);
    std::memcpy(&F, &Word, sizeof(F));
    return F;
  }
  }
}

uint64_t fromDouble(element_types::id Type, double Value) {
  auto F = static_cast<float>(Value);
  uint32_t Word;
  std::memcpy(&Word, &F, sizeof(Word));
  switch (Type) {
  case element_types::id::F16:
    return small_floats::half_from_float(F);
  case element_types::id::BF16:
    return small_floats::bfloat_from_float(F);
  default:
    return Word;
  }
}

bool isFloat(element_types::id Type) {
  return Type == element_types::id::F16 || Type == element_types::id::BF16 ||
         Type == element_types::id::F32;
}

/// From the least to the greatest, without the latter.
uint64_t uniform(Philox &P, element_types::id Type, uint64_t Least,
                 uint64_t Greatest) {
  if (isFloat(Type)) {
    double Low = toDouble(Type, Least), High = toDouble(Type, Greatest);
    uint64_t Result = fromDouble(Type, Low + (High - Low) * P.unit());
    // Rounding may reach the end that does not belong to it.
    return Result == Greatest && Low < High ? Least : Result;
  }
  uint64_t Range = Greatest - Least;
  if (element_types::bytes_of(Type) == 4)
    Range &= UINT32_MAX;
  return Least + (Range ? P.wideBits() % Range : 0);
}

uint64_t normal(Philox &P, element_types::id Type, uint64_t Mean,
                uint64_t Deviation, bool Truncated) {
  double Value = P.normal();
  while (Truncated && std::fabs(Value) > 2)
    Value = P.normal();
  return fromDouble(Type,
                    toDouble(Type, Mean) + toDouble(Type, Deviation) * Value);
}

Outcome Numbers::run() const {
  const aclrtRandomNumFuncParaInfo &What = Info.randomNumFuncParaInfo;
  uint64_t Seed = 0, Count = 0, First = 0, Second = 0;
  bool IsMask = What.funcType == Dropout;
  for (auto [P, Value] :
       {std::pair(&Info.randomSeed, &Seed), std::pair(&Info.randomNum, &Count),
        std::pair(&What.paramInfo.uniformDisInfo.min, &First)})
    if (Outcome O = read(*P, *Value); O.Error)
      return O;
  if (!IsMask)
    if (Outcome O = read(What.paramInfo.uniformDisInfo.max, Second); O.Error)
      return O;
  std::array<uint32_t, 4> Counter;
  if (Outcome O = bytes(reinterpret_cast<uint64_t>(Info.randomCounterAddr),
                        Counter.data(), sizeof(Counter));
      O.Error)
    return O;
  size_t Each = IsMask ? 1 : element_types::bytes_of(Type);
  if (Count > UINT64_MAX / 8)
    return {RtParam, "too many random numbers"};
  std::vector<uint8_t> Made(IsMask ? (Count + 7) / 8 : Count * Each);
  Philox P(Seed, Counter);
  for (uint64_t N = 0; N < Count; ++N) {
    if (IsMask) { // 1: the element stays
      bool Stays = P.unit() >= toDouble(Type, First);
      Made[N / 8] |= static_cast<uint8_t>(Stays << (N % 8));
      continue;
    }
    uint64_t Value =
        What.funcType == Uniform
            ? uniform(P, Type, First, Second)
            : normal(P, Type, First, Second, What.funcType == TruncatedNormal);
    std::memcpy(Made.data() + N * Each, &Value, Each);
  }
  auto To = reinterpret_cast<uint64_t>(Info.randomResultAddr);
  {
    AllocationTable &Table = On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(To, Made.size()) == Table.Live.end())
      return {RtParam, "random numbers: " + std::to_string(Made.size()) +
                           " bytes from " + Table.describe(To)};
    std::memcpy(On->Memory.bytes(To), Made.data(), Made.size());
  }
  On->Memory.markWritten({To});
  return {};
}

} // namespace

int aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *Info, void *StreamHandle,
                        void *) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Info);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!This.device().Kind.Soc->arch->hasRandomTasks)
    return This.fail(RtFeatureNotSupported,
                     std::string(This.device().Kind.Soc->name) +
                         " makes no random numbers as a task");
  Numbers Task = {*Info, &This.device(),
                  element_types::from_acl(Info->dataType)};
  int Function = Info->randomNumFuncParaInfo.funcType;
  bool Integer = Task.Type == element_types::id::S32 ||
                 Task.Type == element_types::id::S64 ||
                 Task.Type == element_types::id::U32 ||
                 Task.Type == element_types::id::U64;
  if (Function < Dropout || Function > TruncatedNormal ||
      (!isFloat(Task.Type) && (!Integer || Function != Uniform)))
    return This.fail(RtParam, "there is no such distribution of this type");
  Where To = runtime().locate(Info->randomResultAddr);
  Where From = runtime().locate(Info->randomCounterAddr);
  if (To.On != Task.On || From.On != Task.On)
    return This.mistake(RtParam, DiagId::DeviceBadCopy,
                        "the results and the counter are memory of the "
                        "stream's device");
  uint64_t Sequence = S->submit([Task] { return Task.run(); }, "RANDOM");
  AllocationTable &Table = Task.On->Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  for (const void *Each : {Info->randomResultAddr, Info->randomCounterAddr})
    if (auto It = Table.find(reinterpret_cast<uint64_t>(Each));
        It != Table.Live.end())
      It->second.Uses[S->Id] = {Sequence, "the random numbers", This.Site};
  return Success;
}

//===- Records.h - Records that are likely to be carried out ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of all functions as the issuer of a sealed run encodes them, with
// parameters of LikelyCalls.h, and ways to change some of their bytes. For
// fuzz_records and the libFuzzer target of the ring.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_SECURITY_RECORDS_H
#define BELAY_TEST_SECURITY_RECORDS_H

#include "LikelyCalls.h"

#include "sealed/Protocol.h"
#include "sealed/issuer/Encoder.h"

#include <cstring>
#include <string_view>

namespace belay::sim::fuzzing {

using namespace sealed;

inline const char *text() {
  static constexpr const char *Texts[] = {"DataCopy",   "Add",      "",
                                          "%d %s %p\n", "%100000d", nullptr};
  return Texts[pick(std::size(Texts) - chance(90))];
}

/// Values of the kernel that calls point at.
alignas(8) inline uint8_t Room[64][4096];
inline unsigned NextRoom;
inline void *room() {
  uint8_t *At = Room[NextRoom++ % 64];
  for (unsigned N = 0; N < 64; N += 8) {
    uint64_t Word = integer();
    std::memcpy(At + N, &Word, 8);
  }
  return At;
}

template <typename T> void fill(T &Value) {
  if constexpr (std::is_same_v<T, const char *>) {
    Value = text();
  } else if constexpr (std::is_same_v<T, bool>) {
    Value = chance(50);
  } else if constexpr (std::is_same_v<T, Elem>) {
    if (chance(85))
      Value = Now.Type;
    else
      Value = static_cast<T>(pick(static_cast<uint64_t>(LastOf<T>) + 1));
  } else if constexpr (std::is_same_v<T, TransposeKind>) {
    Value = static_cast<T>(1 + pick(7));
  } else if constexpr (std::is_enum_v<T>) {
    Value = static_cast<T>(pick(static_cast<uint64_t>(LastOf<T>) + 1));
  } else if constexpr (std::is_pointer_v<T>) {
    Value = static_cast<T>(address());
  } else if constexpr (std::is_floating_point_v<T> ||
                       std::is_same_v<T, _Float16>) {
    Value = static_cast<T>(static_cast<double>(pick(100)) - 50);
  } else if constexpr (std::is_arithmetic_v<T>) {
    Value = static_cast<T>(integer());
  } else if constexpr (std::is_array_v<T>) {
    for (auto &Each : Value)
      fill(Each);
  } else if constexpr (std::is_same_v<T, Source>) {
    fill(Value.Scalar);
    Value.Data = Value.Scalar ? room() : address();
  } else if constexpr (std::is_same_v<T, PrintArg>) {
    fill(Value.What);
    Value.Integer = static_cast<int64_t>(integer());
    if (Value.What == PrintArg::Kind::Text)
      Value.Address = text();
  } else {
    forEachField(Value, [](auto &Field) { fill(Field); });
  }
  if constexpr (std::is_same_v<T, PadCall>)
    Value.Value = room();
  if constexpr (std::is_same_v<T, AdjustSoftmaxCall>)
    Value.To = room();
  if constexpr (std::is_same_v<T, Dump>) {
    Value.Shape = static_cast<const uint32_t *>(room());
    Value.Dims = pick(5);
  }
  if constexpr (std::is_same_v<T, QueueState> || std::is_same_v<T, PoolRange> ||
                std::is_same_v<T, MatmulState>)
    forEachField(Value, [](auto &Field) {
      using F = std::remove_reference_t<decltype(Field)>;
      if constexpr (std::is_integral_v<F> && !std::is_same_v<F, bool>)
        if (chance(80))
          Field = static_cast<F>(pick(chance(50) ? 4 : 65));
    });
  if (chance(80))
    direct(Value);
}

template <Function F, typename T> struct Maker;
template <Function F, typename R, typename... Params>
struct Maker<F, R(Params...)> {
  template <size_t N, typename T> static void make(T &Value) {
    if constexpr (std::is_pointer_v<T>) {
      using Target = std::remove_cv_t<std::remove_pointer_t<T>>;
      constexpr auto Kind = ruleOf(F, N).What;
      if constexpr (Kind == Rule::Kind::Array) {
        auto *At = static_cast<Target *>(room());
        if constexpr (std::is_class_v<Target>)
          for (unsigned I = 0; I < 8; ++I)
            fill(At[I]);
        Value = At;
      } else if constexpr (std::is_same_v<Target, char>) {
        Value = text();
      } else if constexpr (std::is_class_v<Target> &&
                           !std::is_same_v<Target, BufferRecord>) {
        auto *At = static_cast<Target *>(room());
        static_assert(sizeof(Target) <= sizeof(Room[0]));
        fill(*At);
        Value = At;
      } else if constexpr (Kind != Rule::Kind::Address &&
                           Kind != Rule::Kind::Buffer) {
        Value = static_cast<T>(
            chance(95) || Kind == Rule::Kind::Bytes ? room() : nullptr);
      } else {
        Value = reinterpret_cast<T>(address());
      }
    } else {
      fill(Value);
      // So few threads that there may be so many, and one of them.
      if constexpr (F == Function::threads_begin)
        Value = chance(90) ? 1 + pick(12) : Value;
      if constexpr ((F == Function::threads_access && N == 0) ||
                    (F == Function::threads_atomic && N == 0) ||
                    (F == Function::threads_event && (N == 1 || N == 2)))
        Value = chance(90) ? pick(40) : Value;
    }
  }
  static void write(Encoder &To) {
    std::tuple<Params...> P;
    [&]<size_t... N>(std::index_sequence<N...>) {
      (make<N>(std::get<N>(P)), ...);
      // Lists are as long as the call says.
      auto Limit = [&]<size_t I>(std::integral_constant<size_t, I>) {
        constexpr Rule Is = ruleOf(F, I);
        if constexpr (Is.What == Rule::Kind::Array)
          std::get<Is.Number>(P) = pick(9);
        if constexpr (Is.IfSecond != 0)
          std::get<I>(P) =
              std::get<Is.Number>(P) == static_cast<Second>(Is.IfSecond)
                  ? room()
                  : address();
      };
      (Limit(std::integral_constant<size_t, N>()), ...);
      To.parameters<F>(std::get<N>(P)...);
    }(std::index_sequence_for<Params...>());
  }
};

inline constexpr void (*Makers[])(Encoder &) = {
#define BELAY_ABI(Name, Result, Parameters)                                    \
  Maker<Function::Name, function_types::Name>::write,
#include "abi/Functions.def"
};
inline constexpr const char *Names[] = {
#define BELAY_ABI(Name, Result, Parameters) #Name,
#include "abi/Functions.def"
};

/// These wait for other cores, and fail while they hold a lock.
inline bool waits(unsigned F) {
  if (F >= std::size(Names))
    return false;
  std::string_view Name = Names[F];
  return Name == "sync_all" || Name == "soft_sync" || Name == "cross_wait" ||
         Name == "cross_set" || Name.starts_with("ib_") ||
         Name.starts_with("order_") || Name.starts_with("group_");
}

inline constexpr unsigned NumMakers = std::size(Makers);

/// What a record asks for. It may be no function that there is.
inline unsigned functionOf(const uint8_t *Record) {
  Function What;
  std::memcpy(&What, Record + offsetof(RecordHeader, What), sizeof(What));
  return static_cast<unsigned>(What);
}
inline void setFunction(uint8_t *Record, unsigned F) {
  auto What = static_cast<Function>(F);
  std::memcpy(Record + offsetof(RecordHeader, What), &What, sizeof(What));
}

/// Some bytes anywhere.
inline void spoil(uint8_t *Bytes, uint32_t Count) {
  for (unsigned N = pick(8); N; --N)
    Bytes[chance(2) ? pick(8) : pick(Count)] = static_cast<uint8_t>(integer());
}

/// One number, of 1 to 8 bytes.
inline void change(uint8_t *Bytes, uint32_t Count) {
  uint32_t Width = 1u << pick(4);
  if (Count < 16)
    return;
  uint32_t At = 8 + static_cast<uint32_t>(pick((Count - 8) / Width)) * Width;
  uint64_t Value = 0;
  std::memcpy(&Value, Bytes + At, Width);
  switch (pick(4)) {
  case 0:
    Value = integer();
    break;
  case 1:
    Value += chance(50) ? 32 * pick(64) : 0 - 32 * pick(64);
    break;
  case 2:
    Value ^= uint64_t(1) << pick(uint64_t(8) * Width);
    break;
  default:
    Value = chance(50) ? Value * 2 : ~Value;
  }
  std::memcpy(Bytes + At, &Value, Width);
}

inline uint32_t makeRecord(Encoder &Record, unsigned F, uint8_t *To) {
  constexpr Elem Likely[] = {Elem::F16, Elem::F32, Elem::F32, Elem::S32,
                             Elem::S16, Elem::U32, Elem::U8,  Elem::BF16};
  Now = {Likely[pick(std::size(Likely))], static_cast<unsigned>(pick(3)),
         chance(60)};
  Record.begin(static_cast<Function>(F));
  if (chance(70))
    Record.addFrame(CodeBase + pick(1 << 20));
  Makers[F](Record);
  std::memcpy(To, Record.finish(), Record.bytes());
  if (chance(20))
    spoil(To, Record.bytes());
  // Few records of a process are to be the last one.
  if (waits(functionOf(To)) && !waits(F) && pick(50))
    setFunction(To, F);
  return Record.bytes();
}

} // namespace belay::sim::fuzzing

#endif // BELAY_TEST_SECURITY_RECORDS_H

//===- Encoder.h - A call as a record ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_ISSUER_ENCODER_H
#define BELAY_SEALED_ISSUER_ENCODER_H

#include "sealed/Fields.h"
#include "sealed/Rules.h"
#include "sealed/issuer/Replica.h"

#include <algorithm>
#include <tuple>

namespace belay::sim::sealed {

/// Writes the parameters of a call as Rules.h lays them out.
class Encoder {
public:
  void begin(Function F) {
    Used = sizeof(RecordHeader);
    Header = {0, F, 0};
  }
  void addFrame(uint64_t PC) {
    put(PC);
    ++Header.NumFrames;
  }
  void put(const void *Data, uint32_t Bytes) {
    if (Bytes > MaxRecord - Used - 8)
      Bytes = MaxRecord - Used - 8;
    std::memcpy(Record + Used, Data, Bytes);
    Used = (Used + Bytes + 7) & ~7u;
  }
  /// The same for what has a length that the compiler knows.
  template <typename T> void put(const T &Value) {
    static_assert(sizeof(T) <= MaxRecord / 4);
    if (Used > MaxRecord - 8 - sizeof(T))
      return put(&Value, sizeof(T)); // what is left of it
    std::memcpy(Record + Used, &Value, sizeof(T));
    Used = (Used + sizeof(T) + 7) & ~7u;
  }
  void putText(const char *Text) {
    uint32_t Length = Text ? std::min<size_t>(std::strlen(Text), MaxText) : 0;
    uint64_t Size = Text ? Length : NoText;
    put(Size);
    if (Text)
      put(Text, Length); // no NUL: the model ends it itself
  }
  /// One element, of which nobody knows here how long it is: no more than up to
  /// the end of its page.
  void putValue(const void *Value) {
    uint64_t Present = Value != nullptr, Word = 0;
    auto ToPageEnd = 4096 - (reinterpret_cast<uintptr_t>(Value) & 4095);
    if (Value)
      std::memcpy(&Word, Value, std::min<size_t>(sizeof(Word), ToPageEnd));
    put(Present);
    put(Word);
  }

  template <Function F, typename... Params> void parameters(Params... P) {
    auto All = std::tie(P...);
    [&]<size_t... Index>(std::index_sequence<Index...>) {
      (parameter<F, Index>(std::get<Index>(All), All), ...);
    }(std::index_sequence_for<Params...>());
  }

  const uint8_t *finish() {
    Header.Bytes = Used;
    std::memcpy(Record, &Header, sizeof(Header));
    return Record;
  }
  uint32_t bytes() const { return Used; }

private:
  template <Function F, unsigned N, typename T, typename Tuple>
  void parameter(T Value, const Tuple &All) {
    if constexpr (std::is_pointer_v<T>)
      pointer<F, N>(Value, All);
    else
      put(Value);
  }

  template <Function F, unsigned N, typename T, typename Tuple>
  void pointer(T *Value, const Tuple &All) {
    using Target = std::remove_cv_t<T>;
    constexpr Rule R = ruleOf(F, N);
    if constexpr (R.What == Rule::Kind::Array) {
      array(Value, std::get<R.Number>(All));
    } else if constexpr (std::is_same_v<Target, char>) {
      putText(Value);
    } else if constexpr (R.What == Rule::Kind::Buffer ||
                         std::is_same_v<Target, BufferRecord>) {
      uint64_t Ordinal = ordinalOf(Value);
      put(Ordinal);
    } else if constexpr (std::is_class_v<Target>) {
      structure(*Value);
    } else if constexpr (R.What == Rule::Kind::Bytes) {
      put(Value, R.Number);
    } else if constexpr (R.What == Rule::Kind::Value && R.IfSecond) {
      uint64_t IsValue =
          std::get<R.Number>(All) == static_cast<Second>(R.IfSecond);
      put(IsValue);
      if (IsValue)
        putValue(Value);
      else
        address(Value);
    } else if constexpr (R.What == Rule::Kind::Value) {
      putValue(Value);
    } else if constexpr (R.What == Rule::Kind::Result) {
      uint64_t Wanted = Value != nullptr;
      put(Wanted);
    } else if constexpr (std::is_function_v<T>) {
      address(reinterpret_cast<const void *>(Value));
    } else {
      address(Value);
    }
  }

  void address(const void *P) { put(P); }

  template <typename T> void array(const T *Values, uint32_t Count) {
    // Nothing has so many; the model refuses it by its length.
    Count = std::min<uint32_t>(Count, MaxRecord / 2 / sizeof(T));
    uint64_t Bytes = uint64_t(Count) * sizeof(T);
    put(Bytes);
    put(Values, static_cast<uint32_t>(Bytes));
    if constexpr (std::is_same_v<std::remove_cv_t<T>, PrintArg>)
      for (uint32_t N = 0; N < Count; ++N)
        if (Values[N].What == PrintArg::Kind::Text)
          putText(static_cast<const char *>(Values[N].Address));
  }

  template <typename T> void structure(const T &Value) {
    if constexpr (std::is_same_v<T, QueueState>) {
      QueueState Q = Value;
      Q.Buffers = reinterpret_cast<BufferRecord *>(ordinalOf(Q.Buffers));
      put(Q);
    } else {
      put(Value);
      carried(Value);
    }
  }

  /// What the pointers of a structure carry.
  template <typename T> void carried(const T &Value) {
    if constexpr (std::is_same_v<T, const char *>) {
      putText(Value);
    } else if constexpr (std::is_same_v<T, Source>) {
      if (Value.Scalar)
        putValue(Value.Data);
    } else if constexpr (std::is_array_v<T>) {
      for (const auto &Each : Value)
        carried(Each);
    } else if constexpr (std::is_class_v<T>) {
      forEachField(Value, [&](const auto &Field) { carried(Field); });
    }
    if constexpr (std::is_same_v<T, PadCall>)
      putValue(Value.Value);
    if constexpr (std::is_same_v<T, AdjustSoftmaxCall>)
      putValue(Value.To);
    if constexpr (std::is_same_v<T, Dump>)
      array(Value.Shape, Value.Dims);
  }

  RecordHeader Header;
  uint32_t Used = 0;
  alignas(8) uint8_t Record[MaxRecord];
};

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_ISSUER_ENCODER_H

//===- record.h - Launches of a candidate's host code, written down -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch is its number in the source, its blocks, and its arguments as words.
// Tensors have addresses that no memory has: the number of the tensor in the
// bits from 40 on, counted from 1. What the host code allocates has numbers
// from 128 on.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MULTIKERNELBENCH_RECORD_H
#define BELAY_MULTIKERNELBENCH_RECORD_H

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace belay::record {

inline constexpr unsigned AddressBits = 40;
inline constexpr uint64_t FirstAllocated = 128;
inline constexpr unsigned MaxWords = 96, MaxAllocated = 16;

/// Says why, and ends the process.
[[noreturn]] void refuse(const std::string &Why);

/// The address of new memory.
uint64_t allocate(uint64_t Bytes);

struct Launch {
  unsigned Site = 0;
  uint32_t Blocks = 0;
  std::vector<uint64_t> Words;
};
void keep(Launch L);

template <typename T>
void append(std::vector<uint64_t> &Words, const T &Value) {
  static_assert(std::is_trivially_copyable_v<T>,
                "arguments of kernels are copied byte by byte");
  uint64_t Raw[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(Raw, &Value, sizeof(T));
  Words.insert(Words.end(), std::begin(Raw), std::end(Raw));
}

/// kernel<<<blocks, l2, stream>>>(arguments)
template <typename... P> class Call {
public:
  Call(unsigned Site, uint32_t Blocks) : Site(Site), Blocks(Blocks) {}
  void operator()(std::decay_t<P>... Values) const {
    Launch L{Site, Blocks, {}};
    (append(L.Words, Values), ...);
    keep(std::move(L));
  }

private:
  unsigned Site;
  uint32_t Blocks;
};

template <unsigned Site, typename... P> auto configure(void (*)(P...)) {
  return [](auto Blocks, auto &&...) {
    return Call<P...>(Site, static_cast<uint32_t>(Blocks));
  };
}

/// A launch in what is compiled for the device, where there are none.
template <typename... T> void nothing(T &&...) {}

} // namespace belay::record

#endif // BELAY_MULTIKERNELBENCH_RECORD_H

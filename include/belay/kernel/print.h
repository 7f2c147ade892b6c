//===- print.h - What a kernel says of its tiles ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_PRINT_H
#define BELAY_KERNEL_PRINT_H

#include "belay/kernel/cores.h"

#if !defined(__BELAY__)
#include <cstdio>
#include <mutex>
#include <source_location>
#include <string>
#endif

namespace belay {

#if !defined(__BELAY__)
namespace detail {

inline std::mutex twin_output;

template <number T> std::string twin_text(T value) {
  if constexpr (is_int<T>)
    return std::to_string(i64(value));
  else
    return std::to_string(float(value));
}

/// "[1.000000, 2.000000]"
template <class At> std::string twin_list(i64 count, At &&at) {
  std::string text = "[";
  for (i64 i = 0; i < count; ++i)
    text += (i ? ", " : "") + twin_text(at(i));
  return text + "]";
}

/// As the device prints it: one list for each row, one for a whole column.
template <i64 Rows, i64 Columns, i64 R, i64 C, class T>
void twin_print(const Tile<R, C, T> &t, const std::source_location &where) {
  constexpr bool column = C == 1 && R > 1;
  std::string text;
  for (i64 r = 0; r < (column ? 1 : min(t.rows(), Rows)); ++r)
    text += twin_list(min(column ? t.rows() : t.cols(), Columns),
                      [&](i64 i) {
                        return column ? t.twin_at(i, 0) : t.twin_at(r, i);
                      }) +
            "\n";
  std::lock_guard lock(twin_output);
  std::printf("line %u, core %lld:\n%s", unsigned(where.line()),
              static_cast<long long>(twin_core.index), text.c_str());
}

} // namespace detail
#endif

/// Prints the first elements of a tile, with the line of the call: at most so
/// many rows, and so many elements of each. A column is printed as a row.
template <i64 Rows = 8, i64 Columns = 64, i64 R, i64 C, number T>
  requires(Rows > 0 && Columns > 0)
#if defined(__BELAY__)
BELAY_OP("print")
void print(const Tile<R, C, T> &t);
#else
void print(const Tile<R, C, T> &t, const std::source_location &where =
                                       std::source_location::current()) {
  detail::twin_print<Rows, Columns>(t, where);
}
#endif

} // namespace belay

#endif // BELAY_KERNEL_PRINT_H

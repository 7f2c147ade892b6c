//===- launch.h - What generated launchers are made of ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay build kernel.cpp -o DIR` writes a header for each kernel, which
// includes this one. C++17; neither CANN nor anything else of Belay is needed.
//
//   #include "softmax_1024.h"
//   auto launcher = [&](const belay::launch::request &r) { ... return 0; };
//   auto status = belay::kernels::softmax_1024::launch(
//       launcher, 8, {x, rows, 1024}, {y, rows, 1024});
//   if (!status.ok())
//     std::cerr << status.message() << "\n";
//
// What a kernel was proven for, its launcher checks: extents, addresses,
// overlap, the number of blocks, and every `expects`. A launch that is not
// admitted is not started; the status says what is wrong, with its numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_H
#define BELAY_LAUNCH_H

#include "belay/floats.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

namespace belay {

// As in belay/kernel.h. Here they only tell pointers apart.
class half;
class bfloat16;

namespace launch {

/// An extent that is known only at the launch.
inline constexpr std::int64_t dyn = -1;
/// The largest extent; proofs rely on it.
inline constexpr std::int64_t max_extent = std::int64_t(1) << 40;

/// Whether a kernel was launched, or why not. `belay explain ID` tells more.
class [[nodiscard]] status {
public:
  status() = default;
  status(std::string id, std::string text)
      : id_(std::move(id)), text_(std::move(text)) {}

  bool ok() const { return id_.empty(); }
  /// Stable: "expects-not-met".
  const std::string &id() const { return id_; }
  const std::string &text() const { return text_; }
  std::string message() const { return ok() ? "" : text_ + " [" + id_ + "]"; }

private:
  std::string id_, text_;
};

/// What the generated header says of its kernel.
struct kernel_info {
  const char *kernel; ///< "softmax<1024>"
  const char *entry;  ///< The symbol of the device function.
  const char *soc;    ///< What it was compiled for.
  const char *arch;
  std::uint32_t max_blocks;
  bool cores_meet;     ///< All blocks have to run at once.
  std::uint32_t cores; ///< That the SoC has for its blocks.
};

/// What a launcher gets when everything is checked. It is any function object
/// that takes a request and returns 0 for success, as ACL's functions do. The
/// arguments are those of the entry point, one after the other, each aligned
/// by its size but at least by 4; they live until the launcher returns.
struct request {
  const kernel_info &kernel;
  std::uint32_t blocks;
  const void *arguments;
  std::size_t bytes;
};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The bits of a scalar in half precision or in bfloat16.
struct half_bits {
  std::uint16_t bits;
};
struct bfloat16_bits {
  std::uint16_t bits;
};

inline float to_float(bfloat16_bits value) {
  return small_floats::float_from_bfloat(value.bits);
}
inline float to_float(half_bits value) {
  return small_floats::float_from_half(value.bits);
}

template <class T> inline constexpr std::size_t element_bytes = sizeof(T);
template <> inline constexpr std::size_t element_bytes<half> = 2;
template <> inline constexpr std::size_t element_bytes<const half> = 2;
template <> inline constexpr std::size_t element_bytes<bfloat16> = 2;
template <> inline constexpr std::size_t element_bytes<const bfloat16> = 2;

/// Memory of the device: its address, and all extents of what lies there, row
/// by row without gaps. Extents that the kernel's type fixes are compared with
/// it by the launcher.
template <class T, std::int64_t... Extents> class view {
  static_assert(sizeof...(Extents) >= 1 && sizeof...(Extents) <= 4);

public:
  using element = T;
  static constexpr int rank = sizeof...(Extents);
  static constexpr std::int64_t static_extents[] = {Extents...};

  template <class... Sizes,
            class = std::enable_if_t<sizeof...(Sizes) == sizeof...(Extents)>>
  view(T *data, Sizes... extents)
      : data_(data), extents_{to_extent(extents)...} {}

  T *data() const { return data_; }
  std::uint64_t address() const {
    return reinterpret_cast<std::uintptr_t>(data_);
  }
  std::int64_t extent(int i) const { return extents_[i]; }
  const std::int64_t *extents() const { return extents_; }

private:
  /// One that does not fit in 63 bits is none, and refused by the check.
  template <class Integer> static std::int64_t to_extent(Integer extent) {
    static_assert(std::is_integral_v<Integer>, "an extent is a whole number");
    if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) >= 8)
      return extent > Integer(INT64_MAX) ? -1 : std::int64_t(extent);
    else
      return std::int64_t(extent);
  }

  T *data_;
  std::int64_t extents_[rank];
};

/// What a kernel does with a view. A per_core view has one element for each
/// block, and is the kernel's own while it runs.
enum class access { in, out, inout, per_core };

/// \name The parameters of a launcher, as types: views with what the kernel
/// does with them, and scalars as they are.
/// @{
template <access How, class View> struct parameter {};
template <class... Each> struct parameters {};
/// @}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// A value of a condition, or none: a divisor was 0, or a number left 128 bits.
template <class T> struct term {
  T value;
  bool known = true;
};

__extension__ typedef __int128 wide;

struct truth : term<bool> {
  explicit truth(bool given, bool is_known = true) : term{given, is_known} {}
  bool holds() const { return known && value; }
};
struct whole : term<wide> {
  explicit whole(wide given, bool is_known = true) : term{given, is_known} {}
};
struct real : term<float> {
  explicit real(float given, bool is_known = true) : term{given, is_known} {}
  explicit real(whole from) : term{float(from.value), from.known} {}
};

inline whole operator+(whole a, whole b) {
  wide value;
  const bool wrong = __builtin_add_overflow(a.value, b.value, &value);
  return whole(value, a.known && b.known && !wrong);
}
inline whole operator-(whole a, whole b) {
  wide value;
  const bool wrong = __builtin_sub_overflow(a.value, b.value, &value);
  return whole(value, a.known && b.known && !wrong);
}
inline whole operator*(whole a, whole b) {
  wide value;
  const bool wrong = __builtin_mul_overflow(a.value, b.value, &value);
  return whole(value, a.known && b.known && !wrong);
}
/// Towards zero. The lowest number has no opposite.
inline whole operator/(whole a, whole b) {
  if (b.value == 0)
    return whole(0, false);
  if (b.value == -1)
    return whole(0) - a;
  return whole(a.value / b.value, a.known && b.known);
}
inline whole operator%(whole a, whole b) {
  if (b.value == 0)
    return whole(0, false);
  if (b.value == -1)
    return whole(0, a.known && b.known);
  return whole(a.value % b.value, a.known && b.known);
}

inline real operator+(real a, real b) {
  return real(a.value + b.value, a.known && b.known);
}
inline real operator-(real a, real b) {
  return real(a.value - b.value, a.known && b.known);
}
inline real operator*(real a, real b) {
  return real(a.value * b.value, a.known && b.known);
}
inline real operator/(real a, real b) {
  return real(a.value / b.value, a.known && b.known);
}
inline real operator-(real a) { return real(-a.value, a.known); }

#define BELAY_COMPARE(sign)                                                    \
  inline truth operator sign(whole a, whole b) {                               \
    return truth(a.value sign b.value, a.known && b.known);                    \
  }                                                                            \
  inline truth operator sign(real a, real b) {                                 \
    return truth(a.value sign b.value, a.known && b.known);                    \
  }
BELAY_COMPARE(<)
BELAY_COMPARE(<=)
BELAY_COMPARE(>)
BELAY_COMPARE(>=)
BELAY_COMPARE(==)
BELAY_COMPARE(!=)
#undef BELAY_COMPARE
inline truth operator==(truth a, truth b) {
  return truth(a.value == b.value, a.known && b.known);
}
inline truth operator!=(truth a, truth b) {
  return truth(a.value != b.value, a.known && b.known);
}

/// One side can be enough, as && and || would not look at the other.
inline truth both(truth a, truth b) {
  const bool no = (a.known && !a.value) || (b.known && !b.value);
  return truth(!no, no || (a.known && b.known));
}
inline truth either(truth a, truth b) {
  const bool yes = a.holds() || b.holds();
  return truth(yes, yes || (a.known && b.known));
}
template <class T> T choose(truth condition, T yes, T no) {
  T result = condition.value ? yes : no;
  result.known &= condition.known;
  return result;
}
inline whole least(whole a, whole b) {
  return whole(a.value < b.value ? a.value : b.value, a.known && b.known);
}
inline whole most(whole a, whole b) {
  return whole(a.value < b.value ? b.value : a.value, a.known && b.known);
}
inline real least(real a, real b) {
  return real(std::fmin(a.value, b.value), a.known && b.known);
}
inline real most(real a, real b) {
  return real(std::fmax(a.value, b.value), a.known && b.known);
}

/// A number with its name, for messages.
struct named {
  const char *name;
  bool is_whole;
  std::int64_t number;
  float fraction;

  named(const char *name, std::int64_t value)
      : name(name), is_whole(true), number(value), fraction(0) {}
  named(const char *name, float value)
      : name(name), is_whole(false), number(0), fraction(value) {}

  std::string text() const {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", double(fraction));
    return std::string(name) + " is " +
           (is_whole ? std::to_string(number) : digits);
  }
};

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// Looks at one launch. The first thing that is wrong is the one to report.
class checker {
public:
  checker(const kernel_info &kernel, std::uint32_t blocks)
      : kernel_(kernel), blocks_(blocks) {
    if (blocks >= 1 && blocks <= kernel.max_blocks)
      return;
    fail("bad-block-count",
         "has 1 to " + std::to_string(kernel.max_blocks) + " blocks" +
             (kernel.cores_meet ? std::string(", since its cores wait for each "
                                              "other and ") +
                                      kernel.soc + " has no more"
                                : "") +
             ", not " + std::to_string(blocks));
  }

  template <class T, std::int64_t... Extents>
  void look_at(const char *name, access how,
               const view<T, Extents...> &argument) {
    look_at(name, how, argument.address(), element_bytes<T>, argument.extents(),
            view<T, Extents...>::static_extents, sizeof...(Extents));
  }

  /// Place is "kernel.cpp:7".
  void expects(truth holds, const char *text, const char *place,
               std::initializer_list<named> values) {
    if (holds.holds() || !result_.ok())
      return;
    std::string why = "expects " + std::string(text) + " (" + place + ")";
    const char *separator =
        holds.known ? ", but "
                    : ", which has no value (a divisor is 0, or a number "
                      "leaves 128 bits): ";
    for (const named &value : values) {
      why += separator + value.text();
      separator = ", ";
    }
    fail("expects-not-met", why);
  }

  status result() const { return result_; }

private:
  struct range {
    const char *name;
    bool written;
    std::uint64_t begin, end;
  };
  static constexpr int max_views = 64;

  void fail(const char *id, const std::string &why) {
    if (result_.ok())
      result_ = status(id, std::string(kernel_.kernel) + " " + why);
  }

  static std::string number(std::int64_t value) {
    return std::to_string(value);
  }

  void look_at(const char *name, access how, std::uint64_t address,
               std::size_t element, const std::int64_t *extents,
               const std::int64_t *statics, int rank) {
    const std::string which = "takes '" + std::string(name) + "', ";
    std::uint64_t elements = 1;
    bool empty = false, large = false;
    for (int i = 0; i < rank; ++i) {
      const std::int64_t extent = extents[i];
      const std::string one = which + "whose extent " + number(i);
      if (extent < 0 || extent > max_extent)
        return fail("bad-extent",
                    one + " is from 0 to 2^40, not " + number(extent));
      if (statics[i] != dyn && extent != statics[i])
        return fail("bad-extent", one + " is " + number(statics[i]) + ", not " +
                                      number(extent));
      empty |= extent == 0;
      large |=
          __builtin_mul_overflow(elements, std::uint64_t(extent), &elements);
    }
    if (how == access::per_core && extents[0] != std::int64_t(blocks_))
      return fail("bad-extent",
                  which + "which has one element for each of the " +
                      number(blocks_) + " blocks, not " + number(extents[0]));
    if (empty)
      return; // no byte of it exists
    if (large || elements > std::uint64_t(max_extent))
      return fail("bad-extent", which + "which has more than 2^40 elements");
    if (address == 0)
      return fail("bad-address", which + "whose address is null");
    std::uint64_t end;
    if (__builtin_add_overflow(address, elements * element, &end))
      return fail("bad-address", which + "which ends past the last address");
    if (address % element != 0)
      return fail("bad-address", which + "whose address is no multiple of " +
                                     std::to_string(element));
    compare({name, how != access::in, address, end});
  }

  /// Whatever is written belongs to one argument alone.
  void compare(const range &added) {
    for (int i = 0; i < count_; ++i) {
      const range &known = ranges_[i];
      if ((known.written || added.written) && known.begin < added.end &&
          added.begin < known.end)
        fail("argument-overlap",
             "takes '" + std::string(known.name) + "' and '" + added.name +
                 "', which share " +
                 std::to_string(
                     (known.end < added.end ? known.end : added.end) -
                     (known.begin < added.begin ? added.begin : known.begin)) +
                 " bytes; '" + (added.written ? added.name : known.name) +
                 "' is written");
    }
    if (count_ < max_views)
      ranges_[count_++] = added;
  }

  const kernel_info &kernel_;
  std::uint32_t blocks_;
  status result_;
  range ranges_[max_views];
  int count_ = 0;
};

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// The arguments of an entry point, one after the other; zeros between them.
template <std::size_t Bytes> class argument_block {
public:
  template <std::size_t Offset, class T> void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(Offset % sizeof(T) == 0 && Offset + sizeof(T) <= Bytes);
    std::memcpy(bytes_ + Offset, &value, sizeof value);
  }
  const void *data() const { return bytes_; }

private:
  alignas(8) unsigned char bytes_[Bytes ? Bytes : 1] = {};
};

template <class Launcher>
status start(Launcher &&launcher, const kernel_info &kernel,
             std::uint32_t blocks, const void *arguments, std::size_t bytes) {
  static_assert(std::is_invocable_r_v<long, Launcher &, const request &>,
                "a launcher is called with a belay::launch::request and "
                "returns 0 for success");
  const long code = launcher(request{kernel, blocks, arguments, bytes});
  if (code == 0)
    return {};
  return {"launch-failed", std::string(kernel.kernel) +
                               " was not launched: error " +
                               std::to_string(code)};
}

} // namespace launch
} // namespace belay

#endif // BELAY_LAUNCH_H

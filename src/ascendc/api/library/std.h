//===- std.h - AscendC::Std and small helpers -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_STD_H
#define BELAY_ASCENDC_API_LIBRARY_STD_H

#include "api/basic.h"

namespace AscendC {
namespace Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;

template <typename T> using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;

/// The device's floating-point types, of which C++ does not know all.
template <typename T>
struct is_floating_point
    : bool_constant<is_same_v<remove_cv_t<T>, half> ||
                    is_same_v<remove_cv_t<T>, bfloat16_t> ||
                    std::is_floating_point_v<T>> {};
template <typename T>
inline constexpr bool is_floating_point_v = is_floating_point<T>::value;

template <size_t N> using Int = integral_constant<size_t, N>;

template <typename T, T... Is> struct integer_sequence {
  using value_type = T;
  static constexpr size_t size() { return sizeof...(Is); }
};
template <typename T, T N>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <size_t... Is> using index_sequence = integer_sequence<size_t, Is...>;
template <size_t N>
using make_index_sequence = make_integer_sequence<size_t, N>;
template <typename... Ts>
using index_sequence_for = make_index_sequence<sizeof...(Ts)>;

template <typename T> constexpr T &&forward(remove_reference_t<T> &t) noexcept {
  return static_cast<T &&>(t);
}
template <typename T>
constexpr T &&forward(remove_reference_t<T> &&t) noexcept {
  return static_cast<T &&>(t);
}
template <typename T> constexpr remove_reference_t<T> &&move(T &&t) noexcept {
  return static_cast<remove_reference_t<T> &&>(t);
}

template <typename T, typename U> constexpr T min(const T &a, const U &b) {
  return b < a ? static_cast<T>(b) : a;
}
template <typename T, typename U> constexpr T max(const T &a, const U &b) {
  return a < b ? static_cast<T>(b) : a;
}
template <typename T> BELAY_API T sqrt(const T x) {
  return static_cast<T>(__builtin_sqrtf(static_cast<float>(x)));
}
template <typename T> BELAY_API T abs(const T x) {
  return x < T(0) ? static_cast<T>(-x) : x;
}

// --- tuple -------------------------------------------------------------------
template <typename... Ts> class tuple;

template <typename T> struct tuple_size;
template <typename... Ts>
struct tuple_size<tuple<Ts...>> : Int<sizeof...(Ts)> {};
template <typename T> struct tuple_size<const T> : tuple_size<T> {};
template <typename T>
inline constexpr size_t tuple_size_v = tuple_size<T>::value;

template <size_t I, typename T> struct tuple_element;
template <size_t I, typename... Ts> struct tuple_element<I, tuple<Ts...>> {
  using type = __type_pack_element<I, Ts...>;
};
template <size_t I, typename T>
struct tuple_element<I, const T> : tuple_element<I, T> {};
template <size_t I, typename T>
using tuple_element_t = typename tuple_element<I, T>::type;

template <typename T> struct is_tuple : false_type {};
template <typename... Ts> struct is_tuple<tuple<Ts...>> : true_type {};
template <typename T>
inline constexpr bool is_tuple_v = is_tuple<remove_cvref_t<T>>::value;

namespace belay_detail {
template <size_t I, typename T> struct Leaf {
  T value{};
};
template <typename Is, typename... Ts> struct Leaves;
template <size_t... Is, typename... Ts>
struct Leaves<index_sequence<Is...>, Ts...> : Leaf<Is, Ts>... {
  constexpr Leaves() = default;
  template <typename... Us>
  constexpr explicit Leaves(int, Us &&...us)
      : Leaf<Is, Ts>{static_cast<Us &&>(us)}... {}
};
template <size_t I, typename T> constexpr T &leaf(Leaf<I, T> &l) {
  return l.value;
}
template <size_t I, typename T> constexpr const T &leaf(const Leaf<I, T> &l) {
  return l.value;
}
} // namespace belay_detail

template <typename... Ts>
class tuple : public belay_detail::Leaves<index_sequence_for<Ts...>, Ts...> {
  using Base = belay_detail::Leaves<index_sequence_for<Ts...>, Ts...>;

public:
  constexpr tuple() = default;
  template <typename... Us,
            typename = enable_if_t<sizeof...(Us) == sizeof...(Ts) &&
                                   (sizeof...(Us) > 0) &&
                                   (is_convertible_v<Us, Ts> && ...)>>
  constexpr tuple(Us &&...us) : Base(0, static_cast<Us &&>(us)...) {}

  /// Assigns member by member, so that tie() works.
  template <typename... Us> constexpr tuple &operator=(const tuple<Us...> &o) {
    assign(o, index_sequence_for<Ts...>{});
    return *this;
  }
  constexpr tuple(const tuple &) = default;
  constexpr tuple &operator=(const tuple &o) {
    assign(o, index_sequence_for<Ts...>{});
    return *this;
  }

private:
  template <typename O, size_t... Is>
  constexpr void assign(const O &o, index_sequence<Is...>) {
    ((belay_detail::leaf<Is>(*this) = belay_detail::leaf<Is>(o)), ...);
  }
};
template <typename... Ts> tuple(Ts...) -> tuple<Ts...>;

template <size_t I, typename... Ts> constexpr auto &get(tuple<Ts...> &t) {
  return belay_detail::leaf<I>(t);
}
template <size_t I, typename... Ts>
constexpr const auto &get(const tuple<Ts...> &t) {
  return belay_detail::leaf<I>(t);
}
template <size_t I, typename... Ts> constexpr auto get(tuple<Ts...> &&t) {
  return belay_detail::leaf<I>(t);
}
template <typename... Ts>
constexpr tuple<decay_t<Ts>...> make_tuple(Ts &&...ts) {
  return tuple<decay_t<Ts>...>(static_cast<Ts &&>(ts)...);
}
struct ignore_t {
  template <typename T> constexpr const ignore_t &operator=(const T &) const {
    return *this;
  }
};
inline constexpr ignore_t ignore{};
template <typename... Ts> constexpr tuple<Ts &...> tie(Ts &...ts) noexcept {
  return tuple<Ts &...>(ts...);
}

} // namespace Std

// --- arithmetic of sizes -----------------------------------------------------
__aicore__ constexpr inline uint32_t DivCeil(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}
__aicore__ constexpr inline uint32_t AlignUp(uint32_t a, uint32_t b) {
  return DivCeil(a, b) * b;
}
__aicore__ constexpr inline uint32_t Ceil(uint32_t a, uint32_t b) {
  return DivCeil(a, b);
}
__aicore__ constexpr inline int32_t CeilDivision(int32_t num1, int32_t num2) {
  return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}

__aicore__ constexpr inline int16_t GetDataBlockSizeInBytes() {
  return ONE_BLK_SIZE;
}
__aicore__ constexpr inline uint32_t GetVecLen() {
  return ONE_REPEAT_BYTE_SIZE;
}
BELAY_API uint32_t GetUBSizeInBytes() {
  return belay_sim_memory_bytes(belay::sim::Space::UB);
}
BELAY_API uint32_t GetRuntimeUBSize() {
  return belay_sim_memory_bytes(belay::sim::Space::UB);
}

// --- limits of element types -------------------------------------------------
namespace belay_detail {
/// The bits that a limit is made of, for a float with E exponent and M fraction
/// bits.
template <typename Bits, int E, int M> struct FloatBits {
  static constexpr Bits infinity = Bits((Bits(1) << E) - 1) << M;
  static constexpr Bits max = infinity - 1;
  static constexpr Bits min = Bits(1) << M;
  static constexpr Bits quietNaN = infinity | (Bits(1) << (M - 1));
  static constexpr Bits signalingNaN = infinity | (Bits(1) << (M - 2));
  static constexpr Bits denormMin = 1;
  static constexpr Bits sign = Bits(1) << (E + M);
};
template <typename T> struct LimitBits;
template <> struct LimitBits<half> : FloatBits<uint16_t, 5, 10> {};
template <> struct LimitBits<bfloat16_t> : FloatBits<uint16_t, 8, 7> {};
template <> struct LimitBits<float> : FloatBits<uint32_t, 8, 23> {};
} // namespace belay_detail

template <typename T> class NumericLimits {
  template <typename Bits> static constexpr T of(Bits bits) {
    return __builtin_bit_cast(T, bits);
  }
  static constexpr bool isInteger = std::is_integral_v<T>;
  static constexpr bool isSigned = T(-1) < T(0);

public:
  __aicore__ static constexpr T Max() {
    if constexpr (isInteger)
      return isSigned ? T(~(std::make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1)))
                      : T(~T(0));
    else
      return of(belay_detail::LimitBits<T>::max);
  }
  __aicore__ static constexpr T Lowest() {
    if constexpr (isInteger)
      return isSigned ? T(-Max() - 1) : T(0);
    else
      return of(decltype(belay_detail::LimitBits<T>::max)(
          belay_detail::LimitBits<T>::max | belay_detail::LimitBits<T>::sign));
  }
  /// The smallest normal value of a float.
  __aicore__ static constexpr T Min() {
    if constexpr (isInteger)
      return Lowest();
    else
      return of(belay_detail::LimitBits<T>::min);
  }
  __aicore__ static constexpr T Infinity() {
    return of(belay_detail::LimitBits<T>::infinity);
  }
  __aicore__ static constexpr T NegativeInfinity() {
    return of(decltype(belay_detail::LimitBits<T>::infinity)(
        belay_detail::LimitBits<T>::infinity |
        belay_detail::LimitBits<T>::sign));
  }
  __aicore__ static constexpr T QuietNaN() {
    return of(belay_detail::LimitBits<T>::quietNaN);
  }
  __aicore__ static constexpr T SignalingNaN() {
    return of(belay_detail::LimitBits<T>::signalingNaN);
  }
  __aicore__ static constexpr T DeNormMin() {
    return of(belay_detail::LimitBits<T>::denormMin);
  }
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_STD_H

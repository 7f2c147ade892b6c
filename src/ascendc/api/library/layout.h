//===- layout.h - Shapes, strides, coordinates, and TransData ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_LAYOUT_H
#define BELAY_ASCENDC_API_LIBRARY_LAYOUT_H

#include "api/library/math.h"
#include "api/library/std.h"

namespace AscendC {

template <typename... Ts> using Shape = Std::tuple<Ts...>;
template <typename... Ts> using Stride = Std::tuple<Ts...>;
template <typename... Ts> using Coord = Std::tuple<Ts...>;

template <typename... Ts>
__aicore__ constexpr Shape<Ts...> MakeShape(const Ts &...ts) {
  return {ts...};
}
template <typename... Ts>
__aicore__ constexpr Stride<Ts...> MakeStride(const Ts &...ts) {
  return {ts...};
}
template <typename... Ts>
__aicore__ constexpr Coord<Ts...> MakeCoord(const Ts &...ts) {
  return {ts...};
}

namespace belay_detail {

template <typename S> constexpr auto sizeOf(const S &shape);
template <typename S, size_t... Is>
constexpr auto productOf(const S &shape, Std::index_sequence<Is...>) {
  return (sizeOf(Std::get<Is>(shape)) * ... * 1);
}
/// The number of elements of a shape, which may be nested.
template <typename S> constexpr auto sizeOf(const S &shape) {
  if constexpr (Std::is_tuple_v<S>)
    return productOf(shape, Std::make_index_sequence<Std::tuple_size_v<S>>{});
  else
    return shape;
}

template <typename C, typename S, typename D>
constexpr auto indexOf(const C &coord, const S &shape, const D &stride);
template <typename C, typename S, typename D, size_t... Is>
constexpr auto sumOf(const C &coord, const S &shape, const D &stride,
                     Std::index_sequence<Is...>) {
  return (
      indexOf(Std::get<Is>(coord), Std::get<Is>(shape), Std::get<Is>(stride)) +
      ... + 0);
}
/// A number along a nested shape is taken apart, first axis fastest.
template <size_t I = 0, typename S, typename D>
constexpr int64_t spread(int64_t at, const S &shape, const D &stride) {
  if constexpr (I + 1 == Std::tuple_size_v<S>) {
    return indexOf(at, Std::get<I>(shape), Std::get<I>(stride));
  } else {
    int64_t size = sizeOf(Std::get<I>(shape));
    return indexOf(at % size, Std::get<I>(shape), Std::get<I>(stride)) +
           spread<I + 1>(at / size, shape, stride);
  }
}
template <typename C, typename S, typename D>
constexpr auto indexOf(const C &coord, const S &shape, const D &stride) {
  if constexpr (Std::is_tuple_v<C>)
    return sumOf(coord, shape, stride,
                 Std::make_index_sequence<Std::tuple_size_v<C>>{});
  else if constexpr (Std::is_tuple_v<D>)
    return spread(static_cast<int64_t>(coord), shape, stride);
  else
    return coord * stride;
}

} // namespace belay_detail

template <typename ShapeType, typename StrideType>
struct Layout : Std::tuple<ShapeType, StrideType> {
  __aicore__ constexpr Layout(const ShapeType &shape = {},
                              const StrideType &stride = {})
      : Std::tuple<ShapeType, StrideType>(shape, stride) {}
  __aicore__ constexpr Layout &layout() { return *this; }
  __aicore__ constexpr const Layout &layout() const { return *this; }
  __aicore__ constexpr ShapeType &GetShape() {
    return Std::belay_detail::leaf<0>(*this);
  }
  __aicore__ constexpr const ShapeType &GetShape() const {
    return Std::belay_detail::leaf<0>(*this);
  }
  __aicore__ constexpr StrideType &GetStride() {
    return Std::belay_detail::leaf<1>(*this);
  }
  __aicore__ constexpr const StrideType &GetStride() const {
    return Std::belay_detail::leaf<1>(*this);
  }
  template <typename CoordType>
  __aicore__ constexpr auto operator()(const CoordType &coord) const {
    return belay_detail::indexOf(coord, GetShape(), GetStride());
  }
};

template <typename T> struct is_layout : std::false_type {};
template <typename A, typename B>
struct is_layout<Layout<A, B>> : std::true_type {};
template <typename T> inline constexpr bool is_layout_v = is_layout<T>::value;

template <typename ShapeType, typename StrideType>
__aicore__ constexpr auto MakeLayout(const ShapeType &shape,
                                     const StrideType &stride) {
  return Layout<ShapeType, StrideType>(shape, stride);
}
template <typename CoordType, typename ShapeType, typename StrideType>
__aicore__ constexpr auto Crd2Idx(const CoordType &coord,
                                  const Layout<ShapeType, StrideType> &layout) {
  return layout(coord);
}
template <typename CoordType, typename ShapeType, typename StrideType>
__aicore__ constexpr auto Crd2Idx(const CoordType &coord,
                                  const ShapeType &shape,
                                  const StrideType &stride) {
  return belay_detail::indexOf(coord, shape, stride);
}

// --- TransData ---------------------------------------------------------------
struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};
template <typename T, typename U> struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

namespace belay_detail {
/// The side in NCDHW has the shape that counts; the other one follows from it.
template <bool back, typename U, typename S>
BELAY_API const auto &flatLayout(const TransDataParams<U, S> &params) {
  if constexpr (back)
    return params.dstLayout;
  else
    return params.srcLayout;
}
template <const TransDataConfig &config, typename T, typename U, typename S>
BELAY_API void transData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const TransDataParams<U, S> &params,
                         Scratch tmp = {}) {
  constexpr bool back = config.dstFormat == DataFormat::NCDHW;
  constexpr DataFormat other = back ? config.srcFormat : config.dstFormat;
  static_assert(back || config.srcFormat == DataFormat::NCDHW,
                "one side of TransData is NCDHW");
  static_assert(other == DataFormat::NDC1HWC0 ||
                    other == DataFormat::FRACTAL_Z_3D,
                "the other side is NDC1HWC0 or FRACTAL_Z_3D");
  const auto &shape = flatLayout<back>(params).GetShape();
  belay::sim::TransDataCall c{dst.data(),
                              src.data(),
                              elem<PrimT<T>>,
                              static_cast<uint32_t>(Std::get<0>(shape)),
                              static_cast<uint32_t>(Std::get<1>(shape)),
                              static_cast<uint32_t>(Std::get<2>(shape)),
                              static_cast<uint32_t>(Std::get<3>(shape)),
                              static_cast<uint32_t>(Std::get<4>(shape)),
                              other == DataFormat::FRACTAL_Z_3D,
                              back,
                              tmp};
  belay_sim_trans_data(&c);
}
} // namespace belay_detail
template <const TransDataConfig &config, typename T, typename U, typename S>
BELAY_API void TransData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const LocalTensor<uint8_t> &sharedTmpBuffer,
                         const TransDataParams<U, S> &params) {
  belay_detail::transData<config>(dst, src, params,
                                  belay_detail::scratch(sharedTmpBuffer));
}
template <const TransDataConfig &config, typename T, typename U, typename S>
BELAY_API void TransData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const TransDataParams<U, S> &params) {
  belay_detail::transData<config>(dst, src, params);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_LAYOUT_H

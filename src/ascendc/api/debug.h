//===- debug.h - Printing, dumping, asserting -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_DEBUG_H
#define BELAY_ASCENDC_API_DEBUG_H

#include "abi/Functions.h"
#include "api/tensor.h"

namespace AscendC {

namespace belay_detail {

template <typename T> BELAY_API belay::sim::PrintArg printArg(const T &v) {
  using belay::sim::PrintArg;
  PrintArg a;
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> ||
                std::is_floating_point_v<T>) {
    a.What = PrintArg::Kind::Real;
    a.Real = static_cast<double>(v);
  } else if constexpr (std::is_enum_v<T>) {
    a.What = PrintArg::Kind::Signed;
    a.Integer = static_cast<int64_t>(v);
  } else if constexpr (std::is_integral_v<T>) {
    a.What =
        std::is_signed_v<T> ? PrintArg::Kind::Signed : PrintArg::Kind::Unsigned;
    a.Integer = static_cast<int64_t>(v);
  } else if constexpr (std::is_convertible_v<T, const char *>) {
    a.What = PrintArg::Kind::Text;
    a.Address = static_cast<const char *>(v);
  } else if constexpr (std::is_class_v<T> &&
                       std::is_convertible_v<T, uint32_t>) {
    a.What = PrintArg::Kind::Unsigned; // threadIdx.x
    a.Integer = static_cast<uint32_t>(v);
  } else {
    a.What = PrintArg::Kind::Pointer;
    a.Address = reinterpret_cast<const void *>(v);
  }
  return a;
}

template <typename... Args>
BELAY_API void print(const char *fmt, const Args &...args) {
  belay::sim::PrintArg list[sizeof...(Args) + 1] = {printArg(args)...};
  belay_sim_printf(fmt, list, sizeof...(Args));
}

[[noreturn]] BELAY_API void failAssert(const char *expr, const char *file,
                                       uint32_t line) {
  belay_sim_assert(expr, file, line, nullptr, nullptr, 0);
}
template <typename... Args>
[[noreturn]] BELAY_API void failAssert(const char *expr, const char *file,
                                       uint32_t line, const char *fmt,
                                       const Args &...args) {
  belay::sim::PrintArg list[sizeof...(Args) + 1] = {printArg(args)...};
  belay_sim_assert(expr, file, line, fmt, list, sizeof...(Args));
}

template <typename T>
BELAY_API void dump(const T *data, uint32_t desc, uint32_t size, uint32_t dims,
                    const uint32_t *shape) {
  belay::sim::Dump d = {data, elem<T>, desc, size, dims, shape};
  belay_sim_dump(&d);
}

} // namespace belay_detail

template <typename... Args>
BELAY_API void printf(const char *fmt, const Args &...args) {
  belay_detail::print(fmt, args...);
}
template <typename... Args>
BELAY_API void PRINTF(const char *fmt, const Args &...args) {
  belay_detail::print(fmt, args...);
}

// --- tensors -----------------------------------------------------------------
template <typename T>
BELAY_API void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc,
                          uint32_t dumpSize) {
  belay_detail::dump(tensor.data(), desc, dumpSize, 0, nullptr);
}
template <typename T>
BELAY_API void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc,
                          uint32_t dumpSize) {
  belay_detail::dump(tensor.GetPhyAddr(), desc, dumpSize, 0, nullptr);
}
template <typename T>
BELAY_API void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc,
                          uint32_t dumpSize, const ShapeInfo &shapeInfo) {
  belay_detail::dump(tensor.data(), desc, dumpSize, shapeInfo.shapeDim,
                     shapeInfo.shape);
}
template <typename T>
BELAY_API void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc,
                          uint32_t dumpSize, const ShapeInfo &shapeInfo) {
  belay_detail::dump(tensor.GetPhyAddr(), desc, dumpSize, shapeInfo.shapeDim,
                     shapeInfo.shape);
}
template <typename T>
BELAY_API void DumpAccChkPoint(const LocalTensor<T> &tensor, uint32_t index,
                               uint32_t countOff, uint32_t dumpSize) {
  belay_detail::dump(tensor.data() + countOff, index, dumpSize, 0, nullptr);
}
template <typename T>
BELAY_API void DumpAccChkPoint(const GlobalTensor<T> &tensor, uint32_t index,
                               uint32_t countOff, uint32_t dumpSize) {
  belay_detail::dump(tensor.GetPhyAddr() + countOff, index, dumpSize, 0,
                     nullptr);
}

// --- stopping ----------------------------------------------------------------
[[noreturn]] BELAY_API void Trap() { belay_sim_trap(); }
BELAY_API void PrintTimeStamp([[maybe_unused]] uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
  belay_sim_time_stamp(descId);
#endif
}
// Marks for a profiler that is not there.
enum class MetricsProfMode { DEFAULT = 0 };
BELAY_API void MetricsProfStart() {}
BELAY_API void MetricsProfStop() {}
template <pipe_t pipe, uint16_t index> BELAY_API void MarkStamp() {}
BELAY_API void MarkStamp(pipe_t, uint16_t) {}

} // namespace AscendC

/// \name The same by address: what GetPhyAddr tells.
/// @{
#define BELAY_DUMP(Name)                                                       \
  template <typename T>                                                        \
  BELAY_API void Name(T *input, uint32_t desc, uint32_t dump_size) {           \
    AscendC::belay_detail::dump(input, desc, dump_size, 0, nullptr);           \
  }
BELAY_DUMP(asc_dump)
BELAY_DUMP(asc_dump_gm)
BELAY_DUMP(asc_dump_ubuf)
BELAY_DUMP(asc_dump_l1buf)
BELAY_DUMP(asc_dump_cbuf)
#undef BELAY_DUMP
/// @}

using AscendC::printf;
using AscendC::PRINTF;
[[noreturn]] BELAY_API void trap() { belay_sim_trap(); }
/// asm("trap"): the scalar unit's instruction. It does not return, so that
/// nothing has to be saved.
#if defined(__x86_64__)
asm(".macro trap\n\tandq $-16, %rsp\n\tcall belay_sim_trap@PLT\n.endm");
#elif defined(__aarch64__)
asm(".macro trap\n\tbl belay_sim_trap\n.endm");
#endif
/// So that kernels that Belay made can say which of their guards it was.
#define BELAY_SIMULATOR 1

#undef assert
#define assert(Expression, ...)                                                \
  (static_cast<bool>(Expression)                                               \
       ? static_cast<void>(0)                                                  \
       : AscendC::belay_detail::failAssert(                                    \
             #Expression, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__))
#define ascendc_assert(...) assert(__VA_ARGS__)
/// The device drops it, so that kernels get away with names it could not find;
/// here it holds, with AscendC's names in scope.
/// No semicolon need follow: on the device there is nothing to end.
#define ASSERT(Expression, ...)                                                \
  {                                                                            \
    using namespace AscendC;                                                   \
    assert(Expression __VA_OPT__(, ) __VA_ARGS__);                             \
  }
#define ASSERT_MSG(...) assert(__VA_ARGS__)
/// The second part runs before the end: usually it logs.
#define ASCENDC_ASSERT(Expression, Handler)                                    \
  do {                                                                         \
    if (!(Expression)) {                                                       \
      Handler;                                                                 \
      AscendC::belay_detail::failAssert(#Expression, __FILE__, __LINE__);      \
    }                                                                          \
  } while (0)

#define KERNEL_LOG(Level, Format, ...)                                         \
  AscendC::belay_detail::print("[" #Level "] " Format "\n" __VA_OPT__(, )      \
                                   __VA_ARGS__)

#endif // BELAY_ASCENDC_API_DEBUG_H

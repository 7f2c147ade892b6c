// For each function with a scalar, each type of elements and each type of
// scalar: whether the call compiles. T is deduced from both, so they must be
// equal, except where the 950 has a form for any scalar.
#include "kernel_operator.h"
#include <type_traits>
using namespace AscendC;

template <typename T> const T &made();

#define FUNCTION(Name, Call)                                                   \
  struct Name##Call_ {                                                         \
    template <typename T, typename S, typename = void>                         \
    struct takes : std::false_type {};                                         \
    template <typename T, typename S>                                          \
    struct takes<T, S, std::void_t<decltype(Name Call)>> : std::true_type {};  \
  };
#define TENSOR made<LocalTensor<T>>()
#define BITS made<LocalTensor<uint8_t>>()
#define SCALAR made<S>()
FUNCTION(Adds, (TENSOR, TENSOR, SCALAR, 64))
FUNCTION(Muls, (TENSOR, TENSOR, SCALAR, 64))
FUNCTION(Maxs, (TENSOR, TENSOR, SCALAR, 64, 1, {1, 1, 8, 8}))
FUNCTION(Mins, (TENSOR, TENSOR, SCALAR, made<uint64_t[2]>(), 1, {1, 1, 8, 8}))
FUNCTION(LeakyRelu, (TENSOR, TENSOR, SCALAR, 64))
FUNCTION(ShiftLeft, (TENSOR, TENSOR, SCALAR, 64))
FUNCTION(ShiftRight, (TENSOR, TENSOR, SCALAR, 64, 1, {1, 1, 8, 8}))
FUNCTION(Axpy, (TENSOR, TENSOR, SCALAR, 64))
FUNCTION(Duplicate, (TENSOR, SCALAR, 64))
FUNCTION(CreateVecIndex, (TENSOR, SCALAR, 64u))
FUNCTION(CompareScalar, (BITS, TENSOR, SCALAR, CMPMODE::LT, 64))
FUNCTION(Compares, (BITS, TENSOR, SCALAR, CMPMODE::LT, 64))
FUNCTION(Select,
         (TENSOR, BITS, TENSOR, SCALAR, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64))

template <typename... T> struct list {};
using types = list<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t,
                   int32_t, uint32_t, int64_t, uint64_t>;

constexpr bool on950 = __NPU_ARCH__ == 3510;
template <typename F, bool any, typename T, typename... S>
constexpr bool asExpected(list<S...>) {
  return (
      (F::template takes<T, S>::value == (any || std::is_same<T, S>::value)) &&
      ...);
}
template <typename F, bool any, typename... T> constexpr bool rows(list<T...>) {
  return (asExpected<F, any, T>(types()) && ...);
}
#define CHECK(Name, Any)                                                       \
  static_assert(rows<Name##Call_, Any>(types()), "scalars of " #Name);
CHECK(Adds, on950)
CHECK(Muls, on950)
CHECK(Maxs, on950)
CHECK(Mins, on950)
CHECK(LeakyRelu, false)
CHECK(ShiftLeft, false)
CHECK(ShiftRight, false)
CHECK(Axpy, false)
CHECK(Duplicate, false)
CHECK(CreateVecIndex, false)
CHECK(CompareScalar, on950)
CHECK(Compares, on950)
CHECK(Select, on950)

extern "C" __global__ __aicore__ void explicit_types() {
  LocalTensor<half> x;
  LocalTensor<float> f;
  LocalTensor<int16_t> i;
  LocalTensor<uint8_t> bits;
  Adds<half>(x, x, 1.0f, 64);
  Muls<float, false>(f, f, 2, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  Duplicate<half>(x, 0, 64);
  ShiftLeft<int16_t>(i, i, 2, 64);
  CompareScalar<float, uint8_t>(bits, f, 1, CMPMODE::LT, 64);
  Select<half, uint8_t>(x, bits, x, 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  Axpy<float, half>(f, x, 1, 64);
  CreateVecIndex<int16_t>(i, 0, 64u);
#ifdef CALL
  uint64_t mask[2] = {};
  CALL;
#endif
}

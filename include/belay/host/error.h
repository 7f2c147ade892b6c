//===- error.h - What went wrong, with ACL's own words ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_ERROR_H
#define BELAY_HOST_ERROR_H

#include "belay/host/binding.h"

#include <atomic>
#include <utility>
#if __cplusplus > 202002L && __has_include(<expected>)
#include <expected>
#endif

/// \name What clang checks in addition: use after move, and dropped results.
/// @{
#if defined(__clang__)
#define BELAY_CONSUMABLE __attribute__((consumable(unconsumed)))
#define BELAY_LIVE __attribute__((callable_when("unconsumed", "unknown")))
#define BELAY_CONSUMES __attribute__((set_typestate(consumed)))
#define BELAY_FRESH __attribute__((return_typestate(unconsumed)))
#else
#define BELAY_CONSUMABLE
#define BELAY_LIVE
#define BELAY_CONSUMES
#define BELAY_FRESH
#endif
/// @}

namespace belay::host {

/// A failed call of ACL, or a request that cannot be right (code 0).
class error : public std::runtime_error {
public:
  error(int code, const char *function, std::string message)
      : std::runtime_error(describe(code, function, message)), code_(code),
        function_(function), message_(std::move(message)) {}

  /// ACL's code, 507015 for a kernel that failed; 0 if ACL was not asked.
  int code() const noexcept { return code_; }
  /// The function of ACL that failed, or of this library that refused.
  const std::string &function() const noexcept { return function_; }
  /// What aclGetRecentErrMsg said; a copy.
  const std::string &message() const noexcept { return message_; }

private:
  static std::string describe(int code, const char *function,
                              const std::string &message) {
    std::string text = function;
    if (code)
      text += " returned " + std::to_string(code);
    return message.empty() ? text : text + ": " + message;
  }
  int code_;
  std::string function_, message_;
};

namespace detail {

[[noreturn]] inline void refuse(const char *where, const std::string &why) {
  throw error(0, where, why);
}

inline void check(int code, const char *function) {
  if (code == 0) [[likely]]
    return;
  const char *text =
      acl().aclGetRecentErrMsg ? acl().aclGetRecentErrMsg() : nullptr;
  throw error(code, function, text ? text : "");
}

template <typename Function>
Function require(Function function, const char *name) {
  if (!function) [[unlikely]]
    refuse(name, "the library " + library_path() + " has no such function");
  return function;
}

inline std::atomic<int> first_dropped{0};

/// Destructors do not throw; their errors are kept.
inline void note(int code) noexcept {
  int none = 0;
  if (code)
    first_dropped.compare_exchange_strong(none, code);
}

} // namespace detail

/// The first error of a destructor since the last call; 0 for none.
inline int take_dropped_error() noexcept {
  return detail::first_dropped.exchange(0);
}

#if defined(__cpp_lib_expected)
template <typename T> using expected = std::expected<T, error>;

/// What the function returns, or the error that it throws: for programs that
/// want no exceptions. The try_ functions are made of it.
template <typename Function>
auto attempt(Function &&function) -> expected<decltype(function())> {
  try {
    if constexpr (std::is_void_v<decltype(function())>) {
      function();
      return {};
    } else {
      return function();
    }
  } catch (error &failure) {
    return std::unexpected(std::move(failure));
  }
}
#endif

} // namespace belay::host

/// One call, checked: BELAY_ACL_CALL(aclrtFree, pointer).
#define BELAY_ACL_CALL(Name, ...)                                              \
  ::belay::host::detail::check(                                                \
      ::belay::host::detail::require(::belay::host::detail::acl().Name,        \
                                     #Name)(__VA_ARGS__),                      \
      #Name)

#endif // BELAY_HOST_ERROR_H

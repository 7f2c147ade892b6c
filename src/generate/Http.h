//===- Http.h - Requests to a server that is not trusted --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_GENERATE_HTTP_H
#define BELAY_GENERATE_HTTP_H

#include "llvm/Support/Error.h"
#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace belay::generate {

struct HttpRequest {
  std::string Url, Body;
  /// "Name: value"
  std::vector<std::string> Headers;
  /// An answer that is larger is refused as soon as that is known.
  size_t MaxBytes = size_t(8) << 20;
  double ConnectSeconds = 10;
  /// For everything, and without a single byte.
  double TotalSeconds = 900, SilentSeconds = 120;
  /// Set from outside to end at once.
  std::atomic<bool> *Stop = nullptr;
};

struct HttpAnswer {
  long Status = 0;
  std::string Body;
  /// Seconds that the server asks to wait.
  std::optional<double> RetryAfter;
  /// Why there is no whole answer; "" if there is one.
  std::string Failure;
  /// It had more than MaxBytes.
  bool TooLarge = false;
};

/// Why there is no HTTP here, or "". libcurl is loaded when it is needed, so
/// that belay starts on machines that do not have it.
std::string whyNoHttp();

/// POST by HTTP or HTTPS, to this address only: redirections are not followed,
/// since they would take the key along.
HttpAnswer post(const HttpRequest &What);

} // namespace belay::generate

#endif // BELAY_GENERATE_HTTP_H

//===- Json.h - Untrusted JSON ----------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_JSON_H
#define BELAY_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"
#include <optional>

namespace belay::support {

/// Parses JSON after checking its depth: LLVM's parser recurses, and a file of
/// brackets would end it.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

/// The member as an unsigned number of at most Max, or nothing.
std::optional<uint64_t> getUnsigned(const llvm::json::Object &Object,
                                    llvm::StringRef Key,
                                    uint64_t Max = UINT64_MAX);

} // namespace belay::support

#endif // BELAY_SUPPORT_JSON_H

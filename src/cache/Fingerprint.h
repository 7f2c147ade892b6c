//===- Fingerprint.h - Names made of contents -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CACHE_FINGERPRINT_H
#define BELAY_CACHE_FINGERPRINT_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include <string>

namespace belay::cache {

/// Hashes a list of strings into a name of 64 hexadecimal digits. The strings
/// are told apart: {"ab", "c"} and {"a", "bc"} differ. BLAKE3, because every
/// warm run hashes a megabyte of headers.
class Fingerprint {
public:
  Fingerprint &add(llvm::StringRef Text) {
    uint64_t Size = Text.size();
    Hasher.update(
        llvm::StringRef(reinterpret_cast<char *>(&Size), sizeof Size));
    Hasher.update(Text);
    return *this;
  }

  std::string str() const {
    return llvm::toHex(Hasher.result<32>(), /*LowerCase=*/true);
  }

private:
  mutable llvm::BLAKE3 Hasher;
};

} // namespace belay::cache

#endif // BELAY_CACHE_FINGERPRINT_H

//===- Digest.h - Names of all that a result depends on ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_DIGEST_H
#define BELAY_BENCH_DIGEST_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SHA256.h"
#include <string>

namespace belay::bench {

/// SHA-256 of a list of texts, each with its length in front of it.
class Digest {
public:
  Digest &add(llvm::StringRef Text) {
    uint64_t Size = Text.size();
    Hasher.update(
        llvm::StringRef(reinterpret_cast<char *>(&Size), sizeof Size));
    Hasher.update(Text);
    return *this;
  }
  Digest &add(uint64_t Number) { return add(std::to_string(Number)); }

  std::string str() { return llvm::toHex(Hasher.final(), /*LowerCase=*/true); }

private:
  llvm::SHA256 Hasher;
};

} // namespace belay::bench

#endif // BELAY_BENCH_DIGEST_H

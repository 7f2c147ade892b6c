//===- Cache.td - Options of belay cache -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def all : Switch<"all",
  "list: also what belongs to the binaries">;
defm max_size : Value<"max-size", "BYTES",
  "prune: keep this much, the last used: 500M, 2G">;
defm older_than : Value<"older-than", "AGE",
  "prune: remove what was not used for: 12h, 7d">;

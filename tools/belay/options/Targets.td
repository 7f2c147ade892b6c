//===- Targets.td - Options of belay targets ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def json : Switch<"json",
  "print as JSON; sizes are in bytes">;
def markdown : Switch<"markdown",
  "print docs/targets.md, which is made in this way">;

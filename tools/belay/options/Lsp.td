//===- Lsp.td - Options of belay lsp -----------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;
defm time_limit : Value<"time-limit", "SECONDS",
  "CPU time for each check; default 20">;

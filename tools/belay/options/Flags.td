//===- Flags.td - Options of belay flags -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;

//===- Serve.td - Options of belay serve -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm port : Value<"port", "N",
  "the port of 127.0.0.1; default: one that is free">;
defm soc : Value<"soc", "NAME",
  "the target that the page starts with; default Ascend910B3">;
def no_open : Switch<"no-open",
  "only print the address, and open no browser">;
def no_sandbox : Switch<"no-sandbox",
  "run kernels even where they cannot be confined">;

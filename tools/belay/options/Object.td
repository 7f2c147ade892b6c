//===- Object.td - Options of belay object -----------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def o : LetterWith<"o", "FILE",
  "where the object goes">;
defm kernel : Value<"kernel", "NAME",
  "a kernel, or an instance of a template: add<half>; may be repeated.\n"
  "Default: all kernels that are no templates">;
defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
defm describe : Value<"describe", "FILE.json",
  "write what the kernels take: their parameters, and of kernels of the\n"
  "language the launch contract (docs/launch.md)">;
def check : Switch<"check",
  "let the sanitizer see the integers of the kernel, for BELAY_CHECK=1">;
def conditions : Switch<"conditions",
  "check AscendC kernels, and let the device refuse launches that do not\n"
  "meet the conditions under which they are clean (docs/check.md)">;
def deny : Switch<"deny",
  "of kernels of the language, refuse what is not proven">;
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;

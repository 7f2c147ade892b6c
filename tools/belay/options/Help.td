//===- Help.td - Options of belay help ---------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def man : Switch<"man",
  "print the manual page of the command, or of belay itself">;
def markdown : Switch<"markdown",
  "print it as a page of the site, in Markdown">;

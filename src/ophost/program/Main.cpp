//===- Main.cpp - The child process that runs an operator's host code -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-ophost REQUEST ANSWER
//
// Loads an operator's host code (tiling function and definition), runs it for
// one set of shapes, and writes the launch as JSON. The code is
// untrusted input: `belay` starts this process under limits.
//
//===----------------------------------------------------------------------===//

#include "Describe.h"

#include "targets/Target.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <numeric>

using namespace belay;
using namespace belay::ophost;

static Platform platformOf(const targets::Soc &Soc) {
  Platform P;
  P.Soc = Soc.name;
  P.Series = Soc.series;
#define BELAY_PLATFORM_FIELD(Name, Value) P.Name = Value;
#include "targets/PlatformFields.def"
  return P;
}

/// The operator that is meant: by name, or the only one there is.
static std::unique_ptr<ops::OpDef> chooseOp(const Request &Request) {
  const Registry &R = Registry::get();
  if (!Request.Op.empty()) {
    if (auto Op = R.makeOp(Request.Op))
      return Op;
    fail("there is no operator '" + Request.Op + "'");
  }
  if (R.Ops.size() == 1)
    return R.makeOp(R.Ops[0].first);
  std::string Names;
  for (const auto &[Name, Make] : R.Ops)
    Names += " " + Name;
  fail(R.Ops.empty() ? "the host code defines no operator (OP_ADD)"
                     : "choose one of the operators" + Names);
}

int main(int Argc, char **Argv) {
  if (Argc != 3)
    fail("usage: belay-ophost REQUEST ANSWER");
  std::ifstream File(Argv[1], std::ios::binary);
  Request Request = parseRequest({std::istreambuf_iterator<char>(File), {}});
  const targets::Soc *Soc = targets::findSoc(Request.Soc);
  if (!Soc)
    fail("there is no SoC '" + Request.Soc + "'");
  Registry::get().Target = platformOf(*Soc);
  if (!dlopen(Request.Object.c_str(), RTLD_NOW | RTLD_GLOBAL))
    fail(dlerror());

  ops::OpDef Op = configured(*chooseOp(Request), Soc->series);
  std::string Launch = "null";
  if (Request.hasTensors())
    Launch = describe(runTiling(Op, Request));
  std::string Text = "{\"op\":" + describe(Op) +
                     ",\"header\":" + quote(kernelHeader(Op.Type)) +
                     ",\"launch\":" + Launch + "}\n";
  std::ofstream Answer(Argv[2], std::ios::binary);
  Answer << Text;
  Answer.close();
  if (!Answer)
    fail(std::string("cannot write ") + Argv[2]);
  std::fflush(nullptr);
  // The operator's destructors are nobody's concern.
  std::_Exit(0);
}

//===- ProvenKernels.cpp - Which kernels a proof was about
//--------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/ProvenKernels.h"
#include "support/Json.h"
#include "toolchain/KernelScan.h"
#include "llvm/Support/FormatVariadic.h"

using namespace belay::toolchain;
using namespace llvm;

ProvenKernels belay::toolchain::provenKernels(StringRef Source,
                                              StringRef Json) {
  ProvenKernels Result;
  Expected<json::Value> Parsed = support::parseJson(Json);
  if (!Parsed) {
    Result.Missing = toString(Parsed.takeError());
    return Result;
  }
  const json::Object *Root = Parsed->getAsObject();
  if (const json::Array *Kernels = Root ? Root->getArray("kernels") : nullptr)
    for (const json::Value &Each : *Kernels)
      if (const json::Object *Kernel = Each.getAsObject())
        if (const json::Object *Description = Kernel->getObject("description"))
          Result.Names.push_back(
              Description->getString("kernel").value_or("").str());
  unsigned NumMarked = countLanguageKernels(Source);
  if (Result.Names.size() < NumMarked)
    Result.Missing =
        formatv("{0} of {1} kernels are templates, of which nothing is known; "
                "belay build --kernel 'NAME<...>' proves an instance",
                NumMarked - Result.Names.size(), NumMarked)
            .str();
  return Result;
}

bool belay::toolchain::saysOnlyTemplates(StringRef Message) {
  return Message.contains("has no kernel that is no template");
}

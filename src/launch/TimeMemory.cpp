//===- TimeMemory.cpp - Costs of launches that are known ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/TimeMemory.h"

#include "cache/Fingerprint.h"
#include "support/Resources.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace llvm;

bool launch::isOnlyTimed(const Case &Case) {
  return !Case.Check && none_of(Case.Args, [](const ArgSpec &Arg) {
    return Arg.Expect || !Arg.Output.empty();
  });
}

static Error addFile(cache::Fingerprint &Name, StringRef Path) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File)
    return createFileError(Path, File.getError());
  Name.add((*File)->getBuffer());
  return Error::success();
}

static void addBuffer(cache::Fingerprint &Name, const ArgumentBuffer &Buffer) {
  Name.add(Buffer.Tensor.str()).add(Buffer.Inline);
  Name.add(toStringRef(Buffer.Memory.bytes()));
  for (const ArgumentBuffer &Element : Buffer.Elements)
    addBuffer(Name, Element);
}

Expected<std::string>
launch::nameOfLaunch(const Case &Case, const toolchain::CompiledKernel &Kernel,
                     const ArgumentBuffers &Arguments, StringRef Runner,
                     StringRef Costs) {
  cache::Fingerprint Name;
  Name.add("time").add(Costs).add(Case.Soc);
  Name.add(formatv("{0} {1} {2} {3} {4}", Case.Blocks,
                   static_cast<unsigned>(Case.Task), Case.TilingKey,
                   Case.CompilerSync, Case.MemoryLimitBytes)
               .str());
  for (StringRef Path : {Runner, StringRef(Kernel.ObjectPath)})
    if (Error E = addFile(Name, Path))
      return E;
  if (Error E = addFile(Name, support::getLibPath("libBelayRuntime.so")))
    return E;
  Name.add(Kernel.CubeObjectPath.empty() ? "" : "cube");
  if (!Kernel.CubeObjectPath.empty())
    if (Error E = addFile(Name, Kernel.CubeObjectPath))
      return E;
  for (const ArgumentBuffer &Each : Arguments.buffers())
    addBuffer(Name, Each);
  return Name.str();
}

std::string launch::recordOf(const timing::Answer &A) {
  json::Array Cycles, Causes;
  for (double Each : A.Cycles)
    Cycles.push_back(Each);
  for (double Each : A.OnChain)
    Causes.push_back(Each);
  return formatv("{0}", json::Value(json::Object{{"draws", A.NumDraws},
                                                 {"cycles", std::move(Cycles)},
                                                 {"causes", std::move(Causes)},
                                                 {"leastBytes", A.LeastBytes}}))
      .str();
}

static bool readNumbers(const json::Array *From, MutableArrayRef<double> To) {
  if (!From || From->size() != To.size())
    return false;
  for (auto [Value, Number] : zip_equal(*From, To)) {
    std::optional<double> Read = Value.getAsNumber();
    if (!Read)
      return false;
    Number = *Read;
  }
  return true;
}

std::optional<timing::Answer> launch::readRecord(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return std::nullopt;
  }
  const json::Object *Record = Parsed->getAsObject();
  timing::Answer A = {};
  if (!Record || !readNumbers(Record->getArray("cycles"), A.Cycles) ||
      !readNumbers(Record->getArray("causes"), A.OnChain))
    return std::nullopt;
  std::optional<int64_t> Draws = Record->getInteger("draws");
  std::optional<double> Least = Record->getNumber("leastBytes");
  if (!Draws || *Draws < 1 || *Draws > int64_t(timing::NumDraws) || !Least)
    return std::nullopt;
  A.Magic = timing::AnswerMagic;
  A.Known = true;
  A.NumDraws = static_cast<uint32_t>(*Draws);
  A.LeastBytes = *Least;
  return A;
}

//===- WritePlan.cpp - A plan as text and as JSON -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace belay;
using namespace belay::emit;

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static StringRef coresInWords(StringRef Cores) {
  if (Cores == "both")
    return "cube and vector cores";
  return Cores == "cube" ? "cube cores" : "vector cores";
}

/// Of L0A and L0B the compiler takes as much as there is: it cuts products into
/// steps that fit.
static bool limitsTiles(const PlannedMemory &Memory) {
  return Memory.Name != "L0A" && Memory.Name != "L0B";
}

static void writeMemories(const KernelPlan &Plan, raw_ostream &Out) {
  const PlannedMemory *Fullest = nullptr;
  auto Share = [](const PlannedMemory &M) {
    return M.Bytes ? 100.0 * static_cast<double>(M.Used) /
                         static_cast<double>(M.Bytes)
                   : 0.0;
  };
  Out << "\nmemory       used        of\n";
  for (const PlannedMemory &M : Plan.Memories) {
    Out << format("%-6s %10lld %9lld  %5.1f %%\n", M.Name.c_str(),
                  static_cast<long long>(M.Used),
                  static_cast<long long>(M.Bytes), Share(M));
    if (limitsTiles(M) && (!Fullest || Share(M) > Share(*Fullest)))
      Fullest = &M;
  }
  if (Fullest)
    Out << "larger tiles are limited by " << Fullest->Name
        << " first: " << Fullest->Bytes - Fullest->Used
        << " bytes of it are left\n";
}

static void writeBuffers(const KernelPlan &Plan, raw_ostream &Out) {
  Out << "\nbuffer                memory  begins      bytes  line\n";
  for (const PlannedBuffer &B : Plan.Buffers) {
    std::string Bytes =
        (B.Slots > 1 ? Twine(B.Slots) + " x " + Twine(B.Bytes) : Twine(B.Bytes))
            .str();
    Out << format("%-20s  %-6s %7lld %10s  %4u  %s\n", B.Name.c_str(),
                  B.Memory.c_str(), static_cast<long long>(B.Offset),
                  Bytes.c_str(), B.Line, B.Type.c_str());
  }
}

static std::string textOf(const PlannedStep &Step) {
  auto Event = [&] {
    return "event " + std::to_string(Step.Event) +
           (Step.BySlot ? " + slot" : "");
  };
  switch (Step.What) {
  case PlannedStep::Kind::Loop:
    return Step.Text.empty() ? "loop" : "for " + Step.Text;
  case PlannedStep::Kind::Branch:
    return "if";
  case PlannedStep::Kind::Instruction:
    return Step.Pipe + "  " + Step.Text + "  " + join(Step.Reads, ", ") +
           (Step.Writes.empty() ? "" : " -> " + join(Step.Writes, ", "));
  case PlannedStep::Kind::Set:
    return "set   " + Step.From + " -> " + Step.To + ", " + Event();
  case PlannedStep::Kind::Wait:
    return "wait  " + Step.From + " -> " + Step.To + ", " + Event();
  case PlannedStep::Kind::Barrier:
    return Step.Pipe.empty() ? "barrier of all pipes"
                             : "barrier of " + Step.Pipe;
  }
  llvm_unreachable("all kinds are listed");
}

void emit::writePlan(const KernelPlan &Plan, raw_ostream &Out) {
  Out << Plan.Kernel << " for " << Plan.Soc << ", on "
      << coresInWords(Plan.Cores) << "\n";
  writeMemories(Plan, Out);
  writeBuffers(Plan, Out);
  Out << "\nline  core    what is issued, in order\n";
  for (const PlannedStep &Step : Plan.Steps) {
    Out << format("%4u  %-6s  ", Step.Line, Step.Core.c_str());
    Out.indent(2 * Step.Depth) << textOf(Step) << "\n";
  }
  Out << "\n";
}

//===----------------------------------------------------------------------===//
// For tools
//===----------------------------------------------------------------------===//

static StringRef wordOf(PlannedStep::Kind What) {
  switch (What) {
  case PlannedStep::Kind::Loop:
    return "loop";
  case PlannedStep::Kind::Branch:
    return "branch";
  case PlannedStep::Kind::Instruction:
    return "instruction";
  case PlannedStep::Kind::Set:
    return "set";
  case PlannedStep::Kind::Wait:
    return "wait";
  case PlannedStep::Kind::Barrier:
    return "barrier";
  }
  llvm_unreachable("all kinds are listed");
}

static void writeStep(const PlannedStep &Step, json::OStream &Json) {
  Json.object([&] {
    Json.attribute("what", wordOf(Step.What));
    Json.attribute("depth", Step.Depth);
    Json.attribute("line", Step.Line);
    auto Text = [&](StringRef Name, const std::string &Value) {
      if (!Value.empty())
        Json.attribute(Name, Value);
    };
    Text("text", Step.Text);
    Text("core", Step.Core);
    Text("pipe", Step.Pipe);
    auto List = [&](StringRef Name, const std::vector<std::string> &Values) {
      if (!Values.empty())
        Json.attributeArray(
            Name, [&] { for_each(Values, [&](auto &V) { Json.value(V); }); });
    };
    List("reads", Step.Reads);
    List("writes", Step.Writes);
    if (Step.From.empty())
      return;
    Json.attribute("from", Step.From);
    Json.attribute("to", Step.To);
    Json.attribute("event", Step.Event);
    Json.attribute("bySlot", Step.BySlot);
  });
}

void emit::writePlanAsJson(const KernelPlan &Plan, raw_ostream &Out) {
  json::OStream Json(Out, 2);
  Json.object([&] {
    Json.attribute("kernel", Plan.Kernel);
    Json.attribute("soc", Plan.Soc);
    Json.attribute("cores", Plan.Cores);
    Json.attributeArray("memories", [&] {
      for (const PlannedMemory &M : Plan.Memories)
        Json.object([&] {
          Json.attribute("name", M.Name);
          Json.attribute("used", M.Used);
          Json.attribute("bytes", M.Bytes);
        });
    });
    Json.attributeArray("buffers", [&] {
      for (const PlannedBuffer &B : Plan.Buffers)
        Json.object([&] {
          Json.attribute("name", B.Name);
          Json.attribute("memory", B.Memory);
          Json.attribute("type", B.Type);
          Json.attribute("offset", B.Offset);
          Json.attribute("bytes", B.Bytes);
          Json.attribute("slots", B.Slots);
          Json.attribute("line", B.Line);
        });
    });
    Json.attributeArray("steps", [&] {
      for (const PlannedStep &Step : Plan.Steps)
        writeStep(Step, Json);
    });
  });
  Out << "\n";
}

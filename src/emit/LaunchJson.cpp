//===- LaunchJson.cpp - The description of a kernel for other languages ---===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Launch.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace belay;
using namespace belay::emit;
using llvm::json::OStream;

/// Grows with every change that a reader could notice.
static constexpr int SchemaVersion = 1;

/// What messages call the value of a node that is computed.
static void writeShown(const Condition &Condition, OStream &Json) {
  if (!Condition.Shown.empty())
    Json.attribute("shown", Condition.Shown);
}

static void write(const Condition &Condition, OStream &Json) {
  using Kind = Condition::Kind;
  Json.object([&] {
    switch (Condition.What) {
    case Kind::Integer:
      Json.attribute("integer", Condition.Number);
      return writeShown(Condition, Json);
    case Kind::Float:
      // JSON has no infinities; %g of a float is exact with 9 digits.
      if (std::isfinite(Condition.Real))
        return Json.attribute("float", double(Condition.Real));
      return Json.attribute("float", std::isnan(Condition.Real) ? "nan"
                                     : Condition.Real > 0       ? "inf"
                                                                : "-inf");
    case Kind::Truth:
      return Json.attribute("bool", Condition.Number != 0);
    case Kind::Extent:
      Json.attribute("extent", Condition.Name);
      return Json.attribute("dimension", Condition.Number);
    case Kind::Scalar:
      return Json.attribute("scalar", Condition.Name);
    case Kind::Blocks:
      return Json.attribute("blocks", true);
    case Kind::Operation:
      Json.attribute("op", Condition.Name);
      Json.attributeArray("args", [&] {
        for (const emit::Condition &Arg : Condition.Args)
          write(Arg, Json);
      });
      writeShown(Condition, Json);
    }
  });
}

static StringRef accessName(ascend::Role Role) {
  return ascend::stringifyRole(Role);
}

/// One parameter of the entry point, at its place in the block of arguments.
static void writeParameter(const LaunchDescription &Launch,
                           const EntryParameter &Entry, OStream &Json) {
  using Kind = EntryParameter::Kind;
  const LaunchParameter &Parameter = Launch.Parameters[Entry.Index];
  Json.object([&] {
    if (Entry.What == Kind::Extent) {
      Json.attribute("kind", "extent");
      Json.attribute("of", Parameter.Name);
      Json.attribute("dimension", Entry.Dim);
      Json.attribute("dtype", "i64");
    } else {
      Json.attribute("kind", Parameter.IsView ? "view" : "scalar");
      Json.attribute("name", Parameter.Name);
      Json.attribute("dtype", dataTypeName(Parameter.Element));
    }
    if (Entry.What == Kind::View) {
      Json.attribute("access", accessName(Parameter.Access));
      Json.attribute("rank", int64_t(Parameter.Shape.size()));
      Json.attributeArray("extents", [&] {
        for (auto [Dim, Extent] : llvm::enumerate(Parameter.Shape)) {
          if (!ShapedType::isDynamic(Extent)) {
            Json.value(Extent);
            continue;
          }
          std::string Name =
              extentName(Parameter.Name, Parameter.Shape.size(), Dim);
          Json.object([&] { Json.attribute("open", Name); });
        }
      });
    }
    Json.attribute("offset", Entry.Offset);
    Json.attribute("bytes", Entry.Bytes);
  });
}

/// Pairs of views that may share no byte: whatever is written belongs to one
/// argument alone.
static void writeAliasing(const LaunchDescription &Launch, OStream &Json) {
  auto Writes = [](const LaunchParameter &Parameter) {
    return Parameter.Access != ascend::Role::In;
  };
  for (auto [I, First] : llvm::enumerate(Launch.Parameters))
    for (const LaunchParameter &Second :
         ArrayRef(Launch.Parameters).drop_front(I + 1))
      if (First.IsView && Second.IsView && (Writes(First) || Writes(Second)))
        Json.array([&, &First = First] {
          Json.value(First.Name);
          Json.value(Second.Name);
        });
}

static void writeExpectation(const LaunchExpectation &Expectation,
                             OStream &Json) {
  Json.object([&] {
    Json.attribute("text", llvm::json::fixUTF8(Expectation.Text));
    Json.attribute("file", llvm::json::fixUTF8(Expectation.File));
    Json.attribute("line", Expectation.Line);
    Json.attributeBegin("condition");
    write(Expectation.Holds, Json);
    Json.attributeEnd();
  });
}

void belay::emit::writeDescription(const LaunchDescription &Launch,
                                   const targets::Soc &Soc,
                                   const LaunchOrigin &Origin,
                                   llvm::raw_ostream &Out) {
  OStream Json(Out, /*IndentSize=*/2);
  unsigned Bytes;
  std::vector<EntryParameter> Entries = entryParameters(Launch, Bytes);
  Json.object([&] {
    Json.attribute("schema", SchemaVersion);
    Json.attribute("belay", Origin.Version);
    Json.attribute("kernel", Launch.Kernel);
    Json.attribute("entry", Launch.Entry);
    Json.attributeObject("source", [&] {
      Json.attribute("file", llvm::json::fixUTF8(Launch.File));
      Json.attribute("line", Launch.Line);
      Json.attribute("sha256", Origin.SourceHash);
    });
    Json.attributeObject("files", [&] {
      Json.attribute("ascendc", Launch.Entry + ".cpp");
      Json.attribute("launcher", Launch.Entry + ".h");
    });
    Json.attributeObject("target", [&] {
      Json.attribute("soc", Soc.name);
      Json.attribute("arch", Soc.arch->name);
      Json.attribute("core", Launch.Core);
    });
    Json.attributeArray("guards", [&] {
      for (const LaunchGuard &Guard : Launch.Guards)
        Json.object([&] {
          Json.attribute("id", Guard.Id);
          Json.attribute("text", llvm::json::fixUTF8(Guard.Text));
          Json.attribute("file", llvm::json::fixUTF8(Guard.File));
          Json.attribute("line", Guard.Line);
        });
    });
    Json.attributeArray("arguments", [&] {
      for (const LaunchParameter &Parameter : Launch.Parameters)
        Json.value(Parameter.Name);
    });
    Json.attributeArray("parameters", [&] {
      for (const EntryParameter &Entry : Entries)
        writeParameter(Launch, Entry, Json);
    });
    Json.attribute("argumentBytes", Bytes);
    Json.attributeArray("expects", [&] {
      for (const LaunchExpectation &Expectation : Launch.Expectations)
        writeExpectation(Expectation, Json);
    });
    Json.attributeArray("disjoint", [&] { writeAliasing(Launch, Json); });
    Json.attributeObject("limits", [&] {
      Json.attribute("maxBlocks", maxBlocks(Launch, Soc));
      Json.attribute("coresMeet", Launch.CoresMeet);
      Json.attribute("maxExtent", MaxExtent);
    });
    Json.attribute("workspaceBytes", 0);
  });
  Out << "\n";
}

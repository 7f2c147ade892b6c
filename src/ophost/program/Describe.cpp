//===- Describe.cpp - What belay-ophost answers ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Describe.h"

#include "belay/elements.h"

#include <set>

using namespace belay::ophost;

std::string belay::ophost::quote(const std::string &Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\') {
      Result += '\\';
      Result += C;
    } else if (static_cast<unsigned char>(C) < 0x20) {
      char Escape[8];
      std::snprintf(Escape, sizeof(Escape), "\\u%04x", C);
      Result += Escape;
    } else {
      Result += C;
    }
  }
  return Result + '"';
}

//===----------------------------------------------------------------------===//
// The kernel's header
//===----------------------------------------------------------------------===//

/// Structures come before those that contain them.
static void emitStruct(const optiling::TilingDef &Def,
                       std::set<std::string> &Done, std::string &Out) {
  if (Def.isLibrary() || !Done.insert(Def.GetTilingClassName()).second)
    return;
  std::string Body;
  for (const optiling::TilingField &F : Def.fields()) {
    if (F.Nested)
      emitStruct(*reinterpret_cast<const optiling::TilingDef *>(
                     reinterpret_cast<const char *>(&Def) + F.Here),
                 Done, Out);
    std::string Type = F.Type;
    size_t Scope = Type.rfind("::");
    if (F.Nested && Scope != std::string::npos)
      Type = Type.substr(Scope + 2);
    Body += "  " + Type + " " + F.Name;
    if (F.Count)
      Body += "[" + std::to_string(F.Count) + "] = {};\n";
    else
      Body += F.Nested ? ";\n" : " = 0;\n";
  }
  std::string Name = Def.GetTilingClassName();
  Out += "struct " + Name + " {\n" + Body + "};\n";
  if (!Def.fields().empty())
    Out += "static_assert(sizeof(" + Name +
           ") == " + std::to_string(Def.GetDataSize()) + ");\n";
}

static std::string numbers() {
  std::string Out;
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  Out += "#define DT_" #Name " " #Number "\n";
#include "belay/elements.def"
#define BELAY_GE_FORMAT(Name, Number)                                          \
  Out += "#define FORMAT_" #Name " " #Number "\n";
#include "ophost/formats.def"
  return Out;
}

std::string belay::ophost::kernelHeader(const std::string &Type) {
  std::string Out = "#include \"kernel_tiling/kernel_tiling.h\"\n"
                    "#include <cstdint>\n"
                    // What ORIG_DTYPE_X and FORMAT_X compare with, in #if too.
                    + numbers();
  std::set<std::string> Done;
  for (const AnnouncedTiling &T : Registry::get().Tilings)
    emitStruct(*T.Make(), Done, Out);
  for (const AnnouncedTiling &T : Registry::get().Tilings)
    if (T.Name == Type)
      Out += "using BelayDefaultTiling = " + T.Class + ";\n";
  return Out;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// What DTYPE_<PARAMETER> is in a kernel; "" for what kernels do not see.
static const char *kernelNameOf(ge::DataType Type) {
  using belay::element_types::id;
  id Element = id::none;
  switch (Type) {
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  case ge::DT_##Name:                                                          \
    Element = id::Id;                                                          \
    break;
#include "belay/elements.def"
  default:
    break;
  }
  switch (Element) {
#define BELAY_ELEMENT_TYPED(Id, Type)                                          \
  case id::Id:                                                                 \
    return #Type;
#include "belay/elements.def"
  default:
    return "";
  }
}

static std::string describe(const std::vector<ops::OpParamDef> &Params) {
  static const char *const Kinds[] = {"ignore", "optional", "required",
                                      "dynamic", "virtual"};
  std::string Out;
  for (const ops::OpParamDef &P : Params) {
    std::string Types, Names;
    for (ge::DataType T : P.Types) {
      Types += (Types.empty() ? "" : ",") + quote(nameOf(T));
      Names += (Names.empty() ? "" : ",") + quote(kernelNameOf(T));
    }
    Out += Out.empty() ? "" : ",";
    Out += "{\"name\":" + quote(P.Name) + ",\"kind\":\"" + Kinds[P.Kind] +
           "\",\"types\":[" + Types + "],\"kernelTypes\":[" + Names +
           "],\"cross\":" + (P.TypesCross ? "true" : "false") +
           ",\"computed\":" + (P.ShapeIsComputed ? "true" : "false") +
           ",\"follows\":" + quote(P.Follows) + "}";
  }
  return "[" + Out + "]";
}

std::string belay::ophost::describe(const ops::OpDef &Op) {
  std::string Attrs, Targets;
  for (const ops::OpAttrDef &A : Op.Attrs)
    Attrs += std::string(Attrs.empty() ? "" : ",") +
             "{\"name\":" + quote(A.Name) + ",\"type\":" + quote(A.Type) +
             ",\"required\":" + (A.Kind == ops::REQUIRED ? "true" : "false") +
             ",\"default\":" + quote(A.Default) + "}";
  for (const auto &[Soc, Config] : Op.Core.Configs)
    Targets += (Targets.empty() ? "" : ",") + quote(Soc);
  return "{\"type\":" + quote(Op.Type) +
         ",\"inputs\":" + ::describe(Op.Inputs) +
         ",\"outputs\":" + ::describe(Op.Outputs) + ",\"attrs\":[" + Attrs +
         "],\"targets\":[" + Targets + "]}";
}

std::string belay::ophost::describe(const TilingAnswer &Answer) {
  const Call &C = Answer.Result;
  std::string Hex;
  for (size_t I = 0; I < C.TilingBytes; ++I) {
    char Byte[4];
    std::snprintf(Byte, sizeof(Byte), "%02x", C.Tiling[I]);
    Hex += Byte;
  }
  uint64_t Workspace = 0;
  for (size_t Bytes : C.Workspaces)
    Workspace += Bytes;
  return "{\"blocks\":" + std::to_string(C.Blocks) +
         ",\"key\":" + std::to_string(C.TilingKey) +
         ",\"workspace\":" + std::to_string(Workspace) +
         ",\"schedule\":" + std::to_string(C.ScheduleMode) +
         ",\"column\":" + std::to_string(Answer.Column) +
         ",\"tiling\":" + quote(Hex) + "}";
}

//===- OpHost.cpp - The launch that an operator's host code decides -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ophost/OpHost.h"
#include "cases/Values.h"
#include "sandbox/Sandbox.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Json.h"
#include "targets/Target.h"
#include "toolchain/Confinement.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::ophost;
using namespace belay::support;
using namespace belay::toolchain;

static constexpr uint64_t MaxAnswerBytes = 16 << 20;
static constexpr uint64_t MaxOpTilingBytes = 64 << 10;
/// Tiling functions answer in microseconds.
/// Of CPU time.
static constexpr std::chrono::seconds TimeLimit{20};
/// For a machine that is busy.
static constexpr std::chrono::minutes LongestWait{2};
static constexpr uint64_t MemoryLimit = uint64_t(4) << 30;
/// Values of larger inputs are not shown to the host code.
static constexpr uint64_t MaxValueBytes = 1 << 20;

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef Text) {
  return !Text.empty() && !isDigit(Text[0]) &&
         all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
}

static std::optional<std::vector<std::string>>
parseTexts(const json::Array *Array) {
  std::vector<std::string> Result;
  if (!Array)
    return std::nullopt;
  for (const json::Value &Element : *Array) {
    std::optional<StringRef> Text = Element.getAsString();
    // They become parts of macros.
    if (!Text || (!Text->empty() && !isIdentifier(*Text)))
      return std::nullopt;
    Result.push_back(Text->str());
  }
  return Result;
}

static bool parseParams(const json::Array *Array, std::vector<OpParam> &To) {
  if (!Array)
    return false;
  for (const json::Value &Element : *Array) {
    const json::Object *Object = Element.getAsObject();
    if (!Object)
      return false;
    OpParam Param;
    Param.Name = Object->getString("name").value_or("").str();
    Param.Dynamic = Object->getString("kind") == "dynamic";
    Param.Cross = Object->getBoolean("cross").value_or(false);
    Param.ShapeIsComputed = Object->getBoolean("computed").value_or(false);
    auto Types = parseTexts(Object->getArray("types"));
    auto KernelTypes = parseTexts(Object->getArray("kernelTypes"));
    if (!isIdentifier(Param.Name) || !Types || !KernelTypes ||
        Types->size() != KernelTypes->size())
      return false;
    Param.Types = std::move(*Types);
    Param.KernelTypes = std::move(*KernelTypes);
    To.push_back(std::move(Param));
  }
  return true;
}

Expected<OpLaunch> OpLaunch::parse(StringRef Json) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  auto Bad = [] {
    return createStringError("belay-ophost's answer cannot be understood");
  };
  const json::Object *Object = Root->getAsObject();
  const json::Object *Op = Object ? Object->getObject("op") : nullptr;
  const json::Object *Launch = Object ? Object->getObject("launch") : nullptr;
  if (!Op)
    return Bad();
  OpLaunch Result;
  Result.Op = Op->getString("type").value_or("").str();
  Result.Header = Object->getString("header").value_or("").str();
  if (!isIdentifier(Result.Op) ||
      !parseParams(Op->getArray("inputs"), Result.Inputs) ||
      !parseParams(Op->getArray("outputs"), Result.Outputs))
    return Bad();
  if (!Launch)
    return Result;
  auto Blocks = getUnsigned(*Launch, "blocks", UINT32_MAX);
  auto Key = getUnsigned(*Launch, "key");
  auto Workspace = getUnsigned(*Launch, "workspace", MaxBufferBytes);
  std::optional<int64_t> Column = Launch->getInteger("column");
  std::optional<StringRef> Tiling = Launch->getString("tiling");
  if (!Blocks || !Key || !Workspace || !Column || !Tiling ||
      Tiling->size() > 2 * MaxOpTilingBytes ||
      !tryGetFromHex(*Tiling, Result.Tiling))
    return Bad();
  Result.Blocks = static_cast<uint32_t>(*Blocks);
  Result.TilingKey = *Key;
  Result.Workspace = *Workspace;
  if (*Column >= 0)
    Result.Column = static_cast<unsigned>(*Column);
  return Result;
}

//===----------------------------------------------------------------------===//
// The request: see ophost/Request.h
//===----------------------------------------------------------------------===//

/// The name after DT_, in small letters.
static std::string hostNameOf(DataType Type) {
  switch (idOf(Type)) {
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  case element_types::id::Id:                                                  \
    return StringRef(#Name).lower();
#include "belay/elements.def"
  default:
    llvm_unreachable("unknown data type");
  }
}

static std::string encodeWord(StringRef Text) {
  std::string Word;
  for (char C : Text)
    if (isAlnum(C) || StringRef("_./,:+-").contains(C))
      Word += C;
    else
      Word += "%" + toHex(StringRef(&C, 1));
  return Word == "-" ? "%2D" : Word;
}

/// Writes values that are not too many to a file, and names it; "-" if they
/// are.
static Expected<std::string> keepValues(const ArgSpec &Arg,
                                        const TensorType &Tensor,
                                        KernelCompiler &Compiler) {
  Expected<MemoryFile> Memory = MemoryFile::create(Arg.Name, Tensor.bytes());
  if (!Memory)
    return Memory.takeError();
  if (Error E = fillValues(Arg, Tensor, Memory->bytes()))
    return std::move(E);
  if (Memory->size() > MaxValueBytes)
    return "-";
  Expected<std::string> Scratch = Compiler.scratchPath(".values");
  if (!Scratch)
    return Scratch.takeError();
  if (Error E = writeFile(*Scratch, ArrayRef<uint8_t>(Memory->bytes())))
    return std::move(E);
  return encodeWord(*Scratch);
}

/// Lines for one tensor. The values go to a file of their own, since host code
/// may decide by them.
static Error describeTensor(raw_ostream &OS, StringRef What, const ArgSpec &Arg,
                            KernelCompiler &Compiler) {
  Expected<TensorType> Tensor = tensorTypeOf(Arg);
  if (!Tensor)
    return Tensor.takeError();
  std::string Dims;
  for (uint64_t Extent : Tensor->Shape)
    Dims += (Dims.empty() ? "" : ",") + utostr(Extent);
  std::string Path = "-";
  if (Arg.reads()) {
    Expected<std::string> Kept = keepValues(Arg, *Tensor, Compiler);
    if (!Kept)
      return Kept.takeError();
    Path = std::move(*Kept);
  }
  OS << What << ' ' << hostNameOf(Tensor->Type) << ' '
     << (Dims.empty() ? "-" : Dims) << " ND " << Path << '\n';
  return Error::success();
}

static Error describeArg(raw_ostream &OS, StringRef What, const ArgSpec &Arg,
                         KernelCompiler &Compiler) {
  if (Arg.Absent) {
    OS << What << " none\n";
    return Error::success();
  }
  if (!Arg.IsList)
    return describeTensor(OS, What, Arg, Compiler);
  OS << What << " list " << Arg.List.size() << '\n';
  for (const ArgSpec &Element : Arg.List)
    if (Error E = describeTensor(OS, What, Element, Compiler))
      return E;
  return Error::success();
}

static Expected<std::string> makeRequest(const Case &Case, StringRef Object,
                                         KernelCompiler &Compiler) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "object " << encodeWord(Object) << "\nsoc " << encodeWord(Case.Soc)
     << '\n';
  if (!Case.OpHost.Op.empty())
    OS << "op " << encodeWord(Case.OpHost.Op) << '\n';
  for (const auto &[Name, Value] : Case.OpHost.Attrs)
    OS << "attr " << encodeWord(Name) << ' ' << encodeWord(Value) << '\n';
  for (const ArgSpec &Arg : Case.Args) {
    if (Arg.What == ArgSpec::Role::Scalar)
      return makeError(DiagId::ArgumentMismatch,
                       "an operator has tensors and attributes, no --scalar; "
                       "write --attr NAME=VALUE");
    if (Error E = describeArg(OS, nameOf(Arg.What), Arg, Compiler))
      return std::move(E);
  }
  return Text;
}

/// Runs the host code under limits.
static Expected<OpLaunch> ask(const Case &Case, StringRef Object,
                              KernelCompiler &Compiler) {
  Expected<std::string> Text = makeRequest(Case, Object, Compiler);
  if (!Text)
    return Text.takeError();
  // A folder of its own is all that the host code can write to.
  Expected<std::string> Folder = Compiler.scratchPath("-ophost");
  if (!Folder)
    return Folder.takeError();
  if (std::error_code EC = sys::fs::create_directory(*Folder))
    return createStringError(EC, *Folder + ": " + EC.message());
  std::string RequestPath = *Folder + "/request";
  if (Error E = writeFile(RequestPath, toBytes(*Text)))
    return std::move(E);
  std::string AnswerPath = *Folder + "/answer";

  belay::support::ProcessSpec Spec;
  Spec.Args = {Compiler.tools().OpHost, RequestPath, AnswerPath};
  Spec.ClearEnv = true;
  Spec.CpuTime = TimeLimit;
  Spec.CpuSeconds = TimeLimit.count() + 1;
  Spec.Timeout = LongestWait;
  Spec.AddressSpaceBytes = MemoryLimit;
  Spec.FileBytes = MaxAnswerBytes;
  Spec.MaxCapturedBytes = 64 << 10;
  sandbox::Policy P =
      sandbox::policyOfLoader({Object.str(), folderOf(*Folder)});
  P.Write.push_back(*Folder);
  belay::support::ProcessResult Result =
      sandbox::run(Compiler.isConfined() ? &P : nullptr, std::move(Spec));
  if (Result.How == belay::support::ProcessResult::Status::NotConfined)
    return makeError(DiagId::NoSandbox, Result.Error);
  if (Result.Starved)
    return makeError(DiagId::BelayFailed,
                     "the machine did not give the operator's host code the "
                     "CPU time that it may have");
  if (!Result.succeeded()) {
    std::vector<std::string> Notes;
    for (StringRef Stream : {StringRef(Result.Out), StringRef(Result.Err)}) {
      SmallVector<StringRef, 16> Lines;
      Stream.trim().split(Lines, '\n', -1, /*KeepEmpty=*/false);
      // The last words say why.
      for (StringRef Line : ArrayRef(Lines).take_back(6))
        Notes.push_back(Line.str());
    }
    return makeError(
        DiagId::OpHostFailed,
        formatv("the operator's host code failed: {0}", Result.describe()),
        Notes);
  }
  Expected<std::string> Answer = readFile(AnswerPath, MaxAnswerBytes);
  if (!Answer)
    return Answer.takeError();
  return OpLaunch::parse(*Answer);
}

//===----------------------------------------------------------------------===//
// The case
//===----------------------------------------------------------------------===//

/// DTYPE_X and ORIG_DTYPE_X for a parameter x. Where its types stand for
/// themselves, the given tensor decides.
static void addTypeMacros(const OpParam &Param, const ArgSpec *Input,
                          unsigned Column, std::vector<std::string> &Defines) {
  if (Param.Types.empty())
    return;
  unsigned Entry = std::min<unsigned>(Column, Param.Types.size() - 1);
  if (Param.Cross) {
    Entry = 0;
    const ArgSpec *Tensor = Input && Input->IsList && !Input->List.empty()
                                ? &Input->List.front()
                                : Input;
    if (Tensor && Tensor->Tensor)
      for (const auto &[Index, Type] : enumerate(Param.Types))
        if (Type == hostNameOf(Tensor->Tensor->Type))
          Entry = Index;
  }
  std::string Name = StringRef(Param.Name).upper();
  Defines.push_back("DTYPE_" + Name + "=" + Param.KernelTypes[Entry]);
  Defines.push_back("ORIG_DTYPE_" + Name + "=DT_" +
                    StringRef(Param.Types[Entry]).upper());
  Defines.push_back("FORMAT_" + Name + "=FORMAT_ND");
}

/// Puts the inputs before the outputs, and adds the outputs that are inputs
/// under the same name: the kernel has a parameter for each, with the same
/// address. Once all inputs are there, an inout is an output that holds values
/// before.
static Error placeOutputs(const OpLaunch &Launch, Case &Case) {
  using Role = ArgSpec::Role;
  std::vector<ArgSpec> Inputs, Outputs;
  for (ArgSpec &Arg : Case.Args)
    (Arg.What == Role::In ||
             (Arg.What == Role::InOut && Inputs.size() < Launch.Inputs.size())
         ? Inputs
         : Outputs)
        .push_back(std::move(Arg));
  Inputs.resize(Launch.Inputs.size());
  for (ArgSpec &Input : Inputs)
    if (Input.Text.empty())
      Input.Absent = true;
  Case.Args = std::move(Inputs);
  auto Next = Outputs.begin();
  for (const OpParam &Output : Launch.Outputs) {
    auto Same = find_if(Launch.Inputs, [&](const OpParam &Input) {
      return Input.Name == Output.Name;
    });
    if (Same != Launch.Inputs.end() && Outputs.size() < Launch.Outputs.size()) {
      ArgSpec &Arg = Case.Args.emplace_back();
      Arg.What = ArgSpec::Role::InOut;
      Arg.SameAs = static_cast<unsigned>(Same - Launch.Inputs.begin());
      continue;
    }
    if (Next != Outputs.end()) {
      Case.Args.push_back(std::move(*Next++));
    } else {
      ArgSpec &Arg = Case.Args.emplace_back();
      Arg.What = ArgSpec::Role::Out;
      Arg.Absent = true;
    }
  }
  if (Next != Outputs.end())
    return makeError(DiagId::ArgumentMismatch,
                     formatv("operator '{0}' has {1} outputs, but more are "
                             "given",
                             Launch.Op, Launch.Outputs.size()));
  return Error::success();
}

/// After the outputs the kernel finds room for the shapes that it computes:
/// the number of dimensions and eight extents for each such output.
static void placeComputedShapes(const OpLaunch &Launch, Case &Case) {
  uint64_t Shapes = count_if(Launch.Outputs, [](const OpParam &Output) {
    return Output.ShapeIsComputed;
  });
  if (!Shapes)
    return;
  ArgSpec &Arg = Case.Args.emplace_back();
  Arg.What = ArgSpec::Role::Out;
  Arg.Tensor = TensorType{DataType::U64, {9 * Shapes}};
  Arg.Text = Arg.Tensor->str();
}

/// "x float16, y float16": what the operator may be called with.
static std::vector<std::string> listTypes(const OpLaunch &Launch) {
  std::vector<std::string> Lines;
  for (const std::vector<OpParam> *Params : {&Launch.Inputs, &Launch.Outputs})
    for (const OpParam &Param : *Params)
      Lines.push_back(Param.Name + ": " + join(Param.Types, ", "));
  return Lines;
}

Expected<Case> belay::ophost::applyOpHost(const Case &Input,
                                          KernelCompiler &Compiler) {
  Expected<std::string> Object = Compiler.compileOpHost(Input);
  if (!Object)
    return Object.takeError();
  Expected<OpLaunch> Launch = ask(Input, *Object, Compiler);
  if (!Launch)
    return Launch.takeError();
  if (Launch->Blocks == 0)
    return makeError(DiagId::OpHostFailed,
                     "the tiling function sets no number of blocks "
                     "(SetBlockDim)");
  if (!Launch->Column)
    return makeError(DiagId::ArgumentMismatch,
                     formatv("operator '{0}' has no kernel for these element "
                             "types; entries in the same column belong "
                             "together",
                             Launch->Op),
                     listTypes(*Launch));

  Case Result = Input;
  if (Error E = placeOutputs(*Launch, Result))
    return std::move(E);
  placeComputedShapes(*Launch, Result);
  size_t Position = 0;
  std::vector<std::string> Macros;
  for (const std::vector<OpParam> *Params : {&Launch->Inputs, &Launch->Outputs})
    for (const OpParam &Param : *Params) {
      const ArgSpec *Arg = &Result.Args[Position++];
      if (!Arg->SameAs)
        addTypeMacros(Param, Arg, *Launch->Column, Macros);
    }
  // What the user defines comes last and wins.
  Macros.insert(Macros.end(), Input.Defines.begin(), Input.Defines.end());
  Result.Defines = std::move(Macros);
  Result.Prelude = Input.Prelude + Launch->Header;
  Result.Blocks = Launch->Blocks;
  Result.TilingKey = Launch->TilingKey;
  if (!Input.Tiling.given())
    Result.Tiling.Bytes = Launch->Tiling;
  // The library's share of the workspace is not part of the launch here.
  uint64_t Library = targets::findSoc(Input.Soc)->arch->libWorkspace;
  if (!Input.WorkspaceBytes)
    Result.WorkspaceBytes = Launch->Workspace >= Library
                                ? Launch->Workspace - Library
                                : Launch->Workspace;
  return Result;
}

Expected<std::string>
belay::ophost::preludeOfOperator(const Case &Case, KernelCompiler &Compiler) {
  Expected<std::string> Object = Compiler.compileOpHost(Case);
  if (!Object)
    return Object.takeError();
  Expected<OpLaunch> Described = ask(Case, *Object, Compiler);
  if (!Described)
    return Described.takeError();
  std::vector<std::string> Macros;
  StringSet<> Seen; // an output may be an input under the same name
  for (const std::vector<OpParam> *Params :
       {&Described->Inputs, &Described->Outputs})
    for (const OpParam &Param : *Params)
      if (Seen.insert(Param.Name).second)
        addTypeMacros(Param, nullptr, 0, Macros);
  std::string Text;
  for (StringRef Macro : Macros) {
    auto [Name, Value] = Macro.split('=');
    Text += formatv("#ifndef {0}\n#define {0} {1}\n#endif\n", Name, Value);
  }
  return Text + Described->Header;
}

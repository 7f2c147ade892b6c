//===- LanguageKernel.cpp - Kernels of the kernel language ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/LanguageKernel.h"
#include "cases/Values.h"
#include "launch/ArgumentBinding.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Json.h"
#include "toolchain/KernelScan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;
using Access = ContractParam::Access;
using Role = ArgSpec::Role;

Expected<std::vector<LanguageKernel>> LanguageKernel::parse(StringRef Json) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  const json::Object *Object = Root->getAsObject();
  const json::Array *Array = Object ? Object->getArray("kernels") : nullptr;
  std::vector<LanguageKernel> Kernels;
  for (const json::Value &Value : Array ? *Array : json::Array()) {
    const json::Object *One = Value.getAsObject();
    const json::Object *Described =
        One ? One->getObject("description") : nullptr;
    if (!Described || !One->getString("code"))
      return createStringError("the compiler described no kernel");
    Expected<LaunchContract> Contract = LaunchContract::parse(*Described);
    if (!Contract)
      return Contract.takeError();
    Kernels.push_back({std::move(*Contract), One->getString("code")->str()});
  }
  if (Kernels.empty())
    return createStringError("the compiler described no kernel");
  return Kernels;
}

bool belay::launch::isLanguageSource(const Case &Case) {
  Expected<std::string> Source = readSourceOf(Case);
  if (Source)
    return usesKernelLanguage(*Source);
  consumeError(Source.takeError());
  return false;
}

Expected<const LanguageKernel *>
belay::launch::chooseKernel(const Case &Case,
                            ArrayRef<LanguageKernel> Kernels) {
  if (Kernels.size() == 1)
    return &Kernels.front();
  std::vector<std::string> Names;
  for (const LanguageKernel &Kernel : Kernels)
    Names.push_back("'" + Kernel.Contract.Kernel + "'");
  return createStringError(formatv("{0} has several kernels; choose with "
                                   "--kernel: {1}",
                                   Case.Source, join(Names, ", ")));
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

namespace {

/// The arguments of a case beside the parameters of a kernel.
class Binder {
public:
  Binder(const Case &Input, const LaunchContract &Contract)
      : Input(Input), Contract(Contract), Bound(Contract.Params.size()) {}

  Error bind();
  LaunchValues values() const;
  /// In the order of the entry point.
  std::vector<ArgSpec> arguments() const;

private:
  Error bindView(unsigned Index, const ArgSpec &Arg);
  Error bindScalar(unsigned Index, const ArgSpec &Arg);
  Error mismatch(const Twine &Why) const;
  ArgSpec perCore(const ContractParam &Param) const;

  const Case &Input;
  const LaunchContract &Contract;
  std::vector<std::optional<ArgSpec>> Bound;
};

} // namespace

static std::string shown(const ArgSpec &Arg) {
  return formatv("--{0} {1}", nameOf(Arg.What), Arg.Text).str();
}

Error Binder::mismatch(const Twine &Why) const {
  std::vector<std::string> Notes;
  for (const ContractParam &Param : Contract.Params)
    if (Param.How != Access::PerCore)
      Notes.push_back(formatv("'{0}' takes {1}", Param.Name, Param.wanted()));
  for (const ArgSpec &Arg : Input.Args)
    Notes.push_back("given: " + shown(Arg));
  return makeError(DiagId::ArgumentMismatch,
                   formatv("kernel '{0}' {1}", Contract.Kernel, Why.str()),
                   Notes);
}

Error Binder::bind() {
  std::vector<const ArgSpec *> Tensors, Scalars;
  for (const ArgSpec &Arg : Input.Args)
    (Arg.What == Role::Scalar ? Scalars : Tensors).push_back(&Arg);
  size_t Views = 0, Numbers = 0;
  for (const auto &[Index, Param] : enumerate(Contract.Params)) {
    if (Param.How == Access::PerCore) {
      Bound[Index] = perCore(Param);
      continue;
    }
    size_t &Next = Param.IsView ? Views : Numbers;
    auto &Source = Param.IsView ? Tensors : Scalars;
    if (Next < Source.size())
      if (Error E = Param.IsView ? bindView(Index, *Source[Next])
                                 : bindScalar(Index, *Source[Next]))
        return E;
    ++Next;
  }
  auto Count = [](size_t Number, StringRef What) {
    return formatv("{0} {1}{2}", Number, What, Number == 1 ? "" : "s").str();
  };
  if (Views != Tensors.size())
    return mismatch("takes " + Count(Views, "tensor") + ", but " +
                    Twine(Tensors.size()) +
                    (Tensors.size() == 1 ? " is given" : " are given"));
  if (Numbers != Scalars.size())
    return mismatch("takes " + Count(Numbers, "scalar") + ", but " +
                    Twine(Scalars.size()) +
                    (Scalars.size() == 1 ? " is given" : " are given"));
  return Error::success();
}

Error Binder::bindView(unsigned Index, const ArgSpec &Arg) {
  const ContractParam &Param = Contract.Params[Index];
  Role Wanted = Param.How == Access::In    ? Role::In
                : Param.How == Access::Out ? Role::Out
                                           : Role::InOut;
  auto Refuse = [&](const Twine &Why) {
    return mismatch("cannot take " + shown(Arg) + " as '" + Param.Name +
                    "': " + Why);
  };
  if (Arg.Absent || Arg.IsList)
    return Refuse("kernels of the language take single tensors");
  if (Arg.What != Wanted)
    return Refuse("it is " +
                  Twine(Wanted == Role::In    ? "read"
                        : Wanted == Role::Out ? "written"
                                              : "read and written") +
                  " (--" + nameOf(Wanted) + ")");
  Expected<TensorType> Tensor = tensorTypeOf(Arg);
  if (!Tensor)
    return Tensor.takeError();
  if (Tensor->Type != Param.Type)
    return Refuse("its elements are " + nameOf(Param.Type) + ", not " +
                  nameOf(Tensor->Type));
  if (Tensor->Shape.size() != Param.Extents.size())
    return Refuse("it has " + Twine(Param.Extents.size()) +
                  (Param.Extents.size() == 1 ? " extent" : " extents") +
                  ", not " + Twine(Tensor->Shape.size()) + " (" +
                  formatShape(Tensor->Shape) + ")");
  Bound[Index] = Arg;
  Bound[Index]->Name = Param.Name;
  Bound[Index]->Tensor = std::move(*Tensor);
  return Error::success();
}

Error Binder::bindScalar(unsigned Index, const ArgSpec &Arg) {
  const ContractParam &Param = Contract.Params[Index];
  if (Arg.Tensor->Type != Param.Type)
    return mismatch("cannot take " + shown(Arg) + " as '" + Param.Name +
                    "': it is " + nameOf(Param.Type) + ", not " +
                    nameOf(Arg.Tensor->Type));
  Bound[Index] = Arg;
  Bound[Index]->Name = Param.Name;
  return Error::success();
}

/// Memory that the launcher owns: one element, or one tile, for each core.
ArgSpec Binder::perCore(const ContractParam &Param) const {
  ArgSpec Arg;
  Arg.What = Role::Out;
  Arg.Name = Param.Name;
  Arg.Tensor = TensorType{Param.Type, {Input.Blocks}};
  for (std::optional<uint64_t> Extent : drop_begin(Param.Extents))
    Arg.Tensor->Shape.push_back(Extent.value_or(0));
  Arg.Text = Arg.Tensor->str();
  Arg.Internal = true;
  return Arg;
}

LaunchValues Binder::values() const {
  LaunchValues Values;
  Values.Blocks = Input.Blocks;
  for (const auto &[Param, Arg] : zip_equal(Contract.Params, Bound)) {
    if (Param.IsView)
      Values.Shapes[Param.Name] = Arg->Tensor->Shape;
    else
      Values.Scalars[Param.Name] = encodeScalar(*Arg);
  }
  return Values;
}

std::vector<ArgSpec> Binder::arguments() const {
  std::vector<ArgSpec> Args;
  for (const EntryParam &Entry : Contract.Entries) {
    const ArgSpec &Arg = *Bound[Entry.Index];
    if (Entry.What != EntryParam::Kind::Extent) {
      Args.push_back(Arg);
      continue;
    }
    ArgSpec &Extent = Args.emplace_back();
    Extent.What = Role::Scalar;
    Extent.Name = formatv("{0}.extent({1})", Arg.Name, Entry.Dim);
    Extent.Tensor = TensorType{DataType::S64, {}};
    Extent.Source = std::to_string(Arg.Tensor->Shape[Entry.Dim]);
    Extent.Text = "i64=" + Extent.Source;
  }
  return Args;
}

Expected<Case> belay::launch::applyLanguage(const Case &Input,
                                            const LanguageKernel &Kernel) {
  if (Input.Tiling.given() || Input.WorkspaceBytes || Input.TilingKey)
    return createStringError("kernels of the kernel language have neither "
                             "tiling nor workspace");
  Binder Binder(Input, Kernel.Contract);
  if (Error E = Binder.bind())
    return E;
  if (Error E = Kernel.Contract.check(Binder.values()))
    return E;
  Case Result = Input;
  Result.Kernel = Kernel.Contract.Entry;
  Result.Code = Kernel.Code;
  Result.Args = Binder.arguments();
  // They were for the kernel's source, and have done their work.
  Result.Defines.clear();
  Result.IncludeDirs.clear();
  return Result;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

void belay::launch::explainAsLanguage(support::Diagnostic &Diag) {
  Diag.Where.Column = 0;
  for (support::DiagNote &Note : Diag.Notes)
    Note.Where.Column = 0;
  if (Diag.Other)
    Diag.Other->Where.Column = 0;
}

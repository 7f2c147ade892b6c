//===- TemplateArguments.cpp - Instances that arguments decide ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/TemplateArguments.h"
#include "cases/Values.h"
#include "support/DiagnosticError.h"
#include "toolchain/LanguageScan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;

/// As the language calls an element; "" for those that it does not have.
static StringRef languageNameOf(DataType Type) {
  switch (Type) {
#define BELAY_ELEMENT_LANGUAGE(Id, Mlir, Name)                                 \
  case DataType::Id:                                                           \
    return #Name;
#include "belay/elements.def"
  default:
    return "";
  }
}

namespace {

/// The values that arguments give to the template parameters of one kernel.
class Deduction {
public:
  explicit Deduction(const LanguageSignature &Kernel) : Kernel(Kernel) {}

  Error from(const LanguageParam &Param, const TensorType &Tensor);
  Expected<std::string> name() const;

private:
  struct Value {
    std::string Text;
    /// The parameter that it follows from.
    StringRef By;
  };

  const TemplateParam *find(StringRef Name, bool IsType) const;
  Error bind(StringRef Name, std::string Text, StringRef By);

  const LanguageSignature &Kernel;
  std::map<StringRef, Value> Bound;
};

} // namespace

const TemplateParam *Deduction::find(StringRef Name, bool IsType) const {
  for (const TemplateParam &Each : Kernel.Templates)
    if (Each.Name == Name && Each.IsType == IsType)
      return &Each;
  return nullptr;
}

Error Deduction::bind(StringRef Name, std::string Text, StringRef By) {
  auto [Known, New] = Bound.try_emplace(Name, Value{Text, By});
  if (New || Known->second.Text == Text)
    return Error::success();
  return makeError(DiagId::ArgumentMismatch,
                   formatv("{0}: '{1}' is {2} by '{3}' and {4} by '{5}'",
                           Kernel.Name, Name, Known->second.Text,
                           Known->second.By, Text, By));
}

Error Deduction::from(const LanguageParam &Param, const TensorType &Tensor) {
  StringRef Element = languageNameOf(Tensor.Type);
  if (!Element.empty() && find(Param.Element, /*IsType=*/true))
    if (Error E = bind(Param.Element, Element.str(), Param.Name))
      return E;
  if (Param.Extents.size() != Tensor.Shape.size())
    return Error::success(); // the contract says what is wrong
  for (const auto &[Extent, Number] : zip(Param.Extents, Tensor.Shape))
    if (find(Extent, /*IsType=*/false))
      if (Error E = bind(Extent, std::to_string(Number), Param.Name))
        return E;
  return Error::success();
}

Expected<std::string> Deduction::name() const {
  ArrayRef<TemplateParam> Wanted = Kernel.Templates;
  while (!Wanted.empty() && Wanted.back().Default &&
         !Bound.contains(Wanted.back().Name))
    Wanted = Wanted.drop_back();
  std::vector<std::string> Words;
  for (const TemplateParam &Each : Wanted) {
    if (auto Known = Bound.find(Each.Name); Known != Bound.end())
      Words.push_back(Known->second.Text);
    else if (Each.Default)
      Words.push_back(*Each.Default);
    else
      return makeError(
          DiagId::ArgumentMismatch,
          formatv("template parameter '{0}' of {1} does not follow from the "
                  "arguments; name an instance: --kernel '{1}<...>'",
                  Each.Name, Kernel.Name));
  }
  return Kernel.Name + "<" + join(Words, ", ") + ">";
}

Expected<std::string> belay::launch::deduceKernel(const Case &Case) {
  if (StringRef(Case.Kernel).contains('<'))
    return Case.Kernel;
  Expected<std::string> Source = readSourceOf(Case);
  if (!Source)
    return Source.takeError();
  std::vector<LanguageSignature> Kernels = scanLanguageKernels(*Source);
  auto Meant = find_if(Kernels, [&](const LanguageSignature &Each) {
    return Case.Kernel.empty() ? Kernels.size() == 1 : Each.Name == Case.Kernel;
  });
  if (Meant == Kernels.end() || Meant->Templates.empty())
    return Case.Kernel;
  Deduction Found(*Meant);
  auto Arg = Case.Args.begin();
  for (const LanguageParam &Param : Meant->Params) {
    if (Param.View.empty() || Param.View == "PerCore")
      continue;
    Arg = std::find_if(Arg, Case.Args.end(), [](const ArgSpec &Each) {
      return Each.What != ArgSpec::Role::Scalar;
    });
    if (Arg == Case.Args.end())
      break;
    if (!Arg->Absent && !Arg->IsList) {
      Expected<TensorType> Tensor = tensorTypeOf(*Arg);
      if (!Tensor)
        return Tensor.takeError();
      if (Error E = Found.from(Param, *Tensor))
        return E;
    }
    ++Arg;
  }
  return Found.name();
}

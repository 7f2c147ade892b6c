//===- Tiling.cpp - Runs an operator's tiling function --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace belay::ophost;

/// The largest tiling that an operator may write.
static constexpr size_t MaxTilingBytes = 64 << 10;

static std::vector<uint8_t> readValues(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    fail("cannot read " + Path);
  return {std::istreambuf_iterator<char>(File), {}};
}

static gert::Tensor makeTensor(const TensorRequest &From, bool WithValues) {
  gert::Tensor T;
  T.TheShape = gert::StorageShape(From.Shape, From.Shape);
  T.Desc.SetDataType(From.Type);
  T.Desc.SetOriginFormat(From.Format);
  T.Desc.SetStorageFormat(From.Format);
  if (WithValues && !From.Values.empty()) {
    T.Values = readValues(From.Values);
    T.Values.resize(T.GetSize());
    T.HasValues = true;
  }
  return T;
}

/// The arguments as the operator's inputs and outputs; OpHost.cpp does the
/// same for the kernel. Once all inputs are there, an inout is an output that
/// holds values before the call. An output that is left out and named like an
/// input is that input, changed in place.
struct Assigned {
  std::vector<ParameterRequest> Inputs, Outputs;

  Assigned(const ops::OpDef &Op, const std::vector<ParameterRequest> &Args) {
    using Role = ParameterRequest::Role;
    std::vector<ParameterRequest> Values;
    for (const ParameterRequest &A : Args)
      if (A.What == Role::In ||
          (A.What == Role::InOut && Inputs.size() < Op.Inputs.size()))
        Inputs.push_back(A);
      else
        Values.push_back(A);
    bool LeftOut = Values.size() < Op.Outputs.size();
    auto Next = Values.begin();
    for (const ops::OpParamDef &Output : Op.Outputs) {
      const ParameterRequest *Same = LeftOut ? inputNamed(Op, Output) : nullptr;
      if (Same)
        Outputs.push_back(*Same);
      else if (Next != Values.end())
        Outputs.push_back(*Next++);
    }
    Outputs.insert(Outputs.end(), Next, Values.end());
  }

private:
  const ParameterRequest *inputNamed(const ops::OpDef &Op,
                                     const ops::OpParamDef &Output) const {
    for (size_t I = 0; I < Op.Inputs.size() && I < Inputs.size(); ++I)
      if (Op.Inputs[I].Name == Output.Name)
        return &Inputs[I];
    return nullptr;
  }
};

/// Lays the given tensors out by the parameters of the definition.
static void place(const std::vector<ops::OpParamDef> &Params,
                  const std::vector<ParameterRequest> &Values,
                  const std::vector<size_t> &AlsoReads, const char *What,
                  std::vector<gert::Tensor> &Tensors,
                  std::vector<Parameter> &Parameters) {
  if (Values.size() > Params.size())
    fail(std::string("the operator has ") + std::to_string(Params.size()) +
         " " + What + "s, not " + std::to_string(Values.size()));
  for (size_t I = 0; I < Params.size(); ++I) {
    const ops::OpParamDef &P = Params[I];
    Parameter Here{Tensors.size(), 0};
    bool Reads = P.ReadByTiling;
    for (size_t Index : AlsoReads)
      Reads |= Index == I;
    bool HasIt = I < Values.size() && Values[I].Present;
    if (!HasIt && P.Kind == ops::REQUIRED)
      fail(std::string(What) + " " + std::to_string(I) + " ('" + P.Name +
           "') is missing");
    if (HasIt) {
      if (Values[I].Tensors.size() != 1 && P.Kind != ops::DYNAMIC)
        fail(std::string(What) + " '" + P.Name + "' is one tensor, not a list");
      for (const TensorRequest &T : Values[I].Tensors)
        Tensors.push_back(makeTensor(T, Reads));
      Here.Num = Values[I].Tensors.size();
    }
    Parameters.push_back(Here);
  }
}

template <typename T, typename Parse>
static std::vector<T> parseList(const std::string &Text, Parse &&One) {
  std::vector<T> Result;
  std::istringstream Items(Text);
  std::string Item;
  while (std::getline(Items, Item, ','))
    Result.push_back(static_cast<T>(One(Item)));
  return Result;
}

static int64_t parseInt(const std::string &Text) {
  char *End;
  errno = 0;
  int64_t Value = std::strtoll(Text.c_str(), &End, 0);
  if (errno || *End || Text.empty())
    fail("'" + Text + "' is not an integer");
  return Value;
}

static float parseFloat(const std::string &Text) {
  char *End;
  float Value = std::strtof(Text.c_str(), &End);
  if (*End || Text.empty())
    fail("'" + Text + "' is not a number");
  return Value;
}

static bool parseBool(const std::string &Text) {
  if (Text == "1" || Text == "true" || Text == "True")
    return true;
  if (Text == "0" || Text == "false" || Text == "False")
    return false;
  fail("'" + Text + "' is neither true nor false");
}

static gert::RuntimeAttrs::Value makeAttr(const ops::OpAttrDef &Def,
                                          const std::string &Text) {
  using Value = gert::RuntimeAttrs::Value;
  Value V;
  if (Def.Type == "int") {
    V.What = Value::Kind::Int;
    V.Int = parseInt(Text);
  } else if (Def.Type == "float") {
    V.What = Value::Kind::Float;
    V.Float = parseFloat(Text);
  } else if (Def.Type == "bool") {
    V.What = Value::Kind::Bool;
    V.Bool = parseBool(Text);
  } else if (Def.Type == "string") {
    V.What = Value::Kind::Text;
    V.Text = Text;
  } else {
    V.What = Value::Kind::List;
    if (Def.Type == "list_int")
      V.List = std::make_shared<gert::TypedContinuousVector<int64_t>>(
          parseList<int64_t>(Text, parseInt));
    else if (Def.Type == "list_float")
      V.List = std::make_shared<gert::TypedContinuousVector<float>>(
          parseList<float>(Text, parseFloat));
    else if (Def.Type == "list_bool")
      V.List = std::make_shared<gert::TypedContinuousVector<uint8_t>>(
          parseList<uint8_t>(Text, parseBool));
    else
      fail("attribute '" + Def.Name +
           "' has a type that cannot be given: " + Def.Type);
  }
  return V;
}

static gert::RuntimeAttrs makeAttrs(const ops::OpDef &Op,
                                    const Request &Request) {
  gert::RuntimeAttrs Attrs;
  for (const auto &[Name, Text] : Request.Attrs) {
    bool Known = false;
    for (const ops::OpAttrDef &Def : Op.Attrs)
      Known |= Def.Name == Name;
    if (!Known)
      fail("operator '" + Op.Type + "' has no attribute '" + Name + "'");
  }
  for (const ops::OpAttrDef &Def : Op.Attrs) {
    const std::string *Text = nullptr;
    for (const auto &[Name, Value] : Request.Attrs)
      if (Name == Def.Name)
        Text = &Value;
    if (!Text && Def.Kind == ops::REQUIRED)
      fail("attribute '" + Def.Name + "' has no default: give it a value");
    Attrs.Values.push_back(makeAttr(Def, Text ? *Text : Def.Default));
  }
  return Attrs;
}

static bool fits(const std::vector<ops::OpParamDef> &Params,
                 const std::vector<gert::Tensor> &Tensors,
                 const std::vector<Parameter> &Parameters, size_t Column) {
  for (size_t I = 0; I < Params.size(); ++I) {
    const ops::OpParamDef &P = Params[I];
    if (Parameters[I].Num == 0 || P.Types.empty())
      continue;
    ge::DataType Type = Tensors[Parameters[I].First].GetDataType();
    if (P.TypesCross) {
      bool Found = false;
      for (ge::DataType Allowed : P.Types)
        Found |= Allowed == Type;
      if (!Found)
        return false;
    } else if (Column >= P.Types.size() || P.Types[Column] != Type)
      return false;
  }
  return true;
}

/// The definition lists its types row by row: entry N of every parameter is one
/// combination for which there is a kernel.
static int findColumn(const ops::OpDef &Op, const Call &C) {
  size_t Columns = 1;
  for (const ops::OpParamDef &P : Op.Inputs)
    if (!P.TypesCross)
      Columns = std::max(Columns, P.Types.size());
  for (const ops::OpParamDef &P : Op.Outputs)
    if (!P.TypesCross)
      Columns = std::max(Columns, P.Types.size());
  for (size_t Column = 0; Column < Columns; ++Column)
    if (fits(Op.Inputs, C.Inputs, C.InputParameters, Column) &&
        fits(Op.Outputs, C.Outputs, C.OutputParameters, Column))
      return static_cast<int>(Column);
  return -1;
}

TilingAnswer belay::ophost::runTiling(const ops::OpDef &Op,
                                      const Request &Request) {
  const Functions &F = *belay_ophost_functions(Op.Type.c_str());
  TilingFunction Tiling = F.Tiling ? F.Tiling : Op.Core.Tiling;
  if (!Tiling)
    fail("operator '" + Op.Type + "' has no tiling function");

  TilingAnswer Answer;
  Call &C = Answer.Result;
  C.Type = Op.Type;
  C.Name = Op.Type;
  Assigned Args(Op, Request.Args);
  place(Op.Inputs, Args.Inputs, F.TilingInputValues, "input", C.Inputs,
        C.InputParameters);
  place(Op.Outputs, Args.Outputs, {}, "output", C.Outputs, C.OutputParameters);
  Answer.Column = findColumn(Op, C);
  C.Attrs = makeAttrs(Op, Request);
  C.Tiling.resize(MaxTilingBytes);

  TilingParseFunction Parse = F.TilingParse ? F.TilingParse : Op.Core.Parse;
  if (F.NewCompileInfo)
    C.CompileInfo = F.NewCompileInfo();
  if (Parse && C.CompileInfo) {
    gert::TilingParseContext Context(&C);
    if (Parse(&Context) != ge::GRAPH_SUCCESS)
      fail("the tiling parse function of '" + Op.Type + "' failed");
  }
  gert::TilingContext Context(&C);
  ge::graphStatus Status = Tiling(&Context);
  if (Status != ge::GRAPH_SUCCESS)
    fail("the tiling function of '" + Op.Type + "' refused with status " +
         std::to_string(Status));
  return Answer;
}

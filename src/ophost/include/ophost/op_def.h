//===- op_def.h - The operator's definition: parameters, types, targets -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OP_DEF_H
#define BELAY_OPHOST_OP_DEF_H

#include "ophost/graph.h"
#include "ophost/op_impl.h"

#include <functional>
#include <map>

namespace ops {

enum Option {
  IGNORE = 0,
  OPTIONAL = 1,
  REQUIRED = 2,
  DYNAMIC = 3,
  VIRTUAL = 4
};
enum class FormatCheckOption { STRICT = 0, DEFAULT = 1 };
enum class DependScope { ALL = 0, TILING = 1, INVALID = 2 };
enum class FollowType { ALL = 0, DTYPE, FORMAT, SHAPE, INVALID };
enum class InitValueType { INIT_VALUE_UINT64_T = 0, INIT_VALUE_DEFAULT };
struct ScalarVar {
  ScalarVar() = default;
  ScalarVar(int64_t) {}
  ScalarVar(double) {}
};

class OpParamDef {
public:
  explicit OpParamDef(const char *Name) : Name(Name) {}

  std::string Name;
  Option Kind = REQUIRED;
  std::vector<ge::DataType> Types;
  std::vector<ge::Format> Formats;
  /// DataTypeList and FormatList cross with those of other parameters instead
  /// of being read row by row.
  bool TypesCross = false;
  bool ReadByTiling = false;
  /// The kernel tells how large the output is.
  bool ShapeIsComputed = false;
  std::string Follows;

  OpParamDef &ParamType(Option Value) {
    Kind = Value;
    return *this;
  }
  OpParamDef &DataType(std::vector<ge::DataType> Value) {
    Types = std::move(Value);
    return *this;
  }
  OpParamDef &DataTypeList(std::vector<ge::DataType> Value) {
    Types = std::move(Value);
    TypesCross = true;
    return *this;
  }
  OpParamDef &Format(std::vector<ge::Format> Value) {
    Formats = std::move(Value);
    return *this;
  }
  OpParamDef &FormatList(std::vector<ge::Format> Value) {
    Formats = std::move(Value);
    return *this;
  }
  OpParamDef &ValueDepend(Option Value) {
    ReadByTiling = Value != IGNORE;
    return *this;
  }
  OpParamDef &ValueDepend(Option Value, DependScope) {
    return ValueDepend(Value);
  }
  OpParamDef &Follow(const char *Other, FollowType = FollowType::ALL) {
    Follows = Other;
    return *this;
  }
  OpParamDef &OutputShapeDependOnCompute() {
    ShapeIsComputed = true;
    return *this;
  }
  // What follows concerns the framework around a launch, not the launch.
  OpParamDef &UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
  OpParamDef &DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
  OpParamDef &FormatForBinQuery(std::vector<ge::Format>) { return *this; }
  OpParamDef &IgnoreContiguous() { return *this; }
  OpParamDef &AutoContiguous() { return *this; }
  OpParamDef &Scalar() { return *this; }
  OpParamDef &ScalarList() { return *this; }
  OpParamDef &To(ge::DataType) { return *this; }
  OpParamDef &To(const char *) { return *this; }
  OpParamDef &Version(uint32_t) { return *this; }
  OpParamDef &InitValue(uint64_t) { return *this; }
  OpParamDef &InitValue(const ScalarVar &) { return *this; }
  OpParamDef &Comment(const char *) { return *this; }
};

class OpAttrDef {
public:
  explicit OpAttrDef(const char *Name) : Name(Name) {}

  std::string Name;
  Option Kind = REQUIRED;
  /// int, float, bool, string, or list_ of one of them.
  std::string Type;
  /// The default, in the type's own text form.
  std::string Default;

  OpAttrDef &AttrType(Option Value) {
    Kind = Value;
    return *this;
  }
  OpAttrDef &Bool() { return is("bool", "0"); }
  OpAttrDef &Bool(bool Value) { return is("bool", Value ? "1" : "0"); }
  OpAttrDef &Int() { return is("int", "0"); }
  OpAttrDef &Int(int64_t Value) { return is("int", std::to_string(Value)); }
  OpAttrDef &Float() { return is("float", "0"); }
  OpAttrDef &Float(float Value) { return is("float", exact(Value)); }
  OpAttrDef &String() { return is("string", ""); }
  OpAttrDef &String(const char *Value) { return is("string", Value); }
  OpAttrDef &ListBool() { return is("list_bool", ""); }
  OpAttrDef &ListBool(std::vector<bool> Value) {
    return is("list_bool", join(Value, [](bool V) { return V ? "1" : "0"; }));
  }
  OpAttrDef &ListInt() { return is("list_int", ""); }
  OpAttrDef &ListInt(std::vector<int64_t> Value) {
    return is("list_int",
              join(Value, [](int64_t V) { return std::to_string(V); }));
  }
  OpAttrDef &ListFloat() { return is("list_float", ""); }
  OpAttrDef &ListFloat(std::vector<float> Value) {
    return is("list_float", join(Value, exact));
  }
  OpAttrDef &ListListInt() { return is("list_list_int", ""); }
  OpAttrDef &ListListInt(std::vector<std::vector<int64_t>>) {
    return is("list_list_int", "");
  }
  OpAttrDef &Version(uint32_t) { return *this; }
  OpAttrDef &Comment(const char *) { return *this; }

private:
  OpAttrDef &is(const char *NewType, std::string Value) {
    Type = NewType;
    Default = std::move(Value);
    return *this;
  }
  static std::string exact(float Value) {
    char Text[32];
    std::snprintf(Text, sizeof(Text), "%.9g", static_cast<double>(Value));
    return Text;
  }
  template <typename V, typename F>
  static std::string join(const V &Values, F &&Text) {
    std::string Result;
    for (auto Value : Values)
      Result += (Result.empty() ? "" : ",") + std::string(Text(Value));
    return Result;
  }
};

/// What one target overrides.
class OpAICoreConfig {
public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char *) {}

  std::vector<OpParamDef> Inputs, Outputs;

  OpParamDef &Input(const char *Name) { return find(Inputs, Name); }
  OpParamDef &Output(const char *Name) { return find(Outputs, Name); }
  OpAICoreConfig &DynamicCompileStaticFlag(bool) { return *this; }
  OpAICoreConfig &DynamicFormatFlag(bool) { return *this; }
  OpAICoreConfig &DynamicRankSupportFlag(bool) { return *this; }
  OpAICoreConfig &DynamicShapeSupportFlag(bool) { return *this; }
  OpAICoreConfig &NeedCheckSupportFlag(bool) { return *this; }
  OpAICoreConfig &PrecisionReduceFlag(bool) { return *this; }
  OpAICoreConfig &ExtendCfgInfo(const char *, const char *) { return *this; }
  OpAICoreConfig &Comment(const char *) { return *this; }

  static OpParamDef &find(std::vector<OpParamDef> &Params, const char *Name) {
    for (OpParamDef &P : Params)
      if (P.Name == Name)
        return P;
    return Params.emplace_back(Name);
  }
};

class OpAICoreDef {
public:
  belay::ophost::TilingFunction Tiling = nullptr;
  belay::ophost::TilingParseFunction Parse = nullptr;
  std::map<std::string, OpAICoreConfig> Configs;

  OpAICoreDef &SetTiling(belay::ophost::TilingFunction F) {
    Tiling = F;
    return *this;
  }
  OpAICoreDef &SetTilingParse(belay::ophost::TilingParseFunction F) {
    Parse = F;
    return *this;
  }
  template <typename F> OpAICoreDef &SetCheckSupport(F &&) { return *this; }
  template <typename F> OpAICoreDef &SetOpSelectFormat(F &&) { return *this; }
  template <typename F> OpAICoreDef &SetOpSupportInfo(F &&) { return *this; }
  template <typename F> OpAICoreDef &SetOpSpecInfo(F &&) { return *this; }
  template <typename F> OpAICoreDef &SetParamGeneralize(F &&) { return *this; }
  OpAICoreDef &AddConfig(const char *Soc) {
    Configs[Soc];
    return *this;
  }
  OpAICoreDef &AddConfig(const char *Soc, const OpAICoreConfig &Config) {
    Configs[Soc] = Config;
    return *this;
  }
};

class OpMC2Def {
public:
  OpMC2Def &HcclGroup(const char *) { return *this; }
  OpMC2Def &HcclGroup(std::vector<const char *>) { return *this; }
};

class OpDef {
public:
  explicit OpDef(const char *Type) : Type(Type) {}
  virtual ~OpDef() = default;

  std::string Type;
  std::vector<OpParamDef> Inputs, Outputs;
  std::vector<OpAttrDef> Attrs;
  OpAICoreDef Core;
  OpMC2Def Communication;
  belay::ophost::InferShapeFunction InferShape = nullptr;
  belay::ophost::InferTypeFunction InferType = nullptr;

  // A reference stays good while further parameters are added only because
  // definitions use it at once, in one chain of calls.
  OpParamDef &Input(const char *Name) {
    return OpAICoreConfig::find(Inputs, Name);
  }
  OpParamDef &Output(const char *Name) {
    return OpAICoreConfig::find(Outputs, Name);
  }
  OpAttrDef &Attr(const char *Name) {
    for (OpAttrDef &A : Attrs)
      if (A.Name == Name)
        return A;
    return Attrs.emplace_back(Name);
  }
  OpAICoreDef &AICore() { return Core; }
  OpMC2Def &MC2() { return Communication; }
  OpDef &SetInferShape(belay::ophost::InferShapeFunction F) {
    InferShape = F;
    return *this;
  }
  OpDef &
  SetInferShapeRange(ge::graphStatus (*)(gert::InferShapeRangeContext *)) {
    return *this;
  }
  OpDef &SetInferDataType(belay::ophost::InferTypeFunction F) {
    InferType = F;
    return *this;
  }
  OpDef &FormatMatchMode(FormatCheckOption) { return *this; }
  OpDef &EnableFallBack() { return *this; }
  OpDef &Comment(const char *, const char * = "") { return *this; }
};

} // namespace ops

#define OP_ADD(Type, ...)                                                      \
  [[maybe_unused]] static const bool belayOp##Type =                           \
      (belay_ophost_add_op(                                                    \
           #Type,                                                              \
           [] { return std::unique_ptr<::ops::OpDef>(new Type(#Type)); }),     \
       true)

#endif // BELAY_OPHOST_OP_DEF_H

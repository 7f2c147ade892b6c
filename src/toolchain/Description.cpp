//===- Description.cpp - What a compiled kernel says of itself ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Description.h"
#include "support/ControlCharacters.h"
#include "support/Json.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::support;
using namespace belay::toolchain;
using belay::sim::ParamKind;
using belay::sim::TaskKind;

/// No parameter and no tiling structure comes near this.
static constexpr uint32_t MaxObjectBytes = 1 << 24;

static Error malformed(const Twine &What) {
  return createStringError("the kernel's description is malformed: " + What);
}

static std::optional<ParamKind> getParamKind(const json::Object &Object) {
  return StringSwitch<std::optional<ParamKind>>(
             Object.getString("kind").value_or(""))
      .Case("pointer", ParamKind::Pointer)
      .Case("integer", ParamKind::Integer)
      .Case("float", ParamKind::Float)
      .Case("aggregate", ParamKind::Aggregate)
      .Default(std::nullopt);
}

static std::optional<TaskKind> getTaskKind(const json::Object &Object) {
  return StringSwitch<std::optional<TaskKind>>(
             Object.getString("kind").value_or(""))
      .Case("unset", TaskKind::Unset)
      .Case("vector", TaskKind::Vector)
      .Case("cube", TaskKind::Cube)
      .Case("mix11", TaskKind::Mix1To1)
      .Case("mix12", TaskKind::Mix1To2)
      .Case("coupled", TaskKind::Coupled)
      .Default(std::nullopt);
}

static std::optional<DescribedParam> getParam(const json::Object &Object) {
  auto Kind = getParamKind(Object);
  auto Bytes = getUnsigned(Object, "bytes", MaxObjectBytes);
  auto Alignment = getUnsigned(Object, "align", MaxObjectBytes);
  if (!Kind || !Bytes || !Alignment)
    return std::nullopt;
  return DescribedParam{*Kind, static_cast<uint32_t>(*Bytes),
                        static_cast<uint32_t>(*Alignment)};
}

static std::optional<DescribedField> getField(const json::Object &Object,
                                              uint32_t TilingBytes) {
  auto Name = Object.getString("name");
  auto Kind = getParamKind(Object);
  auto Offset = getUnsigned(Object, "offset", TilingBytes);
  auto ElementBytes = getUnsigned(Object, "elementBytes", TilingBytes);
  auto Count = getUnsigned(Object, "count", TilingBytes);
  if (!Name || !Kind || !Offset || !ElementBytes || !Count)
    return std::nullopt;
  if (*ElementBytes * *Count > TilingBytes - *Offset)
    return std::nullopt;
  return DescribedField{Name->str(),
                        static_cast<uint32_t>(*Offset),
                        static_cast<uint32_t>(*ElementBytes),
                        static_cast<uint32_t>(*Count),
                        *Kind,
                        Object.getBoolean("signed").value_or(false)};
}

static std::optional<DescribedTask> getTask(const json::Object &Object) {
  auto Function = Object.getString("function");
  auto Kind = getTaskKind(Object);
  if (!Function || !Kind)
    return std::nullopt;
  return DescribedTask{Function->str(), getUnsigned(Object, "key"), *Kind};
}

/// Reads Object[Key], an array of objects, with Read. Absent means empty.
template <class T, class F>
static bool getArray(const json::Object &Object, StringRef Key,
                     std::vector<T> &Items, F &&Read) {
  const json::Value *Member = Object.get(Key);
  if (!Member)
    return true;
  const json::Array *Array = Member->getAsArray();
  if (!Array)
    return false;
  for (const json::Value &Value : *Array) {
    const json::Object *Element = Value.getAsObject();
    std::optional<T> Item = Element ? Read(*Element) : std::nullopt;
    if (!Item)
      return false;
    Items.push_back(std::move(*Item));
  }
  return true;
}

Expected<Description> Description::parse(StringRef Text) {
  Expected<json::Value> Root = parseJson(Text);
  if (!Root)
    return malformed(toString(Root.takeError()));
  const json::Object *Object = Root->getAsObject();
  if (!Object || !Object->getString("name"))
    return malformed("no name");

  Description Result;
  Result.Name = Object->getString("name")->str();
  if (hasControl(Result.Name))
    return malformed("name");
  if (!getArray(*Object, "params", Result.Params, getParam))
    return malformed("params");
  if (!getArray(*Object, "tasks", Result.Tasks, getTask))
    return malformed("tasks");
  if (const json::Object *Tiling = Object->getObject("tiling")) {
    auto Bytes = getUnsigned(*Tiling, "bytes", MaxObjectBytes);
    if (!Bytes)
      return malformed("tiling");
    Result.TilingBytes = static_cast<uint32_t>(*Bytes);
    auto Read = [&](const json::Object &Field) {
      return getField(Field, Result.TilingBytes);
    };
    if (!getArray(*Tiling, "fields", Result.Fields, Read))
      return malformed("tiling fields");
  }
  return Result;
}

std::string belay::toolchain::describe(const DescribedParam &Param) {
  switch (Param.Kind) {
  case ParamKind::Pointer:
    return "pointer";
  case ParamKind::Integer:
    return formatv("{0}-byte integer", Param.Bytes);
  case ParamKind::Float:
    return formatv("{0}-byte float", Param.Bytes);
  case ParamKind::Aggregate:
    return formatv("{0}-byte structure", Param.Bytes);
  }
  llvm_unreachable("unknown kind of parameter");
}

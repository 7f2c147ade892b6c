//===- Tiling.cpp - Values of a kernel's tiling structure -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Tiling.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;

/// Names are pasted into C++, so they are letters, digits, '.' and '[n]' only.
static bool isFieldName(StringRef Name) {
  bool WantIdentifier = true;
  while (!Name.empty()) {
    if (WantIdentifier) {
      size_t Length = 0;
      while (Length < Name.size() &&
             (isAlnum(Name[Length]) || Name[Length] == '_'))
        ++Length;
      if (Length == 0 || isDigit(Name[0]))
        return false;
      Name = Name.drop_front(Length);
      WantIdentifier = false;
    } else if (Name.consume_front(".")) {
      WantIdentifier = true;
    } else if (Name.consume_front("[")) {
      StringRef Index = Name.take_while(isDigit);
      Name = Name.drop_front(Index.size());
      if (Index.empty() || Index.size() > 6 || !Name.consume_front("]"))
        return false;
    } else {
      return false;
    }
  }
  return !WantIdentifier;
}

std::vector<std::string> TilingSpec::fieldNames() const {
  std::vector<std::string> Names;
  for (const TilingValue &Value : Values)
    Names.push_back(Value.Field);
  return Names;
}

Error TilingSpec::set(StringRef Field, std::vector<std::string> NewValues) {
  if (!isFieldName(Field))
    return createStringError(
        formatv("'{0}' is not the name of a tiling field", Field));
  auto At =
      lower_bound(Values, Field, [](const TilingValue &Value, StringRef Name) {
        return Value.Field < Name;
      });
  if (At != Values.end() && At->Field == Field)
    At->Values = std::move(NewValues);
  else
    Values.insert(At, {Field.str(), std::move(NewValues)});
  return Error::success();
}

Error TilingSpec::parse(StringRef Text) {
  if (Text.ends_with(".bin")) {
    File = Text.str();
    return Error::success();
  }
  if (Text.ends_with(".json")) {
    Expected<std::string> Content = readFile(Text, MaxTilingBytes);
    if (!Content)
      return Content.takeError();
    Expected<json::Value> Value = parseJson(*Content);
    if (!Value)
      return createStringError(Text + ": " + toString(Value.takeError()));
    return parseObject(*Value);
  }

  StringRef Rest = Text;
  while (!Rest.empty()) {
    auto [Field, After] = Rest.split('=');
    if (Field.size() == Rest.size())
      return createStringError(formatv(
          "'{0}' is not of the form field=value, nor a .json or .bin file",
          Rest));
    std::vector<std::string> New;
    if (After.consume_front("[")) {
      size_t End = After.find(']');
      if (End == StringRef::npos)
        return createStringError(
            formatv("'{0}=[' is not closed by ']'", Field));
      SmallVector<StringRef, 8> Items;
      After.take_front(End).split(Items, ',');
      for (StringRef Item : Items)
        New.push_back(Item.trim().str());
      After = After.drop_front(End + 1);
      if (!After.empty() && !After.consume_front(","))
        return createStringError(formatv("'{0}' follows a list", After));
    } else {
      auto [Value, Next] = After.split(',');
      New.push_back(Value.trim().str());
      After = Next;
    }
    if (Error E = set(Field.trim(), std::move(New)))
      return E;
    Rest = After;
  }
  return Error::success();
}

/// A JSON number, or true or false, as text.
static std::optional<std::string> scalarText(const json::Value &Value) {
  if (auto Integer = Value.getAsInteger())
    return std::to_string(*Integer);
  if (auto Integer = Value.getAsUINT64())
    return std::to_string(*Integer);
  if (auto Real = Value.getAsNumber())
    return formatNumber(*Real, 17);
  if (auto Truth = Value.getAsBoolean())
    return *Truth ? "1" : "0";
  return std::nullopt;
}

static Error setFromJson(TilingSpec &Spec, const Twine &Name,
                         const json::Value &Value) {
  std::string Field = Name.str();
  if (auto Text = scalarText(Value))
    return Spec.set(Field, {*Text});
  if (const json::Object *Object = Value.getAsObject()) {
    for (const auto &[Key, Member] : *Object)
      if (Error E = setFromJson(
              Spec, (Field.empty() ? "" : Field + ".") + Key.str(), Member))
        return E;
    return Error::success();
  }
  const json::Array *Array = Value.getAsArray();
  if (!Array || Field.empty())
    return createStringError(
        formatv("tiling field '{0}' is neither a number nor a list", Field));
  std::vector<std::string> Items;
  for (const auto &[Index, Element] : enumerate(*Array)) {
    if (auto Text = scalarText(Element))
      Items.push_back(*Text);
    else if (Error E =
                 setFromJson(Spec, Field + "[" + Twine(Index) + "]", Element))
      return E;
  }
  if (Items.empty())
    return Error::success();
  if (Items.size() != Array->size())
    return createStringError(
        formatv("tiling field '{0}' mixes numbers and structures", Field));
  return Spec.set(Field, std::move(Items));
}

Error TilingSpec::parseObject(const json::Value &Object) {
  if (!Object.getAsObject())
    return createStringError("tiling is not an object of fields and values");
  return setFromJson(*this, "", Object);
}

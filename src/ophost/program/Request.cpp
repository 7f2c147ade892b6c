//===- Request.cpp - What belay-ophost is asked ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request.h"

#include <cstdlib>
#include <sstream>

using namespace belay::ophost;

void belay::ophost::fail(const std::string &Message) {
  std::fprintf(stderr, "belay-ophost: %s\n", Message.c_str());
  std::fflush(nullptr);
  std::_Exit(2);
}

static std::string lower(std::string Text) {
  for (char &C : Text)
    if (C >= 'A' && C <= 'Z')
      C += 'a' - 'A';
  return Text;
}

std::string belay::ophost::nameOf(ge::DataType Type) {
  switch (Type) {
#define BELAY_ELEMENT_GE(Id, Name, Number)                                     \
  case ge::DT_##Name:                                                          \
    return lower(#Name);
#include "belay/elements.def"
  default:
    return "undefined";
  }
}

ge::DataType belay::ophost::parseType(const std::string &Name) {
#define BELAY_ELEMENT_GE(Id, N, Number)                                        \
  if (Name == lower(#N))                                                       \
    return ge::DT_##N;
#include "belay/elements.def"
  fail("unknown element type " + Name);
}

static ge::Format parseFormat(const std::string &Name) {
#define BELAY_GE_FORMAT(N, Number)                                             \
  if (Name == #N)                                                              \
    return ge::FORMAT_##N;
#include "ophost/formats.def"
  fail("unknown format " + Name);
}

static std::string decode(const std::string &Word) {
  std::string Result;
  for (size_t I = 0; I < Word.size(); ++I) {
    if (Word[I] == '%' && I + 2 < Word.size()) {
      Result += static_cast<char>(
          std::strtoul(Word.substr(I + 1, 2).c_str(), nullptr, 16));
      I += 2;
      continue;
    }
    Result += Word[I];
  }
  return Result;
}

static std::string word(std::istringstream &Line) {
  std::string Word;
  if (!(Line >> Word))
    fail("a line of the request is too short");
  return decode(Word);
}

static TensorRequest parseTensor(std::string Type, std::istringstream &Line) {
  TensorRequest T;
  T.Type = parseType(Type);
  std::istringstream Dims(word(Line));
  std::string Dim;
  while (std::getline(Dims, Dim, ','))
    if (Dim != "-")
      T.Shape.AppendDim(std::strtoll(Dim.c_str(), nullptr, 10));
  T.Format = parseFormat(word(Line));
  T.Values = word(Line);
  if (T.Values == "-")
    T.Values.clear();
  return T;
}

/// Adds one line's tensor, list or gap to the parameters.
static void addParameter(std::vector<ParameterRequest> &To,
                         ParameterRequest::Role Role, size_t &Pending,
                         std::istringstream &Line) {
  std::string First = word(Line);
  if (First == "none") {
    To.push_back({Role, false, false, {}});
  } else if (First == "list") {
    Pending = std::strtoul(word(Line).c_str(), nullptr, 10);
    To.push_back({Role, true, true, {}});
  } else if (Pending) {
    --Pending;
    To.back().Tensors.push_back(parseTensor(First, Line));
  } else {
    To.push_back({Role, true, false, {parseTensor(First, Line)}});
  }
}

Request belay::ophost::parseRequest(const std::string &Text) {
  Request R;
  size_t Pending = 0;
  std::istringstream Lines(Text);
  std::string Row;
  while (std::getline(Lines, Row)) {
    std::istringstream Line(Row);
    std::string What;
    if (!(Line >> What))
      continue;
    if (What == "object")
      R.Object = word(Line);
    else if (What == "soc")
      R.Soc = word(Line);
    else if (What == "op")
      R.Op = word(Line);
    else if (What == "in")
      addParameter(R.Args, ParameterRequest::Role::In, Pending, Line);
    else if (What == "out")
      addParameter(R.Args, ParameterRequest::Role::Out, Pending, Line);
    else if (What == "inout")
      addParameter(R.Args, ParameterRequest::Role::InOut, Pending, Line);
    else if (What == "attr") {
      std::string Name = word(Line);
      std::string Value;
      if (Line >> Value)
        Value = decode(Value);
      R.Attrs.emplace_back(Name, Value);
    } else
      fail("unknown line in the request: " + Row);
  }
  return R;
}

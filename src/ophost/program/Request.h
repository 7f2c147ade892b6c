//===- Request.h - What belay-ophost is asked -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of words, written by ophost/OpHost.cpp:
//
//   object PATH           the compiled operator
//   soc NAME
//   op TYPE               which one, if there are several
//   attr NAME TEXT
//   in TYPE DIMS FORMAT PATH   one tensor; DIMS is 2,3 or - for a scalar; PATH
//                         has its values, or is -
//   in none               an optional input that is left out
//   in list N             the next N tensors are one dynamic input
//   out ..., inout ...    likewise
//
// TYPE is the name after DT_, in small letters. In words, %XX stands for a
// byte; blanks, % and - alone are written so.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PROGRAM_REQUEST_H
#define BELAY_OPHOST_PROGRAM_REQUEST_H

#include "ophost/context.h"

namespace belay::ophost {

struct TensorRequest {
  ge::DataType Type = ge::DT_UNDEFINED;
  gert::Shape Shape;
  ge::Format Format = ge::FORMAT_ND;
  std::string Values;
};

/// One argument of the call.
struct ParameterRequest {
  enum class Role : uint8_t { In, Out, InOut } What = Role::In;
  bool Present = true;
  bool List = false;
  std::vector<TensorRequest> Tensors;
};

struct Request {
  std::string Object, Soc, Op;
  std::vector<std::pair<std::string, std::string>> Attrs;
  std::vector<ParameterRequest> Args;
  bool hasTensors() const { return !Args.empty(); }
};

/// Exits with a message if the text is not a request.
Request parseRequest(const std::string &Text);

/// Ends the process.
[[noreturn]] void fail(const std::string &Message);

/// float16 for DT_FLOAT16, and back.
std::string nameOf(ge::DataType Type);
ge::DataType parseType(const std::string &Name);

} // namespace belay::ophost

#endif // BELAY_OPHOST_PROGRAM_REQUEST_H

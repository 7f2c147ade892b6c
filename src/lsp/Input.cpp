//===- Input.cpp - What an editor sends
//---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Input.h"
#include "support/Json.h"
#include "llvm/Support/LSP/Logging.h"
#include <algorithm>

using namespace belay::lsp;
using namespace llvm;
using llvm::lsp::Logger;

/// No header of the protocol has lines as long.
static constexpr size_t MaxHeaderLine = 1024;

/// A line without its end; what is too long for a header is cut. Nothing at the
/// end of the input.
static std::optional<std::string> readLine(std::FILE *In) {
  std::string Line;
  for (int C; (C = std::fgetc(In)) != EOF;) {
    if (C == '\n') {
      if (!Line.empty() && Line.back() == '\r')
        Line.pop_back();
      return Line;
    }
    if (Line.size() < MaxHeaderLine)
      Line += static_cast<char>(C);
  }
  return std::nullopt;
}

size_t BoundedInput::readHeader() {
  size_t Length = 0;
  while (std::optional<std::string> Line = readLine(In)) {
    if (Line->empty())
      return Length;
    StringRef Rest = *Line;
    if (Rest.consume_front_insensitive("Content-Length:") &&
        Rest.trim().getAsInteger(10, Length)) {
      Logger::error("a length that is no number");
      Length = 0;
    }
  }
  return 0;
}

void BoundedInput::skip(size_t Bytes) {
  char Buffer[4096];
  while (Bytes) {
    size_t Read = std::fread(Buffer, 1, std::min(Bytes, sizeof(Buffer)), In);
    if (!Read)
      return;
    Bytes -= Read;
  }
}

/// What LLVM's transport takes for the end of the conversation, or asserts on.
static bool isMessage(const std::string &Json) {
  Expected<json::Value> Parsed = belay::support::parseJson(Json);
  if (!Parsed) {
    Logger::error("not JSON: {0}", toString(Parsed.takeError()));
    return false;
  }
  const json::Object *Object = Parsed->getAsObject();
  if (!Object || Object->getString("jsonrpc") != "2.0" ||
      (!Object->getString("method") && !Object->get("id"))) {
    Logger::error("not a message of JSON-RPC 2.0");
    return false;
  }
  return true;
}

LogicalResult BoundedInput::readStandardMessage(std::string &Json) {
  Json.clear();
  size_t Length = readHeader();
  if (!Length)
    return failure();
  if (Length > MaxBytes) {
    Logger::error("a message of {0} bytes; at most {1} are read", Length,
                  MaxBytes);
    skip(Length);
    return failure();
  }
  // Grows with what comes, not with what is announced.
  while (Json.size() < Length) {
    size_t Before = Json.size(),
           Part = std::min(Length - Before, size_t(65536));
    Json.resize(Before + Part);
    size_t Read = std::fread(Json.data() + Before, 1, Part, In);
    Json.resize(Before + Read);
    if (!Read)
      return failure();
  }
  return success(isMessage(Json));
}

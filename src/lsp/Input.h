//===- Input.h - What an editor sends ------------------------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages are untrusted input: an editor opens any folder, and passes on what
// is in it. They have a length and a depth, and what is no message is dropped.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LSP_INPUT_H
#define BELAY_LSP_INPUT_H

#include "llvm/Support/LSP/Transport.h"
#include <cstdio>

namespace belay::lsp {

class BoundedInput final : public llvm::lsp::JSONTransportInput {
public:
  /// A source of 8 MiB, every character of it escaped, has less.
  static constexpr size_t MaxBytes = 64 << 20;

  explicit BoundedInput(std::FILE *In) : In(In) {}

  bool hasError() const override { return std::ferror(In); }
  bool isEndOfInput() const override { return std::feof(In); }
  /// Fails for what is no message; the next call reads what follows.
  llvm::LogicalResult readStandardMessage(std::string &Json) override;
  llvm::LogicalResult readDelimitedMessage(std::string &Json) override {
    return readStandardMessage(Json);
  }

private:
  /// Reads the lines before a message; its length, or 0.
  size_t readHeader();
  void skip(size_t Bytes);

  std::FILE *In;
};

} // namespace belay::lsp

#endif // BELAY_LSP_INPUT_H

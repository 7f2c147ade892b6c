//===- Helpers.cpp - Functions that emitted code brings along ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Helpers.h"
#include "emit/HelperTexts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace belay;
using namespace belay::emit;

unsigned belay::emit::internalEvent(const targets::Arch &Arch) {
  return Arch.userEventIds - 1;
}

static const HelperText &find(Helper Helper, const targets::Arch &Arch) {
  SmallVector<ArrayRef<HelperText>> Tables = {copyHelpers()};
  if (!Arch.hasDataCopyPad)
    Tables.insert(Tables.begin(), wholeBlockHelpers());
  for (ArrayRef<HelperText> Table : Tables)
    for (const HelperText &Text : Table)
      if (Text.Which == Helper)
        return Text;
  llvm_unreachable("every helper has a text");
}

StringRef Helpers::use(Helper Helper) {
  Used.insert(Helper);
  return find(Helper, Arch).Name;
}

/// Where the vector unit orders its instructions itself, barriers inside it are
/// left out.
static std::string withoutBarriers(StringRef Code) {
  std::string Kept;
  while (!Code.empty()) {
    auto [Line, Rest] = Code.split('\n');
    if (Line.trim() != "PipeBarrier<PIPE_V>();")
      Kept += (Line + "\n").str();
    Code = Rest;
  }
  return Kept;
}

/// Writes a text with its words and its event in place.
static void print(const HelperText &Text, const targets::Arch &Arch,
                  raw_ostream &Out) {
  const std::string Written =
      Arch.vectorInterlock ? withoutBarriers(Text.Code) : Text.Code;
  StringRef Code = Written;
  while (!Code.empty()) {
    size_t Length = std::min(Code.find_first_of("@$"), Code.size());
    Out << Code.take_front(Length);
    Code = Code.drop_front(Length);
    if (Code.consume_front("@")) {
      Out << internalEvent(Arch);
    } else if (Code.consume_front("$")) {
      unsigned Word = Code.front() - '0';
      Out << (Word ? Text.Words[Word - 1] : Text.Name);
      Code = Code.drop_front();
    }
  }
}

void Helpers::print(raw_ostream &Out) const {
  for (Helper Helper : Used) {
    ::print(find(Helper, Arch), Arch, Out);
    Out << "\n";
  }
}

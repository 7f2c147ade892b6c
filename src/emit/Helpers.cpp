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
  SmallVector<ArrayRef<HelperText>> Tables = {copyHelpers(), vectorHelpers()};
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

/// Writes a text with its words and its event in place.
static void print(const HelperText &Text, unsigned Event, raw_ostream &Out) {
  StringRef Code = Text.Code;
  while (!Code.empty()) {
    size_t Length = std::min(Code.find_first_of("@$"), Code.size());
    Out << Code.take_front(Length);
    Code = Code.drop_front(Length);
    if (Code.consume_front("@")) {
      Out << Event;
    } else if (Code.consume_front("$")) {
      unsigned Word = Code.front() - '0';
      Out << (Word ? Text.Words[Word - 1] : Text.Name);
      Code = Code.drop_front();
    }
  }
}

void Helpers::print(raw_ostream &Out) const {
  for (Helper Helper : Used) {
    ::print(find(Helper, Arch), internalEvent(Arch), Out);
    Out << "\n";
  }
}

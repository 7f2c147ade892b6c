//===- ControlCharacters.h - What a terminal obeys --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and texts of untrusted input reach the user's terminal. std::iscntrl
// would ask the locale of the program that Belay is part of, in which bytes of
// UTF-8 may be control characters.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_CONTROLCHARACTERS_H
#define BELAY_SUPPORT_CONTROLCHARACTERS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace belay::support {

/// The control characters of ASCII; ends of lines and tabs are among them.
inline bool isControl(char C) {
  return static_cast<unsigned char>(C) < ' ' || C == 127;
}

inline bool hasControl(llvm::StringRef Text) {
  return llvm::any_of(Text, isControl);
}

} // namespace belay::support

#endif // BELAY_SUPPORT_CONTROLCHARACTERS_H

//===- Styling.h - Colour on terminals only ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_STYLING_H
#define BELAY_SUPPORT_STYLING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace belay::support {

/// What a piece of text is, not how it looks.
enum class Tone { Plain, Strong, Faint, Good, Warning, Bad, Name };

/// How one stream shows tones. Escape codes are written only to a terminal, and
/// never if NO_COLOR is set (no-color.org); CLICOLOR_FORCE asks for them in a
/// pipe.
class Styling {
public:
  explicit Styling(const llvm::raw_ostream &OS);
  explicit constexpr Styling(bool Enabled) : Enabled(Enabled) {}

  bool isEnabled() const { return Enabled; }

  struct Painted {
    llvm::StringRef Text;
    llvm::StringRef Code;
  };
  /// Text to be streamed: OS << Style.paint(Tone::Bad, "error").
  Painted paint(Tone T, llvm::StringRef Text) const;

private:
  bool Enabled;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, Styling::Painted Text);

} // namespace belay::support

#endif // BELAY_SUPPORT_STYLING_H

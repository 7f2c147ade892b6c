//===- DeviceMessages.h - What the device's compiler said -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_DEVICEMESSAGES_H
#define BELAY_COMPILER_DEVICEMESSAGES_H

#include "support/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace belay::compiler {

/// The errors among a compiler's messages, as `device-compile-error`s with
/// places in the user's own file: an error inside a header goes to the line
/// that includes or instantiates it, and the header's place becomes a note.
/// Compiled is the path that the compiler was given, Shown what the user calls
/// it. The same error, found once for each kind of core, is said once.
std::vector<support::Diagnostic> readDeviceErrors(llvm::StringRef Log,
                                                  llvm::StringRef Compiled,
                                                  llvm::StringRef Shown);

/// The messages for people: Compiled replaced by Shown, no control characters
/// but line ends and tabs, valid UTF-8.
std::string readableLog(llvm::StringRef Log, llvm::StringRef Compiled,
                        llvm::StringRef Shown);

} // namespace belay::compiler

#endif // BELAY_COMPILER_DEVICEMESSAGES_H

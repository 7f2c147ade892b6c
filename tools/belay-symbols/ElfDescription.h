//===- ElfDescription.h - What an object says of its kernel -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SYMBOLS_ELFDESCRIPTION_H
#define BELAY_SYMBOLS_ELFDESCRIPTION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

/// The `belay_entry` of a kernel's shared object (abi/Entry.h) and its notes
/// about tasks, as toolchain/Description.h reads them, and under "undefined"
/// the symbols that it needs from others. Nothing of the object is executed;
/// all that it says is compared with its size before it is believed.
llvm::Expected<llvm::json::Object> describeElf(llvm::MemoryBufferRef Object);

#endif // BELAY_SYMBOLS_ELFDESCRIPTION_H

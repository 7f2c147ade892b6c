//===- ObjectFile.h - Kernels for the simulated device --------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_OBJECTFILE_H
#define BELAY_TOOLS_BELAY_OBJECTFILE_H

#include "cases/Case.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace belay::tool {

/// Compiles the named kernels of the case's source, or all that are no
/// templates, to the file Output; DescribeTo is "" or where their parameters
/// go. With conditions, launches are held against those of a static check.
llvm::Error makeObject(const cases::Case &Wanted,
                       std::vector<std::string> Names, llvm::StringRef Output,
                       llvm::StringRef DescribeTo, bool Conditions = false);

/// The same as a header in the folder Directory, for programs that hold their
/// kernels: softmax.cpp becomes softmax_object.h, with
/// belay::objects::softmax(). Returns its path.
llvm::Expected<std::string> embedObject(const cases::Case &Wanted,
                                        std::vector<std::string> Names,
                                        llvm::StringRef Directory);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_OBJECTFILE_H

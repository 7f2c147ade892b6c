//===- CaseFile.h - Cases in a JSON file ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   { "source": "add.cpp", "kernel": "add_custom", "blocks": 8,
//     "tiling": {"totalLength": 16384},
//     "cases": [
//       { "name": "small", "args": [{"in": "f16:16384=normal:1"},
//                                   {"in": "f16:16384=normal:2"},
//                                   {"out": "f16:16384", "expect": "z.npy"}] },
//       { "name": "one block", "blocks": 1, "args": [...] } ] }
//
// Members beside "cases" are defaults; each case replaces them, except that
// tiling fields are merged. Without "cases" the file is one case. Paths are
// relative to the file.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_CASEFILE_H
#define BELAY_CASES_CASEFILE_H

#include "cases/Case.h"

namespace belay::cases {

/// Reads the cases of a file, in order. Unknown members are errors.
llvm::Expected<std::vector<Case>> readCaseFile(llvm::StringRef Path);

/// The same from text; Directory is what relative paths start from.
llvm::Expected<std::vector<Case>> parseCases(llvm::StringRef Json,
                                             llvm::StringRef Directory);

} // namespace belay::cases

#endif // BELAY_CASES_CASEFILE_H

//===- DiagnosticLevel.h - Reports that only warn here ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_DIAGNOSTICLEVEL_H
#define BELAY_SUPPORT_DIAGNOSTICLEVEL_H

#include "support/Diagnostics.h"

namespace belay::support {

/// printDiagnostic for those who decide themselves how grave an id is: what
/// fails `belay check` need not stop a compilation.
void printDiagnosticAs(llvm::raw_ostream &OS, Severity Level,
                       const Diagnostic &Diag, const Styling &Style);

} // namespace belay::support

#endif // BELAY_SUPPORT_DIAGNOSTICLEVEL_H

//===- PassTarget.h - The SoC that a module is for --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_PASSTARGET_H
#define BELAY_DIALECT_PASSTARGET_H

#include "dialect/Ascend.h"
#include "mlir/IR/BuiltinOps.h"
#include "targets/Target.h"

namespace belay::ascend {

/// What a module without `ascend.target` is for, in tests of single passes.
inline constexpr llvm::StringRef DefaultSoc = "Ascend910B3";

/// Writes down which SoC a module is for.
inline void setTarget(mlir::ModuleOp Module, const targets::Soc &Soc) {
  Module->setAttr(AscendDialect::TargetAttrName,
                  TargetAttr::get(Module.getContext(), Soc.name));
}

/// The SoC of a module, or of the one around a kernel; null and an error there
/// if there is no such SoC. Option is that of a pass, for tests; it cannot
/// contradict the module.
inline const targets::Soc *socFor(mlir::Operation *Kernel,
                                  llvm::StringRef Option = "") {
  auto Module = mlir::dyn_cast<mlir::ModuleOp>(Kernel);
  if (!Module)
    Module = Kernel->getParentOfType<mlir::ModuleOp>();
  auto Target =
      Module ? Module->getAttrOfType<TargetAttr>(AscendDialect::TargetAttrName)
             : TargetAttr();
  llvm::StringRef Name = !Option.empty() ? Option
                         : Target        ? Target.getSoc()
                                         : DefaultSoc;
  const targets::Soc *Soc = targets::findSoc(Name);
  if (!Soc) {
    Kernel->emitError() << "there is no SoC '" << Name << "'";
  } else if (Target && targets::findSoc(Target.getSoc()) != Soc) {
    Kernel->emitError() << "the module is for " << Target.getSoc()
                        << ", the pass for " << Name;
    return nullptr;
  }
  return Soc;
}

/// Bytes of a memory of the core that a kernel may use.
inline int64_t usableBytes(const targets::Soc &Soc, MemorySpace Space) {
  switch (Space) {
  case MemorySpace::GM:
    return 0;
  case MemorySpace::UB:
    return targets::usableUb(Soc);
  case MemorySpace::L1: // Kernels of both cores leave so much to the framework.
    return Soc.l1 - Soc.arch->hostReserved;
  case MemorySpace::L0A:
    return Soc.l0a;
  case MemorySpace::L0B:
    return Soc.l0b;
  case MemorySpace::L0C:
    return Soc.l0c;
  case MemorySpace::BT:
    return Soc.bt;
  case MemorySpace::FB:
    return Soc.fb[0];
  }
  llvm_unreachable("all memories are listed");
}

} // namespace belay::ascend

#endif // BELAY_DIALECT_PASSTARGET_H

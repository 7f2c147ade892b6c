//===- Entry.cpp - Rules for entry points ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Entry.h"
#include "check/KernelState.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace belay;
using namespace belay::check;
using namespace clang;

bool belay::check::isMarked(const FunctionDecl *Function, StringRef Mark) {
  for (const FunctionDecl *Each : Function->redecls())
    for (const auto *Note : Each->specific_attrs<AnnotateAttr>())
      if (Note->getAnnotation() == Mark)
        return true;
  return false;
}

bool belay::check::isEntry(const FunctionDecl *Function) {
  if (isMarked(Function, "global"))
    return true;
  // One that others call is a part of theirs.
  return isMarked(Function, "aicore") && Function->isExternC() &&
         !Function->isUsed() && Function->getReturnType()->isVoidType() &&
         Function->param_size() &&
         llvm::all_of(Function->parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isPointerType() ||
                  P->getType()->isIntegerType();
         });
}

/// What is written between a place and a parameter's name: qualifiers of the
/// device are macros without a trace in the tree.
static StringRef written(ASTContext &AST, SourceLocation From,
                         const ParmVarDecl *Param) {
  SourceManager &Sources = AST.getSourceManager();
  SourceLocation Begin = Sources.getExpansionLoc(From),
                 End = Sources.getExpansionLoc(Param->getLocation());
  if (Sources.getFileID(Begin) != Sources.getFileID(End))
    return {};
  const char *First = Sources.getCharacterData(Begin),
             *Last = Sources.getCharacterData(End);
  return First < Last ? StringRef(First, Last - First) : StringRef();
}

void belay::check::checkEntry(ASTContext &AST, KernelState &Kernel,
                              const FunctionDecl *Entry) {
  SourceLocation At = Entry->getLocation();
  std::string Name = "'" + Entry->getNameAsString() + "'";
  auto Find = [&](SourceLocation Where, const std::string &Message,
                  const std::string &Help) {
    Kernel.find("bad-entry", {Where, ""}, {}, {Message, Help});
  };
  // What is said of the body is said of the arguments that it names.
  auto FindArgument = [&](const ParmVarDecl *Param, const std::string &Message,
                          const std::string &Help) {
    Find(Param->getLocation(), Message, Help);
    Kernel.unknownEverywhere(Param->getLocation(),
                             "launches pass something else as '" +
                                 Param->getNameAsString() + "'");
  };
  if (!isMarked(Entry, "aicore"))
    Find(At,
         Name + " is marked __global__ and not __aicore__: the device compiler "
                "takes its body for host code",
         "write extern \"C\" __global__ __aicore__ void in front of the name");
  if (!isMarked(Entry, "global"))
    Find(At,
         Name + " is marked __aicore__ and not __global__: no launch can "
                "find it",
         "write extern \"C\" __global__ __aicore__ void in front of the name");
  if (!Entry->getReturnType()->isVoidType())
    Find(At, Name + " returns a value, which no launch receives",
         "make it void, and store results to global memory");
  std::optional<unsigned> Workspace, Tiling;
  for (unsigned I = 0; I < Entry->getNumParams(); ++I) {
    const ParmVarDecl *Param = Entry->getParamDecl(I);
    QualType Type = Param->getType();
    SourceLocation From =
        I ? Entry->getParamDecl(I - 1)->getLocation() : Entry->getLocation();
    StringRef Text = written(AST, From, Param);
    if (Type->isReferenceType())
      FindArgument(Param,
                   "parameter '" + Param->getNameAsString() +
                       "' is a reference, which points into the host's memory",
                   "pass it by value, or through GM_ADDR");
    if (Type->isPointerType() && !Text.empty() && !Text.contains("__gm__") &&
        !Text.contains("GM_ADDR") && !Param->getBeginLoc().isMacroID())
      FindArgument(
          Param,
          "parameter '" + Param->getNameAsString() +
              "' is a pointer without __gm__: arguments of a launch lie in "
              "global memory",
          "declare it as GM_ADDR, or with __gm__");
    if (Param->getName() == "workspace")
      Workspace = I;
    if (Param->getName() == "tiling")
      Tiling = I;
  }
  if (Workspace && Tiling && *Tiling < *Workspace)
    FindArgument(
        Entry->getParamDecl(*Tiling),
        "tiling comes before workspace, but launches pass workspace first and "
        "tiling last",
        "swap the two parameters");
}

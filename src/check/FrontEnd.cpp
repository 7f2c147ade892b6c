//===- FrontEnd.cpp - Reads a file and checks its kernels -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/FrontEnd.h"
#include "check/Entry.h"
#include "check/Interpreter.h"
#include "check/Kernel.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"
#include <deque>

using namespace belay;
using namespace belay::check;
using belay::support::DiagId;
using belay::support::Diagnostic;

namespace {

/// Follows the paths of one kernel, the preferred one first, then those that
/// differ from it once, and so on until the limits are reached. Steps: what was
/// spent on the kernel before.
void explore(clang::ASTContext &AST, Kernel &Whole,
             const clang::FunctionDecl *Entry, unsigned &Steps) {
  std::deque<Plan::Alternative> Open = {{}};
  unsigned Before = Steps;
  while (!Open.empty()) {
    // Where the open paths alone, each as long as those before, would take more
    // than there is, no topic can become clean. A few more paths are followed
    // for what they may show.
    bool Hopeless = Whole.Paths && Steps + uint64_t(Steps - Before) /
                                               Whole.Paths * Open.size() >
                                       Whole.Limits.Steps;
    unsigned Most = Hopeless ? Whole.Limits.HopelessSteps : Whole.Limits.Steps;
    if (Whole.Paths >= Whole.Limits.Paths || Steps >= Most) {
      Whole.unknownEverywhere(Entry->getLocation(),
                              "only " + llvm::Twine(Whole.Paths) +
                                  " of its paths were followed");
      return;
    }
    // Those that go where no path has been come first.
    auto Chosen = llvm::find_if(Open, [&](const Plan::Alternative &Each) {
      return !Whole.Ways.contains(Each.Way);
    });
    if (Chosen == Open.end())
      Chosen = Open.begin();
    Plan Next(std::move(Chosen->Prefix));
    Open.erase(Chosen);
    Whole.Found.startPath();
    Interpreter(AST, Whole, Next).run(Entry);
    Whole.Found.endPath();
    ++Whole.Paths;
    Steps += Next.Steps;
    if (Whole.Out.Quick || Whole.Retry || Whole.nothingLeft())
      return;
    for (Plan::Alternative &Other : Next.alternatives())
      Open.push_back(std::move(Other));
  }
  for (const clang::Stmt *Loop : Whole.CutLoops)
    if (!Whole.LeftLoops.contains(Loop))
      Whole.unknownEverywhere(Loop->getBeginLoc(),
                              "no path reached the end of the loop");
}

/// What can be told once all paths are known.
void compareAll(Kernel &Whole) {
  Whole.compareCaches();
  Whole.compareMeetings();
  Whole.compareGuards();
  Whole.compareOffsets();
}

class CheckConsumer : public clang::ASTConsumer {
public:
  CheckConsumer(const FrontEndOptions &Options, Report &Out)
      : Options(Options), Out(Out) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      collect(D);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &AST) override {
    if (AST.getDiagnostics().hasErrorOccurred())
      return;
    const targets::Soc *Soc = targets::findSoc(Options.Soc);
    for (const clang::FunctionDecl *Entry : Entries)
      if (isEntry(Entry)) // asked anew: now it is known who calls it
        check(AST, *Soc, Entry);
  }

private:
  /// Kernels stand at the top, in namespaces or in extern "C".
  void collect(clang::Decl *D) {
    if (auto *Context = llvm::dyn_cast<clang::NamespaceDecl>(D))
      for (clang::Decl *Each : Context->decls())
        collect(Each);
    else if (auto *Linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(D))
      for (clang::Decl *Each : Linkage->decls())
        collect(Each);
    else if (auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D)) {
      if (isMarked(Template->getTemplatedDecl(), "global"))
        Templates.push_back(Template);
    } else if (auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
      if (Function->doesThisDeclarationHaveABody() &&
          !Function->isDependentContext() && isEntry(Function))
        Entries.push_back(Function);
  }

  void check(clang::ASTContext &AST, const targets::Soc &Soc,
             const clang::FunctionDecl *Entry) {
    Out.Kernels.emplace_back();
    KernelReport &Of = Out.Kernels.back();
    Kernel Whole(AST.getSourceManager(), Soc, Options.CompilerSync, Out);
    prepare(Whole, Entry);
    Of.Name = Whole.Name;
    Of.Where = Whole.place(Entry->getLocation());
    checkEntry(AST, Whole, Entry);
    unsigned Steps = 0;
    explore(AST, Whole, Entry, Steps);
    Of.Paths = Whole.Paths;
    compareAll(Whole);
    Whole.Found.settle(Of);
    std::vector<Topic> Clean;
    for (unsigned T = 0; T < NumTopics; ++T)
      if (static_cast<Topic>(T) != Topic::Entry &&
          Out.verdictOf(Of, static_cast<Topic>(T)) == Verdict::Clean)
        Clean.push_back(static_cast<Topic>(T));
    if (Whole.AnyOpenLoop && !Clean.empty() && !Options.Quick)
      prove(AST, Soc, Entry, Of, Clean);
    // What a core reads before another one has written it has no value.
    if (Out.verdictOf(Of, Topic::Values) == Verdict::Clean &&
        Out.verdictOf(Of, Topic::Cores) != Verdict::Clean && !Options.Quick)
      Of.Doubts[Topic::Values].push_back(
          {Of.Where, "whether other cores have written what is read is not "
                     "known, as cores is not clean"});
  }

  void prepare(Kernel &Whole, const clang::FunctionDecl *Entry) {
    Whole.Limits.scale(Options.Effort);
    Whole.HeaderDir = Options.HeaderDir;
    Whole.ShareDir = Options.ShareDir;
    Whole.Name = Entry->getNameAsString();
  }

  /// Follows the kernel once more, for what holds in all iterations of its
  /// loops. What is not shown is unknown.
  void prove(clang::ASTContext &AST, const targets::Soc &Soc,
             const clang::FunctionDecl *Entry, KernelReport &Of,
             llvm::ArrayRef<Topic> Asked) {
    constexpr unsigned MostTries = 12;
    decltype(Kernel::Periods) Periods;
    decltype(Kernel::LostVariables) Lost;
    unsigned Steps = 0;
    for (unsigned Tries = 1;; ++Tries) {
      Report Scratch;
      Scratch.Kernels.emplace_back();
      Kernel Whole(AST.getSourceManager(), Soc, Options.CompilerSync, Scratch);
      prepare(Whole, Entry);
      Whole.Proving = true;
      Whole.Asked = Asked;
      Whole.Limits.Paths *= 4;
      Whole.Limits.Steps *= 4;
      Whole.Limits.HopelessSteps *= 16;
      Whole.Periods = Periods;
      Whole.LostVariables = Lost;
      explore(AST, Whole, Entry, Steps);
      if (Whole.Retry && Tries < MostTries) {
        Periods = std::move(Whole.Periods);
        Lost = std::move(Whole.LostVariables);
        continue;
      }
      if (Whole.Retry)
        Whole.unknownEverywhere(Entry->getLocation(),
                                "later iterations of a loop are not followed");
      compareAll(Whole);
      for (auto &[T, Doubts] : Scratch.Kernels.back().Doubts)
        if (Of.Doubts[T].empty())
          Of.Doubts[T] = std::move(Doubts);
      return;
    }
  }

  const FrontEndOptions &Options;
  Report &Out;
  std::vector<const clang::FunctionDecl *> Entries;
  std::vector<const clang::FunctionTemplateDecl *> Templates;
};

class CheckAction : public clang::ASTFrontendAction {
public:
  CheckAction(const FrontEndOptions &Options, Report &Out)
      : Options(Options), Out(Out) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<CheckConsumer>(Options, Out);
  }

private:
  const FrontEndOptions &Options;
  Report &Out;
};

} // namespace

Report belay::check::checkFile(const FrontEndOptions &Options) {
  Report Out;
  Out.Quick = Options.Quick;
  std::vector<const char *> Args = {"clang++-22"};
  for (const std::string &Arg : Options.ClangArgs)
    Args.push_back(Arg.c_str());
  std::string Resources = std::string("-resource-dir=") + BELAY_CLANG_RESOURCES;
  Args.push_back(Resources.c_str());
  Args.push_back("-fsyntax-only");
  Args.push_back(Options.Source.c_str());

  auto Fail = [&](const std::string &Message) {
    Diagnostic D;
    D.Id = DiagId::CompileError;
    D.Where = {Options.Source, 0, 0};
    D.Message = Message;
    Out.Problems.push_back(std::move(D));
    return Out;
  };
  auto FileSystem = llvm::vfs::getRealFileSystem();
  clang::DiagnosticOptions DiagOptions;
  auto Diags =
      clang::CompilerInstance::createDiagnostics(*FileSystem, DiagOptions);
  clang::CreateInvocationOptions Invocation;
  Invocation.Diags = Diags;
  Invocation.VFS = FileSystem;
  std::shared_ptr<clang::CompilerInvocation> TheInvocation =
      clang::createInvocation(Args, Invocation);
  if (!TheInvocation)
    return Fail("the file cannot be read by Clang");
  if (Options.Content)
    TheInvocation->getPreprocessorOpts().addRemappedFile(
        Options.Source,
        llvm::MemoryBuffer::getMemBufferCopy(*Options.Content, Options.Source)
            .release());
  TheInvocation->getFrontendOpts().DisableFree = true;
  clang::CompilerInstance Compiler(TheInvocation);
  Compiler.setVirtualFileSystem(FileSystem);
  Compiler.createDiagnostics();
  if (!Compiler.createTarget())
    return Fail("the file cannot be read by Clang");
  CheckAction Action(Options, Out);
  Compiler.ExecuteAction(Action);
  if (Compiler.getDiagnostics().hasErrorOccurred())
    return Fail("the file does not compile against the AscendC headers");
  if (Out.Kernels.empty()) {
    Fail("the file has no kernel: no function with a body is marked "
         "__global__ __aicore__");
    Out.Problems.back().Id = DiagId::BadEntry;
    Out.Problems.back().Where.Line = 1;
  }
  return Out;
}

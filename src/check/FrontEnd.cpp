//===- FrontEnd.cpp - Reads a file and checks its kernels -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/FrontEnd.h"
#include "check/Assumptions.h"
#include "check/Entry.h"
#include "check/Interpreter.h"
#include "check/KernelState.h"
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
void explore(clang::ASTContext &AST, KernelState &Kernel,
             const clang::FunctionDecl *Entry, unsigned &Steps) {
  std::deque<Plan::Alternative> Open = {{}};
  unsigned Before = Steps;
  while (!Open.empty()) {
    // Where the open paths alone, each as long as those before, would take more
    // than there is, no topic can become clean. A few more paths are followed
    // for what they may show.
    bool Hopeless =
        Kernel.Paths && !Kernel.Joins &&
        Steps + uint64_t(Steps - Before) / Kernel.Paths * Open.size() >
            Kernel.Limits.Steps;
    // Where few paths come together, the others do not end.
    constexpr unsigned Some = 40;
    Hopeless |= Kernel.Joins && Kernel.Paths >= Some &&
                Kernel.Joined * 4 < Kernel.Paths;
    unsigned Most =
        Hopeless ? Kernel.Limits.HopelessSteps : Kernel.Limits.Steps;
    if (Kernel.Paths >= Kernel.Limits.Paths || Steps >= Most ||
        Kernel.Names.Searched >= Kernel.Limits.Search) {
      Kernel.CutShort = true;
      return;
    }
    // Those that go where no path has been come first.
    auto Chosen = llvm::find_if(Open, [&](const Plan::Alternative &Each) {
      return !Kernel.Ways.contains(Each.Way);
    });
    if (Chosen == Open.end())
      Chosen = Open.begin();
    Plan Next(std::move(Chosen->Prefix));
    Open.erase(Chosen);
    Kernel.Found.startPath();
    uint64_t Searched = Kernel.Names.Searched;
    Interpreter(AST, Kernel, Next).run(Entry);
    Kernel.Found.endPath();
    ++Kernel.Paths;
    Steps += Next.Steps;
    // Many short paths ask more than they do.
    if (Kernel.Joins)
      Steps += 4 * (Kernel.Names.Searched - Searched);
    if (Kernel.Out.Quick || Kernel.Retry || Kernel.Restart ||
        Kernel.nothingLeft() || (Kernel.Proving && Kernel.TooLong.isValid()))
      return;
    for (Plan::Alternative &Other : Next.alternatives())
      Open.push_back(std::move(Other));
  }
  for (const clang::Stmt *Loop : Kernel.CutLoops)
    if (!Kernel.LeftLoops.contains(Loop))
      Kernel.unknownEverywhere(Loop->getBeginLoc(),
                               "no path reached the end of the loop");
}

void doubtPaths(KernelState &Kernel, const clang::FunctionDecl *Entry) {
  if (Kernel.TooLong.isValid())
    Kernel.unknownEverywhere(Kernel.TooLong, "a path through the kernel is too "
                                             "long to be followed");
  if (Kernel.CutShort)
    Kernel.unknownEverywhere(Entry->getLocation(),
                             "only " + llvm::Twine(Kernel.Paths) +
                                 " of its paths were followed");
}

/// What can be told once all paths are known.
void compareAll(KernelState &Kernel) {
  Kernel.compareCaches();
  Kernel.compareLines();
  Kernel.compareBarriers();
  Kernel.compareGuards();
  Kernel.compareOffsets();
  Kernel.compareWorkspaces();
  Kernel.doubtChangedLists();
  Kernel.doubtMixedElements();
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
    for (const auto &[File, Content] :
         llvm::make_range(AST.getSourceManager().fileinfo_begin(),
                          AST.getSourceManager().fileinfo_end()))
      if (llvm::json::isUTF8(File.getName()))
        Out.Files.push_back(File.getName().str());
    if (AST.getDiagnostics().hasErrorOccurred())
      return;
    const targets::Soc *Soc = targets::findSoc(Options.Soc);
    for (const clang::FunctionDecl *Entry : Entries)
      if (isEntry(Entry)) // asked anew: now it is known who calls it
        checkTwice(AST, *Soc, Entry);
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

  /// Whether copies are of full blocks is asked of launches only where values
  /// are not known otherwise.
  void checkTwice(clang::ASTContext &AST, const targets::Soc &Soc,
                  const clang::FunctionDecl *Entry) {
    AsksFullBlocks = MayAskFullBlocks = false;
    check(AST, Soc, Entry);
    if (!MayAskFullBlocks || Options.Quick ||
        Out.verdictOf(Out.Kernels.back(), Topic::Values) != Verdict::Unknown)
      return;
    KernelReport First = std::move(Out.Kernels.back());
    Out.Kernels.pop_back();
    AsksFullBlocks = true;
    check(AST, Soc, Entry);
    if (!isClean(Out.Kernels.back(), Topic::Values))
      Out.Kernels.back() = std::move(First);
  }

  void check(clang::ASTContext &AST, const targets::Soc &Soc,
             const clang::FunctionDecl *Entry) {
    Out.Kernels.emplace_back();
    KernelReport &Of = Out.Kernels.back();
    std::optional<KernelState> State;
    // Anew once a block is seen to have two cores.
    for (bool Two : {false, true}) {
      State.emplace(AST.getSourceManager(), Soc, Options.CompilerSync, Out);
      Of.Doubts.clear();
      prepare(*State, Entry);
      State->TwoPerBlock = Two;
      checkEntry(AST, *State, Entry);
      unsigned Steps = 0;
      explore(AST, *State, Entry, Steps);
      if (!State->Restart)
        break;
    }
    KernelState &Kernel = *State;
    MayAskFullBlocks |= Kernel.MayAskFullBlocks;
    Of.Name = Kernel.Name;
    Of.Where = Kernel.place(Entry->getLocation());
    Of.Paths = Kernel.Paths;
    compareAll(Kernel);
    Kernel.Found.settle(Of);
    // Those of a proof take their place.
    bool MayProve =
        (Kernel.AnyOpenLoop || !Kernel.LongLists.empty()) && !Options.Quick;
    Kernel.settleClauses(Of, /*Short=*/!MayProve);
    std::vector<Topic> Clean;
    for (unsigned T = 0; T < NumTopics; ++T)
      if (static_cast<Topic>(T) != Topic::Entry &&
          isClean(Of, static_cast<Topic>(T)))
        Clean.push_back(static_cast<Topic>(T));
    Premises On = premisesOf(Kernel);
    // A proof follows all paths, and fewer: those of all iterations are one.
    bool Proves = MayProve && !Clean.empty();
    if (Proves)
      On = prove(AST, Entry, Of, Clean, Kernel);
    else
      doubtPaths(Kernel, Entry);
    if (!Proves)
      for (const KernelState::LongList &L : Kernel.LongLists)
        Kernel.unknown(L.Of, L.At, L.Why);
    // What an instruction does outside of its tensor is done to another one.
    if (Out.verdictOf(Of, Topic::Bounds) == Verdict::Finding)
      for (Topic T : {Topic::Sync, Topic::Values, Topic::Cores})
        if (isClean(Of, T))
          Of.Doubts[T].push_back(
              {Of.Where, "what is touched outside of tensors (bounds) is not "
                         "followed"});
    if (On.Tensors)
      carry(Of, Topic::Bounds, Topic::Cores,
            "whether blocks stay in their parts is not known, as bounds is not "
            "clean");
    // What a core reads before another one has written it has no value.
    if (On.Cores && !Options.Quick)
      carry(Of, Topic::Cores, Topic::Values,
            "whether other cores have written what is read is not known, as "
            "cores is not clean");
  }

  /// Topics that others are clean on condition of.
  struct Premises {
    bool Cores, Tensors;
  };
  static Premises premisesOf(const KernelState &Kernel) {
    return {Kernel.readsWhatItWrites(), Kernel.ReliesOnTensors};
  }

  /// What makes one topic clean has to hold for another one, too.
  void carry(KernelReport &Of, Topic From, Topic To, llvm::StringRef Else) {
    if (!isClean(Of, To))
      return;
    if (!isClean(Of, From))
      Of.Doubts[To].push_back({Of.Where, Else.str()});
    else if (auto At = Of.Doubts.find(From); At != Of.Doubts.end())
      llvm::append_range(Of.Doubts[To], std::vector<Doubt>(At->second));
  }

  /// At least in some launches.
  bool isClean(const KernelReport &Of, Topic T) const {
    Verdict V = Out.verdictOf(Of, T);
    return V == Verdict::Clean || V == Verdict::CleanIf;
  }

  void prepare(KernelState &Kernel, const clang::FunctionDecl *Entry) {
    Kernel.Limits.scale(Options.Effort);
    Kernel.TakesAssumptions = !Options.IgnoreAssumptions;
    Kernel.Name = Entry->getNameAsString();
    Kernel.AsksFullBlocks = AsksFullBlocks;
  }

  /// Follows the kernel once more, for what holds in all iterations of its
  /// loops. What is not shown is unknown.
  Premises prove(clang::ASTContext &AST, const clang::FunctionDecl *Entry,
                 KernelReport &Of, llvm::ArrayRef<Topic> Requested,
                 const KernelState &Explored) {
    constexpr unsigned MostTries = 12;
    decltype(KernelState::Periods) Periods;
    decltype(KernelState::LostVariables) Lost;
    std::set<unsigned> Written = Explored.WrittenArguments;
    unsigned Steps = 0;
    bool Early = false, Joins = false;
    for (unsigned Tries = 1;; ++Tries) {
      Report Scratch;
      Scratch.Kernels.emplace_back();
      KernelState Kernel(AST.getSourceManager(), Explored.Target,
                         Options.CompilerSync, Scratch);
      prepare(Kernel, Entry);
      Kernel.Proving = true;
      Kernel.ProvesEarly = Early;
      Kernel.Joins = Joins;
      Kernel.TwoPerBlock = Explored.TwoPerBlock;
      Kernel.Requested = Requested;
      // Where paths come together, most are short.
      Kernel.Limits.Paths *= Joins ? 16 : 4;
      Kernel.Limits.Steps *= Joins ? 10 : 4;
      Kernel.Limits.HopelessSteps *= Joins ? 4 : 16;
      Kernel.Limits.Search *= Joins ? 2 : 1;
      Kernel.Periods = Periods;
      Kernel.LostVariables = Lost;
      Kernel.WrittenArguments = Written;
      explore(AST, Kernel, Entry, Steps);
      Written = Kernel.WrittenArguments;
      MayAskFullBlocks |= Kernel.MayAskFullBlocks;
      if ((Kernel.CutShort || Kernel.TooLong.isValid()) && !Joins) {
        Joins = std::exchange(Early, true);
        Periods.clear();
        Lost.clear();
        Steps = Tries = 0;
        continue;
      }
      if (Kernel.Retry && Tries < MostTries) {
        Periods = std::move(Kernel.Periods);
        Lost = std::move(Kernel.LostVariables);
        continue;
      }
      if (Kernel.Retry)
        Kernel.unknownEverywhere(Entry->getLocation(),
                                 "later iterations of a loop are not followed");
      doubtPaths(Kernel, Entry);
      compareAll(Kernel);
      // What the first iterations ask for, all ask for.
      for (Topic T : Requested)
        llvm::erase_if(Of.Doubts[T],
                       [](const Doubt &D) { return D.If && !D.Mistaken; });
      Kernel.settleClauses(Of, /*Short=*/true);
      for (auto &[T, Doubts] : Scratch.Kernels.back().Doubts)
        if (llvm::is_contained(Requested, T))
          llvm::append_range(Of.Doubts[T], std::move(Doubts));
      Premises On = premisesOf(Kernel), Before = premisesOf(Explored);
      return {On.Cores || Before.Cores, On.Tensors || Before.Tensors};
    }
  }

  const FrontEndOptions &Options;
  Report &Out;
  bool AsksFullBlocks = false, MayAskFullBlocks = false;
  std::vector<const clang::FunctionDecl *> Entries;
  std::vector<const clang::FunctionTemplateDecl *> Templates;
};

class CheckAction : public clang::ASTFrontendAction {
public:
  CheckAction(const FrontEndOptions &Options, Report &Out)
      : Options(Options), Out(Out) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Of, llvm::StringRef) override {
    if (!Options.IgnoreAssumptions)
      Of.getPreprocessor().addCommentHandler(&Assumptions);
    return std::make_unique<CheckConsumer>(Options, Out);
  }

private:
  const FrontEndOptions &Options;
  Report &Out;
  AssumptionComments Assumptions;
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
  // Whatever the file is called: .cpp, .asc, .cce, <stdin>.
  Args.insert(Args.end(), {"-fsyntax-only", "-x", "c++"});
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

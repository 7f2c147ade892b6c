//===- FrontEnd.cpp - From C++ to tiles -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/FrontEnd.h"
#include "dialect/Ascend.h"
#include "language/Annotations.h"
#include "language/Hints.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace belay;
using namespace belay::language;

KernelSource::~KernelSource() = default;

namespace {

/// Lowers the kernels of a translation unit once Clang has read all of it.
class KernelConsumer : public clang::ASTConsumer,
                       public clang::RecursiveASTVisitor<KernelConsumer> {
public:
  explicit KernelConsumer(mlir::ModuleOp Module) : Module(Module) {}

  /// Operations have no body for us: theirs is the host twin's.
  bool shouldSkipFunctionBody(clang::Decl *D) override {
    return !getOperation(D).empty();
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    AST = &Context;
    Reporter TheReport(Context.getDiagnostics());
    Report = &TheReport;
    findWanted(*Context.getTranslationUnitDecl());
    TraverseDecl(Context.getTranslationUnitDecl());
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *Function) {
    if (!Function->isDependentContext() &&
        Function->isThisDeclarationADefinition() && Function->getBody() &&
        isKernel(Function) &&
        (Wanted.empty() || Wanted.contains(Function->getCanonicalDecl())))
      Lowering(*AST, *Report, Module).lowerKernel(Function);
    return true;
  }

private:
  void findWanted(const clang::TranslationUnitDecl &Unit);

  mlir::ModuleOp Module;
  clang::ASTContext *AST = nullptr;
  Reporter *Report = nullptr;
  /// Kernels that were asked for by name; none for all.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> Wanted;
};

/// Prints what Clang's own printer would. Errors that are not ours get the id
/// of all that is no C++.
class IdPrinter : public clang::TextDiagnosticPrinter {
public:
  explicit IdPrinter(clang::DiagnosticOptions &Options)
      : TextDiagnosticPrinter(llvm::errs(), Options), Options(Options) {}

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override {
    TextDiagnosticPrinter::BeginSourceFile(Language, PP);
    LangOpts = &Language;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    if (Level == clang::DiagnosticsEngine::Note && SaidReason)
      return;
    llvm::StringRef Reason = reasonOfDeletion(Text);
    SaidReason = !Reason.empty();
    if (SaidReason)
      Text = llvm::SmallString<128>(Reason);
    if (Level < clang::DiagnosticsEngine::Error || !LangOpts ||
        Text.ends_with("]") || !Info.getLocation().isValid())
      return TextDiagnosticPrinter::HandleDiagnostic(Level, Info);
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    clang::FullSourceLoc Where(Info.getLocation(), Info.getSourceManager());
    Hint Help = SaidReason ? Hint() : hintFor(Text, sourceFrom(Where));
    SaidReason |= Help.SaysAll;
    Text += " [compile-error]";
    clang::TextDiagnostic Printer(llvm::errs(), *LangOpts, Options);
    Printer.emitDiagnostic(Where, Level, Text, Info.getRanges(),
                           Info.getFixItHints());
    // Once, where the first of several errors has the same cause.
    if (!Help.Text.empty() && Help.Text != LastHint)
      Printer.emitDiagnostic(Where, clang::DiagnosticsEngine::Note, Help.Text,
                             {}, {});
    if (!Help.Text.empty())
      LastHint = Help.Text;
  }

private:
  /// What a deleted operation of belay/kernel says about its use, or "".
  static llvm::StringRef reasonOfDeletion(llvm::StringRef Text) {
    if (!Text.starts_with("overload resolution selected deleted operator '") &&
        !Text.starts_with("call to deleted function '"))
      return "";
    return Text.split("': ").second;
  }

  /// The text of the file from there on; "" if there is none.
  static llvm::StringRef sourceFrom(const clang::FullSourceLoc &Where) {
    bool Invalid = false;
    auto [File, Offset] = Where.getSpellingLoc().getDecomposedLoc();
    llvm::StringRef Text = Where.getManager().getBufferData(File, &Invalid);
    return Invalid ? "" : Text.substr(Offset, 100);
  }

  clang::DiagnosticOptions &Options;
  const clang::LangOptions *LangOpts = nullptr;
  llvm::StringRef LastHint;
  /// The last error says all: a list of other candidates would hide it.
  bool SaidReason = false;
};

class KernelAction : public clang::ASTFrontendAction {
public:
  explicit KernelAction(mlir::ModuleOp Module) : Module(Module) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<KernelConsumer>(Module);
  }

private:
  mlir::ModuleOp Module;
};

class ParsedSource : public KernelSource {
public:
  ParsedSource(mlir::MLIRContext &Context)
      : Module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&Context))) {}
  ~ParsedSource() override {
    if (Action)
      Action->EndSourceFile();
  }

  bool read(const FrontEndOptions &Options);

  mlir::ModuleOp getModule() override { return *Module; }
  bool marksKernels() const override;
  void
  show(mlir::Diagnostic &Diag,
       llvm::function_ref<std::string(mlir::Diagnostic &)> Reword) override;

private:
  clang::SourceLocation find(mlir::Location Loc);
  void noteTemplates(llvm::ArrayRef<std::string> Instances);

  mlir::OwningOpRef<mlir::ModuleOp> Module;
  std::unique_ptr<clang::CompilerInstance> Compiler;
  std::unique_ptr<KernelAction> Action;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral RequestPrefix = "belay_instance_";

/// What asks for instances, after the user's text.
static std::string requestInstances(llvm::ArrayRef<std::string> Instances) {
  std::string Text;
  for (auto [I, Instance] : llvm::enumerate(Instances))
    Text += "\n#line 1 \"--kernel\"\nstatic auto *const " +
            (RequestPrefix + llvm::Twine(I)).str() + " = &" + Instance + ";\n";
  return Text;
}

void KernelConsumer::findWanted(const clang::TranslationUnitDecl &Unit) {
  for (const clang::Decl *Decl : Unit.decls()) {
    const auto *Request = clang::dyn_cast<clang::VarDecl>(Decl);
    if (!Request || !Request->getName().starts_with(RequestPrefix))
      continue;
    const auto *Address = clang::dyn_cast<clang::UnaryOperator>(
        Request->getInit()->IgnoreParenImpCasts());
    const auto *Named = Address
                            ? clang::dyn_cast<clang::DeclRefExpr>(
                                  Address->getSubExpr()->IgnoreParenImpCasts())
                            : nullptr;
    const auto *Function =
        Named ? clang::dyn_cast<clang::FunctionDecl>(Named->getDecl())
              : nullptr;
    const clang::FunctionDecl *Defined = nullptr;
    if (!Function || !Function->hasBody(Defined) || !isKernel(Defined)) {
      Report->error(Request->getInit()->getExprLoc(),
                    support::DiagId::NotInKernels,
                    "this is no kernel; a kernel is a function with "
                    "[[belay::kernel]] before it");
      continue;
    }
    Wanted.insert(Function->getCanonicalDecl());
  }
}

bool ParsedSource::read(const FrontEndOptions &Options) {
  std::vector<const char *> Args = {"clang++-22",        "-std=c++20",
                                    "-fsyntax-only",     "-D__BELAY__=1",
                                    "-Wno-everything",   "-Wunknown-attributes",
                                    "-ferror-limit=100", "-ffp-contract=off"};
  Args.push_back(Options.Colors ? "-fcolor-diagnostics"
                                : "-fno-color-diagnostics");
  std::string Include = "-I" + Options.IncludeDir;
  std::string Resources = std::string("-resource-dir=") + BELAY_CLANG_RESOURCES;
  Args.push_back(Include.c_str());
  Args.push_back(Resources.c_str());
  for (const std::string &Arg : Options.ClangArgs)
    Args.push_back(Arg.c_str());
  if (!Options.DependencyFile.empty())
    Args.insert(Args.end(), {"-MD", "-MF", Options.DependencyFile.c_str()});
  // Whatever the file is called.
  Args.insert(Args.end(), {"-x", "c++", Options.Source.c_str()});

  auto FileSystem = llvm::vfs::getRealFileSystem();
  clang::DiagnosticOptions DiagOptions;
  DiagOptions.ShowColors = Options.Colors;
  auto Diags =
      clang::CompilerInstance::createDiagnostics(*FileSystem, DiagOptions);
  clang::CreateInvocationOptions Invocation;
  Invocation.Diags = Diags;
  Invocation.VFS = FileSystem;
  std::shared_ptr<clang::CompilerInvocation> TheInvocation =
      clang::createInvocation(Args, Invocation);
  if (!TheInvocation)
    return false;
  auto Text = Options.FromStdin ? llvm::MemoryBuffer::getSTDIN()
                                : llvm::MemoryBuffer::getFile(Options.Source);
  if (!Text) {
    llvm::errs() << "belay: error: " << Options.Source << ": "
                 << Text.getError().message() << "\n";
    return false;
  }
  if (Options.FromStdin || !Options.Instances.empty())
    TheInvocation->getPreprocessorOpts().addRemappedFile(
        Options.Source,
        llvm::MemoryBuffer::getMemBufferCopy(
            ((*Text)->getBuffer() + requestInstances(Options.Instances)).str(),
            Options.Source)
            .release());
  TheInvocation->getFrontendOpts().SkipFunctionBodies = true;
  TheInvocation->getFrontendOpts().DisableFree = false;
  Compiler = std::make_unique<clang::CompilerInstance>(TheInvocation);
  Compiler->setVirtualFileSystem(FileSystem);
  Compiler->createDiagnostics(new IdPrinter(Compiler->getDiagnosticOpts()));
  if (!Compiler->createTarget())
    return false;
  Action = std::make_unique<KernelAction>(*Module);
  if (!Action->BeginSourceFile(*Compiler,
                               Compiler->getFrontendOpts().Inputs[0])) {
    Action.reset();
    return false;
  }
  if (llvm::Error E = Action->Execute())
    llvm::consumeError(std::move(E));
  if (!Compiler->getDiagnostics().hasErrorOccurred())
    return true;
  noteTemplates(Options.Instances);
  return false;
}

/// Whether a function template of that name is in a scope or those inside it.
static bool hasTemplate(const clang::DeclContext &Scope, llvm::StringRef Name) {
  for (const clang::Decl *Decl : Scope.decls()) {
    const auto *Template = clang::dyn_cast<clang::FunctionTemplateDecl>(Decl);
    if (Template && Template->getIdentifier() && Template->getName() == Name &&
        !isOurs(Template))
      return true;
    const auto *Space = clang::dyn_cast<clang::NamespaceDecl>(Decl);
    if (Space && hasTemplate(*Space, Name))
      return true;
  }
  return false;
}

static bool hasKernel(const clang::DeclContext &Scope) {
  return llvm::any_of(Scope.decls(), [](const clang::Decl *Decl) {
    if (const auto *Space = clang::dyn_cast<clang::NamespaceDecl>(Decl))
      return hasKernel(*Space);
    const clang::FunctionDecl *Function = Decl->getAsFunction();
    return Function && isKernel(Function);
  });
}

bool ParsedSource::marksKernels() const {
  return hasKernel(*Compiler->getASTContext().getTranslationUnitDecl());
}

/// Clang says of a template without arguments that its overloads are unclear.
void ParsedSource::noteTemplates(llvm::ArrayRef<std::string> Instances) {
  for (llvm::StringRef Kernel : Instances) {
    llvm::StringRef Name = Kernel.rsplit("::").second;
    if (Name.empty())
      Name = Kernel;
    if (!Kernel.contains('<') && Compiler->hasASTContext() &&
        hasTemplate(*Compiler->getASTContext().getTranslationUnitDecl(), Name))
      llvm::errs() << "belay: note: '" << Kernel
                   << "' is a template; --kernel names an instance, as in '"
                   << Kernel << "<1024>'\n";
  }
}

std::unique_ptr<KernelSource>
KernelSource::parse(const FrontEndOptions &Options,
                    mlir::MLIRContext &Context) {
  Context.loadDialect<ascend::AscendDialect, mlir::arith::ArithDialect,
                      mlir::func::FuncDialect, mlir::math::MathDialect,
                      mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                      mlir::tensor::TensorDialect>();
  auto Source = std::make_unique<ParsedSource>(Context);
  if (!Source->read(Options))
    return nullptr;
  return Source;
}

//===----------------------------------------------------------------------===//
// Showing what later passes say
//===----------------------------------------------------------------------===//

clang::SourceLocation ParsedSource::find(mlir::Location Loc) {
  auto Place = Loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!Place)
    return {};
  auto File = Compiler->getFileManager().getOptionalFileRef(
      Place.getFilename().getValue());
  if (!File)
    return {};
  return Compiler->getSourceManager().translateFileLineCol(
      &File->getFileEntry(), Place.getLine(), Place.getColumn());
}

void ParsedSource::show(
    mlir::Diagnostic &Diag,
    llvm::function_ref<std::string(mlir::Diagnostic &)> Reword) {
  clang::DiagnosticsEngine &Engine = Compiler->getDiagnostics();
  auto Report = [&](mlir::Diagnostic &D) {
    using Level = clang::DiagnosticIDs::Level;
    Level Severity =
        D.getSeverity() == mlir::DiagnosticSeverity::Error     ? Level::Error
        : D.getSeverity() == mlir::DiagnosticSeverity::Warning ? Level::Warning
        : D.getSeverity() == mlir::DiagnosticSeverity::Remark  ? Level::Remark
                                                               : Level::Note;
    unsigned Id = Engine.getDiagnosticIDs()->getCustomDiagID(Severity, "%0");
    Engine.Report(find(D.getLocation()), Id) << Reword(D);
  };
  Report(Diag);
  for (mlir::Diagnostic &Note : Diag.getNotes())
    Report(Note);
}

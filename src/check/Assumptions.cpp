//===- Assumptions.cpp - What a source says of its launches ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Assumptions.h"
#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace belay::check;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr StringRef Prefix = "// belay: assume ";

static Token tokenOf(tok::TokenKind Kind, SourceLocation At) {
  Token T;
  T.startToken();
  T.setKind(Kind);
  T.setLocation(At);
  return T;
}

bool AssumptionComments::HandleComment(Preprocessor &PP, SourceRange Comment) {
  const SourceManager &Sources = PP.getSourceManager();
  StringRef Text = Lexer::getSourceText(CharSourceRange::getCharRange(Comment),
                                        Sources, PP.getLangOpts());
  if (!Text.starts_with(Prefix))
    return false;
  // What follows a directive is a part of it.
  auto [File, Offset] = Sources.getDecomposedLoc(Comment.getBegin());
  StringRef Before = Sources.getBufferData(File).take_front(Offset);
  if (Before.substr(Before.rfind('\n') + 1).ltrim().starts_with("#"))
    return false;

  SmallVector<Token, 16> Tokens;
  Token Name = tokenOf(tok::identifier, Comment.getBegin());
  Name.setIdentifierInfo(PP.getIdentifierInfo("__builtin_assume"));
  Tokens.push_back(Name);
  Tokens.push_back(tokenOf(tok::l_paren, Comment.getBegin()));
  // The lexer wants a buffer that ends with a null character.
  std::string Condition = Text.drop_front(Prefix.size()).str();
  Lexer Raw(Comment.getBegin().getLocWithOffset(Prefix.size()),
            PP.getLangOpts(), Condition.data(), Condition.data(),
            Condition.data() + Condition.size());
  Token Each;
  for (Raw.LexFromRawLexer(Each); Each.isNot(tok::eof);
       Raw.LexFromRawLexer(Each)) {
    if (Each.is(tok::raw_identifier))
      PP.LookUpIdentifierInfo(Each);
    else if (Each.isLiteral())
      // Points into Condition, which does not live as long.
      Each.setLiteralData(Sources.getCharacterData(Each.getLocation()));
    Tokens.push_back(Each);
  }
  Tokens.push_back(tokenOf(tok::r_paren, Comment.getBegin()));
  Tokens.push_back(tokenOf(tok::semi, Comment.getBegin()));
  auto Owned = std::make_unique<Token[]>(Tokens.size());
  llvm::copy(Tokens, Owned.get());
  PP.EnterTokenStream(std::move(Owned), Tokens.size(),
                      /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
  return true;
}

/// Takes a condition of the launch to hold from here on, and asks every topic
/// for it. Of several, joined by &&, each is one.
void Interpreter::assumeStated(const Expr *Condition) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  if (const auto *And = llvm::dyn_cast<BinaryOperator>(E);
      And && And->getOpcode() == BO_LAnd) {
    assumeStated(And->getLHS());
    if (!Stopped)
      assumeStated(And->getRHS());
    return;
  }
  SourceLocation At = E->getBeginLoc();
  Value V = evaluate(E);
  if (Stopped)
    return;
  if (std::optional<int64_t> C = V.constant()) {
    if (!*C)
      giveUp(At, "what is assumed here does not hold");
    return;
  }
  std::optional<belay::check::Condition> Meaning =
      V.isNumber() ? Kernel.meaningOf(V.N) : std::nullopt;
  if (!Meaning || !symbols().isOfLaunch(Meaning->Yes)) {
    Kernel.unknownEverywhere(At, "what is assumed here is not decided by the "
                                 "launch, so that no launch can be held "
                                 "against it");
    return;
  }
  Findings::Requirement Stated = Meaning->required();
  using Kind = Clause::Atom::Kind;
  for (unsigned T = 0; T < NumTopics; ++T)
    if (static_cast<Topic>(T) != Topic::Entry)
      Kernel.require(static_cast<Topic>(T), At,
                     "whether what is assumed here holds", {Stated});
  Number Yes = Stated.About;
  if (Stated.Is == Kind::NotZero)
    Yes = Known.holds(Yes) ? Yes - Number(1) : Number(-1) - Yes;
  Kernel.Found.stated(Yes);
  if (Stated.Is == Kind::Zero)
    Kernel.Found.stated(Number() - Yes);
  Meaning->assume(Known, true);
}

//===- LanguageScan.cpp - Declarations of the language's kernels ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/LanguageScan.h"
#include "toolchain/Tokens.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace belay::toolchain;

static constexpr StringLiteral Openers = "<([{", Closers = ">)]}";

/// Follows brackets. A < in parentheses compares.
namespace {
class Brackets {
public:
  void step(StringRef Token) {
    if (Token.size() != 1)
      return;
    if (!Waiting.empty() && Token[0] == Waiting.back()) {
      Waiting.pop_back();
    } else if (size_t At = Openers.find(Token[0]); At != StringRef::npos) {
      if (Token[0] != '<' || Waiting.empty() || Waiting.back() == '>')
        Waiting += Closers[At];
    }
  }
  bool closed() const { return Waiting.empty(); }

private:
  std::string Waiting;
};
} // namespace

/// The tokens between the bracket at Open and the one that closes it; nothing
/// if none does before the declaration ends.
static std::optional<ArrayRef<Token>> inBrackets(ArrayRef<Token> Tokens,
                                                 size_t Open) {
  Brackets Around;
  for (size_t I = Open; I < Tokens.size() && !Tokens[I].is(";"); ++I) {
    Around.step(Tokens[I].Text);
    if (Around.closed())
      return Tokens.slice(Open + 1, I - Open - 1);
  }
  return std::nullopt;
}

/// Parted at the commas that are in no brackets.
static std::vector<ArrayRef<Token>> split(ArrayRef<Token> Tokens) {
  std::vector<ArrayRef<Token>> Parts;
  Brackets Around;
  size_t Begin = 0;
  for (size_t I = 0; I <= Tokens.size(); ++I) {
    if (I == Tokens.size() || (Tokens[I].is(",") && Around.closed())) {
      if (I > Begin)
        Parts.push_back(Tokens.slice(Begin, I - Begin));
      Begin = I + 1;
    } else {
      Around.step(Tokens[I].Text);
    }
  }
  return Parts;
}

static std::string textOf(ArrayRef<Token> Tokens) {
  std::string Text;
  for (const Token &T : Tokens) {
    // Two words side by side stay two.
    if (!Text.empty() && isAlnum(T.Text[0]) && isAlnum(Text.back()))
      Text += ' ';
    Text += T.Text;
  }
  return Text;
}

static TemplateParam readTemplateParam(ArrayRef<Token> Tokens) {
  TemplateParam Param;
  auto Equals = find_if(Tokens, [](const Token &T) { return T.is("="); }) -
                Tokens.begin();
  if (static_cast<size_t>(Equals) < Tokens.size())
    Param.Default = textOf(Tokens.drop_front(Equals + 1));
  Tokens = Tokens.take_front(Equals);
  if (Tokens.empty())
    return Param;
  static constexpr StringLiteral Numbers[] = {"i64",  "i32",      "int", "bool",
                                              "long", "unsigned", "auto"};
  Param.Name = Tokens.back().Text.str();
  // `class T`, `typename T`, `Number T` of a concept.
  Param.IsType = Tokens.size() > 1 && !is_contained(Numbers, Tokens[0].Text);
  return Param;
}

static LanguageParam readParam(ArrayRef<Token> Tokens) {
  LanguageParam Param;
  Param.Name = Tokens.back().Text.str();
  SmallVector<Token> Type;
  for (const Token &T : Tokens.drop_back())
    if (!T.is("const") && !T.is("belay") && !T.is("::") && !T.is("&"))
      Type.push_back(T);
  static constexpr StringLiteral Views[] = {"In", "Out", "InOut", "PerCore"};
  if (Type.size() < 4 || !is_contained(Views, Type[0].Text) ||
      !Type[1].is("<") || !Type.back().is(">"))
    return Param;
  auto Arguments = split(ArrayRef(Type).slice(2, Type.size() - 3));
  if (Arguments.empty())
    return Param;
  Param.View = Type[0].Text.str();
  Param.Element = textOf(Arguments[0]);
  for (ArrayRef<Token> Extent : drop_begin(Arguments))
    Param.Extents.push_back(textOf(Extent));
  if (Param.Extents.empty())
    Param.Extents.push_back("dyn");
  return Param;
}

/// Whether `[[belay::kernel]] void name(` stands here.
static bool startsKernel(ArrayRef<Token> Tokens) {
  static constexpr StringLiteral Mark[] = {
      "[", "[", "belay", "::", "kernel", "]", "]", "void"};
  return Tokens.size() > std::size(Mark) + 1 &&
         all_of(zip(Mark, Tokens),
                [](const auto &Both) {
                  return std::get<1>(Both).is(std::get<0>(Both));
                }) &&
         Tokens[std::size(Mark)].isIdentifier() &&
         Tokens[std::size(Mark) + 1].is("(");
}

std::vector<LanguageSignature>
belay::toolchain::scanLanguageKernels(StringRef Source) {
  constexpr size_t NameAt = 8; // after the mark and void
  std::vector<Token> All = lex(Source);
  erase_if(All, [](const Token &T) { return T.InDirective; });
  ArrayRef<Token> Tokens(All);
  std::vector<LanguageSignature> Found;
  std::vector<TemplateParam> Templates;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I].is(";") || Tokens[I].is("}")) {
      Templates.clear();
    } else if (Tokens[I].is("template") && I + 1 < Tokens.size() &&
               Tokens[I + 1].is("<")) {
      if (auto Inside = inBrackets(Tokens, I + 1)) {
        Templates.clear();
        for (ArrayRef<Token> Each : split(*Inside))
          Templates.push_back(readTemplateParam(Each));
        I += Inside->size() + 2;
      }
    } else if (startsKernel(Tokens.drop_front(I))) {
      if (auto Inside = inBrackets(Tokens, I + NameAt + 1)) {
        LanguageSignature &Kernel = Found.emplace_back();
        Kernel.Name = Tokens[I + NameAt].Text.str();
        Kernel.Templates = std::move(Templates);
        for (ArrayRef<Token> Each : split(*Inside))
          Kernel.Params.push_back(readParam(Each));
        I += NameAt + Inside->size() + 2;
      }
      Templates.clear();
    }
  }
  return Found;
}

//===- KernelTemplates.cpp - Kernels whose types a launch deduces ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelTemplates.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace belay::toolchain;

namespace {

/// Tokens [Begin, End); none if both are the same.
struct Range {
  size_t Begin = 0, End = 0;
};

} // namespace

/// From the bracket at Open to one past the one that closes it.
static Range bracketsAt(ArrayRef<Token> Tokens, size_t Open, StringRef Opens,
                        StringRef Closes) {
  unsigned Depth = 0;
  for (size_t I = Open; I < Tokens.size(); ++I) {
    if (Tokens[I].InDirective)
      continue;
    if (Tokens[I].is(Opens))
      ++Depth;
    else if (Tokens[I].is(Closes) && --Depth == 0)
      return {Open, I + 1};
  }
  return {};
}

static bool hasDirective(ArrayRef<Token> Tokens, Range R) {
  return any_of(Tokens.slice(R.Begin, R.End - R.Begin),
                [](const Token &T) { return T.InDirective; });
}

static std::string spell(ArrayRef<Token> Tokens, Range R) {
  std::string Text;
  for (const Token &T : Tokens.slice(R.Begin, R.End - R.Begin))
    (Text += T.Text) += ' ';
  return Text;
}

/// "T, N, Rest..." of the parameters between the angles of Head; "" if one has
/// no name, or stands in angles of its own.
static std::string argumentsOf(ArrayRef<Token> Tokens, Range Head) {
  std::string Arguments;
  StringRef Name;
  bool Pack = false, Default = false;
  int Depth = 0;
  for (size_t I = Head.Begin + 1; I < Head.End; ++I) {
    const Token &T = Tokens[I];
    if (Depth == 0 && (T.is(",") || I + 1 == Head.End)) {
      static constexpr StringLiteral Kinds[] = {
          "typename", "class", "int", "bool", "auto", "unsigned"};
      if (Name.empty() || is_contained(Kinds, Name))
        return "";
      Arguments += (Arguments.empty() ? "" : ", ") + Name.str();
      Arguments += Pack ? "..." : "";
      Name = "";
      Pack = Default = false;
      continue;
    }
    Depth += T.is("<") || T.is("(") || T.is("{");
    Depth -= T.is(">") || T.is(")") || T.is("}");
    Default |= T.is("=") && Depth == 0;
    Pack |= T.is(".") && !Default;
    if (!Default && T.isIdentifier() && Depth == 0)
      Name = T.Text;
  }
  return Arguments;
}

/// The angles of the `template <...>` that ends before the word at Mark.
static Range headBefore(ArrayRef<Token> Tokens, size_t Mark) {
  while (Mark > 0 && Tokens[Mark - 1].isIdentifier())
    --Mark;
  if (Mark == 0 || !Tokens[Mark - 1].is(">"))
    return {};
  unsigned Depth = 0;
  for (size_t I = Mark; I-- > 1;) {
    if (Tokens[I].InDirective)
      return {};
    Depth += Tokens[I].is(">");
    Depth -= Tokens[I].is("<");
    if (Depth == 0)
      return Tokens[I - 1].is("template") ? Range{I, Mark} : Range{};
  }
  return {};
}

/// The name of the function that `__global__` at Mark marks; 0 if there is
/// none. Attributes with arguments stand between: __launch_bounds__(n).
static size_t nameAfter(ArrayRef<Token> Tokens, size_t Mark) {
  for (size_t I = Mark + 1; I + 1 < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    if (T.is(";") || T.is("{") || T.InDirective)
      return 0;
    if (!T.isIdentifier() || !Tokens[I + 1].is("("))
      continue;
    if (!T.Text.starts_with("__") || !T.Text.ends_with("__"))
      return I;
    I = bracketsAt(Tokens, I + 1, "(", ")").End - 1;
  }
  return 0;
}

std::string belay::toolchain::deductionOf(StringRef Kernel) {
  return "belay_deduce_" + Kernel.str();
}

std::vector<KernelTemplate>
belay::toolchain::findKernelTemplates(ArrayRef<Token> Tokens) {
  std::vector<KernelTemplate> Found;
  std::vector<StringRef> Names;
  for (size_t Mark = 0; Mark < Tokens.size(); ++Mark) {
    if (!Tokens[Mark].is("__global__") || Tokens[Mark].InDirective)
      continue;
    size_t Named = nameAfter(Tokens, Mark);
    if (!Named)
      continue;
    Range Parameters = bracketsAt(Tokens, Named + 1, "(", ")");
    if (Parameters.End == 0 || Parameters.End >= Tokens.size() ||
        !Tokens[Parameters.End].is("{"))
      continue;
    StringRef Name = Tokens[Named].Text;
    Names.push_back(Name);
    Range Head = headBefore(Tokens, Mark);
    Range Body = bracketsAt(Tokens, Parameters.End, "{", "}");
    std::string Arguments = argumentsOf(Tokens, Head);
    if (Body.End == 0 || Head.End == 0 || Arguments.empty() ||
        hasDirective(Tokens, Parameters))
      continue;
    std::string Instance = Name.str() + "<" + Arguments + ">";
    Found.push_back({Name, Body.End,
                     " struct " + deductionOf(Name) + " { template " +
                         spell(Tokens, Head) + "::belay::program::Instance<&" +
                         Instance + "> operator()" + spell(Tokens, Parameters) +
                         "const; };"});
  }
  // Which of several is meant, overload resolution would have to say.
  erase_if(Found, [&](const KernelTemplate &Each) {
    return count(Names, Each.Name) > 1;
  });
  return Found;
}

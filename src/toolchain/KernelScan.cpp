//===- KernelScan.cpp - Kernels in a source file, by their tokens ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelScan.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace belay::toolchain;

namespace {

struct Token {
  StringRef Text;
  unsigned Line;
  bool InDirective;

  bool is(StringRef Other) const { return Text == Other; }
  bool isIdentifier() const { return isAlpha(Text[0]) || Text[0] == '_'; }
};

/// Splits C++ into words and single characters; comments and literals go.
class Lexer {
public:
  explicit Lexer(StringRef Source) : Source(Source) {}

  std::vector<Token> run() {
    while (At < Source.size())
      step();
    return std::move(Tokens);
  }

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Source.size() ? Source[At + Ahead] : '\0';
  }

  void advance(size_t Count) {
    for (; Count && At < Source.size(); --Count, ++At)
      Line += Source[At] == '\n';
  }

  /// Moves after the next occurrence, or to the end.
  void skipPast(StringRef Text) {
    size_t Found = Source.find(Text, At);
    advance(Found == StringRef::npos ? Source.size() - At
                                     : Found + Text.size() - At);
  }

  void skipLiteral(char Quote) {
    advance(1);
    while (At < Source.size() && peek() != Quote && peek() != '\n')
      advance(peek() == '\\' ? 2 : 1);
    if (peek() == Quote)
      advance(1);
  }

  void skipRawString() {
    size_t Open = Source.find('(', At);
    if (Open == StringRef::npos)
      return advance(1);
    StringRef Delimiter = Source.slice(At + 1, Open);
    skipPast((")" + Delimiter + "\"").str());
  }

  void step() {
    char C = peek();
    if (C == '\n') {
      InDirective = false;
      LineStart = true;
      return advance(1);
    }
    if (C == '\\' && (peek(1) == '\n' || peek(1) == '\r'))
      return advance(peek(1) == '\r' ? 3 : 2);
    if (isSpace(C))
      return advance(1);
    if (C == '/' && peek(1) == '/') {
      size_t End = Source.find('\n', At);
      return advance((End == StringRef::npos ? Source.size() : End) - At);
    }
    if (C == '/' && peek(1) == '*') {
      advance(2);
      return skipPast("*/");
    }
    if (C == '#' && LineStart)
      InDirective = true;
    LineStart = false;
    if (C == '"' || (C == '\'' && !isDigit(At ? Source[At - 1] : ' ')))
      return skipLiteral(C);
    size_t Length = 1;
    if (isAlnum(C) || C == '_') {
      while (isAlnum(peek(Length)) || peek(Length) == '_')
        ++Length;
    } else if (C == ':' && peek(1) == ':') {
      Length = 2;
    }
    StringRef Text = Source.substr(At, Length);
    Tokens.push_back({Text, Line, InDirective});
    advance(Length);
    if (peek() == '"' && Text.ends_with("R"))
      skipRawString();
  }

  StringRef Source;
  size_t At = 0;
  unsigned Line = 1;
  bool LineStart = true, InDirective = false;
  std::vector<Token> Tokens;
};

} // namespace

/// Index after the bracket that closes the one at Open.
static size_t skipBrackets(ArrayRef<Token> Tokens, size_t Open) {
  unsigned Depth = 0;
  for (size_t I = Open; I < Tokens.size(); ++I) {
    if (Tokens[I].is("("))
      ++Depth;
    else if (Tokens[I].is(")") && --Depth == 0)
      return I + 1;
  }
  return Tokens.size();
}

static std::string join(ArrayRef<Token> Tokens) {
  std::string Text;
  for (const Token &T : Tokens) {
    bool Word = isAlnum(T.Text[0]) || T.Text[0] == '_';
    if (!Text.empty() && Word && !StringRef("<:").contains(Text.back()))
      Text += ' ';
    Text += T.Text;
  }
  return Text;
}

/// The parameters between the brackets at [Open, Close).
static std::vector<std::string> splitParams(ArrayRef<Token> Tokens, size_t Open,
                                            size_t Close) {
  std::vector<std::string> Params;
  size_t Begin = Open + 1;
  int Depth = 0;
  for (size_t I = Begin; I < Close; ++I) {
    StringRef Text = Tokens[I].Text;
    if (Text == "<" || Text == "(" || Text == "[" || Text == "{")
      ++Depth;
    bool Last = I + 1 == Close;
    if ((Text == "," && Depth == 0) || Last) {
      if (I > Begin)
        Params.push_back(join(Tokens.slice(Begin, I - Begin)));
      Begin = I + 1;
    }
    if (Text == ">" || Text == ")" || Text == "]" || Text == "}")
      --Depth;
  }
  if (Params.size() == 1 && Params[0] == "void")
    Params.clear();
  return Params;
}

/// Reads the declaration after `__global__` at Start.
static void scanDeclaration(ArrayRef<Token> Tokens, size_t Start,
                            KernelScan &Scan) {
  for (size_t I = Start + 1; I + 1 < Tokens.size(); ++I) {
    if (Tokens[I].is(";") || Tokens[I].is("{") || Tokens[I].InDirective)
      return;
    if (!Tokens[I].isIdentifier() || !Tokens[I + 1].is("("))
      continue;
    StringRef Name = Tokens[I].Text;
    size_t Close = skipBrackets(Tokens, I + 1);
    // __attribute__(...), __launch_bounds__(n), __mix__(1, 2) and their like.
    if ((Name.starts_with("__") && Name.ends_with("__")) || Name == "alignas") {
      I = Close - 1;
      continue;
    }
    if (Scan.find(Name))
      return;
    ScannedKernel Kernel;
    Kernel.Name = Name.str();
    Kernel.Line = Tokens[I].Line;
    Kernel.Params = splitParams(Tokens, I + 1, Close);
    // `template <...>` ends right before `__global__`, or before `extern`,
    // `inline` and the like.
    size_t Before = Start;
    while (Before > 0 && Tokens[Before - 1].isIdentifier())
      --Before;
    Kernel.Template = Before > 0 && Tokens[Before - 1].is(">") &&
                      !Tokens[Before - 1].InDirective;
    Scan.Kernels.push_back(std::move(Kernel));
    return;
  }
}

/// Whether a line of the source includes belay/kernel.h.
static bool includesLanguage(StringRef Source) {
  SmallVector<StringRef, 0> Lines;
  Source.split(Lines, '\n');
  return any_of(Lines, [](StringRef Line) {
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim()).consume_front("include"))
      return false;
    Line = Line.ltrim();
    return Line.starts_with("\"belay/kernel.h\"") ||
           Line.starts_with("<belay/kernel.h>");
  });
}

bool belay::toolchain::usesKernelLanguage(StringRef Source) {
  std::vector<Token> Tokens = Lexer(Source).run();
  static constexpr StringLiteral Mark[] = {
      "[", "[", "belay", "::", "kernel", "]", "]"};
  if (std::search(Tokens.begin(), Tokens.end(), std::begin(Mark),
                  std::end(Mark), [](const Token &T, StringRef Word) {
                    return !T.InDirective && T.is(Word);
                  }) != Tokens.end())
    return true;
  return includesLanguage(Source) && none_of(Tokens, [](const Token &T) {
           return !T.InDirective && T.is("__global__");
         });
}

KernelScan belay::toolchain::scanKernels(StringRef Source) {
  std::vector<Token> Tokens = Lexer(Source).run();
  KernelScan Scan;
  for (const auto &[I, T] : enumerate(Tokens)) {
    if (T.InDirective)
      continue;
    if (T.is("__global__")) {
      scanDeclaration(Tokens, I, Scan);
    } else if ((T.is("GET_TILING_DATA_WITH_STRUCT") ||
                T.is("REGISTER_TILING_DEFAULT")) &&
               I + 2 < Tokens.size() && Tokens[I + 1].is("(")) {
      size_t End = I + 2;
      std::string Name;
      for (;
           End < Tokens.size() && !Tokens[End].is(",") && !Tokens[End].is(")");
           ++End)
        Name += Tokens[End].Text;
      if (!is_contained(Scan.TilingStructs, Name))
        Scan.TilingStructs.push_back(std::move(Name));
    }
  }
  return Scan;
}

bool belay::toolchain::asksForCore(StringRef Source) {
  // Few do; those that cannot need no lexer.
  if (!Source.contains("__DAV_") && !Source.contains("g_coreType"))
    return false;
  static constexpr StringLiteral Names[] = {
      "__DAV_CUBE__", "__DAV_C220_CUBE__", "__DAV_C310_CUBE__",
      "__DAV_VEC__",  "__DAV_C220_VEC__",  "__DAV_C310_VEC__",
      "g_coreType"};
  return any_of(Lexer(Source).run(),
                [&](const Token &T) { return is_contained(Names, T.Text); });
}

const ScannedKernel *KernelScan::find(StringRef Name) const {
  // k<half> and ns::k are found by k.
  StringRef Bare = Name.take_until([](char C) { return C == '<'; });
  Bare = Bare.substr(Bare.rfind(':') + 1);
  for (const ScannedKernel &Kernel : Kernels)
    if (Kernel.Name == Bare)
      return &Kernel;
  return nullptr;
}

std::string KernelScan::listKernels() const {
  return llvm::join(
      map_range(Kernels,
                [](const ScannedKernel &Kernel) { return Kernel.Name; }),
      ", ");
}

std::string ScannedKernel::paramName(unsigned Index) const {
  if (Index >= Params.size())
    return "";
  StringRef Text = StringRef(Params[Index]).split('=').first;
  Text = Text.split('[').first.rtrim();
  size_t Start = Text.size();
  while (Start > 0 && (isAlnum(Text[Start - 1]) || Text[Start - 1] == '_'))
    --Start;
  // A lone type, as in f(GM_ADDR), is not a name.
  return Start == 0 ? "" : Text.substr(Start).str();
}

std::string ScannedKernel::launcher() const {
  std::string Declared, Passed;
  for (unsigned N = 0; N < Params.size(); ++N) {
    StringRef Type = StringRef(Params[N]).split('=').first.rtrim();
    Type.consume_back(paramName(N));
    bool Pointer = Type.contains('*') || Type.contains("GM_ADDR");
    Declared +=
        (", " + (Pointer ? "void *" : Type.str() + " ") + "a" + Twine(N)).str();
    Passed += ("&a" + Twine(N) + ", ").str();
  }
  return "#pragma once\n#include \"belay/kernels.h\"\n"
         "BELAY_AT_CALLER uint32_t aclrtlaunch_" +
         Name + "(uint32_t blocks, aclrtStream stream" + Declared +
         ") {\n  void *arguments[] = {" + Passed +
         "nullptr};\n  return belay::program::launchNamed(\"" + Name +
         "\", blocks, stream, arguments);\n}\n";
}

std::string ScannedKernel::str() const {
  return Name + "(" + llvm::join(Params, ", ") + ")";
}

/// Whether three of the same character stand side by side.
static bool isTriple(ArrayRef<Token> Tokens, size_t At, StringRef Character) {
  if (At + 2 >= Tokens.size())
    return false;
  const char *Where = Tokens[At].Text.data();
  for (unsigned I = 0; I < 3; ++I)
    if (!Tokens[At + I].is(Character) ||
        Tokens[At + I].Text.data() != Where + I)
      return false;
  return true;
}

/// The tokens of a call `name<T><<<blocks, l2, stream>>>(arguments)`, given
/// where its `<<<` is: from the first to one past the last. Empty if it is
/// none.
static std::pair<size_t, size_t> launchAt(ArrayRef<Token> Tokens, size_t Open) {
  if (!isTriple(Tokens, Open, "<"))
    return {Open, Open};
  size_t End = Open;
  while (End < Tokens.size() && !isTriple(Tokens, End, ">") &&
         !Tokens[End].is(";"))
    ++End;
  if (!isTriple(Tokens, End, ">") || End + 3 >= Tokens.size() ||
      !Tokens[End + 3].is("("))
    return {Open, Open};
  End += 3;
  unsigned Depth = 0;
  do {
    Depth += Tokens[End].is("(");
    Depth -= Tokens[End].is(")");
    ++End;
  } while (Depth && End < Tokens.size());
  size_t Begin = Open;
  while (Begin > 0 && !Tokens[Begin - 1].InDirective &&
         (Tokens[Begin - 1].isIdentifier() || Tokens[Begin - 1].is("::") ||
          StringRef(":<>,0123456789").contains(Tokens[Begin - 1].Text)))
    --Begin;
  return {Begin, End};
}

/// How many tokens `[aicore]` or `[host, aicore]` has; 0 if none starts here.
static size_t attributeTokens(ArrayRef<Token> Tokens, size_t At) {
  if (!Tokens[At].is("["))
    return 0;
  size_t Next = At + 1;
  bool Found = false;
  for (; Next < Tokens.size() && !Tokens[Next].is("]"); ++Next) {
    if (Tokens[Next].is("aicore"))
      Found = true;
    else if (!Tokens[Next].is("host") && !Tokens[Next].is(","))
      return 0;
  }
  return Found && Next < Tokens.size() ? Next + 1 - At : 0;
}

/// How many tokens an `ASSERT(...)` has that follows an operand, where the
/// device's empty macro leaves nothing: `n = tiling.n ASSERT(n != 0);`.
static size_t strayAssertTokens(ArrayRef<Token> Tokens, size_t At) {
  if (!Tokens[At].is("ASSERT") || At == 0 || At + 1 >= Tokens.size() ||
      !Tokens[At + 1].is("("))
    return 0;
  const Token &Before = Tokens[At - 1];
  if (Before.InDirective || Tokens[At].InDirective || !Before.isIdentifier() ||
      Before.is("else") || Before.is("do"))
    return 0;
  size_t End = At + 1;
  unsigned Depth = 0;
  do {
    Depth += Tokens[End].is("(");
    Depth -= Tokens[End].is(")");
    ++End;
  } while (Depth && End < Tokens.size());
  return End - At;
}

std::string belay::toolchain::toStandardCpp(StringRef Source) {
  std::string Result = Source.str();
  if (!Source.contains("<<<") && !Source.contains("aicore]") &&
      !Source.contains("ASSERT"))
    return Result;
  std::vector<Token> Tokens = Lexer(Source).run();
  auto Blank = [&](size_t First, size_t After) {
    size_t Begin = Tokens[First].Text.data() - Source.data();
    size_t End = Tokens[After - 1].Text.end() - Source.data();
    for (size_t I = Begin; I < End; ++I)
      if (Result[I] != '\n')
        Result[I] = ' ';
  };
  for (size_t At = 0; At < Tokens.size(); ++At) {
    if (size_t Count = attributeTokens(Tokens, At)) {
      // A word that is no longer, so that columns stay.
      constexpr StringRef Word = " __aic__";
      Blank(At, At + Count);
      Result.replace(Tokens[At].Text.data() - Source.data(), Word.size(), Word);
    }
    if (size_t Count = strayAssertTokens(Tokens, At))
      Blank(At, At + Count);
    auto [First, After] = launchAt(Tokens, At);
    if (First < After) {
      Blank(First, After);
      At = After - 1;
    }
  }
  return Result;
}

/// The first token of the name that ends before `End`: `ns::k<T, 3>`.
static size_t nameBefore(ArrayRef<Token> Tokens, size_t End) {
  size_t At = End;
  unsigned Depth = 0;
  if (At > 0 && Tokens[At - 1].is(">"))
    do {
      --At;
      Depth += Tokens[At].is(">") || Tokens[At].is(")");
      Depth -= Tokens[At].is("<") || Tokens[At].is("(");
    } while (Depth && At > 0);
  while (At > 0 && Tokens[At - 1].isIdentifier()) {
    --At;
    if (At == 0 || !Tokens[At - 1].is("::"))
      break;
    --At;
  }
  return At;
}

std::string belay::toolchain::rewriteLaunches(StringRef Source) {
  std::vector<Token> Tokens = Lexer(Source).run();
  std::string Result;
  size_t Done = 0; // bytes of the source
  auto CopyTo = [&](const char *End) {
    Result += Source.slice(Done, End - Source.data());
    Done = End - Source.data();
  };
  for (size_t At = 0; At < Tokens.size(); ++At) {
    if (size_t Count = attributeTokens(Tokens, At)) {
      CopyTo(Tokens[At].Text.begin());
      Done = Tokens[At + Count - 1].Text.end() - Source.data();
    }
    if (launchAt(Tokens, At).first == launchAt(Tokens, At).second)
      continue;
    size_t Close = At;
    while (!isTriple(Tokens, Close, ">"))
      ++Close;
    const char *Name = Tokens[nameBefore(Tokens, At)].Text.begin();
    CopyTo(Name);
    Result += "BELAY_LAUNCH((";
    CopyTo(Tokens[At].Text.begin());
    Result += "))(";
    Done = Tokens[At + 2].Text.end() - Source.data();
    CopyTo(Tokens[Close].Text.begin());
    Result += ")";
    Done = Tokens[Close + 2].Text.end() - Source.data();
    At = Close + 2;
  }
  CopyTo(Source.end());
  return Result;
}

bool belay::toolchain::definesMain(StringRef Source) {
  std::vector<Token> Tokens = Lexer(Source).run();
  for (size_t At = 1; At + 1 < Tokens.size(); ++At) {
    if (!Tokens[At].is("main") || !Tokens[At + 1].is("(") ||
        Tokens[At].InDirective || !Tokens[At - 1].isIdentifier() ||
        Tokens[At - 1].is("return"))
      continue;
    size_t After = skipBrackets(Tokens, At + 1);
    if (After < Tokens.size() &&
        (Tokens[After].is("{") || Tokens[After].is("try")))
      return true;
  }
  return false;
}

bool belay::toolchain::includesFirst(StringRef Source, StringRef Header) {
  while (true) {
    Source = Source.ltrim();
    if (Source.starts_with("//"))
      Source = Source.drop_until([](char C) { return C == '\n'; });
    else if (Source.consume_front("/*"))
      Source = Source.split("*/").second;
    else if (!Source.consume_front("#pragma once"))
      break;
  }
  if (!Source.consume_front("#"))
    return false;
  Source = Source.ltrim(" \t");
  return Source.consume_front("include") &&
         Source.ltrim(" \t").starts_with(("\"" + Header + "\"").str());
}

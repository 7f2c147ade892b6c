//===- KernelScan.cpp - Kernels in a source file, by their tokens ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelScan.h"

#include "toolchain/KernelTemplates.h"
#include "toolchain/Tokens.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace belay::toolchain;

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

/// Whether the source includes belay/kernel.h.
static bool includesLanguage(StringRef Source) {
  namespace scan = clang::dependency_directives_scan;
  SmallVector<scan::Token, 64> Tokens;
  SmallVector<scan::Directive, 32> Directives;
  // What it cannot read, the compiler will refuse.
  (void)clang::scanSourceForDependencyDirectives(Source, Tokens, Directives);
  return any_of(Directives, [&](const scan::Directive &Each) {
    if (Each.Kind != scan::pp_include || Each.Tokens.size() < 3)
      return false;
    const scan::Token &Named = Each.Tokens[2]; // after "#" and "include"
    StringRef Name = Source.substr(Named.Offset, Named.Length);
    return Name == "\"belay/kernel.h\"" || Name == "<belay/kernel.h>";
  });
}

bool belay::toolchain::usesKernelLanguage(StringRef Source) {
  std::vector<Token> Tokens = lex(Source);
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

unsigned belay::toolchain::countLanguageKernels(StringRef Source) {
  std::vector<Token> Tokens = lex(Source);
  // Beside other attributes, too: [[maybe_unused, belay::kernel]].
  static constexpr StringLiteral Mark[] = {"belay", "::", "kernel"};
  unsigned Count = 0;
  for (auto At = Tokens.begin();; ++At, ++Count) {
    At = std::search(At, Tokens.end(), std::begin(Mark), std::end(Mark),
                     [](const Token &T, StringRef Word) {
                       return !T.InDirective && T.is(Word);
                     });
    if (At == Tokens.end())
      return Count;
  }
}

KernelScan belay::toolchain::scanKernels(StringRef Source) {
  std::vector<Token> Tokens = lex(Source);
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
  return any_of(lex(Source),
                [&](const Token &T) { return is_contained(Names, T.Text); });
}

bool belay::toolchain::asksForJudge(StringRef Source) {
  if (!Source.contains("BELAY_S"))
    return false;
  // What src/emit writes: the same guard, which says more when simulated.
  static constexpr StringLiteral Guard =
      "#ifdef BELAY_SIMULATOR\n"
      "#define BELAY_GUARD(holds, id, property) \\\n"
      "  if (!(holds))                          \\\n"
      "  belay_sim_guard(id, property)\n"
      "#else\n"
      "#define BELAY_GUARD(holds, id, property) \\\n"
      "  if (!(holds))                          \\\n"
      "  Trap()\n"
      "#endif\n";
  auto [Before, After] = Source.split(Guard);
  auto Names = [](StringRef Text) {
    return any_of(lex(Text), [](const Token &T) {
      return T.Text.starts_with("BELAY_SIM") ||
             T.Text.starts_with("BELAY_STATIC");
    });
  };
  return Names(Before) || Names(After);
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
  return {nameBefore(Tokens, Open), End};
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
  std::vector<Token> Tokens = lex(Source);
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

/// Templates of kernels that a launch names without arguments.
static std::vector<KernelTemplate>
launchedWithoutArguments(ArrayRef<Token> Tokens) {
  std::vector<KernelTemplate> Templates = findKernelTemplates(Tokens);
  erase_if(Templates, [&](const KernelTemplate &Each) {
    for (size_t At = 1; At < Tokens.size(); ++At)
      if (Tokens[At - 1].is(Each.Name) &&
          launchAt(Tokens, At).first < launchAt(Tokens, At).second)
        return false;
    return true;
  });
  return Templates;
}

std::string belay::toolchain::rewriteLaunches(StringRef Source) {
  std::vector<Token> Tokens = lex(Source);
  std::string Result;
  size_t Done = 0; // bytes of the source
  auto CopyTo = [&](const char *End) {
    Result += Source.slice(Done, End - Source.data());
    Done = End - Source.data();
  };
  std::vector<KernelTemplate> Templates = launchedWithoutArguments(Tokens);
  for (size_t At = 0; At < Tokens.size(); ++At) {
    for (const KernelTemplate &Each : Templates)
      if (Each.End == At) {
        CopyTo(Tokens[At - 1].Text.end());
        Result += Each.Deduction;
      }
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
    if (any_of(Templates, [&](const KernelTemplate &Each) {
          return Tokens[At - 1].is(Each.Name);
        })) {
      Result += "BELAY_LAUNCH_DEDUCED((";
      CopyTo(Tokens[At - 1].Text.begin());
      Result += deductionOf(Tokens[At - 1].Text);
    } else {
      Result += "BELAY_LAUNCH((";
      CopyTo(Tokens[At].Text.begin());
    }
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

/// Variables in the unified buffer:
/// `extern? __ubuf__ TYPE NAME DIMENSIONS, NAME DIMENSIONS;`.
struct UbVariables {
  size_t End = 0; // of their tokens; 0 if there are none
  bool Dynamic = false;
  std::string Type;
  struct Declared {
    StringRef Name;
    std::string Dimensions;
  };
  std::vector<Declared> All;
};

static UbVariables ubVariablesAt(ArrayRef<Token> Tokens, size_t At) {
  UbVariables V;
  V.Dynamic = Tokens[At].is("extern");
  size_t Type = At + V.Dynamic;
  if (Type >= Tokens.size() || !Tokens[Type].is("__ubuf__"))
    return {};
  size_t Begin = ++Type, Bracket = 0;
  int Angles = 0;
  for (size_t I = Type; I < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    // Pointers, functions, initialisers.
    if (T.InDirective || (!Bracket && StringRef("*&(={}").contains(T.Text)))
      return {};
    Angles += !Bracket && T.is("<");
    Angles -= !Bracket && T.is(">");
    if (!Bracket && T.is("["))
      Bracket = I;
    if (Angles || !(T.is(";") || T.is(",")))
      continue;
    size_t Name = (Bracket ? Bracket : I) - 1;
    bool First = V.All.empty();
    if (Name < Begin + First || !Tokens[Name].isIdentifier())
      return {};
    if (First)
      V.Type = join(Tokens.slice(Begin, Name - Begin));
    V.All.push_back(
        {Tokens[Name].Text, join(Tokens.slice(Name + 1, I - Name - 1))});
    Begin = I + 1;
    Bracket = 0;
    if (T.is(";")) {
      V.End = I;
      return V.Dynamic && V.All[0].Dimensions != "[]" ? UbVariables() : V;
    }
  }
  return {};
}

/// Whether the bracket at Open begins a namespace, which holds no code.
static bool opensNamespace(ArrayRef<Token> Tokens, size_t Open) {
  for (size_t At = Open; At-- > 0;) {
    if (Tokens[At].is("namespace"))
      return true;
    if (!Tokens[At].isIdentifier() && !Tokens[At].is("::"))
      return false;
  }
  return false;
}

std::string belay::toolchain::declareUbVariables(StringRef Source) {
  if (!Source.contains("__ubuf__"))
    return Source.str();
  std::vector<Token> Tokens = lex(Source);
  std::string Result;
  size_t Done = 0; // bytes of the source
  std::vector<bool> Code;
  bool Starts = true; // a declaration may start here
  for (size_t At = 0; At < Tokens.size(); ++At) {
    const Token &T = Tokens[At];
    if (T.is("{"))
      Code.push_back(!opensNamespace(Tokens, At) ||
                     (!Code.empty() && Code.back()));
    if (T.is("}") && !Code.empty())
      Code.pop_back();
    bool InCode = !Code.empty() && Code.back();
    UbVariables V =
        Starts && !T.InDirective ? ubVariablesAt(Tokens, At) : UbVariables();
    Starts = T.is(";") || T.is("{") || T.is("}") || T.InDirective;
    if (!V.End || (!InCode && !V.Dynamic))
      continue;
    size_t Begin = T.Text.data() - Source.data();
    size_t End = Tokens[V.End].Text.data() - Source.data();
    Result += Source.slice(Done, Begin);
    StringRef Macro = !V.Dynamic ? "BELAY_UB_STATIC("
                      : InCode   ? "BELAY_UB_DYNAMIC("
                                 : "BELAY_UB_GLOBAL(";
    for (const UbVariables::Declared &D : V.All)
      Result += ((&D == V.All.data() ? "" : "; ") + Macro + D.Name + ", " +
                 V.Type + (V.Dynamic ? "" : D.Dimensions) + ")")
                    .str();
    // As many lines as before.
    Result.append(Source.slice(Begin, End).count('\n'), '\n');
    Done = End;
    At = V.End - 1;
  }
  Result += Source.substr(Done);
  return Result;
}

bool belay::toolchain::definesMain(StringRef Source) {
  std::vector<Token> Tokens = lex(Source);
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

//===- KernelScanTest.cpp - Kernels by their tokens -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelScan.h"
#include "../Testing.h"
#include "toolchain/InternalNames.h"

#include <random>

using namespace belay::toolchain;

TEST(KernelScan, FindsKernelsAndParameters) {
  KernelScan Scan = scanKernels(R"cpp(
#include <kernel.h>
#define GLOBAL __global__ void not_this(int)
// __global__ void nor_this();
/* __global__ void nor_this(); */
const char *text = "__global__ void nor_this()";
const char *raw = R"x(__global__ void nor_this() " )x";
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y,
    const Pair<int, 4> &pair, GM_ADDR workspace, GM_ADDR tiling) {}
extern "C" __global__ [aicore] __attribute__((used)) void mul(__gm__ uint8_t *x, float s[4] = {1, 2}) {}
__global__ void none(void);
__global__ void none(void) {}
template <typename T> __global__ __aicore__ void generic(GM_ADDR) {}
)cpp");
  ASSERT_EQ(Scan.listKernels(), "add_custom, mul, none, generic");
  const ScannedKernel &Add = Scan.Kernels[0];
  EXPECT_EQ(Add.Line, 8u);
  EXPECT_EQ(Add.str(), "add_custom(GM_ADDR x, GM_ADDR y, const Pair<int, 4>& "
                       "pair, GM_ADDR workspace, GM_ADDR tiling)");
  EXPECT_EQ(Add.paramName(2), "pair");
  EXPECT_EQ(Add.paramName(4), "tiling");
  EXPECT_EQ(Add.paramName(9), "");
  EXPECT_FALSE(Add.Template);
  EXPECT_EQ(Scan.Kernels[1].paramName(0), "x");
  EXPECT_EQ(Scan.Kernels[1].paramName(1), "s");
  EXPECT_TRUE(Scan.Kernels[2].Params.empty());
  EXPECT_TRUE(Scan.Kernels[3].Template);
  EXPECT_EQ(Scan.Kernels[3].paramName(0), "");
  EXPECT_EQ(Scan.find("ns::generic<half>"), &Scan.Kernels[3]);
  EXPECT_EQ(Scan.find("not_this"), nullptr);
}

TEST(KernelScan, MarksAreNotNames) {
  KernelScan Scan = scanKernels(
      "__global__ __mix__(1, 2) __aicore__ void both(GM_ADDR x) {}\n"
      "__mix__(1, 1) __global__ __schedmode__(1) void first(GM_ADDR x) {}\n"
      "__global__ __launch_bounds__(128) void threads(int n) {}\n");
  EXPECT_EQ(Scan.listKernels(), "both, first, threads");
}

TEST(KernelScan, LaunchersByName) {
  KernelScan Scan = scanKernels(
      "__global__ void k(GM_ADDR x, __gm__ half *y, const Pair<int, 4> p, "
      "uint32_t n = 3) {}");
  ASSERT_EQ(Scan.Kernels.size(), 1u);
  std::string Text = Scan.Kernels[0].launcher();
  EXPECT_NE(Text.find("aclrtlaunch_k(uint32_t blocks, aclrtStream stream, "
                      "void *a0, void *a1, const Pair<int, 4>  a2, "
                      "uint32_t  a3)"),
            std::string::npos);
  EXPECT_NE(Text.find("{&a0, &a1, &a2, &a3, nullptr}"), std::string::npos);
}

TEST(KernelScan, DeclaresUbVariables) {
  auto Check = [](llvm::StringRef From, llvm::StringRef To) {
    EXPECT_EQ(declareUbVariables(From), To);
  };
  Check("void f() { __ubuf__ float t[2][N + 1]; }",
        "void f() { BELAY_UB_STATIC(t, float[ 2][ N+ 1]); }");
  Check("void f() {\n  __ubuf__ Pair<int, 4> p;\n}",
        "void f() {\n  BELAY_UB_STATIC(p, Pair<int, 4>);\n}");
  Check("void f() { g(); extern __ubuf__ half d[]; }",
        "void f() { g(); BELAY_UB_DYNAMIC(d, half); }");
  Check("namespace a { extern __ubuf__ char d[]; }",
        "namespace a { BELAY_UB_GLOBAL(d, char); }");
  Check("void f() { __ubuf__ int a[2], b; }",
        "void f() { BELAY_UB_STATIC(a, int[ 2]); BELAY_UB_STATIC(b, int); }");
  // What is no variable, or none of a function.
  for (llvm::StringRef Same :
       {"void f(__ubuf__ float *x);", "void f() { __ubuf__ float *p = x; }",
        "__ubuf__ float t[8];", "void f() { g((__ubuf__ float *)x); }",
        "#define T __ubuf__ float t[8];", "void f() { // __ubuf__ int x;\n}"})
    Check(Same, Same);
  // Lines stay where they are.
  std::string Two = declareUbVariables("void f() {\n__ubuf__ int\n a[\n2];\n}");
  EXPECT_EQ(llvm::StringRef(Two).count('\n'), 4u);
}

TEST(KernelScan, RewritesLaunches) {
  auto Check = [](llvm::StringRef From, llvm::StringRef To) {
    EXPECT_EQ(rewriteLaunches(From), To);
  };
  Check("add<<<8, nullptr, stream>>>(x, y);",
        "BELAY_LAUNCH((add))(8, nullptr, stream)(x, y);");
  Check("ns::add<half, 4><<<n, l2, s>>>(x);",
        "BELAY_LAUNCH((ns::add<half, 4>))(n, l2, s)(x);");
  Check("if (ok) k<<<f(1, 2), 0, s>>>(g(x), {y});",
        "if (ok) BELAY_LAUNCH((k))(f(1, 2), 0, s)(g(x), {y});");
  // What looks like one, and is none.
  for (llvm::StringRef Same :
       {"int a = b << 3;", "// k<<<1, 0, s>>>(x)", "auto t = \"k<<<1>>>(x)\";",
        "Pair<Pair<Pair<int>>> p(1);", "x = a <<< b;",
        "#define LAUNCH(k) k<<<1, 0, s>>>"})
    Check(Same, Same);
  // Lines stay where they are.
  std::string Two = rewriteLaunches("k<<<1,\n 0, s>>>(\n x);\nint last;");
  EXPECT_EQ(llvm::StringRef(Two).count('\n'), 3u);
  EXPECT_TRUE(llvm::StringRef(Two).starts_with("BELAY_LAUNCH((k))"));
}

TEST(KernelScan, DeducesArgumentsOfLaunches) {
  const std::string Kernel = "template <typename T, int N = 4> __global__ "
                             "__launch_bounds__(8) void k(T *x)\n{ if (x) {} }";
  EXPECT_EQ(rewriteLaunches(Kernel + " int f() { ns::k<<<1, 0, s>>>(y); }"),
            Kernel + " struct belay_deduce_k { template < typename T , int N = "
                     "4 > ::belay::program::Instance<&k<T, N>> operator()( T * "
                     "x ) const; }; int f() { "
                     "BELAY_LAUNCH_DEDUCED((ns::belay_deduce_k))(1, 0, s)(y); "
                     "}");
  // The launch has them, or one has no name, or two kernels have the same.
  EXPECT_EQ(rewriteLaunches(Kernel + "int f() { k<int, 1><<<1, 0, s>>>(y); }"),
            Kernel + "int f() { BELAY_LAUNCH((k<int, 1>))(1, 0, s)(y); }");
  for (const std::string &Same :
       {std::string("template <typename> __global__ void k(int x) {}"),
        Kernel + " __global__ void k(int x) {}"})
    EXPECT_EQ(rewriteLaunches(Same + " k<<<1, 0, s>>>(y);"),
              Same + " BELAY_LAUNCH((k))(1, 0, s)(y);");
}

TEST(InternalNames, HaveSymbols) {
  EXPECT_EQ(nameInternals("namespace {\nint x;\n} namespace a { namespace\n"
                          "{ static inline __global__ void k() {} } }",
                          "f"),
            "inline namespace f {\nint x;\n} namespace a { inline namespace "
            "f\n{  inline __global__ void k() {} } }");
  for (llvm::StringRef Same :
       {"namespace a {}", "using namespace a;", "static int x;",
        "// namespace {", "#define B namespace {", "static void f() {}"})
    EXPECT_EQ(nameInternals(Same, "f"), Same);
}

TEST(KernelScan, FindsMain) {
  EXPECT_TRUE(definesMain("int main() { return 0; }"));
  EXPECT_TRUE(definesMain("int32_t main(int argc, char **argv)\n{\n}"));
  EXPECT_FALSE(definesMain("int main();"));
  EXPECT_FALSE(definesMain("// int main() {}\nvoid domain() {}"));
  EXPECT_FALSE(definesMain("struct A { int main(); }; int x = a.main();"));
  EXPECT_FALSE(definesMain("auto t = \"int main() {}\";"));
}

TEST(KernelScan, AnIncludeIsNoTemplate) {
  KernelScan Scan = scanKernels("#include <stdlib.h>\n"
                                "extern \"C\" __global__ void k() {}");
  ASSERT_EQ(Scan.Kernels.size(), 1u);
  EXPECT_FALSE(Scan.Kernels[0].Template);
}

TEST(KernelScan, Tiling) {
  KernelScan Scan = scanKernels(
      "void f() { GET_TILING_DATA_WITH_STRUCT(ns::T, data, tiling); }\n");
  EXPECT_EQ(Scan.TilingStructs, std::vector<std::string>{"ns::T"});
}

TEST(KernelScan, AsksForCore) {
  EXPECT_TRUE(asksForCore("#ifdef __DAV_C220_CUBE__\n#endif\n"));
  EXPECT_TRUE(asksForCore("#if defined(__DAV_C310_VEC__)\n#endif\n"));
  EXPECT_TRUE(asksForCore("if constexpr (g_coreType == AscendC::AIC) f();"));
  EXPECT_FALSE(asksForCore("// __DAV_C220_CUBE__\nint x;"));
  EXPECT_FALSE(asksForCore("#if defined(__DAV_C220__)\n#endif\n"));
}

TEST(ToStandardCpp, TakesLaunchesOut) {
  EXPECT_EQ(toStandardCpp("void go() {\n  k<<<8, nullptr, s>>>(x);\n}"),
            "void go() {\n                         ;\n}");
  EXPECT_EQ(toStandardCpp("if (a)\n ns::k<T, 2><<<b(1),\n c>>>(x(1), y); z"),
            "if (a)\n                    \n              ; z");
  EXPECT_EQ(toStandardCpp("k<64, 0x10u><<<1>>>(x);"),
            "                      ;");
  // An ASSERT in the middle of a statement, but not one of its own.
  EXPECT_EQ(toStandardCpp("n = t.n\nASSERT(f(n) != 0 && \"n\");"),
            "n = t.n\n                        ;");
  // No launch: shifts, text, comments, something that does not end.
  for (std::string Text :
       {"a << 1 < b", "\"<<<1>>>(x)\"", "// k<<<1>>>(x)", "a <<< b; c >>>(d)",
        "x < < < y > > > (z)", "k<<<1>>> x", "n = 1; ASSERT(n);",
        "if (a) ASSERT(b); else ASSERT(c)"})
    EXPECT_EQ(toStandardCpp(Text), Text);
}

TEST(ToStandardCpp, WritesAttributesAsMacros) {
  EXPECT_EQ(toStandardCpp("inline [aicore] void f();"),
            "inline  __aic__ void f();");
  EXPECT_EQ(toStandardCpp("#define D [host, aicore]\n"),
            "#define D  __aic__      \n");
  for (std::string Text : {"a[host]", "a[aicores]", "aicore", "\"[aicore]\""})
    EXPECT_EQ(toStandardCpp(Text), Text);
}

TEST(KernelScan, ReadsTokensAsClangDoes) {
  // Digit separators, raw strings, prefixes, splices, comments before '#'.
  EXPECT_TRUE(
      scanKernels("int n = 1'000'000; __global__ void k(int a) {}").find("k"));
  EXPECT_FALSE(
      scanKernels("auto s = R\"x(\" __global__ void k() )x\";").find("k"));
  EXPECT_FALSE(scanKernels("auto s = u8\"__global__ void k()\";").find("k"));
  EXPECT_TRUE(
      scanKernels("__glo\\\nbal__ void k(); __global__ void k() {}").find("k"));
  EXPECT_FALSE(scanKernels("/* */ #define K __global__ void k()\n").find("k"));
  EXPECT_FALSE(scanKernels("#define K \\\n __global__ void k()\n").find("k"));
}

TEST(KernelScan, SurvivesAnything) {
  std::mt19937 Random(1);
  const char *Pieces[] = {"__global__", "(",  ")",   "\"",   "'",     "R\"(",
                          "/*",         "//", "\n",  "\\\n", "#",     "<",
                          "void",       "k",  ",",   "::",   "[",     "]",
                          "{",          "}",  "<<<", ">>>",  "aicore"};
  for (int I = 0; I < 5000; ++I) {
    std::string Text;
    for (unsigned N = Random() % 40; N; --N)
      Text += std::string(Pieces[Random() % std::size(Pieces)]) +
              (Random() % 2 ? " " : "");
    scanKernels(Text);
    EXPECT_EQ(toStandardCpp(Text).size(), Text.size());
  }
}

TEST(KernelScan, KnowsWhatStandsBeforeAHeader) {
  auto First = [](llvm::StringRef Source) {
    return includesFirst(Source, "kernel_operator.h");
  };
  EXPECT_TRUE(First("#include \"kernel_operator.h\"\n"));
  EXPECT_TRUE(First("// a\n/* b\n */\n#pragma once\n\n"
                    "#  include \"kernel_operator.h\"\n"));
  EXPECT_FALSE(First(""));
  EXPECT_FALSE(First("/* never closed"));
  EXPECT_FALSE(First("// #include \"kernel_operator.h\"\n"));
  EXPECT_FALSE(First("#define N 1\n#include \"kernel_operator.h\"\n"));
  EXPECT_FALSE(First("#include \"other.h\"\n#include \"kernel_operator.h\"\n"));
  EXPECT_FALSE(First("#include \"kernel_operator.hpp\"\n"));
}

TEST(KernelScan, KnowsTheKernelLanguage) {
  EXPECT_TRUE(usesKernelLanguage("[[belay::kernel]] void f();"));
  EXPECT_TRUE(usesKernelLanguage("[[ belay :: kernel ]]\nvoid f();"));
  EXPECT_TRUE(
      usesKernelLanguage("  # include <belay/kernel.h>\n#include \"k.h\""));
  EXPECT_FALSE(usesKernelLanguage("// [[belay::kernel]]\nvoid f();"));
  EXPECT_FALSE(usesKernelLanguage("const char *S = \"[[belay::kernel]]\";"));
  EXPECT_FALSE(usesKernelLanguage("#include \"belay/kernel_operator.h\""));
  EXPECT_FALSE(
      usesKernelLanguage("#include \"belay/kernel.h\"\n"
                         "extern \"C\" __global__ __aicore__ void f();"));
}

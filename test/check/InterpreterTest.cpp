//===- InterpreterTest.cpp - The interpreter against the compiler ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same statements are compiled into this test and interpreted as the body
// of a kernel. They call observe(), which records a number in the one and uses
// an event id that does not exist in the other: the id is in the finding.
//
//===----------------------------------------------------------------------===//

#include "check/FrontEnd.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace belay;
using namespace belay::check;

namespace {

constexpr const char *Prelude = R"cpp(
using uint8_t = unsigned char; using uint16_t = unsigned short;
using int16_t = short; using int32_t = int; using uint32_t = unsigned;
using int64_t = long; using uint64_t = unsigned long;
enum class Pipe : uint8_t { S, V };
extern "C" void belay_sim_set_flag(Pipe From, Pipe To, int Id);
inline void observe(int64_t Value) {
  belay_sim_set_flag(Pipe::S, Pipe::V, int(1000 + Value));
}
extern "C" void unknown(uint32_t);
#define __gm__
)cpp";
constexpr const char *Entry =
    "extern \"C\" __attribute__((annotate(\"global\"), annotate(\"aicore\"))) "
    "void kernel(__gm__ uint8_t *gm, uint32_t n) {\n";

Report interpret(const std::string &Body, const std::string &Before = "") {
  FrontEndOptions Options;
  Options.Source = "/kernel.cpp";
  Options.Content = Prelude + Before + Entry + Body + "\n}\n";
  Options.ClangArgs = {"-std=c++20", "-w", "-fexceptions", "-fcxx-exceptions"};
  Options.Soc = "Ascend910B3";
  Report Result = checkFile(Options);
  EXPECT_EQ(Result.Kernels.size(), 1u) << *Options.Content;
  return Result;
}

/// What observe() was called with, on any path.
std::set<int64_t> observed(const Report &R) {
  std::set<int64_t> Result;
  for (const KernelReport &K : R.Kernels)
    for (const support::Diagnostic &D : K.Findings) {
      constexpr llvm::StringLiteral Mark("uses event id ");
      llvm::StringRef Text = D.Message;
      size_t At = Text.find(Mark);
      int64_t Id = 0;
      if (At != llvm::StringRef::npos &&
          !Text.drop_front(At + Mark.size()).consumeInteger(10, Id))
        Result.insert(Id - 1000);
    }
  return Result;
}

bool isUnknown(const Report &R, Topic T) {
  return R.verdictOf(R.Kernels.front(), T) == Verdict::Unknown;
}
bool isClean(const Report &R, Topic T) {
  return R.verdictOf(R.Kernels.front(), T) == Verdict::Clean;
}

/// Both, and compares. A path ends at its first observation.
#define SAME(...)                                                              \
  do {                                                                         \
    std::set<int64_t> Compiled;                                                \
    [&] {                                                                      \
      auto observe = [&](int64_t Value) {                                      \
        if (Compiled.empty())                                                  \
          Compiled.insert(Value);                                              \
      };                                                                       \
      __VA_ARGS__                                                              \
    }();                                                                       \
    EXPECT_EQ(observed(interpret(#__VA_ARGS__)), Compiled) << #__VA_ARGS__;    \
  } while (false)

TEST(Interpreter, Computes) {
  SAME(observe(7 * 6 - 40 / 3 % 5););
  SAME(int x = -7; observe(x / 2 * 100 + x % 3 + 500););
  SAME(uint32_t x = 3; observe((x - 5) > 100 ? 1 : 2););
  SAME(uint16_t x = 65535; ++x; observe(x););
  SAME(uint8_t x = 250; x += 10; observe(x););
  SAME(int64_t x = int64_t(1) << 40; observe(x >> 38););
  SAME(uint32_t x = 1u << 31; observe((x << 1) + 9););
  SAME(int x = 0x5a; observe((x & 0xf0) | (~x & 0x0f)););
  SAME(int16_t x = int16_t(40000); observe(x / 100););
  SAME(bool a = 3 > 2; bool b = !a; observe(a * 10 + b););
}

TEST(Interpreter, EvaluatesOnlyWhatIsAskedFor) {
  SAME(int x = 0; (void)(false && ++x); (void)(true || ++x); observe(x););
  SAME(int x = 1; int y = x++; observe(y * 10 + ++x););
  SAME(int x = 5; int y = x > 3 ? 1 : (x = 9); observe(x * 10 + y););
  SAME(int y = 0; int x = (y = 4, 2); observe(x * 10 + y););
}

TEST(Interpreter, Loops) {
  SAME(int s = 0; for (int i = 0; i < 10; ++i) s += i; observe(s););
  SAME(int s = 0; for (int i = 0; i < 10; ++i) {
    if (i % 3 == 0)
      continue;
    if (i == 8)
      break;
    s += i;
  } observe(s););
  SAME(int i = 0; do { i += 3; } while (i < 10); observe(i););
  SAME(int i = 20; while (i > 7) i -= 4; observe(i););
  SAME(int s = 0;
       for (int i = 0; i < 3; ++i) for (int j = i; j < 3; ++j) s += 10 * i + j;
       observe(s););
  SAME(int a[4] = {1, 2, 3, 4}; int s = 0; for (int x : a) s = 2 * s + x;
       observe(s););
}

TEST(Interpreter, Switches) {
  SAME(int s = 0; for (int i = 0; i < 5; ++i) switch (i) {
    case 1:
      s += 1;
      [[fallthrough]];
    case 2:
      s += 10;
      break;
    case 3:
      break;
    default:
      s += 100;
  } observe(s););
}

TEST(Interpreter, CallsAndCaptures) {
  SAME(struct Local {
    static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1);
}
}; // namespace
observe(Local::factorial(5)););
SAME(int x = 1; auto add =
                    [&](int y) {
                      x += y;
                      return x;
                    };
     add(2); observe(add(3) * 10 + x););
SAME(int x = 1; auto copy = [x](int y) { return x + y; }; x = 100;
     observe(copy(1)););
}

TEST(Interpreter, FollowsPointersAndReferences) {
  SAME(int a[3] = {1, 2, 3}; int *p = a + 1; *p = 7; p[1] += 2;
       observe(a[1] * 10 + a[2]););
  SAME(int x = 1; int &r = x; r = 5; int *p = &r; ++*p; observe(x););
}

TEST(Interpreter, KeepsObjectsApart) {
  SAME(struct Point {
    int x = 1, y = 2;
    void move(int by) { x += by; }
  };
       Point a; Point b = a; b.move(5); a.y = 7;
       observe(a.x * 1000 + a.y * 100 + b.x * 10 + b.y););
  SAME(int count = 0; {
    struct Guard {
      int &c;
      ~Guard() { c += 3; }
    };
    Guard g{count};
    count = 1;
  } observe(count););
}

/// The launch decides: each branch is a path, and conditions that repeat, or
/// that follow from others, are none.
TEST(Interpreter, FollowsEveryPath) {
  Report R = interpret("if (n > 3)\n observe(1);\n else\n observe(2);");
  EXPECT_EQ(observed(R), (std::set<int64_t>{1, 2}));
  EXPECT_EQ(R.Kernels[0].Paths, 2u);
  EXPECT_EQ(
      interpret("int x = 0; if (n > 3) ++x; if (n > 3) ++x;").Kernels[0].Paths,
      2u);
  R = interpret("if (n > 3) { if (n < 2) observe(1); else observe(2); }");
  EXPECT_EQ(observed(R), (std::set<int64_t>{2}));
  // One value only, or several.
  R = interpret("if (n > 3 && n < 5) observe(n);");
  EXPECT_EQ(observed(R), (std::set<int64_t>{4}));
  R = interpret("if (n > 3 && n < 6) observe(n);");
  EXPECT_EQ(observed(R), (std::set<int64_t>{}));
}

/// What is not followed makes the topics unknown, never clean.
TEST(Interpreter, IsNeverCleanWhereItDidNotLook) {
  EXPECT_TRUE(isClean(interpret("int x = 1;"), Topic::Bounds));
  EXPECT_TRUE(isUnknown(interpret("unknown(n);"), Topic::Bounds));
  EXPECT_TRUE(isUnknown(interpret("for (;;) ;"), Topic::Bounds));
  EXPECT_TRUE(isUnknown(
      interpret("recurse(n);", "void recurse(uint32_t n) { recurse(n); }"),
      Topic::Bounds));
  EXPECT_TRUE(isUnknown(
      interpret("void (*f)(uint32_t) = (void (*)(uint32_t))gm; f(n);"),
      Topic::Bounds));
  EXPECT_TRUE(isUnknown(interpret("asm volatile(\"nop\");"), Topic::Bounds));
  EXPECT_TRUE(isUnknown(interpret("try { unknown(n); } catch (...) {}"),
                        Topic::Bounds));
  // An id that is not known is not reported as another.
  Report R = interpret("int a[4]; int *p = a + 3; observe(p - a);");
  EXPECT_TRUE(observed(R).empty());
  EXPECT_TRUE(isUnknown(R, Topic::Sync));
}

TEST(Interpreter, SaysWhatDoesNotCompile) {
  FrontEndOptions Options;
  Options.Source = "/kernel.cpp";
  Options.Content = "this is no C++";
  Options.Soc = "Ascend910B3";
  Report R = checkFile(Options);
  EXPECT_TRUE(R.Kernels.empty());
  ASSERT_EQ(R.Problems.size(), 1u);
  EXPECT_EQ(R.Problems[0].Id, support::DiagId::CompileError);
}

} // namespace

//===- DiagnosticsTest.cpp - Ids, pages and printing ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Diagnostics.h"
#include "support/SourceFiles.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <set>

using namespace belay::support;
using namespace llvm;

TEST(Diagnostics, EveryIdHasAPageAndEveryPageAnId) {
  std::set<StringRef> Ids, Pages;
  for (const DiagInfo &Info : AllDiagnostics)
    EXPECT_TRUE(Ids.insert(Info.Name).second) << "twice: " << Info.Name;
  for (StringRef Name : allExplainPages())
    Pages.insert(Name);
  EXPECT_EQ(Ids, Pages);
}

TEST(Diagnostics, PagesHaveTheirParts) {
  for (StringRef Name : allExplainPages()) {
    SCOPED_TRACE(Name.str());
    StringRef Page = getExplainPage(Name);
    EXPECT_TRUE(Page.starts_with(("# " + Name + "\n\n").str()));
    size_t Last = 0;
    for (StringRef Part : {"\n## Rule\n", "\n## Why it matters", "\n## Bad\n",
                           "\n## Good\n", "\n## How to fix it\n"}) {
      size_t At = Page.find(Part);
      EXPECT_NE(At, StringRef::npos) << Part.str();
      EXPECT_LE(Last, At) << Part.str();
      Last = At;
    }
  }
}

TEST(Diagnostics, TableIsIndexedById) {
  for (const DiagInfo &Info : AllDiagnostics) {
    EXPECT_EQ(getName(Info.Id), Info.Name);
    EXPECT_EQ(findDiagnostic(Info.Name), &Info);
  }
  EXPECT_EQ(findDiagnostic("no-such-id"), nullptr);
}

static std::string print(const Diagnostic &Diag) {
  std::string Text;
  raw_string_ostream OS(Text);
  printDiagnostic(OS, Diag, Styling(false));
  return Text;
}

TEST(Diagnostics, PrintsWithoutAPlace) {
  EXPECT_EQ(print({DiagId::BadCase, {}, "no kernel", {}}),
            "belay: error: no kernel [bad-case]\n");
  EXPECT_EQ(print({DiagId::KernelTrap, {"a.cpp", 0, 0}, "", {}}),
            "a.cpp: error: The kernel called trap() [kernel-trap]\n");
}

TEST(Diagnostics, PrintsSourceLineAndNotes) {
  SmallString<128> Path;
  int File;
  ASSERT_FALSE(sys::fs::createTemporaryFile("diag", "cpp", File, Path));
  raw_fd_ostream(File, /*shouldClose=*/true) << "one\n\tDataCopy(x);\n";
  std::string P = Path.str().str();
  // Nobody has said that the file is part of the kernel.
  EXPECT_EQ(print({DiagId::GmOutOfBounds, {P, 1, 1}, "over", {}}),
            P + ":1:1: error: over [gm-out-of-bounds]\n");
  allowSources(P);
  EXPECT_EQ(print({DiagId::GmOutOfBounds,
                   {P, 2, 2},
                   "over",
                   {{{P, 1, 0}, "made here"}, {{}, "core 3"}}}),
            P + ":2:2: error: over [gm-out-of-bounds]\n  \tDataCopy(x);\n" +
                "  \t^\n" + P + ":1: note: made here\n  one\n" +
                "belay: note: core 3\n");
  EXPECT_EQ(print({DiagId::GmOutOfBounds, {P, 99, 1}, "over", {}}),
            P + ":99:1: error: over [gm-out-of-bounds]\n");
  sys::fs::remove(Path);
}

TEST(Diagnostics, HintNamesEachIdOnce) {
  std::string Text;
  raw_string_ostream OS(Text);
  Diagnostic A{DiagId::BadMask, {}, "", {}}, B{DiagId::BadRepeat, {}, "", {}};
  printExplainHint(OS, {A, B, A}, Styling(false));
  EXPECT_EQ(Text, "for details and fixes: belay explain bad-mask, "
                  "belay explain bad-repeat\n");
}

TEST(Styling, PaintsOnlyWhenEnabled) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Styling(false).paint(Tone::Bad, "x")
     << Styling(true).paint(Tone::Bad, "y")
     << Styling(true).paint(Tone::Plain, "z");
  EXPECT_EQ(Text, "x\x1b[1;31my\x1b[0mz");
}

TEST(Styling, HonoursTheEnvironment) {
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
  EXPECT_FALSE(Styling(nulls()).isEnabled());
  ::setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(Styling(nulls()).isEnabled());
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(Styling(nulls()).isEnabled());
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
}

//===- Messages.cpp - What passes say, in the words of the source ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "support/DiagnosticError.h"
#include "support/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace belay;
using namespace belay::kernelc;
using namespace llvm;

static void replaceAll(std::string &Text, StringRef Old, StringRef New) {
  for (size_t At = 0; (At = Text.find(Old, At)) != std::string::npos;
       At += New.size())
    Text.replace(At, Old.size(), New);
}

/// "'ascend.store' op moves 'f32' (W3)" becomes "this operation moves 'float'".
static std::string inWordsOfTheSource(StringRef Raw) {
  auto [Name, Rest] = Raw.split("' op ");
  std::string Text = Raw.str();
  if (!Rest.empty() && Name.consume_front("'") && !Name.contains(' '))
    Text = ("this operation " + Rest).str();
  Text = Regex(" \\([A-Z][0-9]+\\)").sub("", Text);
  replaceAll(Text, "'f32'", "'float'");
  replaceAll(Text, "'f16'", "'half'");
  replaceAll(Text, "'bf16'", "'bfloat16'");
  replaceAll(Text, "'i1'", "'bool'");
  replaceAll(Text, "'index'", "'i64'");
  return Text;
}

/// Whether operations or types of the IR are left in a text.
static bool mentionsIr(StringRef Text) {
  return any_of(ArrayRef<StringRef>{"'ascend.", "'arith.", "'func.", "'math.",
                                    "'memref.", "'scf.", "'tensor.",
                                    "'builtin.", "memref<", "tensor<",
                                    "!ascend.", "#ascend."},
                [&](StringRef Word) { return Text.contains(Word); });
}

std::string Messages::reword(mlir::Diagnostic &Diag) {
  std::string Raw = Diag.str();
  std::string Text = Debug ? Raw : inWordsOfTheSource(Raw);
  if (Diag.getSeverity() != mlir::DiagnosticSeverity::Error)
    return Text;
  // "... [id]", where the pass knows one.
  StringRef Id = StringRef(Text).rsplit('[').second;
  const support::DiagInfo *Known =
      Id.consume_back("]") ? support::findDiagnostic(Id) : nullptr;
  if (!Debug && mentionsIr(Text)) {
    Text = "Belay cannot compile this, which is a defect of Belay; "
           "BELAY_DEBUG=1 shows why [belay-failed]";
    Known = support::findDiagnostic("belay-failed");
  } else if (!Known) {
    Text += " [not-emitted]";
  }
  Failed |= Known && exitStatusOf(Known->Id) == support::ExitStatus::Failed;
  return Text;
}

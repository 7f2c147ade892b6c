//===- Common.td - What options of belay look like ---------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each subcommand has a file of options. The parser, the help and the enumeration
// that the subcommand switches over are made from it: an option that no code
// handles does not compile.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

// A heading of the help.
class Titled<string title> : OptionGroup<title>, HelpText<title>;

// --name
class Switch<string name, string help> : Flag<["--"], name>, HelpText<help>;

// --name VALUE, --name=VALUE
multiclass Value<string name, string value, string help> {
  def NAME : Separate<["--"], name>, MetaVarName<value>, HelpText<help>;
  def NAME#_equals : Joined<["--"], name#"=">, Alias<!cast<Option>(NAME)>;
}

// -x
class Letter<string name, string help> : Flag<["-"], name>, HelpText<help>;

// -x VALUE, -xVALUE
class LetterWith<string name, string value, string help>
    : JoinedOrSeparate<["-"], name>, MetaVarName<value>, HelpText<help>;

// What follows -- is no option.
def dash_dash : Option<["--"], "", KIND_REMAINING_ARGS>;

//===- OptionTable.h - The options of one subcommand ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   #define BELAY_OPTIONS "options/Run.inc"
//   #include "OptionTable.h"
//
// makes of options/Run.td, in the file that includes it,
//
//   enum class Opt        the options; spellings with '=' are the same option
//   optionTable()         what parses and describes them
//
// A subcommand switches over Opt without a default: -Werror=switch refuses an
// option of the table that no code handles.
//
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(llvm-header-guard): included once for each table.
#ifndef BELAY_OPTIONS
#error "define BELAY_OPTIONS before including this"
#endif

#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include BELAY_OPTIONS
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include BELAY_OPTIONS
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum : unsigned {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include BELAY_OPTIONS
#undef OPTION
};

// Of the kinds of TableGen, those that a subcommand sees; Joined ones are other
// spellings of theirs.
#define BELAY_OPT_Flag(Id) Id = OPT_##Id,
#define BELAY_OPT_Separate(Id) Id = OPT_##Id,
#define BELAY_OPT_JoinedOrSeparate(Id) Id = OPT_##Id,
#define BELAY_OPT_Joined(Id)
#define BELAY_OPT_Group(Id)
#define BELAY_OPT_Input(Id)
#define BELAY_OPT_Unknown(Id)
#define BELAY_OPT_RemainingArgs(Id)
enum class Opt : unsigned {
#define OPTION(Prefixes, Name, Id, Kind, ...) BELAY_OPT_##Kind(Id)
#include BELAY_OPTIONS
#undef OPTION
};
#undef BELAY_OPT_Flag
#undef BELAY_OPT_Separate
#undef BELAY_OPT_JoinedOrSeparate
#undef BELAY_OPT_Joined
#undef BELAY_OPT_Group
#undef BELAY_OPT_Input
#undef BELAY_OPT_Unknown
#undef BELAY_OPT_RemainingArgs

using llvm::opt::DefaultVis; // TableGen leaves the namespace out
constexpr llvm::opt::OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include BELAY_OPTIONS
#undef OPTION
};

class CommandOptions : public llvm::opt::GenericOptTable {
public:
  CommandOptions()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};

[[maybe_unused]] const llvm::opt::OptTable &optionTable() {
  static const CommandOptions Table;
  return Table;
}

} // namespace

#undef BELAY_OPTIONS
// NOLINTEND(llvm-header-guard)

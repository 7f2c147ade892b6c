//===- CompilePlan.cpp - The command lines of one compilation -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CompilePlan.h"
#include "support/Resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace belay::compiler;

StringRef belay::compiler::nameOf(Backend By) {
  switch (By) {
  case Backend::Auto:
    return "auto";
  case Backend::Bisheng:
    return "bisheng";
  case Backend::Aclrtc:
    return "aclrtc";
  }
  llvm_unreachable("backend outside its enumeration");
}

namespace {

class Planner {
public:
  Planner(const PlanInput &Input, StringRef Source, StringRef Folder)
      : Input(Input), Target(*Input.Target), Source(Source), Folder(Folder) {}

  CompilePlan make() {
    if (Input.By == Backend::Aclrtc)
      planLibrary();
    else if (Input.ForeignFlags)
      planForeign();
    else
      planTarget();
    return std::move(Plan);
  }

private:
  std::string inFolder(const Twine &Name) const {
    return (Folder + "/" + Name).str();
  }

  /// Runs the compiler once; what it makes and reads goes to Name.
  void addCompile(std::vector<std::string> Flags, const std::string &Name) {
    std::vector<std::string> Args = {Input.With->Bisheng};
    append_range(Args, Flags);
    Plan.Depfiles.push_back(inFolder(Name + ".d"));
    Plan.Object = inFolder(Name);
    append_range(Args,
                 std::vector<std::string>{"-MD", "-MF", Plan.Depfiles.back(),
                                          "-o", Plan.Object, Source.str()});
    Plan.Commands.push_back(std::move(Args));
  }

  void planForeign() { addCompile(*Input.ForeignFlags, "out"); }

  /// The target's flags, less what the user's options replace.
  std::vector<std::string> ownFlags() const {
    std::vector<std::string> Flags;
    for (std::string &Flag : flagsFor(Target, Input.Out)) {
      StringRef Name = Flag;
      if ((Input.Options->HasStandard && Name.starts_with("-std=")) ||
          (Input.Options->HasOptimisation && Name.starts_with("-O")))
        continue;
      Flags.push_back(std::move(Flag));
    }
    return Flags;
  }

  void planTarget() {
    std::vector<std::string> Common = ownFlags();
    if (Target.Lang == Language::Cce) {
      for (const std::string &Dir : Input.With->cceIncludeDirs())
        Common.push_back("-I" + Dir);
      if (std::string Header = Input.With->versionHeader(); !Header.empty())
        Common.insert(Common.end(), {"-include", Header});
    }
    append_range(Common, Input.Options->Args);

    bool Link = Target.linksObjects() && Input.Out == Output::Object;
    std::vector<std::string> Parts;
    for (StringRef Arch : Target.ArchFlags) {
      std::vector<std::string> Flags = {Arch.str()};
      append_range(Flags, Common);
      addCompile(std::move(Flags),
                 Link ? "part" + std::to_string(Parts.size()) + ".o" : "out");
      Parts.push_back(Plan.Object);
    }
    if (!Link)
      return;
    Plan.Object = inFolder("out");
    std::vector<std::string> Args = {Input.With->Linker};
    append_range(Args, deviceLinkFlags());
    append_range(Args, Parts);
    Args.insert(Args.end(), {"-o", Plan.Object});
    Plan.Commands.push_back(std::move(Args));
  }

  /// The library knows the language and the standard by itself.
  void planLibrary() {
    Plan.Object = inFolder("out");
    std::vector<std::string> Args = {
        belay::support::getLibexecPath("belay-rtc"), Input.With->Rtc,
        Source.str(), Plan.Object, Target.ArchFlags.front().str()};
    append_range(Args, Input.Options->Args);
    Plan.Commands.push_back(std::move(Args));
  }

  const PlanInput &Input;
  const DeviceTarget &Target;
  StringRef Source, Folder;
  CompilePlan Plan;
};

} // namespace

CompilePlan belay::compiler::makePlan(const PlanInput &Input, StringRef Source,
                                      StringRef Folder) {
  return Planner(Input, Source, Folder).make();
}

//===- KernelState.h - What is found out about one kernel -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_KERNELSTATE_H
#define BELAY_CHECK_KERNELSTATE_H

#include "abi/Wording.h"
#include "check/Findings.h"
#include "check/Paths.h"
#include "check/Report.h"
#include "check/Store.h"
#include "check/Visited.h"
#include "targets/Target.h"
#include "clang/AST/APValue.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <memory>
#include <set>

namespace belay::check {

/// Whole numbers of an argument that were copied, at places that are multiples
/// of so many bytes.
struct ArgumentElements {
  unsigned Argument;
  int64_t Alignment;
};

/// What a memory holds: such numbers, or other things.
struct HeldElements {
  std::optional<ArgumentElements> Of;
  /// Where one of them was taken for a number of that argument.
  clang::SourceLocation Trusted = {};
};

/// A condition that only the launch decides: two numbers, of which one is not
/// negative.
struct Condition {
  Number Yes, No;
  bool Equality = false; // Yes is zero
  bool Negated = false;

  /// Adds what follows from the decision.
  void assume(Facts &Known, bool Taken) const;
  void note(Findings &Found, bool Taken, bool Loop) const;
  /// What a launch has to meet for it to hold.
  Findings::Requirement required() const;
};

struct PathSummary;
struct CommonFacts;
struct DistinctUse;

/// How much work a kernel may be.
struct Limits {
  unsigned StepsPerPath = 300000;
  unsigned Paths = 96;
  unsigned Steps = 2500000;
  /// Of a kernel with more paths than that.
  unsigned HopelessSteps = 300000;
  /// Steps of proofs, which take longer than those of the kernel.
  unsigned SearchPerPath = 400000;
  unsigned Search = 6000000;

  void scale(unsigned Times) {
    for (unsigned *Each : {&StepsPerPath, &Paths, &Steps, &HopelessSteps,
                           &SearchPerPath, &Search})
      *Each *= Times;
  }
};

/// Shared by all paths through one kernel.
struct KernelState {
  KernelState(clang::SourceManager &Sources, const targets::Soc &Target,
              bool CompilerSync, Report &Out)
      : Sources(Sources), Target(Target), CompilerSync(CompilerSync), Out(Out) {
  }

  clang::SourceManager &Sources;
  const targets::Soc &Target;
  bool CompilerSync;
  Report &Out;
  check::Limits Limits;
  std::string Name;
  bool TakesAssumptions = true;

  /// What the scalar unit did to global memory, on all paths: blocks take
  /// different ones.
  struct ScalarAccess {
    RegionId In;
    int64_t Begin;
    unsigned Phase;
    clang::SourceLocation At;
    std::string Name;
    unsigned Path;
    bool Left; ///< Still in the cache at the barrier.
  };
  std::vector<ScalarAccess> ScalarReads, ScalarWrites;
  void compareCaches();
  /// Arguments, by the first phase of which something was still in a cache at
  /// the next barrier; the last phase in which they are read; where the scalar
  /// unit reads again what it has read before a barrier.
  std::map<unsigned, unsigned> Hidden, LastRead;
  std::map<unsigned, clang::SourceLocation> ReadAgain;
  void compareLines();

  /// A fact that sends only some blocks down a path, and the index of
  /// the SyncAll they reached, or how many they reached in all.
  struct BarrierCount {
    Number Fact;
    unsigned Count;
    clang::SourceLocation At;
    bool Works = true; ///< They touch global memory.
    std::vector<Decision> Trail = {};
  };
  std::vector<BarrierCount> BarriersOfSome, BarriersOn;
  void compareBarriers();

  /// A guard `block <= limit`: too many if those past the limit do nothing.
  struct Guard {
    Number Fact;
    clang::SourceLocation At;
    sim::wording::Text Text;
    std::string Buffer;
  };
  std::vector<Guard> OneTooMany;
  void compareGuards();

  /// A 32-bit product that was widened, and the products by which addresses in
  /// global memory are found.
  struct Widening {
    Number Product;
    clang::SourceLocation At, WidenedAt;
    std::string Type;
    llvm::SmallVector<SymbolId, 4> Small; ///< That the path knows to be small.
    /// What launches are asked for, if they have the numbers.
    bool Required = false;
    /// Not negative if it is not too large.
    Number Room;
  };
  std::vector<Widening> Widenings;
  /// Products that were a number of elements in local memory.
  std::set<std::vector<SymbolId>> LocalProducts;
  llvm::DenseSet<uint32_t> Offsets;
  std::vector<Product> OffsetProducts;
  bool isNumberOfRows(const Product &P) const;
  void compareOffsets();

  /// What a block had written to a workspace when it came to a barrier of all
  /// cores, the first of which is 0 (Workspaces.cpp).
  struct Contribution {
    unsigned Argument;
    Number Begin, End;
  };
  struct Arrival {
    unsigned Barrier;
    bool Counted; ///< It is the same one on all paths.
    Facts Known;
    std::vector<Decision> Trail;
    std::vector<Contribution> Wrote;
  };
  std::vector<Arrival> Arrivals;
  /// What each of the first blocks writes, by its index.
  struct PartOfBlock {
    Number Begin, End, Blocks;
  };
  /// What is read after a barrier and was written by others: in such parts, or
  /// by block 0.
  struct Reliance {
    unsigned Barrier, Argument;
    clang::SourceLocation At;
    std::vector<Decision> Trail;
    std::optional<PartOfBlock> Part;
    Number Begin, End;
  };
  std::vector<Reliance> Reliances;
  void compareWorkspaces();

  /// Loops that some path did not follow to the end, and that some path did.
  /// Which ways conditions went, on any path.
  std::set<std::pair<const void *, bool>> Ways;
  llvm::SetVector<const clang::Stmt *> CutLoops;
  llvm::DenseSet<const clang::Stmt *> LeftLoops;

  /// A loop whose end the launch decides was followed.
  bool AnyOpenLoop = false;
  /// Blocks are apart because accesses stay in their tensors.
  bool ReliesOnTensors = false;

  // --- later iterations (LoopProof.h) ----------------------------------------
  /// The kernel is followed for the second time, for what holds in every
  /// iteration: what is found is not known to be a mistake.
  bool Proving = false;
  /// A loop is proved from its first iteration on, also where facts from before
  /// it say that it goes on for some more: inside other loops these multiply.
  bool ProvesEarly = false;
  /// Topics that were clean the first time. Whether none of them still is.
  llvm::ArrayRef<Topic> Requested;
  bool nothingLeft() const;
  /// Whether T will not be clean, whatever else is seen.
  bool isSettled(Topic T) const;
  /// Whether it is unknown, whatever the launch is.
  bool isDoubted(Topic T) const;
  /// After how many iterations a loop does the same again; one if not said.
  std::map<const clang::Stmt *, unsigned> Periods;
  unsigned periodOf(const clang::Stmt *Loop) const {
    auto At = Periods.find(Loop);
    return At == Periods.end() ? 1 : At->second;
  }
  /// Variables of which nothing is known in later iterations.
  std::set<std::pair<const clang::Stmt *, std::string>> LostVariables;
  /// Arguments that the kernel writes, as far as is known. Reads of others are
  /// ordered with nothing.
  std::set<unsigned> WrittenArguments;
  /// The kernel is to be followed anew, with another period or one variable
  /// less.
  bool Retry = false;
  void retryWith(const clang::Stmt *Loop, unsigned Period);
  /// Symbols of variables of which the loop says no step.
  std::map<SymbolId, std::pair<const clang::Stmt *, PathId>> CarriedBy;
  bool loseVariable(const clang::Stmt *Loop, const std::string &Variable);
  /// Symbols for how often a period was repeated, and their loops.
  std::map<SymbolId, const clang::Stmt *> Iterations;
  unsigned Paths = 0;
  bool CutShort = false; ///< There are more than were followed.
  /// Where a path was left that is too long to be followed.
  clang::SourceLocation TooLong;
  /// The paths followed so far, for those that other blocks may take at the
  /// same time (Cores.cpp).
  std::vector<std::shared_ptr<const PathSummary>> Summaries;
  unsigned PathComparisons = 0;
  /// By the number of their list (PathPairs.cpp).
  std::map<uint32_t, std::shared_ptr<CommonFacts>> Common;
  /// Accesses that differ, and of which two it is known whether they are apart.
  std::vector<std::shared_ptr<DistinctUse>> DistinctUses;
  std::unordered_multimap<size_t, size_t> UsesByKey;
  std::map<std::pair<size_t, size_t>, bool> ApartUses;
  /// Of two lists of facts.
  std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<CommonFacts>> Pairs;

  Symbols Names;
  Findings Found{Names};
  llvm::DenseMap<const clang::Expr *, clang::APValue> Constants;

  // --- conditions -----------------------------------------------------------
  Value condition(const Condition &C);
  std::optional<Condition> meaningOf(const Number &N) const;

  // --- places ---------------------------------------------------------------
  bool inHeaders(clang::SourceLocation At);
  /// In those of Belay that describe instructions. AscendC::Std computes, as
  /// other libraries do.
  bool inOwnHeaders(clang::SourceLocation At) const;
  support::SourcePlace place(clang::SourceLocation At) const;
  const clang::RecordDecl *abiRecord(clang::ASTContext &AST,
                                     llvm::StringRef Name);

  // --- results --------------------------------------------------------------
  /// Something is wrong on this path, or not known after what is wrong. Where a
  /// loop of the launch ran empty on it, launches are clean in which it does
  /// not.
  void doubt(Topic T, clang::SourceLocation At, const llvm::Twine &Why);
  struct Side {
    clang::SourceLocation At;
    std::string Role;
  };
  /// Choices: how many of the path's had been made.
  void find(llvm::StringRef Id, const Side &Here, const Side &Other,
            const sim::wording::Text &Text, llvm::StringRef Buffer = "",
            const Findings::Concern &Of = {}, size_t Choices = ~size_t(0),
            size_t Since = 0);
  void unknown(Topic T, clang::SourceLocation At, const llvm::Twine &Why);
  void settleClauses(KernelReport &Of, bool Short) {
    Found.settleClauses(Of, ChangedArguments, !BothHalves, Short);
  }
  /// Arguments that the kernel itself writes.
  std::set<unsigned> ChangedArguments;
  /// Paths end where others have been (Visited.h), by states.
  bool Joins = false;
  unsigned Joined = 0; ///< So many paths.
  std::map<std::string, std::vector<VisitedState>> Visited;
  /// Arguments that addresses of tensors are read from, and where (Lists.cpp).
  std::map<unsigned, clang::SourceLocation> Lists;
  void doubtChangedLists();
  /// What memories hold, by their names; see Elements.cpp.
  std::map<std::string, HeldElements> Held;
  void wroteElements(const std::string &Name,
                     std::optional<ArgumentElements> Copied);
  /// Takes N, in which there are elements of arguments, to be not negative:
  /// the launch decides it. Whether there are, and it does.
  bool assumesElements(const Number &N, const Facts &Known,
                       clang::SourceLocation At);
  void doubtMixedElements();
  /// What instructions read and write of global memory, by arguments. Where
  /// they read what they write, blocks may see what others have written.
  std::set<unsigned> GlobalReads, GlobalWrites;
  bool readsWhatItWrites() const {
    return llvm::any_of(GlobalReads,
                        [&](unsigned A) { return GlobalWrites.count(A); });
  }
  /// That lengths of copies are full blocks is a condition of values; and might
  /// have been one.
  bool AsksFullBlocks = false, MayAskFullBlocks = false;
  /// Cube and vector cores run it, which count blocks differently. CubeAlone:
  /// only cube cores do, as the kernel says.
  bool BothHalves = false, CubeAlone = false;
  /// A block may have two vector cores, and indices go up to twice the number
  /// of blocks. Restart: seen only after an index had been taken to be smaller.
  bool TwoPerBlock = false, AskedIndex = false, Restart = false;
  void hasTwoPerBlock() {
    Restart |= AskedIndex && !TwoPerBlock;
    BothHalves = TwoPerBlock = true;
  }
  /// One of these has to hold: a clause if launches have the numbers, else
  /// unknown.
  void require(Topic T, clang::SourceLocation At, const llvm::Twine &Why,
               llvm::ArrayRef<Findings::Requirement> Any);
  /// Whether launches know a number that is no larger than N in any iteration.
  bool canBound(const Number &N, const Facts &Known) const;
  void requireNotNegative(Topic T, clang::SourceLocation At,
                          const llvm::Twine &Why, const Number &N) {
    require(T, At, Why, {{Clause::Atom::Kind::NotNegative, N}});
  }
  /// What is known on the path that is followed.
  const Facts *OnPath = nullptr;
  /// What has to hold there for bounds to be kept.
  std::vector<Number> Expected;
  /// How many bytes arguments have to have, as far as launches were asked.
  std::map<unsigned, llvm::SmallVector<Number, 4>> Sizes;
  /// How many places may still be asked whether anything fits there.
  unsigned TightQuestions = 256;
  void unknownEverywhere(clang::SourceLocation At, const llvm::Twine &Why);
  /// A list became too long. A proof, which follows the kernel once more, needs
  /// shorter ones: only if there is none, its topic is unknown.
  void tooMany(Topic T, clang::SourceLocation At, llvm::StringRef Why);
  struct LongList {
    Topic Of;
    clang::SourceLocation At;
    std::string Why;
  };
  std::vector<LongList> LongLists;
  /// A function without a body: what it does is not known.
  void notFollowed(clang::SourceLocation At,
                   const clang::FunctionDecl *Function);
  /// A function of the user's is called from the kernel.
  void called(const clang::FunctionDecl *Function, const clang::Expr *Call);

  /// Whether launches decide that, of a multiple.
  bool canRequire(const Findings::Requirement &R, const Facts &Known) const;

private:
  bool isPossible(const Facts &Path) const;
  std::optional<Number> inAllIterations(Number N, const Facts &Known) const;
  Number withoutDerived(Number N, const Facts &Known) const;
  void requireOne(Topic T, clang::SourceLocation At, const llvm::Twine &Why,
                  const Findings::Requirement &R, const Facts &Known,
                  llvm::ArrayRef<Findings::Requirement> Or = {});
  void requireMultiple(Topic T, clang::SourceLocation At,
                       const llvm::Twine &Why, const Findings::Requirement &R,
                       const Facts &Known,
                       llvm::ArrayRef<Findings::Requirement> Or);

  std::map<SymbolId, Condition> Conditions;
  llvm::DenseMap<clang::FileID, bool> Headers;
  llvm::StringMap<const clang::RecordDecl *> AbiRecords;
  llvm::DenseSet<const clang::FunctionDecl *> Seen;
};

} // namespace belay::check

#endif // BELAY_CHECK_KERNELSTATE_H

//===- Runtime.h - The device as far as the source shows it -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second implementation of src/abi: where the simulator executes an
// instruction, this one notes which bytes it touches, on which pipe, and checks
// that. Bytes are ranges of terms, contents are not kept.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_RUNTIME_H
#define BELAY_CHECK_RUNTIME_H

#include "check/AbiCalls.h"
#include "check/Bounded.h"
#include "check/DeviceState.h"
#include "check/Events.h"
#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "order/AutoSync.h"
#include "order/PipeClocks.h"
#include <array>
#include <deque>
#include <map>
#include <set>

namespace belay::check {

class Runtime {
public:
  Runtime(Interpreter &I, KernelState &Kernel);

  Value call(llvm::StringRef Name, const clang::FunctionDecl *Function,
             llvm::ArrayRef<Value> Args, const clang::CallExpr *E);

  // --- memories -------------------------------------------------------------
  /// Tiling: what it points to are numbers that the host chose, not data.
  Value argument(unsigned Index, const std::string &Name, bool Tiling);
  std::string nameOf(RegionId R) const { return Regions[R].Name; }
  Origin originOf(RegionId R) const { return Regions[R].From; }
  bool isGlobal(RegionId R) const { return Regions[R].Where == sim::Space::GM; }
  unsigned contentsOf(RegionId R) const { return Regions[R].Contents; }
  /// Where an address leads that the kernel has read; nothing if nobody knows.
  std::optional<Value> tensorAt(const Value &Address, clang::SourceLocation At);
  /// Whether two accesses go through addresses at different places of a list.
  bool inOtherTensors(const Operand &A, const Operand &B);
  /// The address that an access to such a tensor goes through.
  std::optional<SymbolId> tensorOf(const Operand &O) const;
  /// Which argument is the list of such a tensor; nothing if it is none.
  std::optional<unsigned> listOfTensor(RegionId R) const;
  /// Which argument it is; nothing if it is none.
  std::optional<unsigned> argumentOf(RegionId R) const;
  /// The smallest and the largest of the elements of an argument, where what is
  /// read there is one of them.
  std::optional<std::pair<Number, Number>> extremesAt(const Value &Address,
                                                      clang::QualType Type);
  /// The same of the tiling, whose fields are numbers of the launch.
  std::optional<unsigned> tilingArgument(RegionId R) const;
  void wroteScalar(const Value &Address);
  /// The kernel itself reads or writes memory, through a pointer.
  void touch(const Value &Address, int64_t Bytes, bool Write,
             clang::SourceLocation At);

  // --- conditions, integers (Integers.cpp) ----------------------------------
  Value condition(const Number &Yes, const Number &No);
  Value condition(const Number &Zero, bool Equal);
  void truncated(const Value &V, clang::QualType To, const clang::Expr *At);
  void widened(const Value &V, clang::QualType From, const clang::Expr *At);
  void narrowed(Value &V, clang::QualType To, const clang::Expr *At);
  /// Moves an address of the device by an index.
  void reportWideOffsets();
  void indexed(const Value &Address, const Value &Index, const clang::Expr *At);
  const Wrap *wrapped(const clang::Expr *At, clang::QualType Type,
                      std::optional<int64_t> Result);
  Number roomIn(clang::QualType Type, const Number &N);
  void requireRoom(const Wrap &Of);
  void narrowOffset(const Value &Index, const Wrap &N,
                    clang::SourceLocation Used);
  void mayWrap(Value &V, clang::BinaryOperatorKind Op, clang::QualType Type,
               const clang::Expr *At, const Value &L, const Value &R);

  // --- control flow ---------------------------------------------------------
  void atEnd();
  /// A loop came to a state from which all that can follow is followed.
  void atClosedLoop();
  /// How many barriers of all cores there were.
  unsigned barriers() const { return Phase; }

  // --- states at the head of a loop (States.cpp) ----------------------------
  /// What buffers are called at the head of a loop, and in which order they
  /// are asked for.
  struct BufferNames {
    std::vector<const Buffer *> Order;
    std::map<PathId, std::string> OfRecord;
    std::map<RegionId, std::string> OfRegion;
    std::string region(RegionId R) const;
  };
  struct LoopHead {
    const clang::Stmt *Loop;
    /// Of the iteration that was followed last, if it stands for any.
    SymbolId Iteration;
    /// How many numbers that are not known had been made before the loop.
    unsigned Made;
    BufferNames Called;
    /// If given, numbers are called so, and no two of them alike.
    Naming *Exact = nullptr;
  };
  LoopHead loopHead(const clang::Stmt *Loop, SymbolId Iteration,
                    unsigned Made) const;
  /// All that decides what later iterations find out about order, flags,
  /// queues, capacity, parameters; about values.
  struct OrderState {
    /// Flags, queues, masks and the like.
    std::string Registers;
    /// Accesses, and which pipes know that they are complete.
    std::map<std::string, std::set<std::string>> Pending;
    bool operator==(const OrderState &) const = default;
    /// Whether what is safe from here on is safe from the other state on.
    bool covers(const OrderState &Other) const;
    using Accesses = std::map<std::string, std::set<std::string>>;
    static bool covers(const Accesses &Mine, const Accesses &Others);
  };
  std::vector<Fill> pieces() const;
  std::vector<Fill> learnFills(llvm::ArrayRef<Fill> Before);
  void moveFill(const Fill &From, const Number &End);
  bool isFilled(const Fill &F);
  OrderState orderState(const LoopHead &Head) const;
  void forgetEarlier(const LoopHead &Head);
  struct OpenAccess {
    const Access *X;
    std::string What, Where, Who; ///< Who knows that it is complete.
  };
  std::string valueState(const LoopHead &Head) const;

  // --- states that paths have in common (Visited.h) -------------------------
  /// Adds to a text all that the device holds but accesses, which are returned.
  OrderState exactState(const clang::Stmt *Loop, SymbolId Iteration,
                        Naming &Names, std::string &Text) const;
  /// Takes for unknown what differs from path to path and is seldom asked for:
  /// what was written, where in a buffer an access was, and where in a tensor
  /// of a list whose address no variable has.
  void widenAccesses();
  /// Whether a path may end here: blocks that wait for each other may not.
  bool mayJoin() const;
  /// The path ends where another one went on.
  void joined();
  /// Whether a tensor is the one that its buffer was last given out as; nothing
  /// if Record is none of a buffer.
  std::optional<bool> isCurrent(PathId Record, const Value &Generation) const;
  bool isBuffer(PathId Record) const { return Buffers.count(Record); }

private:
  using Args = llvm::ArrayRef<Value>;

  // Dispatch.cpp
  void onCube();
  Value callQuestion(QuestionCall Which, Args A, const clang::CallExpr *E);
  Number blockNumber(LaunchNumber::Kind Which);
  Number numberOfBlocks() { return blockNumber(LaunchNumber::Kind::Blocks); }
  Number numberOfCores();
  Value answer(llvm::StringRef Name, const clang::CallExpr *E);
  void callUnfollowed(UnfollowedCall Which, Args A);
  void callFlag(EventKind Kind, Args A);
  void callSync(SyncCall Which, Args A);
  Value callBuffers(BuffersCall Which, Args A);
  void callAccess(Args A);
  bool isElement(const Value &Address) const;
  void scalarAccess(Event E, const Value &Address, const Number &Bytes,
                    bool Write);
  void callScalar(ScalarCall Which, Args A);
  Value callRegisters(RegistersCall Which, Args A);
  Value callThreads(ThreadsCall Which, Args A);
  void enterFunction(bool OfThreads);
  Value threadNumber(int64_t Least, int64_t Most);
  void registerMove(const Value &Address, bool Write,
                    clang::SourceLocation At = {});

  // Buffers.cpp
  PathId take(sim::Space S, const Number &Num, const Number &Bytes,
              unsigned Index, const std::string &Name);
  void reserve(sim::Space S, const Value &Num, const Value &Bytes);
  void queueInit(PathId Q, sim::Space S, const Value &Num, const Value &Bytes);
  Value queueAlloc(PathId Q);
  void queueEnque(PathId Q, const Value &B, const Value &Generation,
                  sim::Pipe Producer, sim::Pipe Consumer);
  Value queueDeque(PathId Q, sim::Pipe Producer, sim::Pipe Consumer);
  void queueFree(PathId Q, const Value &B, const Value &Generation);
  void pipeReset();
  void countBuffers(sim::Pipe From, sim::Pipe To);
  void reportLeaks();
  uint32_t capacityOf(sim::Space S) const;
  void sharesMemory();
  Queue *findQueue(PathId Q);
  void setGeneration(Buffer &B, uint32_t Generation);

  // Operands.cpp
  void instruction(const AbiCall &Call, const clang::FunctionDecl *Function,
                   Args A);
  bool byWalk(InstructionCall Which, Args A);
  void byPointers(const AbiCall &Call, const clang::FunctionDecl *Function,
                  Args A);
  std::optional<Operand> operand(const Value &Address, bool Write);
  /// The element type that a parameter names. If it is not followed, bytes, and
  /// nothing that depends on how many there are is known.
  sim::Elem elemOf(const Value &V);
  void addByWalk(Event &E, const Value &Address, bool Write, sim::Elem T,
                 PathId Walk, unsigned Index, unsigned Widest);
  void addBursts(Event &E, const Value &Address, bool Write, sim::Elem T,
                 const std::optional<Bursts> &Of);
  void addAtMost(Event &E, const Value &Address, bool Write, sim::Elem T,
                 const Number &Bytes);
  void addWhole(Event &E, const Value &Address, bool Write, sim::Elem T);
  void addBytes(Event &E, const Value &Address, bool Write, sim::Elem T,
                Number Span, Number Certain);
  void addStructure(Event &E, const Value &Structure);
  void addPointer(Event &E, const Value &V, clang::QualType To, bool Write);
  void copy(PathId C);
  bool sized(InstructionCall Which, Args A);
  std::vector<Number> partsBefore(llvm::ArrayRef<Operand> Operands,
                                  const Number &Most);
  bool reduceRows(Event &E, PathId R, sim::Elem Src, sim::Elem Dst);
  bool reduceParts(Event &E, PathId R);
  bool mathRoutine(const Value &Op, const Value &Call);
  std::optional<Number> repeatsOf(const Number &Bytes);
  void addBits(Event &E, const Value &Address, bool Write, const Operand &Of,
               bool Again);
  void copyPad(PathId C);
  void checkBurst(const Event &E, const Number &Bytes, sim::Elem T);
  void gapBelowZero(const Event &E, const Value &Gap);
  void reduceAll(PathId R);
  bool usesWork(PathId R, sim::Elem T, const std::optional<Number> &Bytes);
  void addWork(Event &E, PathId R, sim::Elem T);
  void requireWork(const Event &E, const Number &Count, const Number &Has,
                   const Number &Needed);

  // Fractals.cpp
  std::optional<Number> numberIn(PathId Of, llvm::StringRef Field);
  std::optional<Number> inUnitsOf(const std::optional<Number> &N, int64_t Unit);
  void addPieces(Event &E, const Value &Address, bool Write, sim::Elem T,
                 const std::optional<Number> &Span, const Number &Certain,
                 const std::optional<Number> &Pitch);
  void finishMatrix(Event E);
  void loadFractals(PathId L, sim::PipeRule On);
  void loadMatrix(PathId L, sim::PipeRule On);
  void rowsToFractals(PathId N, sim::PipeRule On);
  void mmad(PathId M);
  void fixpipe(PathId F);

  // Records.cpp
  void addExactly(Event &E, const Value &Address, bool Write, sim::Elem T,
                  const std::optional<Number> &Bytes);
  bool sortRecords(Event &E, PathId S);
  bool extractRecords(Event &E, Args A);
  bool mergeRecords(Event &E, PathId M);
  bool gatherMask(Event &E, PathId G);
  void answered(const Value &Count);

  // Indexed.cpp
  void indexedMove(PathId M);
  std::optional<Number> countOf(PathId Walk);
  void checkWalk(const Event &E, PathId Walk, unsigned Widest,
                 const Value &Repeat);
  /// Whether an atomic copy stores what SetAtomicAdd was told.
  void checkAtomicType(const Event &E);
  /// Whether the architecture has what is called.
  void checkExists(llvm::StringRef Name, bool Has);
  void checkInstruction(InstructionCall Which);
  void checkTypes(const Event &E, InstructionCall Which, Args A, bool ByCount);
  void checkConversion(const Event &E, Args A);
  void checkCompared(const Event &E, PathId Walk, unsigned Wide);
  /// A number that a field has room for up to Most.
  void checkField(const Event &E, const Number &N, int64_t Most,
                  const sim::wording::Text &Else);
  Event makeEvent(sim::Pipe On, EventKind Kind = EventKind::Access);
  void operandLost(const Event &E);

  // Ranges.cpp
  void checkOperands(const Event &E);
  void checkTensor(const Event &E, const Operand &O);
  void checkBuffer(const Event &E, const Operand &O);
  void checkGlobal(const Event &E, const Operand &O);
  void checkWholeBlocks(const Event &E);
  void checkClaim(const Event &E, const Operand &O);
  void requireSize(const Event &E, RegionId R, const Number &Bytes);
  bool isSameInAllBlocks(const Number &N) const;
  std::optional<Number> inAllBlocks(const Number &N, unsigned Steps,
                                    unsigned &Budget);
  void checkAlignment(const Event &E, const Operand &O);
  void checkOverlap(const Event &E);
  void checkOverSources(const Event &E);
  static bool rowsApart(const Operand &A, const Operand &B, const Facts &Known);
  bool disjoint(const Operand &A, const Operand &B);
  bool overlap(const Operand &A, const Operand &B);
  std::string bufferOf(const Operand &O) const;
  llvm::SmallSetVector<SymbolId, 4> basesOf(const Number &N) const;
  bool sizedByKernel(const Number &N) const;
  bool holdsInAnyRoom(const Number &N);
  std::optional<Number> sizeOfArgument(RegionId R);
  std::optional<Number> wholeBlocks(const Number &Of);
  void changed(RegionId R,
               std::optional<ArgumentElements> Copied = std::nullopt);
  bool isChosenByData(const Number &Place) const;
  bool requireWritten(const Event &E);
  std::optional<ArgumentElements> copiedElements(const Event &E,
                                                 const Operand &To) const;

  /// The list of a region, made if it is new.
  template <typename T>
  Bounded<T> &listOf(std::map<RegionId, Bounded<T>> &Of, RegionId R,
                     const ListLimit &Limit) {
    return Of.try_emplace(R, Limit, teller()).first->second;
  }
  /// Says what is unknown from where the path has come to.
  std::function<void(Topic, llvm::StringRef)> teller() {
    return [this](Topic T, llvm::StringRef Why) {
      Kernel.tooMany(T, I.here(), Why);
    };
  }

  // States.cpp
  BufferNames bufferNames() const;
  bool isHeld(const Queue &Q, const std::set<uint32_t> &Regions,
              const std::set<PathId> &Records) const;
  /// Naming: symbols whose facts are being named.
  std::string factsOf(SymbolId S, const LoopHead &Head,
                      llvm::ArrayRef<SymbolId> Naming) const;
  std::string dataName(SymbolId S, const LoopHead &Head,
                       llvm::ArrayRef<SymbolId> Naming) const;
  std::string canonical(const Number &N, const LoopHead &Head,
                        llvm::ArrayRef<SymbolId> Naming = {}) const;
  std::string accessName(const Number &N, const LoopHead &Head) const;
  std::string registersState(const LoopHead &Head) const;
  std::string waitersOf(sim::Epoch When, const BufferNames &Called) const;
  std::vector<OpenAccess> openAccesses(const Bounded<Access> &List,
                                       const LoopHead &Head) const;

  // Contents.cpp
  bool copiesFullBlocks(const Event &E, const Operand &O);
  void writeRows(const Operand &O);
  bool rowsWritten(const Operand &O);
  llvm::SmallVector<Number, 4> fewRows(const Operand &O);
  bool fewRowsWritten(const Operand &O);
  bool lacksRow(const Operand &O);
  bool hasValues(const Bounded<Written> &List, const Number &Begin,
                 const Number &End) const;
  static void joinNeighbours(Bounded<Written> &List);
  static bool extendFill(Bounded<Written> &List, const Number &Begin,
                         const Number &End);
  bool startFill(const Fill &Old, const Fill &New);
  bool isWorkspace(RegionId R) const;
  void flow(const Event &E);
  Contents contentsOf(const Event &E, bool ToGlobal);
  bool sharesFixed(RegionId R) const;
  void addContents(Contents &Of, const Event &E, const Operand &O,
                   bool AnyUndefined);
  void carryOver(const Event &E, const Operand &O, Defined All,
                 const std::optional<Number> &Part);
  Defined stateFrom(const Event &E, const Number &Element);
  std::optional<Facts> ofSomeSize(const Facts &Known,
                                  llvm::ArrayRef<Number> About) const;
  std::optional<Facts> ofEvenSize(const Facts &Known,
                                  const Number &About) const;
  std::optional<std::string> neverFits(const Facts &Known,
                                       const Number &Room) const;
  std::optional<std::string> fitsOnlyExactly(const Facts &Known,
                                             const Number &Room) const;
  Facts inAnyRoom(const Facts &Known) const;
  void noteTight(clang::SourceLocation At, const Operand &O, const Number &Room,
                 sim::wording::Text Text);
  void findWhatNeverFits();
  bool isLonger(const Number &End, const Number &Shorter) const;
  std::optional<std::string> meetsUsually(const Number &Next, const Operand &X,
                                          const Number &Begin,
                                          const Number &Certain);
  void writeBits(const Operand &O, const Number &Bits, bool Grouped);
  std::optional<std::set<int64_t>> changesOf(const Event &E, int64_t Groups);
  bool carryGroups(const Event &E, const Operand &O);
  bool lacksFractals(const Operand &O, const std::optional<Number> &Rows,
                     const std::optional<Number> &Inner);
  bool mayHaveNone(const Operand &O) const;
  Defined stateOfGroup(const Event &E, int64_t Group);
  bool covered(RegionId R, const Number &Begin, const Number &End, size_t From,
               unsigned &Budget);
  bool coversElements(const Operand &O, const Number &Elements);
  std::optional<Number> writtenElements(const Event &E);
  Defined query(RegionId R, const Number &Begin, const Number &End, size_t From,
                bool AnyUndefined, bool &Possible);
  void write(RegionId R, Number Begin, Number End, Defined State);
  Bounded<Written> &writtenTo(RegionId R) {
    return listOf(AllWritten, R, limits::Written);
  }

  // Workspaces.cpp
  void arriveAtBarrier();
  Facts factsOfLaunch(llvm::ArrayRef<const Facts *> OfPaths) const;
  std::optional<KernelState::PartOfBlock> partsMakeUp(const Number &Begin,
                                                      const Number &End,
                                                      const Event &E,
                                                      const Operand &Read);
  bool relyOnBlocks(const Event &E, const Operand &O);

  // Order.cpp
  void issue(Event E);
  void take(const Event &E, const sim::Clock &Scalar);
  bool blocks(const Event &E);
  void catchUp();
  sim::Pipe carrierOf(const Event &E) const;
  void barrierAll();
  void touch(const Event &E, const sim::Clock &Scalar);
  void touchOne(const Event &E, const Operand &O, sim::Epoch Now);
  bool isOnlyRead(const Operand &O);
  bool continuesOne(Bounded<Access> &List, const Event &E, const Operand &O,
                    sim::Epoch Now) const;
  void forgetPlaces(RegionId R);
  void setFlag(const Event &E, const sim::Clock &Scalar);
  void waitFlag(const Event &E, const sim::Clock &Scalar);
  void queueEvent(const Event &E, const sim::Clock &Scalar);
  void reportDeadlock();
  void reportLeftovers();

  // Cores.cpp
  void noteGlobal(const Event &E, const Operand &O, sim::Epoch When);
  void crossSet(const Event &E);
  void leaveCaches();

  // Caches.cpp
  static Operand withLines(Operand O);
  void noteCache(const Event &E, const Operand &O);
  void cleanCache(const Value &Address, bool Entire);
  void hideDirty();
  std::string cacheState(const LoopHead &Head) const;

  struct GlobalAccess;
  bool overlapInSmallLaunch(const GlobalAccess &X, const GlobalAccess &Y,
                            std::string &When);
  bool collide(const Operand &X, const Facts &OfX, const Operand &Y,
               const Facts &OfY, std::string &When);
  std::optional<std::string> meetsNext(const Number &Next, Facts Known,
                                       const Number &Bytes);
  void compareCores();
  /// Compares what this block did to global memory with what others do.
  void compareGlobal();
  void requireOneBlock();
  static bool mayConflict(const GlobalAccess &X, const GlobalAccess &Y);
  std::pair<Operand, Operand> asCached(const GlobalAccess &X,
                                       const GlobalAccess &Y);
  std::optional<Number> chosenInBlock(const Number &Other, SymbolId S,
                                      const Facts &Known, bool OwnIterations);
  std::optional<Number> inBlock(const Number &Other, const Number &N,
                                const Facts &Known, bool OwnIterations = true);
  bool chainable(const Facts &Known) const;
  /// What is known of one block and of another: any later one, the next one.
  struct Neighbours {
    Facts Later, Next;
    Facts Both; ///< And what the other one's path says of it.
    Number LaterBlock, NextBlock;
    bool None;  ///< There is no later one.
    bool Chain; ///< What holds from block to block holds for later ones.
  };
  Neighbours neighbours(const Facts &OfOne, const Facts &OfOther, bool Same);
  const Neighbours &neighboursOf(const DistinctUse &X, const DistinctUse &Y);
  Number inOtherBlock(SymbolId S);
  std::optional<Number> aheadBy(const Number &Distance);
  /// Those that can be shown take up to half of that.
  static constexpr uint64_t ProofOfApart = 40000;
  bool apart(const Operand &X, const Operand &Y, const Neighbours &Of,
             uint64_t Most = ProofOfApart);
  bool bytesApart(const Operand &X, const Operand &Y, const Neighbours &Of);
  std::optional<Operand> operandInBlock(const Number &Other, const Operand &O,
                                        const Facts &Known);
  bool requireApart(const Operand &X, const Facts &OfX, const Operand &Y,
                    const Facts &OfY, clang::SourceLocation At,
                    const llvm::Twine &Why);
  bool apartInRows(const Operand &X, const Number &Begin, const Number &Span,
                   const Facts &Known);
  bool apartInHalves(const Operand &X, const Operand &Y, const Facts &OfX,
                     const Facts &OfY);
  void endOfPath(bool Ended);
  void comparePaths(const PathSummary &Mine);
  void comparePaths(const PathSummary &Mine, const PathSummary &Old);
  CommonFacts &factsOfUses(const Operand &X, const Operand &Y);
  size_t distinctUse(const GlobalAccess &X, const Facts &OfPath);
  bool usesApart(size_t A, size_t B);
  bool apartAnyway(const Operand &X, const Operand &Y, CommonFacts &By);
  friend struct PathSummary;
  friend struct CommonFacts;
  friend struct DistinctUse;
  void crossFlag(const Event &E);
  void syncAll();
  void countBarriers();
  bool choosesBlocks(const Number &Fact) const;
  struct GlobalAccess {
    Operand Bytes;
    std::string Name;
    sim::Pipe On;
    clang::SourceLocation At;
    unsigned Phase;
    sim::Epoch When;
    bool Cleaned = false; ///< Written back from the scalar unit's cache.
    bool Told = true;     ///< The flag that followed waited for it.
    size_t Choices = 0;   ///< How many the path had made.
    size_t Distinct = 0;  ///< Which it is of those that differ (PathPairs.cpp).
  };

  Interpreter &I;
  KernelState &Kernel;
  /// Arguments in their order, and after all of them what their addresses lead
  /// to.
  static constexpr unsigned MostArguments = 64;
  RegionId makeArgument(const std::string &Name, Origin From);
  unsigned globalNumber(RegionId R) const;

  std::vector<Region> Regions;
  std::map<PathId, Buffer> Buffers; // by record
  std::map<PathId, Queue> Queues;   // by state
  std::map<PathId, PathId> Pools;
  /// That buffers fit, which is taken to be so.
  std::vector<Number> RoomFacts;
  /// Of each memory; and with each buffer rounded up, as it is taken.
  std::array<Number, 9> Used, UsedRounded;
  Bounded<Note> Notes{limits::Tensors, teller()};
  /// Elements that tensors have named since the last instruction, by t(i).
  std::vector<Value> Elements;
  unsigned Ticks = 0;    ///< Of notes, and of buffers that change hands.
  unsigned LastCall = 0; ///< When the instruction before this one was issued.
  std::vector<RegionId> Arguments;
  std::map<sim::Space, RegionId> Spaces, Rests;
  std::set<sim::Space> Fixed; ///< In which there are tensors at fixed places.
  std::vector<CachedLine> Dirty, Cached, Old;
  std::map<RegionId, Bounded<Written>> AllWritten;
  std::map<RegionId, Bounded<Access>> Accesses;
  Bounded<GlobalAccess> Global{limits::GlobalAccesses, teller()};
  sim::PipeClocks Clocks;
  sim::AutoSync Auto;
  std::map<FlagKey, FlagState> Flags;
  /// Pipes between which an event was used whose id is not known.
  std::set<std::pair<sim::Pipe, sim::Pipe>> LostFlags;
  std::array<std::deque<Pending>, sim::NumPipes> Delayed;
  std::map<int32_t, sim::Clock> Mutexes;
  std::map<int32_t, CrossState> Cross;
  std::vector<std::unique_ptr<Wrap>> Wraps;
  std::vector<WideOffset> WideOffsets;
  /// Products that are lengths in local memory.
  std::set<std::vector<SymbolId>> LocalProducts;
  /// The instruction tells the scalar unit a number, which is at most this.
  std::optional<Number> MostAnswered;
  // Registers.
  bool Counter = false;
  clang::SourceLocation CounterAt, AtomicAt;
  std::optional<Number> MaskLow, MaskHigh;
  bool Atomic = false, Clean = false;
  /// What atomic copies add; nothing if that is not known.
  std::optional<sim::Elem> AtomicType;
  bool Threads = false; ///< In code that many threads execute.
  unsigned Phase = 0, CrossWaits = 0, Barriers = 0;
  bool CrossSynced = false, AsksBlock = false;
  /// An instruction wrote somewhere: what looks unwritten need not be.
  bool LostWrites = false;
  /// Where elements of arguments decided which bytes were written.
  std::set<RegionId> WrittenByData;
  /// Where something fits only if the launch says so: the bytes that are left
  /// of it, and how much of the path was known.
  struct TightPlace {
    Number Room;
    clang::SourceLocation At;
    std::optional<Number> Rest; ///< Of global memory: what the tensor has.
    sim::wording::Text Text;
    std::string Buffer;
    size_t Facts, Choices;
  };
  std::vector<TightPlace> Tight;
  /// What tensors had left where the path used just that.
  std::vector<Number> UsedRests;
  /// Where accesses of arguments ended that were asked about; see Claims.cpp.
  std::vector<std::pair<RegionId, Number>> AskedEnds;
  bool HalfChosen = false, Cube = false;
  /// No barrier of all cores was in a loop: on all paths, so many come before.
  bool BarriersCounted = true;
  bool AnySyncAll = false;
  clang::SourceLocation SyncAllAt;
};

/// What a path did that other blocks may see.
struct PathSummary {
  std::vector<Decision> Trail;
  std::vector<Runtime::GlobalAccess> Uses;
  Facts Known;
  unsigned Barriers;
  bool Ended;       ///< Else it came to a state from which others go on.
  bool Cube;        ///< The half of a mixed kernel that it is.
  bool CrossSynced; ///< Flags between cores, or words, order what it does.
};

} // namespace belay::check

#endif // BELAY_CHECK_RUNTIME_H

//===- LowerDots.cpp - Products of tiles become work of the cube ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that are loaded for products go to L1; a tile that products are added
// to is a sum in L0C, in which it stays through loops, and leaves through the
// fixpipe, which rounds. All other tiles are left to the vector core.
// L0C cannot be filled: whether a sum is still zero is a number that loops
// carry, the first product takes the place of what is there, and where there
// was none, zeros are multiplied.
//
//===----------------------------------------------------------------------===//

#include "dialect/Fractals.h"
#include "dialect/PassTarget.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/Sums.h"
#include "passes/expand/GlobalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace belay::passes {
#define GEN_PASS_DEF_LOWERDOTS
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// Where a tile is.
struct CubeTile {
  enum class Kind {
    Zero,    ///< Nowhere yet; what is added to it makes it a sum.
    Operand, ///< In L1.
    Sum,     ///< In L0C; what is stored of it is rounded.
  } What;
  Value Rows, Cols;
  Value Buffer = {};
  /// Of an operand: whether L1 has its transpose.
  bool Transposed = false;
  /// Of a sum: whether it is zero still, and nothing has been written.
  Value IsZero = {};
};

class DotLowering {
public:
  DotLowering(func::FuncOp Kernel, const targets::Soc &Soc)
      : Kernel(Kernel), Soc(Soc), B(Kernel.getContext()), Kept(Kernel) {}

  LogicalResult run();

private:
  LogicalResult lower(Block &Block);
  LogicalResult lower(Operation &Op);
  LogicalResult lower(LoadOp Load);
  LogicalResult lower(StoreOp Store);
  LogicalResult lower(scf::ForOp Loop);
  LogicalResult lowerRegions(Operation &Op);
  LogicalResult lowerSum(ProductSum Sum);
  LogicalResult refuse(Operation *Op, const Twine &What);

  CubeTile &tileOf(Value Tile) { return Tiles.find(Tile)->second; }
  bool isOnCube(Value Tile) const { return Tiles.contains(Tile); }
  void define(Value Tile, CubeTile Where) { Tiles.insert({Tile, Where}); }

  LogicalResult makeSum(Operation *For, CubeTile &Zero, RankedTensorType Type);
  LogicalResult multiply(DotOp Dot, CubeTile &Sum);
  void writeZeros(Location Loc, const CubeTile &Sum, Type Element);
  Value transpose(Value View);

  // Numbers; constants are folded.
  Value number(int64_t Number) {
    return arith::ConstantIndexOp::create(B, Loc, Number);
  }
  Value number(OpFoldResult Number) {
    if (std::optional<int64_t> Known = getConstantIntValue(Number))
      return number(*Known);
    return cast<Value>(Number);
  }
  Value truth(bool Value) {
    return arith::ConstantOp::create(B, Loc, B.getBoolAttr(Value));
  }
  Value atLeast(Value A, int64_t Least) {
    return B.createOrFold<arith::MaxSIOp>(Loc, A, number(Least));
  }
  Value roundUp(Value A, int64_t Multiple) {
    Value More = B.createOrFold<arith::AddIOp>(Loc, A, number(Multiple - 1));
    Value Parts = B.createOrFold<arith::DivSIOp>(Loc, More, number(Multiple));
    return B.createOrFold<arith::MulIOp>(Loc, Parts, number(Multiple));
  }
  /// What Mmad takes as m: one row would mean something else.
  Value rowsOf(const CubeTile &Sum) {
    Value Rows = atLeast(Sum.Rows, 2);
    return RowSide > FractalRows ? roundUp(Rows, RowSide) : Rows;
  }
  Value colsOf(const CubeTile &Sum) {
    Value Cols = atLeast(Sum.Cols, 1);
    return ColSide > FractalRows ? roundUp(Cols, ColSide) : Cols;
  }

  Value makeBuffer(MemorySpace Space, ArrayRef<int64_t> Shape, Type Element);
  Value makeFractals(MemorySpace Space, int64_t Outer, int64_t Inner,
                     Type Element) {
    return makeBuffer(
        Space, {Outer, Inner, FractalRows, blockElements(Element)}, Element);
  }
  void kill(Operation &Op) { Dead.push_back(&Op); }

  func::FuncOp Kernel;
  const targets::Soc &Soc;
  /// Rows and columns of sums are multiples of what the hardware transposes.
  int64_t RowSide = FractalRows, ColSide = FractalRows;
  OpBuilder B;
  Location Loc = Kernel.getLoc();
  Sums Kept;
  DenseMap<Value, CubeTile> Tiles;
  SmallVector<Operation *> Dead;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

LogicalResult DotLowering::refuse(Operation *Op, const Twine &What) {
  return Op->emitError() << What << " [not-emitted]";
}

Value DotLowering::makeBuffer(MemorySpace Space, ArrayRef<int64_t> Shape,
                              Type Element) {
  auto Type = MemRefType::get(Shape, Element, MemRefLayoutAttrInterface(),
                              MemorySpaceAttr::get(B.getContext(), Space));
  return BufferOp::create(B, Loc, Type, IntegerAttr(), B.getI64IntegerAttr(1),
                          Value());
}

static int64_t roundUp(int64_t Number, int64_t Multiple) {
  return llvm::alignTo(Number, Multiple);
}

/// Whether columns of a view are what lies side by side in memory.
static bool isTransposed(Value View) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  return Rank > 1 && staticStride(View, Rank - 1) != 1 &&
         staticStride(View, Rank - 2) == 1;
}

static bool isLoadedTransposed(Value Tile) {
  while (auto Cast = Tile.getDefiningOp<tensor::CastOp>())
    Tile = Cast.getSource();
  auto Load = Tile.getDefiningOp<LoadOp>();
  return Load && isTransposed(Load.getView());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

LogicalResult DotLowering::makeSum(Operation *For, CubeTile &Zero,
                                   RankedTensorType Type) {
  CapacityAttr Capacity = getCapacity(Type);
  int64_t Rows = ::roundUp(Capacity.getRows(), RowSide),
          Cols = ::roundUp(Capacity.getCols(), ColSide);
  int64_t Bytes = Rows * Cols * 4;
  if (Bytes > Soc.l0c)
    return For->emitError()
           << "sums of " << Rows << " x " << Cols << " need " << Bytes
           << " bytes of L0C, and " << Soc.l0c << " are there [local-capacity]";
  Zero.Buffer =
      makeBuffer(MemorySpace::L0C, {Cols / FractalRows, Rows, FractalRows},
                 Type.getElementType());
  Zero.What = CubeTile::Kind::Sum;
  Zero.IsZero = truth(true);
  return success();
}

/// Zeros times zeros.
void DotLowering::writeZeros(Location At, const CubeTile &Sum, Type Element) {
  MatrixRoom Room = *sumRoom(cast<MemRefType>(Sum.Buffer.getType()));
  Value Lhs =
            makeFractals(MemorySpace::L0A, Room.Rows / FractalRows, 1, Element),
        Rhs =
            makeFractals(MemorySpace::L0B, 1, Room.Cols / FractalRows, Element);
  CubeFillOp::create(B, At, Lhs);
  CubeFillOp::create(B, At, Rhs);
  CubeMmadOp::create(B, At, Lhs, Rhs, Sum.Buffer, rowsOf(Sum), colsOf(Sum),
                     number(blockElements(Element)), truth(true),
                     /*align_k=*/false);
}

/// Adds a product to a sum, in steps of k of which two fit into L0.
LogicalResult DotLowering::multiply(DotOp Dot, CubeTile &Sum) {
  Type Element = Dot.getLhs().getType().getElementType();
  const CubeTile &Lhs = tileOf(Dot.getLhs()), &Rhs = tileOf(Dot.getRhs());
  CapacityAttr Left = getCapacity(Dot.getLhs().getType()),
               Right = getCapacity(Dot.getRhs().getType());
  int64_t C0 = blockElements(Element), Bytes = 32 / C0,
          Side = std::max(C0, FractalRows);
  int64_t Rows = ::roundUp(Left.getRows(), RowSide),
          Cols = ::roundUp(Right.getCols(), ColSide),
          Inner = ::roundUp(Left.getCols(), Side);
  int64_t Step = 0;
  for (int64_t Slots : {2, 1}) {
    int64_t Most = std::min(Soc.l0a / (Slots * Rows * Bytes),
                            Soc.l0b / (Slots * Cols * Bytes));
    Step = std::min(Most / Side * Side, Inner);
    if (Step)
      break;
  }
  if (!Step)
    return Dot.emitError() << "operands of " << Rows << " rows and " << Cols
                           << " columns do not fit into L0A and L0B, which "
                              "have "
                           << Soc.l0a << " bytes each [local-capacity]";
  Loc = Dot.getLoc();
  Value K = Lhs.Cols;
  auto Loop = scf::ForOp::create(B, Loc, number(0), K, number(Step),
                                 ValueRange(Sum.IsZero));
  Loop.getInductionVar().setLoc(NameLoc::get(B.getStringAttr("k0"), Loc));
  Loop.getRegionIterArg(0).setLoc(NameLoc::get(B.getStringAttr("first"), Loc));
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(Loop.getBody());
  Value First = Loop.getInductionVar();
  Value Rest = arith::SubIOp::create(B, Loc, K, First);
  Value Now = B.createOrFold<arith::MinSIOp>(Loc, Rest, number(Step));
  Value InLeft = makeFractals(MemorySpace::L0A, Rows / FractalRows, Step / C0,
                              Element),
        InRight = makeFractals(MemorySpace::L0B, Step / C0, Cols / FractalRows,
                               Element);
  // What the hardware transposes is square.
  Value M = roundUp(rowsOf(Sum), Lhs.Transposed ? Side : FractalRows),
        N = roundUp(colsOf(Sum), Rhs.Transposed ? FractalRows : Side),
        Blocks = roundUp(Now, C0), Squares = roundUp(Now, Side);
  if (Lhs.Transposed)
    CubeLoadOp::create(B, Loc, Lhs.Buffer, First, number(0), Squares, M, InLeft,
                       /*transposed=*/true);
  else
    CubeLoadOp::create(B, Loc, Lhs.Buffer, number(0), First, M, Blocks, InLeft,
                       /*transposed=*/false);
  if (Rhs.Transposed)
    CubeLoadOp::create(B, Loc, Rhs.Buffer, number(0), First, N, Blocks, InRight,
                       /*transposed=*/true);
  else
    CubeLoadOp::create(B, Loc, Rhs.Buffer, First, number(0), Squares, N,
                       InRight, /*transposed=*/false);
  // Transposed in pairs, where fractals follow each other along k.
  bool Pairs = Lhs.Transposed && C0 < FractalRows && !Soc.arch->leftIsNz;
  CubeMmadOp::create(B, Loc, InLeft, InRight, Sum.Buffer, rowsOf(Sum),
                     colsOf(Sum), Now, Loop.getRegionIterArg(0), Pairs);
  scf::YieldOp::create(B, Loc, truth(false));
  Sum.IsZero = Loop.getResult(0);
  return success();
}

/// Of a sum, of which nobody needs the old value any more.
LogicalResult DotLowering::lowerSum(ProductSum Add) {
  Operation *Op = Add.Add;
  if (!Kept.contains(Op->getResult(0)) || readersOf(Add.Old) != 1)
    return refuse(Op, "a product is added to a tile that is no sum of "
                      "products, or that is used again");
  CubeTile Sum = tileOf(Add.Old);
  Loc = Op->getLoc();
  if (Sum.What == CubeTile::Kind::Zero &&
      failed(
          makeSum(Op, Sum, cast<RankedTensorType>(Op->getResult(0).getType()))))
    return failure();
  if (failed(multiply(Add.Product, Sum)))
    return failure();
  define(Op->getResult(0), Sum);
  kill(*Op);
  return success();
}

//===----------------------------------------------------------------------===//
// Between global memory and the core
//===----------------------------------------------------------------------===//

/// A view with its last two dimensions in the other order.
Value DotLowering::transpose(Value View) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  auto Order = llvm::to_vector(llvm::seq(Rank));
  std::swap(Order[Rank - 1], Order[Rank - 2]);
  AffineMap Map = AffineMap::getPermutationMap(Order, B.getContext());
  return memref::TransposeOp::create(B, Loc, View, AffineMapAttr::get(Map));
}

LogicalResult DotLowering::lower(LoadOp Load) {
  RankedTensorType Type = Load.getTile().getType();
  MemRefType View = Load.getView().getType();
  Loc = Load.getLoc();
  unsigned Rank = View.getRank();
  if (!isForProducts(Load.getTile()))
    return success();
  if (Load.getPad())
    return refuse(Load, "an operand of 'dot' is loaded with padding; load what "
                        "is there, products end with it");
  CapacityAttr Capacity = getCapacity(Type);
  if (Rank == 1 && Capacity.getRows() > 1)
    return refuse(Load, "a column of a view of rank 1 is an operand of 'dot'");
  bool Transposed = isTransposed(Load.getView());
  if (!Transposed && staticStride(Load.getView(), Rank - 1) != 1)
    return refuse(Load, "an operand of 'dot' is loaded from a view of which "
                        "neither rows nor columns lie side by side");
  SmallVector<OpFoldResult> Offsets = Load.getMixedOffsets(),
                            Sizes = Load.getMixedSizes();
  CubeTile Tile{CubeTile::Kind::Operand,
                Rank > 1 ? number(Sizes[Rank - 2]) : number(1),
                number(Sizes.back())};
  mlir::Type Element = Type.getElementType();
  int64_t C0 = blockElements(Element), Side = std::max(C0, FractalRows);
  int64_t Rows = ::roundUp(Capacity.getRows(), Side),
          Cols = ::roundUp(Capacity.getCols(), Side);
  Loc = Load.getTile().getLoc();
  Value Rowwise = Load.getView();
  // L1 gets what is in memory; the cube transposes on the way to L0.
  if (Transposed) {
    Tile.Transposed = true;
    std::swap(Rows, Cols);
    std::swap(Offsets[Rank - 1], Offsets[Rank - 2]);
    std::swap(Sizes[Rank - 1], Sizes[Rank - 2]);
    Rowwise = transpose(Rowwise);
  }
  Tile.Buffer = makeBuffer(MemorySpace::L1, {Cols / C0, Rows, C0}, Element);
  SmallVector<Value> Begins, Extents;
  SmallVector<int64_t> StaticBegins, StaticExtents;
  dispatchIndexOpFoldResults(Offsets, Begins, StaticBegins);
  dispatchIndexOpFoldResults(Sizes, Extents, StaticExtents);
  CubeInOp::create(B, Loc, Rowwise, Begins, Extents, Tile.Buffer, StaticBegins,
                   StaticExtents);
  define(Load.getTile(), Tile);
  kill(*Load);
  return success();
}

LogicalResult DotLowering::lower(StoreOp Store) {
  if (!isOnCube(Store.getTile()))
    return success();
  CubeTile &Sum = tileOf(Store.getTile());
  MemRefType View = Store.getView().getType();
  Loc = Store.getLoc();
  if (Sum.What == CubeTile::Kind::Operand)
    return refuse(Store, "what was loaded for 'dot' is stored as it is, which "
                         "needs a vector core");
  if (View.getRank() == 1 &&
      getCapacity(Store.getTile().getType()).getRows() > 1)
    return refuse(Store, "a column of sums is stored to a view of rank 1");
  if (isTransposed(Store.getView()))
    return refuse(Store, "sums of products are stored to a transposed view; "
                         "multiply the transposed operands in reverse order "
                         "instead, and store that");
  if (staticStride(Store.getView(), View.getRank() - 1) != 1)
    return refuse(Store, "sums of products are stored to a view whose rows do "
                         "not lie side by side");
  Type Element = View.getElementType();
  Type Zeros = isa<FloatType>(Element) ? Element : B.getI8Type();
  if (Sum.What == CubeTile::Kind::Zero) {
    RankedTensorType Type = Store.getTile().getType();
    mlir::Type SumType = sumTypeOf(Zeros);
    if (failed(makeSum(Store, Sum, Type.clone(SumType))))
      return failure();
  }
  APInt Known;
  bool IsZero =
      matchPattern(Sum.IsZero, m_ConstantInt(&Known)) && Known.isOne();
  if (IsZero) {
    writeZeros(Loc, Sum, Zeros);
    Sum.IsZero = truth(false);
  } else if (!matchPattern(Sum.IsZero, m_Zero())) {
    auto If = scf::IfOp::create(B, Loc, Sum.IsZero, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPoint(If.thenBlock()->getTerminator());
    writeZeros(Loc, Sum, Zeros);
  }
  CubeOutOp::create(B, Loc, Sum.Buffer, roundUp(rowsOf(Sum), FractalRows),
                    Store.getView(), Store.getOffsets(), Store.getSizes(),
                    Store.getStaticOffsets(), Store.getStaticSizes(),
                    Store.getCombineAttr());
  kill(*Store);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Sums that a loop carries stay where they are.
LogicalResult DotLowering::lower(scf::ForOp Loop) {
  SmallVector<Value> Inits;
  SmallVector<std::optional<CubeTile>> Sums;
  Loc = Loop.getLoc();
  for (auto [Init, Argument] :
       llvm::zip_equal(Loop.getInitArgs(), Loop.getRegionIterArgs())) {
    if (!isTile(Init.getType()) || !Kept.contains(Argument)) {
      Inits.push_back(Init);
      Sums.push_back(std::nullopt);
      if (isTile(Init.getType()) && isOnCube(Init))
        return refuse(Loop, "a loop carries a tile of the cube core that is no "
                            "sum of products, or that is used again");
      continue;
    }
    CubeTile Sum = tileOf(Init);
    if (readersOf(Init) != 1)
      return refuse(Loop, "zeros of a sum are used again");
    auto Type = cast<RankedTensorType>(Argument.getType());
    if (Sum.What == CubeTile::Kind::Zero && failed(makeSum(Loop, Sum, Type)))
      return failure();
    Inits.push_back(Sum.IsZero);
    Sums.push_back(Sum);
  }
  auto New = scf::ForOp::create(B, Loc, Loop.getLowerBound(),
                                Loop.getUpperBound(), Loop.getStep(), Inits);
  New->setDiscardableAttrs(Loop->getDiscardableAttrDictionary());
  Block &Body = *New.getBody(), &Old = *Loop.getBody();
  if (!Body.empty())
    Body.back().erase();
  for (auto [From, To, Sum] : llvm::zip_equal(Loop.getRegionIterArgs(),
                                              New.getRegionIterArgs(), Sums)) {
    To.setLoc(Sum ? NameLoc::get(B.getStringAttr("first"), Loc)
                  : From.getLoc());
    if (!Sum) {
      From.replaceAllUsesWith(To);
      continue;
    }
    CubeTile Inside = *Sum;
    Inside.IsZero = To;
    define(From, Inside);
  }
  New.getInductionVar().setLoc(Loop.getInductionVar().getLoc());
  Loop.getInductionVar().replaceAllUsesWith(New.getInductionVar());
  Body.getOperations().splice(Body.end(), Old.getOperations());
  if (failed(lower(Body)))
    return failure();
  auto Yield = cast<scf::YieldOp>(Body.getTerminator());
  for (auto [I, Sum] : llvm::enumerate(Sums)) {
    Value Next = Yield.getOperand(I);
    if (!Sum) {
      if (isOnCube(Next))
        return refuse(Loop, "a loop carries a tile that it computes anew in "
                            "each iteration; add products to it instead");
      Loop.getResult(I).replaceAllUsesWith(New.getResult(I));
      continue;
    }
    const CubeTile &Last = tileOf(Next);
    if (Last.Buffer != Sum->Buffer)
      return refuse(Loop, "a loop carries a tile that it computes anew in each "
                          "iteration; add products to it instead");
    Yield->setOperand(I, Last.IsZero);
    CubeTile After = *Sum;
    After.IsZero = New.getResult(I);
    define(Loop.getResult(I), After);
  }
  kill(*Loop);
  return success();
}

/// Of a branch, or of a loop that ends by data.
LogicalResult DotLowering::lowerRegions(Operation &Op) {
  for (Region &Region : Op.getRegions())
    for (Block &Block : Region) {
      if (failed(lower(Block)))
        return failure();
      for (Value Passed : Block.getTerminator()->getOperands())
        if (isOnCube(Passed))
          return refuse(&Op, "a branch, or a loop that ends by data, makes or "
                             "carries a tile of the cube core");
    }
  for (Value Carried : Op.getOperands())
    if (isOnCube(Carried))
      return refuse(&Op, "a loop that ends by data carries a tile of the cube "
                         "core");
  return success();
}

LogicalResult DotLowering::lower(Operation &Op) {
  B.setInsertionPoint(&Op);
  Loc = Op.getLoc();
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return lower(Loop);
  bool OnTiles = llvm::any_of(Op.getOperandTypes(), isTile) ||
                 llvm::any_of(Op.getResultTypes(), isTile);
  if (isa<SyncCoresOp>(Op))
    return refuse(&Op, "cores of a kernel with 'dot' wait for each other");
  if (Op.getNumRegions())
    return lowerRegions(Op);
  if (!OnTiles || Op.hasTrait<OpTrait::IsTerminator>())
    return success();
  if (std::optional<ProductSum> Sum = productSumOf(&Op))
    return lowerSum(*Sum);
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<LoadOp, StoreOp>([&](auto Move) { return lower(Move); })
      .Case([&](SplatOp Splat) -> LogicalResult {
        bool BecomesSum = isZero(Splat.getValue()) &&
                          llvm::all_of(Splat->getUses(), [&](OpOperand &Use) {
                            return Kept.isKeptBy(Use);
                          });
        if (!BecomesSum)
          return success();
        RankedTensorType Type = Splat.getTile().getType();
        unsigned Next = 0;
        Value Extents[2];
        for (unsigned Dim : {0, 1})
          Extents[Dim] = Type.isDynamicDim(Dim) ? Splat.getSizes()[Next++]
                                                : number(Type.getDimSize(Dim));
        define(Splat.getTile(), {CubeTile::Kind::Zero, Extents[0], Extents[1]});
        kill(*Splat);
        return success();
      })
      .Case([&](DotOp Dot) -> LogicalResult {
        kill(*Dot);
        auto IsOperand = [&](Value Tile) {
          return isOnCube(Tile) && tileOf(Tile).What == CubeTile::Kind::Operand;
        };
        if (!IsOperand(Dot.getLhs()) || !IsOperand(Dot.getRhs()))
          return refuse(Dot, "an operand of 'dot' is not loaded from global "
                             "memory");
        const CubeTile &Lhs = tileOf(Dot.getLhs()), &Rhs = tileOf(Dot.getRhs());
        CubeTile Sum{CubeTile::Kind::Zero, Lhs.Rows, Rhs.Cols};
        bool IsAdded = llvm::any_of(Dot->getUsers(), [](Operation *User) {
          while (isa<tensor::CastOp>(User) && User->hasOneUse())
            User = *User->user_begin();
          return productSumOf(User).has_value();
        });
        // What is added to a sum is multiplied there.
        if (!IsAdded && (failed(makeSum(Dot, Sum, Dot.getTile().getType())) ||
                         failed(multiply(Dot, Sum))))
          return failure();
        define(Dot.getTile(), Sum);
        return success();
      })
      .Case([&](tensor::CastOp Cast) {
        if (!isOnCube(Cast.getSource()))
          return success();
        define(Cast.getResult(), tileOf(Cast.getSource()));
        kill(*Cast);
        return success();
      })
      .Case([&](arith::TruncFOp Round) -> LogicalResult {
        if (!isOnCube(Round.getIn()))
          return success();
        CubeTile Sum = tileOf(Round.getIn());
        bool IsStored = llvm::all_of(Round->getUsers(), [](Operation *User) {
          return isa<StoreOp, tensor::DimOp>(User);
        });
        if (Sum.What == CubeTile::Kind::Operand || !IsStored)
          return refuse(Round, "a tile is rounded for something else than a "
                               "store, which needs a vector core");
        define(Round.getResult(), Sum);
        kill(*Round);
        return success();
      })
      .Case([&](tensor::DimOp Dim) -> LogicalResult {
        if (!isOnCube(Dim.getSource()))
          return success();
        std::optional<int64_t> Index = Dim.getConstantIndex();
        if (!Index)
          return Dim.emitOpError("needs a constant dimension");
        const CubeTile &Tile = tileOf(Dim.getSource());
        Dim.replaceAllUsesWith(*Index ? Tile.Cols : Tile.Rows);
        kill(*Dim);
        return success();
      })
      .Default([&](Operation *Other) -> LogicalResult {
        if (llvm::none_of(Other->getOperands(),
                          [&](Value Tile) { return isOnCube(Tile); }))
          return success();
        return refuse(Other, "the cube core can load operands, add up "
                             "products, round and store; this needs the vector "
                             "core");
      });
}

LogicalResult DotLowering::lower(Block &Block) {
  for (Operation &Op : llvm::make_early_inc_range(Block))
    if (failed(lower(Op)))
      return failure();
  return success();
}

LogicalResult DotLowering::run() {
  DotOp First;
  WalkResult Known = Kernel.walk([&](DotOp Dot) {
    if (!First)
      First = Dot;
    Type Element = Dot.getLhs().getType().getElementType();
    int64_t Side = std::max(blockElements(Element), FractalRows);
    if (isLoadedTransposed(Dot.getLhs()))
      RowSide = std::max(RowSide, Side);
    if (!isLoadedTransposed(Dot.getRhs()))
      ColSide = std::max(ColSide, Side);
    if (RowSide > FractalRows &&
        Element.getIntOrFloatBitWidth() < Soc.arch->loadTransposeMinBits) {
      (void)refuse(Dot, "the left operand of 'dot' is a transposed view of "
                        "elements that " +
                            Twine(Soc.arch->name) +
                            " transposes for the right operand only");
      return WalkResult::interrupt();
    }
    std::optional<targets::Element> Listed = targetElementOf(Element);
    if (Listed && targets::hasForm(*Soc.arch, "Mmad", *Listed, false))
      return WalkResult::advance();
    (void)refuse(Dot, "'dot' of " + std::string(Soc.arch->name) +
                          " does not become instructions for this type");
    return WalkResult::interrupt();
  });
  if (Known.wasInterrupted())
    return failure();
  if (!First)
    return success();
  if (failed(lower(Kernel.getBody().front())))
    return failure();
  eraseTogether(Dead);
  return success();
}

namespace {
struct LowerDotsPass : passes::impl::LowerDotsBase<LowerDotsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(getOperation(), soc);
    if (!Soc || failed(DotLowering(getOperation(), *Soc).run()))
      signalPassFailure();
  }
};
} // namespace

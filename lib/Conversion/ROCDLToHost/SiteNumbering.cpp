// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites are numbered in reverse post-order with every loop kept contiguous,
// nested loops recursively: a lane that waits inside of a loop has a smaller
// number than one that waits behind it, and of two arms that meet again both
// come before what follows.
//
// This alone does not keep the iterations of a loop apart:
//
//     header: ballot (site 0)         lanes that skip site 1 are back at
//       if (odd lane) ballot (site 1) site 0 of the next iteration, where
//     latch:  branch header           they would be served first, without
//                                     the lanes that still wait at site 1
//
// So a loop in which some way through an iteration misses a cross-lane
// operation gets one more site on its back edges, with a number behind all
// others of the loop: there the early lanes wait for the late ones. That is the
// case if an operation's block does not dominate a latch, and also if it lies
// in an inner loop, which lanes may leave after different numbers of rounds.
//
// A workgroup barrier that some lanes pass by gets one more site where they
// meet again, unless nothing is left to do there:
//
//       if (low lane) barrier (site 0)  lanes that skip it wait at site 1, so
//     join: (site 1)                    that the barrier finds them missing
//       load                            instead of finding them ended

#include "SiteNumbering.h"
#include "OperationTable.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fly::host;

LogicalResult fly::host::checkReducible(Region &body) {
  if (body.hasOneBlock())
    return success();
  DominanceInfo dominance(body.getParentOp());
  // Depth first; an edge to a block on the current path closes a loop, whose
  // only entry is that block if it dominates the edge's source.
  llvm::DenseSet<Block *> visited, onPath;
  SmallVector<std::pair<Block *, unsigned>> stack;
  stack.push_back({&body.front(), 0});
  visited.insert(&body.front());
  onPath.insert(&body.front());
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == block->getNumSuccessors()) {
      onPath.erase(block);
      stack.pop_back();
      continue;
    }
    Block *successor = block->getSuccessor(next++);
    if (onPath.contains(successor) && !dominance.dominates(successor, block)) {
      InFlightDiagnostic diag = block->getTerminator()->emitError(
          "irreducible control flow: this branch closes a loop that can be "
          "entered elsewhere than at its target; the CPU target orders lanes "
          "by loops with one entry");
      if (!successor->empty())
        diag.attachNote(successor->front().getLoc()) << "target of the branch";
      return failure();
    }
    if (visited.insert(successor).second) {
      onPath.insert(successor);
      stack.push_back({successor, 0});
    }
  }
  return success();
}

namespace {
using Joins = llvm::SmallPtrSet<Operation *, 4>;
} // namespace

static bool hasSite(Block &block, const Joins &joins) {
  return joins.contains(block.getTerminator()) ||
         llvm::any_of(block, [](Operation &op) { return isCrossLane(&op); });
}

namespace {
/// Numbers the sites of one body.
class Numberer {
public:
  /// `joins`: the branches into the places where lanes meet again.
  Numberer(Region &body, const Joins &joins)
      : body(body), joins(joins), dominance(body.getParentOp()),
        loops(dominance.getDomTree(&body)) {}

  /// The loops that need a site on their back edges.
  SmallVector<CFGLoop *> loopsWithLatchSites() {
    SmallVector<CFGLoop *> result;
    for (CFGLoop *loop : loops.getLoopsInPreorder())
      if (needsLatchSite(*loop))
        result.push_back(loop);
    return result;
  }

  /// Numbers everything; the latches of `headers` are unconditional branches.
  SiteNumbering run(const llvm::DenseSet<Block *> &headers) {
    latchHeaders = &headers;
    order(nullptr, &body.front());
    numbering.count = next;
    return std::move(numbering);
  }

private:
  bool needsLatchSite(CFGLoop &loop) {
    SmallVector<Block *> latches;
    loop.getLoopLatches(latches);
    for (Block *block : loop.blocks()) {
      if (!hasSite(*block, joins))
        continue;
      if (loops.getLoopFor(block) != &loop)
        return true;
      for (Block *latch : latches)
        if (!dominance.dominates(block, latch))
          return true;
    }
    return false;
  }

  /// The child of `parent` (null: the body) that holds `block`, or null if
  /// `block` lies in `parent` itself.
  CFGLoop *childLoop(CFGLoop *parent, Block *block) {
    CFGLoop *child = nullptr;
    for (CFGLoop *loop = loops.getLoopFor(block); loop != parent;
         loop = loop->getParentLoop())
      child = loop;
    return child;
  }

  /// The places that follow `node`, a block of `loop` or the header of one of
  /// its children, without leaving `loop` or closing it.
  SmallVector<Block *> successors(CFGLoop *loop, Block *node) {
    CFGLoop *child = childLoop(loop, node);
    SmallVector<Block *> result;
    auto addFrom = [&](Block *block) {
      for (Block *successor : block->getSuccessors()) {
        if (child && child->contains(successor))
          continue;
        if (loop &&
            (!loop->contains(successor) || successor == loop->getHeader()))
          continue;
        CFGLoop *other = childLoop(loop, successor);
        result.push_back(other ? other->getHeader() : successor);
      }
    };
    if (!child) {
      addFrom(node);
      return result;
    }
    for (Block *block : child->blocks())
      addFrom(block);
    return result;
  }

  /// Numbers `loop` (null: the body) from its entry on.
  void order(CFGLoop *loop, Block *entry) {
    SmallVector<Block *> postOrder;
    llvm::DenseSet<Block *> visited;
    SmallVector<std::pair<Block *, SmallVector<Block *>>> stack;
    visited.insert(entry);
    stack.push_back({entry, successors(loop, entry)});
    while (!stack.empty()) {
      auto &[node, rest] = stack.back();
      if (rest.empty()) {
        postOrder.push_back(node);
        stack.pop_back();
        continue;
      }
      // From the last successor on, so that the first comes first in the
      // reverse of the order of leaving.
      Block *successor = rest.pop_back_val();
      if (visited.insert(successor).second)
        stack.push_back({successor, successors(loop, successor)});
    }
    for (Block *node : llvm::reverse(postOrder)) {
      CFGLoop *child = childLoop(loop, node);
      if (child)
        order(child, node);
      else
        number(*node);
    }
    if (loop && latchHeaders->contains(loop->getHeader())) {
      SmallVector<Block *> latches;
      loop->getLoopLatches(latches);
      for (Block *latch : latches)
        numbering.sites[latch->getTerminator()] = next;
      ++next;
    }
  }

  void number(Block &block) {
    for (Operation &op : block)
      if (isCrossLane(&op) || joins.contains(&op))
        numbering.sites[&op] = next++;
  }

  Region &body;
  const Joins &joins;
  DominanceInfo dominance;
  CFGLoopInfo loops;
  const llvm::DenseSet<Block *> *latchHeaders = nullptr;
  SiteNumbering numbering;
  uint32_t next = 0;
};
} // namespace

/// Makes every edge from `latch` to `header` leave a block that does nothing
/// else, unless `latch` is such a block.
static void isolateBackEdges(Block *latch, Block *header) {
  Operation *terminator = latch->getTerminator();
  if (terminator->getNumSuccessors() == 1)
    return;
  auto branch = cast<BranchOpInterface>(terminator);
  for (unsigned i = 0, e = terminator->getNumSuccessors(); i < e; ++i) {
    if (terminator->getSuccessor(i) != header)
      continue;
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    auto *edge = new Block;
    edge->insertBefore(latch->getNextNode());
    OpBuilder builder = OpBuilder::atBlockEnd(edge);
    SmallVector<Value> forwarded(operands.getForwardedOperands());
    LLVM::BrOp::create(builder, terminator->getLoc(), forwarded, header);
    operands.erase(0, operands.size());
    terminator->setSuccessor(edge, i);
  }
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// True if nothing happens from `block` on but that the lane ends.
static bool onlyEnds(Block *block) {
  return block->getNumSuccessors() == 0 &&
         llvm::all_of(block->without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

/// The blocks in which lanes meet that went around a barrier.
static llvm::SetVector<Block *> findJoins(Region &body) {
  llvm::SetVector<Block *> result;
  DominanceInfo dominance(body.getParentOp());
  PostDominanceInfo postDominance(body.getParentOp());
  CFGLoopInfo loops(dominance.getDomTree(&body));
  auto next = [&](Block *block) -> Block * {
    auto *node = postDominance.getNode(block)->getIDom();
    return node ? node->getBlock() : nullptr;
  };
  auto add = [&](Block *join) {
    if (join && !onlyEnds(join))
      result.insert(join);
  };
  for (Block &block : body) {
    if (llvm::none_of(block, [](Operation &op) { return isBarrier(&op); }))
      continue;
    // Branches above, one of whose ways misses the barrier.
    for (auto *node = dominance.getNode(&block)->getIDom(); node;
         node = node->getIDom())
      if (node->getBlock()->getNumSuccessors() > 1 &&
          !postDominance.postDominates(&block, node->getBlock()))
        add(next(node->getBlock()));
    // Loops around it, which lanes may leave after different rounds.
    for (CFGLoop *loop = loops.getLoopFor(&block); loop;
         loop = loop->getParentLoop()) {
      Block *exit = next(loop->getHeader());
      while (exit && loop->contains(exit))
        exit = next(exit);
      add(exit);
    }
  }
  return result;
}

/// Puts a block in front of `join`, through which all ways lead that do not
/// come from behind it, and returns its branch.
static Operation *isolateJoin(Block *join, DominanceInfo &dominance) {
  SmallVector<std::pair<Operation *, unsigned>> edges;
  for (auto it = join->pred_begin(), e = join->pred_end(); it != e; ++it)
    if (!dominance.dominates(join, *it))
      edges.push_back({(*it)->getTerminator(), it.getSuccessorIndex()});
  auto *front = new Block;
  front->insertBefore(join);
  for (BlockArgument argument : join->getArguments())
    front->addArgument(argument.getType(), argument.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(front);
  Operation *branch = LLVM::BrOp::create(
      builder, join->front().getLoc(), front->getArguments(), join);
  for (auto [terminator, index] : edges)
    terminator->setSuccessor(front, index);
  return branch;
}

static Joins isolateJoins(Region &body) {
  Joins result;
  llvm::SetVector<Block *> blocks = findJoins(body);
  if (blocks.empty())
    return result;
  for (Block *join : blocks) {
    DominanceInfo dominance(body.getParentOp());
    result.insert(isolateJoin(join, dominance));
  }
  return result;
}

SiteNumbering fly::host::numberSites(Region &body) {
  if (body.hasOneBlock()) {
    SiteNumbering numbering;
    for (Operation &op : body.front())
      if (isCrossLane(&op))
        numbering.sites[&op] = numbering.count++;
    return numbering;
  }

  Joins joins = isolateJoins(body);
  llvm::DenseSet<Block *> headers;
  SmallVector<std::pair<Block *, Block *>> backEdges;
  {
    Numberer numberer(body, joins);
    for (CFGLoop *loop : numberer.loopsWithLatchSites()) {
      headers.insert(loop->getHeader());
      SmallVector<Block *> latches;
      loop->getLoopLatches(latches);
      for (Block *latch : latches)
        backEdges.push_back({latch, loop->getHeader()});
    }
  }
  for (auto [latch, header] : backEdges)
    isolateBackEdges(latch, header);
  return Numberer(body, joins).run(headers);
}

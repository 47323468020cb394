// A part while a tree of fractional examples is pruned: its pieces of rows by surviving node.
//
// Dividing the pieces of a node anew needs sums over all parts at every split, so a trial goes level by level:
// the parts say what has a value in which branch, the coordinator adds up, the parts divide.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "distributed/fractional_part.hpp"
#include "distributed/surviving_rows.hpp"
#include "pruning/row_pieces.hpp"

namespace hardwood {

// Of all parts: the weight with a value in each branch of a surviving node, where a trial stands.
struct KnownAt {
  std::int32_t node;
  std::vector<std::int64_t> known;
};

// Trials that begin, once all others are decided, or nodes where the next level is to be divided.
struct PieceOrder {
  std::vector<Trial> begun;
  std::vector<KnownAt> divided;

  bool empty() const { return begun.empty() && divided.empty(); }
  std::string pack() const;
  static PieceOrder unpack(std::span<const char> bytes);
};

class SurvivingPieces {
 public:
  // As of SurvivingRows.
  SurvivingPieces(const Part& part, const FractionalPart& pieces, const GrownTree& tree,
                  const std::vector<std::int32_t>& leaves, const std::vector<std::int32_t>& nodes,
                  const std::vector<std::int32_t>& surviving);

  // Of a raised branch the pieces are where its trial has brought them.
  void follow(const Change& change);
  // What is at the nodes that the trials have reached now.
  Arrivals divide(const PieceOrder& order);

 private:
  void check(std::int32_t node) const;
  std::vector<RowPiece> pieces_at(const std::vector<std::int32_t>& nodes) const;
  void add_sums(std::int32_t node, const std::vector<RowPiece>& pieces, Arrivals& out) const;

  const Part& part_;
  SurvivingNodes surviving_;
  PartTurns turns_;
  std::vector<std::vector<RowPiece>> at_leaf_;
  std::map<std::int32_t, std::vector<RowPiece>> moving_;  // in trials, by surviving node
};

}  // namespace hardwood

// Turns committed leaves and splits into the tree's arrays, in the user's values.
#pragma once

#include "data/problem.hpp"
#include "growing/fractional_division.hpp"
#include "growing/partition.hpp"
#include "search/candidate.hpp"
#include "search/fractional_split.hpp"
#include "search/rules.hpp"
#include "tree/tree.hpp"

namespace hardwood {

class TreeBuilder {
 public:
  explicit TreeBuilder(const Problem& problem) : problem_(problem) { tree_.classes = problem.classes; }

  // Adds a leaf and returns its number.
  std::int32_t add_leaf(std::int32_t parent, std::int32_t depth, const NodeRows& rows,
                        const NodeTotals& totals);

  // Makes a leaf an inner node whose two branches are the next two leaves added.
  void split(std::int32_t node, const Candidate& split, const Division& division, const NodeTotals& totals);

  // The same for several branches, in the order of the leaves added next.
  void split(std::int32_t node, const Branching& split);

  // Of a tree with fractional examples: the share of the leaf added last, and a split whose branches are the
  // next leaves added.
  void set_share(double share) { tree_.share.push_back(share); }
  void split(std::int32_t node, const FractionalSplit& split, const FractionalDivision& division);

  Tree take() { return std::move(tree_); }

 private:
  void begin_cuts(std::int32_t node);
  void add_cut(std::int32_t node, const EncodedColumn& column, std::uint32_t low, std::uint32_t high);
  void add_groups(std::int32_t node, const Candidate& split);
  void add_cuts(std::int32_t node, const EncodedColumn& column, const FractionalDivision& division);

  Problem problem_;
  Tree tree_;
};

// Midpoint of two adjacent values, or the lower one where it rounds to the upper.
double midpoint(double low, double high);

}  // namespace hardwood

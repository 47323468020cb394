// Top-down growth (Kearns & Mansour 1996, Fig. 1): the leaf with the largest drop, or the heaviest, is
// split next, until the budget is used up or no leaf has an admissible split.
#pragma once

#include <cstdint>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/problem.hpp"
#include "growing/workspace.hpp"
#include "search/prices.hpp"
#include "search/rules.hpp"
#include "tree/tree.hpp"

namespace hardwood {

enum class LeafChoice : std::uint8_t { drop, weight, number };

struct GrowthRules {
  LeafChoice leaf_choice = LeafChoice::drop;
  std::int64_t max_leaves = 0;  // 0: no limit
  std::int32_t max_depth = 0;   // 0: no limit
  double min_drop = 0;          // share of the root's weight
  BranchLimits limits;
  Prices* prices = nullptr;  // null: splits have two branches; else the heaviest leaf is split next
  const std::vector<char>* allowed = nullptr;  // per column: may be split on; null: all
  // How splits are sought; all but `histograms` need weights.
  enum class Search : std::uint8_t {
    histograms,  // every column on every row, a sibling by subtraction
    bounded,     // the same without the columns that the root's sums rule out
    pruned,      // the heaviest rows first (two classes, no limits on branches)
    race,        // as published, see column_race.hpp
  };
  Search search = Search::histograms;
  RaceRules race;
};

struct Growth {
  Tree tree;
  std::vector<NodeRows> node_rows;        // each node's range of the rows that were handed in
  std::vector<Candidate> splits;          // each inner node's split in two, in codes
  std::vector<std::int32_t> split_nodes;  // in growth order
  std::vector<std::uint8_t> exact;        // likewise: no rule of thumb took part in the search
  std::vector<double> potential;          // of the tree before any split, then after each; integer units
  std::vector<double> error;              // likewise
  std::int64_t assessments = 0;           // rows x columns that the search asked for
  std::int64_t exhaustive_assessments = 0;
};

// `rows` are the rows of positive weight, by class, as NodeRows `root` describes them; they are reordered
// so that every node's rows stand together. Cell is that of the workspace's histograms.
template <class Cell>
Growth grow(Workspace<Cell>& workspace, const GrowthRules& rules, const NodeRows& root,
            std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll);

extern template Growth grow<std::uint32_t>(Workspace<std::uint32_t>&, const GrowthRules&, const NodeRows&,
                                           std::vector<std::uint32_t>&, Pool&, const Poll&);
extern template Growth grow<std::int64_t>(Workspace<std::int64_t>&, const GrowthRules&, const NodeRows&,
                                          std::vector<std::uint32_t>&, Pool&, const Poll&);

}  // namespace hardwood

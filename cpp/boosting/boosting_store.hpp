// Rows with their factors, and the few questions that a round of AdaBoost asks about them.
//
//   rows in memory   memory_boosting.hpp
//   rows in parts    distributed/parts_boosting.hpp
//
// A row's factor is exp(-y F(x)) (two classes), or the product of the factors of the trees that were right
// (SAMME). Sums are of whole numbers, so every store gives the same rounds.
#pragma once

#include <cstdint>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "boosting/leaf_factors.hpp"
#include "growing/grower.hpp"

namespace hardwood {

enum class Search : std::uint8_t { exhaustive, automatic, adaptive, quick };

// Over all rows: weight x round_weight (leaf_factors.hpp) and weight x ln(1 + factor), up to rounding, and the
// number of rows of positive weight.
struct FactorTotals {
  double weight = 0, loss = 0, rows = 0;
};

// A tree sees the heaviest rows that hold this share of the weight, and those tied with the lightest of them;
// where ties are cut, of these only the first that are needed.
struct Trimming {
  double weight_fraction = 1;
  bool cut_ties = false;
};

class BoostingStore {
 public:
  virtual ~BoostingStore() = default;

  virtual FactorTotals totals() = 0;
  // The first of them, correctly rounded.
  virtual double exact_total() = 0;
  // Whether the caller's weights are all whole numbers.
  virtual bool whole() const = 0;
  virtual void scale(double by) = 0;

  // weight x round_weight -> whole numbers on the grid of 2^-exponent. The tree will see the rows that
  // `trimming` says.
  virtual void begin_round(int exponent, Trimming trimming, Pool& pool) = 0;
  virtual double weight() const = 0;       // of all rows, in whole numbers
  virtual double seen_weight() const = 0;  // of those that the tree sees

  virtual Growth grow(GrowthRules rules, Search search, Pool& pool, const Poll& poll) = 0;
  virtual std::size_t columns() const = 0;
  // How many distinct values a column of numbers has, in all rows; 0: many. 1: the column has no cuts.
  virtual std::uint32_t few_values(std::size_t column) const = 0;

  // Class weights, node by node, of the rows that the tree did not see; empty where it saw all.
  virtual std::vector<std::int64_t> route_unseen(Growth& growth) = 0;
  // Multiplies the factors of all rows by what their leaf says. more: a round is likely to follow, which a
  // store may begin at once.
  virtual void multiply(Growth& growth, const std::vector<LeafFactors>& by_node, bool more, Pool& pool) = 0;
  // Fills in what is still open of the growth: rows in parts tell some of it with the next answer only.
  virtual void complete(Growth&) {}
};

}  // namespace hardwood

// Many trees, made ready once, that add up to the scores of any number of tables.
//
// Owns its trees, and what routing wants of them. After construction it is only read, by several threads at
// once if need be (the bits for many rows are made by the first who needs them).
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/pool.hpp"
#include "data/input.hpp"
#include "predict/bit_forest.hpp"
#include "predict/column_blocks.hpp"
#include "predict/router.hpp"
#include "predict/scored_tree.hpp"

namespace hardwood {

class ScoringForest {
 public:
  // kinds[f] is the kind of column f in every table. A tree that does not fit to them, or whose outputs are not
  // below `outputs`, is an invalid_argument.
  ScoringForest(std::vector<ScoredTree> trees, std::size_t outputs, std::vector<ColumnKind> kinds);

  const UsedColumns& used() const { return used_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t trees() const { return trees_.size(); }
  // Every column that some tree asks about is numeric.
  bool numeric() const;

  // score[i * outputs + o], zero at the start; trees add in their order. Columns that no tree uses are not
  // read; an infinite value that decides a row's way is an InfiniteValue, a column of another kind an
  // invalid_argument.
  void score(std::span<const ColumnInput> inputs, std::size_t rows, double* score, Pool& pool) const;

 private:
  void check_tree(const ScoredTree& scored) const;
  void check_columns(std::span<const ColumnInput> inputs) const;
  // Null where the trees have other questions than single cuts.
  const BitForest* bits() const;
  void add_block(const ColumnBlock& block, std::size_t count, const BitForest* bits, double* score) const;

  std::vector<ScoredTree> trees_;
  std::size_t outputs_;
  UsedColumns used_;
  std::vector<Router> routers_;
  mutable std::once_flag bits_once_;
  mutable std::optional<BitForest> bits_;
};

}  // namespace hardwood

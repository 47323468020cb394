#include "predict/scoring_forest.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "predict/bit_kernels.hpp"
#include "predict/row_blocks.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

ScoringForest::ScoringForest(std::vector<ScoredTree> trees, std::size_t outputs, std::vector<ColumnKind> kinds)
    : trees_(std::move(trees)), outputs_(outputs), used_(std::move(kinds)) {
  for (const ScoredTree& each : trees_) {
    check_tree(each);
    routers_.emplace_back(view_of(each.tree), used_);
  }
}

void ScoringForest::check_tree(const ScoredTree& scored) const {
  const Tree& tree = scored.tree;
  if (scored.addend.size() != tree.size() || scored.output.size() != tree.size())
    throw std::invalid_argument("addends and outputs must be per node");
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (scored.output[n] < 0 || static_cast<std::size_t>(scored.output[n]) >= outputs_)
      throw std::invalid_argument("no such output");
    const bool known = tree.feature[n] >= 0 && static_cast<std::size_t>(tree.feature[n]) < used_.columns();
    if (tree.kind[n] != leaf_node && !known)
      throw std::invalid_argument("a tree asks about no column of the table");
  }
}

void ScoringForest::check_columns(std::span<const ColumnInput> inputs) const {
  if (inputs.size() != used_.columns()) throw std::invalid_argument("the table has another number of columns");
  for (std::size_t s = 0; s < used_.size(); ++s) {
    const std::int32_t feature = used_.feature(static_cast<std::int32_t>(s));
    if (inputs[feature].kind != used_.kind(feature))
      throw std::invalid_argument("a column is of another kind than those that the forest was made for");
  }
}

bool ScoringForest::numeric() const {
  for (std::size_t s = 0; s < used_.size(); ++s)
    if (used_.kind(used_.feature(static_cast<std::int32_t>(s))) != ColumnKind::numeric) return false;
  return true;
}

const BitForest* ScoringForest::bits() const {
  std::call_once(bits_once_, [this] {
    if (BitForest::suits(trees_, used_)) bits_.emplace(trees_, used_);
  });
  return bits_ ? &*bits_ : nullptr;
}

void ScoringForest::add_block(const ColumnBlock& block, std::size_t count, const BitForest* bits,
                              double* score) const {
  std::size_t done = 0;
  if (bits)
    while (done + bit_rows <= count && bits->add(block, done, outputs_, score + done * outputs_))
      done += bit_rows;
  if (done == count) return;
  std::int32_t leaf[block_rows];
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    routers_[t].route(block, count, leaf);
    const double* addend = trees_[t].addend.data();
    const std::int32_t* output = trees_[t].output.data();
    for (std::size_t i = done; i < count; ++i) score[i * outputs_ + output[leaf[i]]] += addend[leaf[i]];
  }
}

void ScoringForest::score(std::span<const ColumnInput> inputs, std::size_t rows, double* score,
                          Pool& pool) const {
  check_columns(inputs);
  const BitForest* of_many_rows = rows >= bit_rows ? bits() : nullptr;
  for_each_block(used_, inputs, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
    add_block(block, count, of_many_rows, score + from * outputs_);
  });
}

}  // namespace hardwood

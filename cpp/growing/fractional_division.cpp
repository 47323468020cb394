#include "growing/fractional_division.hpp"

#include <algorithm>

#include "base/portable.hpp"
#include "data/code_reader.hpp"

namespace hardwood {

namespace {

// The branch of each item, by the code of its row. Notes the values beside the cuts.
std::vector<std::int32_t> find_branches(const Problem& problem, const Items& items, Split& split) {
  const EncodedColumn& column = problem.table->columns[split.column];
  std::vector<std::int32_t> by_code;
  if (column.kind == ColumnKind::category) {
    by_code.assign(column.values, 0);
    for (std::size_t i = 0; i < split.codes.size(); ++i) by_code[split.codes[i]] = split.branch_of[i];
  }
  std::vector<std::uint64_t> smallest(split.arity, none), largest(split.arity, 0);
  std::vector<std::int32_t> branch(items.size());
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const std::uint32_t code = code_of(items.row[i]);
      if (code == column.values) {
        branch[i] = every_branch;
        continue;
      }
      const std::int32_t j = by_code.empty() ? split.interval_branch(code) : by_code[code];
      branch[i] = j;
      smallest[j] = std::min<std::uint64_t>(smallest[j], code);
      largest[j] = std::max<std::uint64_t>(largest[j], code);
    }
  });
  if (!split.cuts.empty()) {
    split.below.assign(largest.begin(), largest.end() - 1);
    split.above.assign(smallest.begin() + 1, smallest.end());
  }
  return branch;
}

// An amount in pieces proportional to the branches' known weights.
class Pieces {
 public:
  Pieces(std::vector<std::int64_t> known, std::int32_t heaviest)
      : known_(std::move(known)), heaviest_(heaviest), pieces_(known_.size(), 0) {
    for (std::int64_t weight : known_) all_ += weight;
  }

  // Examples of one weight often follow each other: their pieces are found once.
  const std::vector<std::int64_t>& of(std::int64_t amount) {
    if (amount == amount_) return pieces_;
    amount_ = amount;
    std::int64_t left = amount;
    for (std::size_t j = 0; j < known_.size(); ++j) {
      pieces_[j] = static_cast<std::int64_t>(static_cast<Wide>(amount) * known_[j] / all_);
      left -= pieces_[j];
    }
    pieces_[heaviest_] += left;
    return pieces_;
  }

 private:
  std::vector<std::int64_t> known_;
  std::int64_t all_ = 0, amount_ = 0;
  std::int32_t heaviest_;
  std::vector<std::int64_t> pieces_;
};

void add_pieces(const Items& items, std::uint32_t i, Pieces& weights, Pieces& examples,
                std::vector<Items>& branches) {
  const bool counted = !items.examples.empty();
  const auto& weight = weights.of(items.weight[i]);
  const auto& count = examples.of(counted ? items.examples[i] : 0);
  for (std::size_t j = 0; j < branches.size(); ++j)
    if (weight[j] > 0) branches[j].add(items.row[i], weight[j], count[j], counted);
}

}  // namespace

std::vector<Items> share_out(const Items& items, const std::vector<std::int32_t>& branch, const Split& split) {
  std::vector<std::uint32_t> count(split.arity, 0);
  for (std::int32_t own : branch) {
    if (own != every_branch) ++count[own];
    else
      for (std::uint32_t& each : count) ++each;
  }
  std::vector<Items> out(split.arity);
  for (std::int32_t j = 0; j < split.arity; ++j) {
    out[j].row.reserve(count[j]);
    out[j].weight.reserve(count[j]);
  }
  const bool counted = !items.examples.empty();
  Pieces weights(split.known, split.default_branch), examples(split.known, split.default_branch);
  std::vector<std::uint32_t> begin(split.arity, 0);
  for (const ClassRows& own : items.by_class.classes) {
    for (std::uint32_t i = own.begin; i < own.end; ++i) {
      if (branch[i] == every_branch) {
        add_pieces(items, i, weights, examples, out);
      } else {
        out[branch[i]].add(items.row[i], items.weight[i], counted ? items.examples[i] : 0, counted);
      }
    }
    for (std::int32_t j = 0; j < split.arity; ++j) {
      out[j].close_class(own.label, begin[j]);
      begin[j] = out[j].size();
    }
  }
  return out;
}

std::vector<Items> divide(const Problem& problem, const Items& items, Split& split) {
  return share_out(items, find_branches(problem, items, split), split);
}

}  // namespace hardwood

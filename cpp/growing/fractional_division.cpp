#include "growing/fractional_division.hpp"

#include <algorithm>

#include "data/code_reader.hpp"

namespace hardwood {

namespace {

constexpr std::int32_t every_branch = -1;

// The branch of each item, by the code of its row. Notes the values beside the cuts, and with a missing branch
// of 0 that values are missing.
std::vector<std::int32_t> find_branches(const Problem& problem, const Items& items, Split& split) {
  const EncodedColumn& column = problem.table->columns[split.column];
  std::vector<std::int32_t> by_code;
  if (column.kind == ColumnKind::category) {
    by_code.assign(column.values, 0);
    for (std::size_t i = 0; i < split.codes.size(); ++i) by_code[split.codes[i]] = split.branch_of[i];
  }
  std::vector<std::uint64_t> smallest(split.arity, none), largest(split.arity, 0);
  split.missing_branch = -1;
  std::vector<std::int32_t> branch(items.size());
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const std::uint32_t code = code_of(items.row[i]);
      if (code == column.values) {
        branch[i] = every_branch;
        split.missing_branch = 0;
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
      pieces_[j] = static_cast<std::int64_t>(static_cast<__int128>(amount) * known_[j] / all_);
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

void share_out(const Items& items, std::uint32_t i, Pieces& weights, Pieces& examples,
               std::vector<Items>& branches) {
  const bool counted = !items.examples.empty();
  const auto& weight = weights.of(items.weight[i]);
  const auto& count = examples.of(counted ? items.examples[i] : 0);
  for (std::size_t j = 0; j < branches.size(); ++j)
    if (weight[j] > 0) branches[j].add(items.row[i], weight[j], count[j], counted);
}

}  // namespace

FractionalDivision divide(const Problem& problem, const Items& items, Split& split) {
  FractionalDivision out;
  const std::vector<std::int32_t> branch = find_branches(problem, items, split);
  std::vector<std::int64_t> known(split.arity, 0);
  std::vector<std::uint32_t> count(split.arity, 0);
  std::int64_t all = 0;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (branch[i] == every_branch) {
      for (std::uint32_t& each : count) ++each;
      continue;
    }
    known[branch[i]] += items.weight[i];
    ++count[branch[i]];
    all += items.weight[i];
  }
  split.default_branch =
      static_cast<std::int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
  if (split.missing_branch >= 0) split.missing_branch = split.default_branch;
  out.branches.resize(split.arity);
  for (std::int32_t j = 0; j < split.arity; ++j) {
    out.share.push_back(static_cast<double>(known[j]) / static_cast<double>(all));
    out.branches[j].row.reserve(count[j]);
    out.branches[j].weight.reserve(count[j]);
  }
  const bool counted = !items.examples.empty();
  Pieces weights(known, split.default_branch), examples(known, split.default_branch);
  std::vector<std::uint32_t> begin(split.arity, 0);
  for (const ClassRows& piece : items.by_class.classes) {
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      if (branch[i] == every_branch) {
        share_out(items, i, weights, examples, out.branches);
      } else {
        const std::int64_t own = counted ? items.examples[i] : 0;
        out.branches[branch[i]].add(items.row[i], items.weight[i], own, counted);
      }
    }
    for (std::int32_t j = 0; j < split.arity; ++j) {
      out.branches[j].close_class(piece.label, begin[j]);
      begin[j] = out.branches[j].size();
    }
  }
  return out;
}

}  // namespace hardwood

// Splits of three or more branches of fractional examples: groups with the missing weights shared out, in which
// they are searched, and the examples with a value, by which limits and drops are decided.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/portable.hpp"
#include "search/groups.hpp"
#include "search/multiway/multiway_search.hpp"
#include "search/rules.hpp"

namespace hardwood {

// Missing weights shared out: prefix sums a become a + floor(|a| m / |known|), so that all of them add up to
// the node. Examples stay those that have a value.
inline void share_out_missing(Groups& groups, int classes) {
  const auto known_until = [&](std::size_t i) {
    double sum = 0;
    for (int c = 0; c < classes; ++c) sum += groups.left[c * groups.stride + i];
    return static_cast<Wide>(sum);
  };
  const Wide known = known_until(groups.count);
  for (std::size_t i = 1; i <= groups.count; ++i) {
    const Wide own = known_until(i);
    for (int c = 0; c < classes; ++c)
      groups.left[c * groups.stride + i] +=
          static_cast<double>(own * static_cast<Wide>(groups.missing[c]) / known);
  }
  groups.missing.assign(groups.missing.size(), 0.0);
  groups.any_missing = false;
}

// In whole numbers, from the examples with a value (piece_cost.hpp): whether the branches are within the limits
// and the drop is positive.
class KnownBranches {
 public:
  KnownBranches(const Groups& known, int classes, const std::vector<std::int32_t>& branch_of,
                std::int32_t arity)
      : classes_(classes), weight_(static_cast<std::size_t>(arity) * classes, 0), own_(arity, 0),
        examples_(arity, 0), total_(classes, 0) {
    for (std::size_t i = 0; i < known.count; ++i) {
      for (int c = 0; c < classes; ++c) {
        const auto w = static_cast<Wide>(known.weight(c, i));
        weight_[branch_of[i] * classes + c] += w;
        own_[branch_of[i]] += w;
        total_[c] += w;
        all_ += w;
      }
      if (known.channels > classes) examples_[branch_of[i]] += known.weight(classes, i);
    }
    for (int c = 0; c < classes; ++c) missing_.push_back(static_cast<Wide>(known.missing[c]));
  }

  std::vector<std::int64_t> weights() const { return {own_.begin(), own_.end()}; }

  bool within(const BranchLimits& limits) const {
    for (std::size_t b = 0; b < own_.size(); ++b)
      if (static_cast<double>(own_[b]) < limits.min_weight || examples_[b] < limits.min_examples) return false;
    return true;
  }

  bool positive_drop(Criterion criterion) const {
    if (criterion == Criterion::error) return more_are_right();
    for (std::size_t b = 0; b < own_.size(); ++b)
      for (int c = 0; c < classes_; ++c)
        if (weight_[b * classes_ + c] * all_ != total_[c] * own_[b]) return true;
    return false;
  }

 private:
  bool more_are_right() const {
    Wide branches = 0, together = 0;
    for (std::size_t b = 0; b < own_.size(); ++b) {
      Wide most = 0;
      for (int c = 0; c < classes_; ++c)
        most = std::max(most, all_ * weight_[b * classes_ + c] + own_[b] * missing_[c]);
      branches += most;
    }
    for (int c = 0; c < classes_; ++c) together = std::max(together, all_ * (total_[c] + missing_[c]));
    return branches > together;
  }

  int classes_;
  std::vector<Wide> weight_, own_;
  std::vector<double> examples_;
  std::vector<Wide> total_, missing_;
  Wide all_ = 0;
};

// The limit is on the examples with a value; pieces of the others are rounded down, by less than a unit per
// class.
inline double limit_with_pieces(double min_weight, const NodeTotals& node, double with_value) {
  const double scaled = min_weight * (node.weight / with_value);
  return scaled - node.classes - 1 - scaled * 0x1p-50;
}

// The best function of three or more branches of one column, whose groups are those of the examples with a
// value. `exact` becomes false where a rule of thumb took part.
Split multiway_of_column(const MultiwayRequest& request, ColumnKind kind, std::uint32_t column,
                         const Groups& known, bool& exact);

}  // namespace hardwood

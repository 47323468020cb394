#include "explain/box_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hardwood {

namespace {

constexpr int crossings = 12;      // of lines, to find a multiplier
constexpr double slowing = 0.995;  // of the steps by which shares move
constexpr double least_step = 0.02;
constexpr double least_share = 1e-7;  // before they are made to add up to 1

}  // namespace

// At first in proportion to how far the leaves of a tree differ: a tree that says little pays little.
BoxBound::BoxBound(const CellForest& forest, const RankedCells& cells, const AnswerRule& rule,
                   std::int32_t target)
    : forest_(forest), cells_(cells), rule_(rule), target_(target), slot_(forest.conditions()) {
  std::vector<std::int32_t> latest(forest.columns(), nothing);
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    const auto first_slot = static_cast<std::int32_t>(slot_column_.size());
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::int32_t l = forest.tree_begin[t]; l < forest.tree_begin[t + 1]; ++l) {
      least = std::min(least, forest.addend[l]);
      most = std::max(most, forest.addend[l]);
      for (std::int32_t q = forest.condition_begin[l]; q < forest.condition_begin[l + 1]; ++q) {
        const std::int32_t j = forest.condition_column[q];
        if (latest[j] < first_slot) {
          latest[j] = static_cast<std::int32_t>(slot_column_.size());
          slot_column_.push_back(j);
        }
        slot_[q] = latest[j];
      }
    }
    share_.resize(slot_column_.size(), most - least + std::abs(most) * 1e-3 + 1e-300);
  }
  moved_.assign(share_.size(), 0.0);
  std::vector<double> whole(forest.columns(), 0.0);
  for (std::size_t s = 0; s < share_.size(); ++s) whole[slot_column_[s]] += share_[s];
  for (std::size_t s = 0; s < share_.size(); ++s) share_[s] /= whole[slot_column_[s]];
}

bool BoxBound::reach(const std::vector<std::uint64_t>& box) {
  nearest_.resize(forest_.columns());
  base_ = 0;
  for (std::size_t j = 0; j < forest_.columns(); ++j) {
    const auto column = static_cast<std::int32_t>(j);
    nearest_[j] = cells_.lowest(box.data(), column);
    if (nearest_[j] == nothing) return false;
    base_ += cells_.cost(column, nearest_[j]);
  }
  reached_.clear();
  beyond_.clear();
  reached_begin_.assign(1, 0);
  at_.assign(forest_.trees(), 0);
  for (std::size_t t = 0; t < forest_.trees(); ++t) {
    for (std::int32_t l = forest_.tree_begin[t]; l < forest_.tree_begin[t + 1]; ++l) {
      const std::size_t at = beyond_.size();
      bool inside = true, here = true;
      for (std::int32_t q = forest_.condition_begin[l]; inside && q < forest_.condition_begin[l + 1]; ++q) {
        const std::int32_t j = forest_.condition_column[q], rank = cells_.lowest(box.data(), j, q);
        inside = rank != nothing;
        here = here && rank == nearest_[j];
        beyond_.push_back(inside ? cells_.cost(j, rank) - cells_.cost(j, nearest_[j]) : 0.0);
      }
      if (!inside) {
        beyond_.resize(at);
        continue;
      }
      if (here) at_[t] = reached_.size();
      reached_.push_back({l, at, 0.0, 0.0});
    }
    reached_begin_.push_back(reached_.size());
  }
  return true;
}

bool BoxBound::answered() {
  scores_.assign(forest_.outputs, 0.0);
  for (std::size_t at : at_) scores_[forest_.place[reached_[at].leaf]] += forest_.addend[reached_[at].leaf];
  return says(rule_, scores_, target_);
}

bool BoxBound::answers(const Point& point) {
  scores_.assign(forest_.outputs, 0.0);
  for (std::size_t t = 0; t < forest_.trees(); ++t) {
    for (std::int32_t l = forest_.tree_begin[t]; l < forest_.tree_begin[t + 1]; ++l) {
      bool inside = true;
      for (std::int32_t q = forest_.condition_begin[l]; inside && q < forest_.condition_begin[l + 1]; ++q)
        inside = cells_.has(q, point[forest_.condition_column[q]]);
      if (!inside) continue;
      scores_[forest_.place[l]] += forest_.addend[l];
      break;
    }
  }
  return says(rule_, scores_, target_);
}

// Over the class that leads most at the nearest point, whose scores `answered` left.
void BoxBound::set_gains() {
  std::vector<double> low(forest_.outputs, 0.0), high(forest_.outputs, 0.0);
  if (!rule_.costs.empty()) set_ranges(low, high);
  lead_ = lead_of(rule_, scores_, low, high, target_);
  for (Reached& each : reached_) each.gain = lead_.weight[forest_.place[each.leaf]] * forest_.addend[each.leaf];
}

// Of every score, over the leaves reached: what a tree adds to it is 0 where its leaf adds to another.
void BoxBound::set_ranges(std::vector<double>& low, std::vector<double>& high) const {
  std::vector<double> least(forest_.outputs), most(forest_.outputs);
  std::vector<std::size_t> told(forest_.outputs);
  for (std::size_t t = 0; t < forest_.trees(); ++t) {
    std::fill(told.begin(), told.end(), 0);
    for (std::size_t i = reached_begin_[t]; i < reached_begin_[t + 1]; ++i) {
      const std::int32_t k = forest_.place[reached_[i].leaf];
      const double addend = forest_.addend[reached_[i].leaf];
      least[k] = told[k] ? std::min(least[k], addend) : addend;
      most[k] = told[k] ? std::max(most[k], addend) : addend;
      ++told[k];
    }
    for (std::int32_t k = 0; k < forest_.outputs; ++k) {
      if (!told[k]) continue;
      const bool always = told[k] == reached_begin_[t + 1] - reached_begin_[t];
      low[k] += always ? least[k] : std::min(least[k], 0.0);
      high[k] += always ? most[k] : std::max(most[k], 0.0);
    }
  }
}

void BoxBound::set_extras() {
  for (Reached& each : reached_) {
    each.extra = 0;
    const std::int32_t begin = forest_.condition_begin[each.leaf], end = forest_.condition_begin[each.leaf + 1];
    for (std::int32_t q = begin; q < end; ++q) each.extra += share_[slot_[q]] * beyond_[each.at + (q - begin)];
  }
}

template <class Better>
BoxBound::Line BoxBound::choose(Better better) {
  Line line;
  for (std::size_t t = 0; t < forest_.trees(); ++t) {
    std::size_t pick = reached_begin_[t];
    for (std::size_t i = pick + 1; i < reached_begin_[t + 1]; ++i)
      if (better(reached_[i], reached_[pick])) pick = i;
    pick_[t] = pick;
    line.extra += reached_[pick].extra;
    line.gain += reached_[pick].gain;
  }
  return line;
}

// Where the lines of the least extra and of the largest gain cross, and so on with the line found there.
double BoxBound::crossing_bound(Line few, Line many) {
  double most = 0;
  for (int i = 0; i < crossings && few.gain + slack_ < 0; ++i) {
    const double m = (many.extra - few.extra) / (many.gain - few.gain);
    const Line line = choose([m](const Reached& a, const Reached& b) {
      const double x = a.extra - m * a.gain, y = b.extra - m * b.gain;
      return x != y ? x < y : a.gain > b.gain;
    });
    most = std::max(most, line.extra - m * (line.gain + slack_));
    if (line.gain == many.gain || line.gain == few.gain) break;
    (line.gain + slack_ >= 0 ? many : few) = line;
  }
  return most;
}

void BoxBound::move_shares() {
  std::vector<double> largest(forest_.columns(), 0.0), whole(forest_.columns(), 0.0);
  std::fill(moved_.begin(), moved_.end(), 0.0);
  for (std::size_t pick : pick_) {
    const Reached& each = reached_[pick];
    const std::int32_t begin = forest_.condition_begin[each.leaf], end = forest_.condition_begin[each.leaf + 1];
    for (std::int32_t q = begin; q < end; ++q) {
      moved_[slot_[q]] = beyond_[each.at + (q - begin)];
      double& most = largest[forest_.condition_column[q]];
      most = std::max(most, moved_[slot_[q]]);
    }
  }
  for (std::size_t s = 0; s < share_.size(); ++s) {
    const std::int32_t j = slot_column_[s];
    if (largest[j] > 0)
      share_[s] = std::max(share_[s] * std::exp2(step_ * moved_[s] / largest[j]), least_share);
    whole[j] += share_[s];
  }
  for (std::size_t s = 0; s < share_.size(); ++s) share_[s] /= whole[slot_column_[s]];
  step_ = std::max(step_ * slowing, least_step);
}

double BoxBound::bound(int steps) {
  set_gains();
  pick_.resize(forest_.trees());
  double most = 0;
  for (int i = 0; i <= steps; ++i) {
    set_extras();
    const Line many = choose([](const Reached& a, const Reached& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.extra < b.extra;
    });
    slack_ = lead_.constant + lead_.slack;
    for (std::size_t pick : pick_) slack_ += std::abs(reached_[pick].gain) * 1e-9;
    if (many.gain + slack_ < 0) return std::numeric_limits<double>::infinity();
    const Line few = choose([](const Reached& a, const Reached& b) {
      return a.extra != b.extra ? a.extra < b.extra : a.gain > b.gain;
    });
    most = std::max(most, crossing_bound(few, many));
    if (i < steps) move_shares();
  }
  return base_ + most * (1 - 1e-12);
}

// Of the column for which most gain speaks.
std::int32_t BoxBound::dividing_condition() const {
  std::vector<double> votes(forest_.columns(), 0.0), largest(forest_.columns(), 0.0);
  std::vector<std::int32_t> chosen(forest_.columns(), nothing);
  const auto vote = [&](std::size_t t, std::size_t pick) {
    const double gained = reached_[pick].gain - reached_[at_[t]].gain;
    const std::int32_t l = reached_[pick].leaf;
    for (std::int32_t q = forest_.condition_begin[l]; gained > 0 && q < forest_.condition_begin[l + 1]; ++q) {
      const std::int32_t j = forest_.condition_column[q];
      if (cells_.has(q, nearest_[j])) continue;
      votes[j] += gained;
      if (chosen[j] == nothing || gained > largest[j]) chosen[j] = q, largest[j] = gained;
    }
  };
  for (std::size_t t = 0; t < forest_.trees(); ++t) vote(t, pick_[t]);
  auto most = std::max_element(votes.begin(), votes.end());
  if (most == votes.end() || *most <= 0) {  // the solution is the nearest point: any gain will do
    for (std::size_t t = 0; t < forest_.trees(); ++t)
      for (std::size_t i = reached_begin_[t]; i < reached_begin_[t + 1]; ++i) vote(t, i);
    most = std::max_element(votes.begin(), votes.end());
  }
  if (most != votes.end() && *most > 0) return chosen[most - votes.begin()];
  return rule_.costs.empty() ? nothing : any_condition();
}

// A line over expected costs may rank points in another order than they do: any other leaf is looked at.
std::int32_t BoxBound::any_condition() const {
  for (const Reached& each : reached_)
    for (std::int32_t q = forest_.condition_begin[each.leaf]; q < forest_.condition_begin[each.leaf + 1]; ++q)
      if (!cells_.has(q, nearest_[forest_.condition_column[q]])) return q;
  return nothing;
}

}  // namespace hardwood

#include "pooling/isotonic.hpp"

#include <cmath>
#include <utility>

#include "pooling/closure.hpp"
#include "pooling/implied_pairs.hpp"

namespace hardwood {

namespace {

// Where pairs are many, those that others imply are left out, with a bit for each two items. They change no
// group: what lies between two items of a group is in it too.
constexpr std::size_t many_pairs = 16;         // per item
constexpr std::size_t most_items = 1U << 15U;  // 128 MB of bits

struct Group {
  std::vector<std::int32_t> items;
  std::vector<InOrder> pairs;  // places among the items
};

// By recursive partitioning: the items whose numbers lie above the mean of a group in the solution are the set
// of largest gain among the sets that hold with an item all that may not be smaller (Luss, Rosset, Shahar
// 2012).
class Solver {
 public:
  Solver(std::span<const double> weight, std::span<const double> value, const Poll& poll)
      : weight_(weight), value_(value), poll_(poll), group_(weight.size(), -1) {}

  std::vector<std::int32_t> run(std::span<const InOrder> pairs) && {
    Group all;
    for (std::size_t i = 0; i < weight_.size(); ++i) all.items.push_back(static_cast<std::int32_t>(i));
    all.pairs.assign(pairs.begin(), pairs.end());
    open_.push_back(std::move(all));
    while (!open_.empty()) {
      const Group group = std::move(open_.back());
      open_.pop_back();
      if (in_order(group)) {
        for (std::int32_t i : group.items) group_[i] = made_++;
      } else {
        divide(group);
      }
    }
    return numbered();
  }

 private:
  bool in_order(const Group& group) const {
    for (const InOrder& pair : group.pairs)
      if (value_[group.items[pair.lower]] > value_[group.items[pair.upper]]) return false;
    return true;
  }

  void divide(const Group& group) {
    double sum = 0, size = 0, weight = 0, moved = 0;
    for (std::int32_t i : group.items) {
      sum += weight_[i] * value_[i];
      size += std::fabs(weight_[i] * value_[i]);
      weight += weight_[i];
    }
    const double mean = sum / weight;
    std::vector<double> gain;
    for (std::int32_t i : group.items) {
      gain.push_back(weight_[i] * (value_[i] - mean));
      moved += std::fabs(gain.back());
    }
    const std::vector<char> upper = best_closure(gain, group.pairs, poll_);
    double gained = 0;
    std::size_t count_above = 0;
    for (std::size_t i = 0; i < gain.size(); ++i)
      if (upper[i]) {
        gained += gain[i];
        ++count_above;
      }
    if (count_above < gain.size() && gained > moved * 0x1p-40 + size * 0x1p-50) {
      part(group, {upper.begin(), upper.end()}, 2);
      return;
    }
    const auto [place, count] = components(group);
    if (count > 1) {
      part(group, place, count);
    } else {
      for (std::int32_t i : group.items) group_[i] = made_;
      ++made_;
    }
  }

  // Pairs of items of different parts are in order, or there are none.
  void part(const Group& group, const std::vector<std::int32_t>& part_of, std::int32_t count) {
    std::vector<Group> parts(count);
    std::vector<std::int32_t> place(group.items.size());
    for (std::size_t i = 0; i < group.items.size(); ++i) {
      Group& own = parts[part_of[i]];
      place[i] = static_cast<std::int32_t>(own.items.size());
      own.items.push_back(group.items[i]);
    }
    for (const InOrder& pair : group.pairs)
      if (part_of[pair.lower] == part_of[pair.upper])
        parts[part_of[pair.lower]].pairs.push_back({place[pair.lower], place[pair.upper]});
    for (Group& each : parts) open_.push_back(std::move(each));
  }

  // Items that pairs join, directly or through others.
  static std::pair<std::vector<std::int32_t>, std::int32_t> components(const Group& group) {
    std::vector<std::int32_t> root(group.items.size());
    for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<std::int32_t>(i);
    const auto find = [&](std::int32_t i) {
      while (root[i] != i) i = root[i] = root[root[i]];
      return i;
    };
    for (const InOrder& pair : group.pairs) root[find(pair.lower)] = find(pair.upper);
    std::vector<std::int32_t> number(root.size(), -1), out(root.size());
    std::int32_t count = 0;
    for (std::size_t i = 0; i < root.size(); ++i) {
      std::int32_t& own = number[find(static_cast<std::int32_t>(i))];
      if (own < 0) own = count++;
      out[i] = own;
    }
    return {out, count};
  }

  std::vector<std::int32_t> numbered() const {
    std::vector<std::int32_t> number(made_, -1), out;
    std::int32_t count = 0;
    for (std::int32_t group : group_) {
      if (number[group] < 0) number[group] = count++;
      out.push_back(number[group]);
    }
    return out;
  }

  std::span<const double> weight_, value_;
  const Poll& poll_;
  std::vector<std::int32_t> group_;  // per item
  std::int32_t made_ = 0;            // groups
  std::vector<Group> open_;
};

}  // namespace

std::vector<std::int32_t> isotonic_groups(std::span<const double> weight, std::span<const double> value,
                                          std::span<const InOrder> pairs, const Poll& poll) {
  const std::size_t items = weight.size();
  if (items <= most_items && pairs.size() > many_pairs * items) {
    const std::vector<InOrder> few = without_implied(items, pairs, poll);
    if (!few.empty()) return Solver(weight, value, poll).run(few);
  }
  return Solver(weight, value, poll).run(pairs);
}

std::vector<double> means_of_groups(std::span<const double> weight, std::span<const double> value,
                                    std::span<const std::int32_t> group) {
  std::vector<double> sum(group.size(), 0.0), whole(group.size(), 0.0), out;
  for (std::size_t i = 0; i < group.size(); ++i) {
    sum[group[i]] += weight[i] * value[i];
    whole[group[i]] += weight[i];
  }
  for (std::int32_t own : group) out.push_back(sum[own] / whole[own]);
  return out;
}

}  // namespace hardwood

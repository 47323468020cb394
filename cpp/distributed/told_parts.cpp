#include "distributed/told_parts.hpp"

#include <algorithm>
#include <bit>

#include "distributed/finished_tree.hpp"

namespace hardwood {

namespace {

constexpr std::uint64_t widest_step = std::uint64_t{1} << 63;

// The last key of a bucket.
std::uint64_t last_key(const ColumnPlan& column, std::size_t bucket) {
  return bucket < column.keys.size() ? column.keys[bucket] : ~std::uint64_t{0};
}

// Adds the class weights of a key to a group, or takes them from it.
void add_key(const NodeTold& node, const KeySums& from, std::size_t i, double sign, std::size_t group,
             ToldSums& sums) {
  const std::int64_t* weights = from.weights.data() + i * static_cast<std::size_t>(node.channels);
  for (std::size_t k = 0; k < sums.classes; ++k)
    sums.at(group, k) += sign * static_cast<double>(weights[node.labels[k]]);
}

ToldSums sums_of_uncoded(const NodeTold& node, const ColumnPlan& column) {
  ToldSums sums(true, node.labels.size(), column.categories);
  for (std::size_t i = 0; i < node.uncoded.keys.size(); ++i) {
    const std::uint64_t key = node.uncoded.keys[i];
    add_key(node, node.uncoded, i, 1, key == missing_key ? sums.groups : key, sums);
  }
  return sums;
}

}  // namespace

bool set_told_cuts(const ColumnPlan& column, const Instruction& told, Split& split) {
  if (column.coding == PartCoding::constant) return false;
  return set_told_cuts(told, split, [&](const Threshold& each) { return cut_at(column, each); });
}

std::vector<KeyInterval> divided_buckets(const ColumnPlan& column, const Split& split) {
  std::vector<KeyInterval> out;
  if (!column.bucketed()) return out;
  for (std::uint64_t cut : split.cuts) {
    const auto bucket = static_cast<std::size_t>(std::lower_bound(column.keys.begin(), column.keys.end(), cut) -
                                                 column.keys.begin());
    if (cut == last_key(column, bucket)) continue;
    std::uint64_t low = bucket == 0 ? 0 : column.keys[bucket - 1] + 1;
    if (!out.empty() && out.back().high >= low) low = out.back().high + 1;
    const std::uint64_t step = cut - low >= widest_step ? widest_step : std::bit_ceil(cut - low + 1);
    out.push_back({low, cut, step});
  }
  return out;
}

// What a divided bucket has beyond its runs belongs to the interval of its last key.
ToldSums told_sums(const NodeTold& node, const Split& split, std::uint32_t c) {
  const ColumnPlan& column = node.plan.columns[c];
  if (column.coding == PartCoding::uncoded) return sums_of_uncoded(node, column);
  const bool category = column.kind == ColumnKind::category;
  ToldSums sums(category, node.labels.size(), category ? column.values() : split.cuts.size() + 1);
  const auto interval_of_code = [&](std::uint32_t code) {
    return static_cast<std::size_t>(
        split.interval_branch(column.bucketed() ? last_key(column, code) : std::uint64_t{code}));
  };
  for (std::uint32_t code = 0; code < column.codes(); ++code) {
    std::size_t group = code;
    if (code == column.values()) group = sums.groups;
    else if (!category) group = interval_of_code(code);
    for (std::size_t k = 0; k < sums.classes; ++k) {
      const auto channel = static_cast<std::size_t>(node.labels[k]) * node.plan.total;
      sums.at(group, k) += static_cast<double>(node.cells[channel + node.plan.offset[c] + code]);
    }
  }
  for (std::size_t i = 0; i < node.divided.keys.size(); ++i) {
    const std::uint64_t key = node.divided.keys[i];
    const auto bucket = static_cast<std::uint32_t>(
        std::lower_bound(column.keys.begin(), column.keys.end(), key) - column.keys.begin());
    add_key(node, node.divided, i, 1, static_cast<std::size_t>(split.interval_branch(key)), sums);
    add_key(node, node.divided, i, -1, interval_of_code(bucket), sums);
  }
  return sums;
}

}  // namespace hardwood

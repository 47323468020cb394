// Class weights by key, gathered row by row: keys of an interval that is divided into few runs are added up at
// once, the others are sorted in the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "distributed/key_sums.hpp"

namespace hardwood {

class KeyCollector {
 public:
  // `intervals` must outlive this.
  KeyCollector(const std::vector<KeyInterval>& intervals, int channels)
      : intervals_(intervals), channels_(channels) {
    std::size_t runs = 0;
    for (const KeyInterval& each : intervals) {
      first_.push_back(runs);
      if (each.step > 1) runs += each.run_of(each.high) + 1;
    }
    first_.push_back(runs);
    rows_.assign(runs, 0);
    weights_.assign(runs * channels, 0);
    low_.assign(runs, ~std::uint64_t{0});
    high_.assign(runs, 0);
  }

  void add(std::size_t interval, std::uint64_t key, std::int32_t label, std::int64_t weight,
           std::int64_t examples) {
    if (intervals_[interval].step == 1) return add_key(key, label, weight, examples);
    const std::size_t run = first_[interval] + intervals_[interval].run_of(key);
    ++rows_[run];
    low_[run] = std::min(low_[run], key);
    high_[run] = std::max(high_[run], key);
    weights_[run * channels_ + label] += weight;
    if (examples) weights_[(run + 1) * channels_ - 1] += examples;
  }
  // Of no interval that is divided.
  void add_key(std::uint64_t key, std::int32_t label, std::int64_t weight, std::int64_t examples) {
    items_.push_back({key, weight, examples, label});
  }

  // `counted`: the last channel has the examples.
  KeySums sums(bool counted) {
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    KeySums out;
    std::size_t item = 0;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      for (; item < items_.size() && items_[item].key < intervals_[k].low; ++item)
        push(out, items_[item], counted);
      for (std::size_t run = first_[k]; run < first_[k + 1]; ++run)
        if (rows_[run]) push_run(out, run, intervals_[k].last_of(run - first_[k]));
    }
    for (; item < items_.size(); ++item) push(out, items_[item], counted);
    return out;
  }

 private:
  struct Item {
    std::uint64_t key;
    std::int64_t weight, examples;
    std::int32_t label;
  };

  void begin_key(KeySums& out, std::uint64_t key, std::uint64_t low, std::uint64_t high) const {
    out.keys.push_back(key);
    out.weights.resize(out.weights.size() + channels_, 0);
    if (!low_.empty()) out.ends.insert(out.ends.end(), {low, high});
  }
  void push(KeySums& out, const Item& item, bool counted) const {
    if (out.keys.empty() || out.keys.back() != item.key) begin_key(out, item.key, item.key, item.key);
    std::int64_t* sums = out.weights.data() + out.weights.size() - channels_;
    sums[item.label] += item.weight;
    if (counted) sums[channels_ - 1] += item.examples;
  }
  void push_run(KeySums& out, std::size_t run, std::uint64_t key) const {
    begin_key(out, key, low_[run], high_[run]);
    std::copy_n(&weights_[run * channels_], channels_, &out.weights[out.weights.size() - channels_]);
  }

  const std::vector<KeyInterval>& intervals_;
  std::size_t channels_;
  std::vector<std::size_t> first_;  // of each interval's runs
  std::vector<std::int64_t> rows_, weights_;
  std::vector<std::uint64_t> low_, high_;
  std::vector<Item> items_;
};

}  // namespace hardwood

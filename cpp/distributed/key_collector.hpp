// Class weights by key, added up row by row: runs of a divided interval stand in order, other keys in a hash
// table that is sorted in the end. (Sorting all rows instead took three times as long on covtype, whose keys
// repeat.)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
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
    std::int64_t* sums = &key_weights_[place_of(key) * channels_];
    sums[label] += weight;
    if (examples) sums[channels_ - 1] += examples;
  }

  KeySums sums() const {
    std::vector<std::uint32_t> order(keys_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return keys_[a] < keys_[b]; });
    KeySums out;
    auto next = order.begin();
    const auto push_key = [&] {
      const std::size_t i = *next++;
      push(out, keys_[i], keys_[i], keys_[i], &key_weights_[i * channels_]);
    };
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      while (next != order.end() && keys_[*next] < intervals_[k].low) push_key();
      for (std::size_t run = first_[k]; run < first_[k + 1]; ++run)
        if (rows_[run])
          push(out, intervals_[k].last_of(run - first_[k]), low_[run], high_[run], &weights_[run * channels_]);
    }
    while (next != order.end()) push_key();
    return out;
  }

 private:
  static constexpr std::uint32_t vacant = ~std::uint32_t{0};

  void push(KeySums& out, std::uint64_t key, std::uint64_t low, std::uint64_t high,
            const std::int64_t* weights) const {
    out.keys.push_back(key);
    out.weights.insert(out.weights.end(), weights, weights + channels_);
    if (!low_.empty()) out.ends.insert(out.ends.end(), {low, high});
  }

  std::size_t slot_of(std::uint64_t key) const {  // where the key is, or would be
    std::size_t slot = (key * 0x9e3779b97f4a7c15u) >> (64 - std::countr_zero(slots_.size()));
    while (slots_[slot] != vacant && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  std::size_t place_of(std::uint64_t key) {
    const std::size_t slot = slot_of(key);
    if (slots_[slot] != vacant) return slots_[slot];
    const std::size_t place = keys_.size();
    slots_[slot] = static_cast<std::uint32_t>(place);
    keys_.push_back(key);
    key_weights_.resize(key_weights_.size() + channels_, 0);
    if (2 * keys_.size() > slots_.size()) grow();
    return place;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), vacant);
    for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
  }

  const std::vector<KeyInterval>& intervals_;
  std::size_t channels_;
  std::vector<std::size_t> first_;  // of each interval's runs
  std::vector<std::int64_t> rows_, weights_;
  std::vector<std::uint64_t> low_, high_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(256, vacant);  // of places in keys_
  std::vector<std::uint64_t> keys_;  // in the order in which they came
  std::vector<std::int64_t> key_weights_;
};

}  // namespace hardwood

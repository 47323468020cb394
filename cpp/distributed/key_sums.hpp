// Class weights by key: what parts tell of the inside of buckets, and of uncoded columns.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hardwood {

// weights[i * channels + channel] of keys[i], ascending. Where keys stand for runs of keys, ends[2 i] and
// ends[2 i + 1] are the smallest and the largest that occur; otherwise it is empty.
struct KeySums {
  std::vector<std::uint64_t> keys;
  std::vector<std::int64_t> weights;
  std::vector<std::uint64_t> ends;
};

// Both together; `channels` weights a key.
KeySums merge_sums(const KeySums& one, const KeySums& other, std::size_t channels);

// The keys in [low, high], told apart in runs of `step`, a power of two: each stands as the last key of its
// run.
struct KeyInterval {
  std::uint64_t low, high, step;

  std::uint64_t run_of(std::uint64_t key) const { return (key - low) >> std::countr_zero(step); }
  std::uint64_t last_of(std::uint64_t run) const {
    const std::uint64_t first = low + run * step;
    return high - first < step ? high : first + (step - 1);
  }
};

struct KeyQuestion {
  std::uint32_t column;
  std::vector<KeyInterval> intervals;  // ascending and apart; of no use for an uncoded column
};

// Answers to several questions.
struct KeySumsBatch {
  std::size_t channels = 1;
  std::vector<KeySums> sums;

  std::size_t keys() const;
  // Question by question.
  void merge(const KeySumsBatch& other);
  std::string pack() const;
  static KeySumsBatch unpack(std::span<const char> bytes);
};

}  // namespace hardwood

// Sorts by a whole number, digit by digit from the lowest: O(n) for each digit in which the numbers differ.
//
// Stable, so sorting by a second number first and by the first one then sorts by both. Digits have 11 bits:
// their counts fill 16 kB, and a boosting weight of at most 2^52 has five.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace hardwood {

// Into increasing order of `number(value)`, an unsigned 64-bit number; `spare` is room to work in.
template <class Value, class Number>
void digit_sort(std::vector<Value>& values, std::vector<Value>& spare, Number number) {
  constexpr int bits = 11;
  constexpr std::uint64_t mask = (1u << bits) - 1;
  std::uint64_t any = 0, all = ~std::uint64_t{0};
  for (const Value& value : values) {
    any |= number(value);
    all &= number(value);
  }
  const std::uint64_t differ = any & ~all;
  spare.resize(values.size());
  for (int shift = 0; shift < 64; shift += bits) {
    if ((differ >> shift & mask) == 0) continue;
    std::array<std::size_t, mask + 1> place{};
    for (const Value& value : values) ++place[number(value) >> shift & mask];
    std::size_t before = 0;
    for (std::size_t& each : place) before += std::exchange(each, before);
    for (const Value& value : values) spare[place[number(value) >> shift & mask]++] = value;
    values.swap(spare);
  }
}

}  // namespace hardwood

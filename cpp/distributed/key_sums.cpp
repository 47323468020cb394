#include "distributed/key_sums.hpp"

#include <algorithm>
#include <stdexcept>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

KeySums merge_sums(const KeySums& one, const KeySums& other, std::size_t channels) {
  KeySums out;
  out.keys.reserve(one.keys.size() + other.keys.size());
  out.weights.reserve(one.weights.size() + other.weights.size());
  const bool runs = !one.ends.empty() || !other.ends.empty();
  const auto end_of = [](const KeySums& sums, std::size_t i, bool high) {
    return sums.ends.empty() ? sums.keys[i] : sums.ends[2 * i + (high ? 1 : 0)];
  };
  std::size_t a = 0, b = 0;
  while (a < one.keys.size() || b < other.keys.size()) {
    const bool left = b == other.keys.size() || (a < one.keys.size() && one.keys[a] <= other.keys[b]);
    const bool right = a == one.keys.size() || (b < other.keys.size() && other.keys[b] <= one.keys[a]);
    out.keys.push_back(left ? one.keys[a] : other.keys[b]);
    for (std::size_t k = 0; k < channels; ++k)
      out.weights.push_back((left ? one.weights[a * channels + k] : 0) +
                            (right ? other.weights[b * channels + k] : 0));
    if (runs) {
      const std::uint64_t low = left ? end_of(one, a, false) : ~std::uint64_t{0};
      const std::uint64_t high = left ? end_of(one, a, true) : 0;
      out.ends.push_back(right ? std::min(low, end_of(other, b, false)) : low);
      out.ends.push_back(right ? std::max(high, end_of(other, b, true)) : high);
    }
    a += left ? 1 : 0;
    b += right ? 1 : 0;
  }
  return out;
}

std::size_t KeySumsBatch::keys() const {
  std::size_t out = 0;
  for (const KeySums& each : sums) out += each.keys.size();
  return out;
}

void KeySumsBatch::merge(const KeySumsBatch& other) {
  if (other.channels != channels || other.sums.size() != sums.size())
    throw std::invalid_argument("keys of other questions");
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (other.sums[i].keys.empty()) continue;
    if (sums[i].keys.empty()) sums[i] = other.sums[i];
    else sums[i] = merge_sums(sums[i], other.sums[i], channels);
  }
}

std::string KeySumsBatch::pack() const {
  NumberWriter out;
  out.add(channels);
  out.add(sums.size());
  for (const KeySums& each : sums) {
    out.add_list(std::span<const std::uint64_t>(each.keys));
    out.add_list(std::span<const std::int64_t>(each.weights));
    out.add_list(std::span<const std::uint64_t>(each.ends));
  }
  return out.bytes();
}

KeySumsBatch KeySumsBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  KeySumsBatch out;
  out.channels = in.next();
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    KeySums each{in.list<std::uint64_t>(), in.list<std::int64_t>(), in.list<std::uint64_t>()};
    const bool ends = each.ends.empty() || each.ends.size() == 2 * each.keys.size();
    if (each.weights.size() != each.keys.size() * out.channels || !ends)
      throw std::invalid_argument("packed keys that are damaged");
    out.sums.push_back(std::move(each));
  }
  return out;
}

}  // namespace hardwood

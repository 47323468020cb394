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

namespace {

// Keys ascend and the ends of a run lie close below its last key, so the differences are small numbers.
void pack_keys(NumberWriter& out, const KeySums& sums) {
  out.add(sums.keys.size());
  out.add(sums.ends.empty() ? 0 : 1);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < sums.keys.size(); ++i) {
    out.add(sums.keys[i] - before);
    before = sums.keys[i];
    if (sums.ends.empty()) continue;
    out.add(sums.keys[i] - sums.ends[2 * i + 1]);
    out.add(sums.ends[2 * i + 1] - sums.ends[2 * i]);
  }
}

KeySums unpack_keys(NumberReader& in) {
  KeySums out;
  const std::uint64_t count = in.next_count();
  const bool runs = in.next() != 0;
  std::uint64_t key = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    key += in.next();
    out.keys.push_back(key);
    if (!runs) continue;
    const std::uint64_t high = key - in.next();
    out.ends.insert(out.ends.end(), {high - in.next(), high});
  }
  return out;
}

}  // namespace

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
    pack_keys(out, each);
    out.add_list(std::span<const std::int64_t>(each.weights));
  }
  return out.bytes();
}

KeySumsBatch KeySumsBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  KeySumsBatch out;
  out.channels = in.next();
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    KeySums each = unpack_keys(in);
    each.weights = in.list<std::int64_t>();
    if (each.weights.size() != each.keys.size() * out.channels)
      throw std::invalid_argument("packed keys that are damaged");
    out.sums.push_back(std::move(each));
  }
  return out;
}

}  // namespace hardwood

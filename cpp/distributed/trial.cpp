#include "distributed/trial.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

namespace {

void unite(std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other) {
  std::vector<std::uint64_t> both;
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  one = std::move(both);
}

}  // namespace

void Arrivals::merge(const Arrivals& other) {
  if (other.channels != channels) throw std::invalid_argument("sums of another number of classes");
  sums = merge_sums(sums, other.sums, channels);
  unite(missing, other.missing);
  unite(unseen, other.unseen);
  unite(unfinished, other.unfinished);
  known = merge_sums(known, other.known, 1);
}

std::string Arrivals::pack() const {
  NumberWriter out;
  out.add(channels);
  for (const KeySums* each : {&sums, &known}) out.add_list(std::span<const std::int64_t>(each->weights));
  for (const auto* list : {&sums.keys, &known.keys, &missing, &unseen, &unfinished})
    out.add_list(std::span<const std::uint64_t>(*list));
  return out.bytes();
}

Arrivals Arrivals::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  Arrivals out;
  out.channels = in.next();
  for (KeySums* each : {&out.sums, &out.known}) each->weights = in.list<std::int64_t>();
  for (auto* list : {&out.sums.keys, &out.known.keys, &out.missing, &out.unseen, &out.unfinished})
    *list = in.list<std::uint64_t>();
  if (out.sums.weights.size() != out.sums.keys.size() * out.channels ||
      out.known.weights.size() != out.known.keys.size())
    throw std::invalid_argument("packed sums that are damaged");
  return out;
}

}  // namespace hardwood

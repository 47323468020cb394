// Raising that is tried over parts: what is asked, and what the parts answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "distributed/key_sums.hpp"

namespace hardwood {

// Send the first `rows` rows of each part's lighter branches of `node` down the heaviest one.
struct Trial {
  std::int32_t node, heaviest;
  std::int64_t rows;
};

// Of several trials, none below another, so that leaves and splits say which one they belong to. All lists
// are ascending.
struct Arrivals {
  std::size_t channels = 0;               // the classes and one for rows
  KeySums sums;                           // by leaf: class weights, then rows
  std::vector<std::uint64_t> missing;     // splits that met missing values and had seen none
  std::vector<std::uint64_t> unseen;      // split * 2^32 + a category that is new to it
  std::vector<std::uint64_t> unfinished;  // surviving nodes with more rows than were sent
  KeySums known;                          // of pieces, by node * 2^32 + branch: the weight that has a value

  // The answer of both: sums add up, the others are united.
  void merge(const Arrivals& other);
  std::string pack() const;
  static Arrivals unpack(std::span<const char> bytes);
};

}  // namespace hardwood

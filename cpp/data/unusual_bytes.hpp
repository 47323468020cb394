// Lanes most of whose bytes are the same, as the columns of images and counts are: which rows have other bytes.
//
// The list of a row's other bytes is shorter than its words, and lies in one cache line or two where the words
// of so many tiles lie in as many. What has the usual byte is the node less the rest. Lists are made for blocks
// of tiles, so that the cells of a block stay in the second-level cache:
//
//   cells of a block   | lane a: 16, 32, ... or 256 places | lane b | ...
//   list of a row      places of its bytes, and of usual bytes of any lanes until they are a multiple of four:
//                      they are added up without a branch for each
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/made_columns.hpp"

namespace hardwood {

struct ListedLane {
  std::uint32_t lane, place;  // of its code 0 in the cells of the block
  std::uint32_t codes;
  std::uint8_t usual;
};

struct ListedBlock {
  std::vector<ListedLane> lanes;  // all of its tiles
  std::uint32_t places = 0;
  double bytes_a_row = 0;  // that are listed, about
};

struct UnusualLists {
  static constexpr std::uint32_t together = 4;
  std::vector<std::uint32_t> begin;  // rows + 1, in fours
  std::vector<std::uint16_t> list;
};

class UnusualBytes {
 public:
  // Decided once, by rows that are looked at as a sample: the result of a sum does not depend on it.
  const std::vector<ListedBlock>& blocks(const EncodedTable& table);
  const UnusualLists& of(const EncodedTable& table, std::uint32_t block);

 private:
  std::once_flag decided_;
  std::vector<ListedBlock> blocks_;
  MadeColumns<UnusualLists> made_;
};

}  // namespace hardwood

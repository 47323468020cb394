// Columns of few codes -> lanes that several of them share.
//
// While columns are encoded, the codes of the narrow ones are put side by side as bit fields of a
// 64-bit word per row. Afterwards runs of neighbouring fields whose joint values number at most 256
// become one lane each. Eight independent two-valued columns make a bundle; so do forty indicator
// columns of which one is set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/encoded_table.hpp"

namespace hardwood {

constexpr std::uint32_t narrow_codes = 16;  // a column of at most so many codes is narrow

struct NarrowField {
  std::uint32_t column;
  int shift;
  int bits;
};

struct NarrowWord {
  std::vector<std::uint64_t> words;  // one per row
  std::vector<NarrowField> fields;
  int used = 0;
};

struct LaneBytes {
  Lane lane;
  std::vector<std::uint8_t> bytes;  // one per row
};

// A field for a column in the last word of the list, or in a new one.
NarrowField reserve_narrow(std::vector<NarrowWord>& list, std::uint32_t column, std::uint32_t codes,
                           std::size_t rows);

// The same, with the column's codes in it.
void add_narrow(std::vector<NarrowWord>& list, std::uint32_t column, std::uint32_t codes,
                std::span<const std::uint32_t> values);

// Turns a word into lanes and sets storage, digits and (in `lane`) the position in `lanes` of its columns.
void make_bundles(const NarrowWord& word, std::vector<EncodedColumn>& columns, std::vector<LaneBytes>& lanes);

}  // namespace hardwood

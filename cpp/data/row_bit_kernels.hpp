// Loops that divide the rows of a node in two where the rows are bits (row_bits.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/row_kernels.hpp"

namespace hardwood {

constexpr std::size_t rows_a_word = 64;

// Words of bits [begin, end) of a table of so many rows.
struct WordRange {
  std::size_t begin, end, rows;
};

// Of one class, in a range of words: bits of the node's rows and of the rows that go to branch 1, both as
// arrays of the whole table, and the numbers and weights of the node's rows in the range; weights where they
// are carried (else null).
struct BitRun {
  WordRange words;
  const std::uint64_t* node;
  const std::uint64_t* right;
  const std::uint32_t* rows;
  const std::int64_t* weights;
};

struct RowBitKernels {
  // Of every row in the range: whether its byte says branch 1, and whether the row itself must be asked. Both
  // begin with the range's first word.
  void (*match)(const RowDivision& division, const WordRange& words, std::uint64_t* right,
                std::uint64_t* asked);
  // How many rows in the range are set in both.
  std::size_t (*count)(const WordRange& words, const std::uint64_t* bits, const std::uint64_t* others);
  // Puts the rows of the two branches, in order, into their places; nothing else is written. Where a branch has
  // bits (else null), they are set as well.
  void (*spread)(const BitRun& run, RowPlaces left, RowPlaces right, std::uint64_t* left_bits,
                 std::uint64_t* right_bits);
};

// Null where the instruction set has nothing that makes bits faster than rows.
const RowBitKernels* row_bit_kernels();

}  // namespace hardwood

// Loops over rows that look up a byte of each: rows divided in two, and rows picked out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/problem.hpp"

namespace hardwood {

// A byte per row: byte (shift / 8) of 64-bit words, or of an array of bytes.
struct RowBytes {
  Words words;
  int shift = 0;
  const std::uint8_t* bytes = nullptr;  // where there are no words
};

constexpr std::uint8_t ask_row = 2;  // not 0 or 1: the row itself is asked

struct RowDivision {
  RowBytes of;
  const std::uint8_t* branch = nullptr;  // of each byte: 0, 1 or ask_row
  std::uint8_t (*ask)(void* context, std::uint32_t row) = nullptr;
  void* context = nullptr;
};

// Rows one after the other, with their weights where they are carried (else null).
struct RowRun {
  const std::uint32_t* rows;
  const std::int64_t* weights;
  std::uint32_t count;
};

// Where so many rows of a branch go.
struct RowPlaces {
  std::uint32_t* rows;
  std::int64_t* weights;
  std::uint32_t count;
};

// The rows that are set in bits, and a list of some of them.
struct RowList {
  const std::uint64_t* bits;
  std::uint32_t* rows;
  std::size_t count = 0;
};
constexpr std::size_t scan_room = 4;

struct RowKernels {
  // Writes the branch, 0 or 1, of each row; returns how many go to 1.
  std::uint32_t (*mark)(const std::uint32_t* rows, std::uint32_t count, const RowDivision& division,
                        std::uint8_t* branch);
  // Puts the rows of the two branches, in order, into their places; nothing else is written.
  void (*spread)(const RowRun& run, const std::uint8_t* branch, RowPlaces left, RowPlaces right);
  // The rows whose byte is wanted, in order, to out, which has room for count + 16; how many they are.
  std::size_t (*pick)(const std::uint32_t* rows, std::size_t count, const std::uint8_t* bytes,
                      const std::uint8_t* wanted, std::uint32_t* out);
  // The same of all classes at once, whose rows are bits: the bytes are looked through in their own order, up
  // to `rows`. A list has room for scan_room more than there are.
  void (*scan)(const std::uint8_t* bytes, std::size_t rows, const std::uint8_t* wanted,
               std::span<RowList> classes);
  std::size_t rows_scanned_a_picked;  // bytes looked through in the time in which pick takes a row
};

const RowKernels& row_kernels();

// The same as pick, of a table whose rows may be pairs: bytes are those of the stored rows.
inline std::size_t pick_rows(const StoredRow& stored, const std::uint32_t* rows, std::size_t count,
                             const std::uint8_t* bytes, const std::uint8_t* wanted, std::uint32_t* out) {
  if (stored.pairs == 1) return row_kernels().pick(rows, count, bytes, wanted, out);
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out[found] = rows[i];
    found += wanted[bytes[stored(rows[i])]];
  }
  return found;
}

}  // namespace hardwood

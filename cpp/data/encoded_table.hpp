// A table as rank codes, the form in which it is searched.
//
// Every distinct value of a column has its own code, in ascending order from 0; a missing value has
// the code `values` (one past the last). Nothing is lost: codes and codebook give the column back.
//
// A column is stored in one of three ways.
//   lane     a byte per row. Eight lanes make a tile, one 64-bit word per row (tile_words.hpp):
//
//              word of row r   | lane 7 | ... | lane 1 | lane 0 |      (lane 0 in the low byte)
//
//            A column of at most 256 codes fits its lane. One with more has a *bucket* of adjacent
//            codes in the lane and the code's place within the bucket in `fine`:
//            code = bucket_start[bucket] + fine. Its buckets stand a second time in `bucket_of`: whoever looks
//            at this one column reads an eighth of the memory.
//   bundle   several columns of few codes share one lane: the lane's codes number the combinations of
//            their codes that occur, at most 256 (as LightGBM's exclusive feature bundles, but
//            lossless and for any columns).
//   entries  the most frequent code is implicit; the others stand in row lists of *cells*, where
//            cell = first_cell + code. Such a column has buckets as well, the implicit code alone in its own,
//            so that a node's sums need not be as many as its values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "data/flags.hpp"
#include "data/input.hpp"
#include "data/tile_words.hpp"

namespace hardwood {

constexpr std::uint32_t lane_codes = 256;
constexpr std::uint32_t tile_lanes = 8;

enum class Storage : std::uint8_t { constant, lane, bundle, entries };

using FineCodes = std::variant<std::monostate, std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                               std::vector<std::uint32_t>>;

struct EncodedColumn {
  ColumnKind kind = ColumnKind::numeric;
  Storage storage = Storage::constant;
  bool has_missing = false;
  bool whole = false;                        // numeric: every value is a whole number
  std::uint32_t values = 0;                  // distinct present values
  std::vector<double> codebook;              // numeric: value of each code
  std::vector<std::uint64_t> wide_codebook;  // integer kinds: bit pattern of each value

  std::uint32_t lane = 0;                   // lane, bundle
  std::vector<std::uint32_t> bucket_start;  // lane with buckets: buckets + 1 numbers
  std::vector<std::uint8_t> bucket_of;      // lane with buckets: the lane's bytes once more, side by side
  FineCodes fine;                           // lane with buckets
  std::vector<std::uint8_t> digits;         // bundle: this column's code for each lane code

  std::uint32_t first_cell = 0;            // entries
  std::uint32_t implicit_code = 0;         // entries
  std::uint32_t first_bucket = 0;          // entries
  std::vector<std::uint32_t> entry_start;  // entries: first code of each bucket, then the number of values

  std::uint32_t codes() const { return values + (has_missing ? 1 : 0); }
  bool bucketed() const { return !bucket_start.empty(); }
  std::uint32_t buckets() const { return static_cast<std::uint32_t>(bucket_start.size()) - 1; }
  // Entries: buckets of values, and one for missing ones.
  std::uint32_t entry_buckets() const {
    return static_cast<std::uint32_t>(entry_start.size()) - (has_missing ? 0 : 1);
  }
  // Lane code of missing values.
  std::uint32_t missing_lane_code() const { return bucketed() ? buckets() : values; }
};

struct Lane {
  std::uint32_t codes = 0;
  std::vector<std::uint32_t> columns;  // one column, or those of a bundle

  std::uint32_t places() const { return (codes + 15) / 16 * 16; }  // in a histogram
};

// Which stored row a row is: itself or, in a table of pairs, its example.
struct StoredRow {
  std::uint32_t pairs = 1;       // per stored row
  std::uint64_t reciprocal = 0;  // 2^64 / pairs, rounded up: exact for 32-bit rows (Lemire, Kaser & Kurz 2019)

  static StoredRow of_pairs(std::uint32_t classes) { return {classes, ~std::uint64_t{0} / classes + 1}; }
  std::uint32_t operator()(std::uint32_t row) const {
    if (pairs == 1) return row;
    const std::uint64_t low = (reciprocal & 0xffffffff) * row, high = (reciprocal >> 32) * row;
    return static_cast<std::uint32_t>((high + (low >> 32)) >> 32);  // of a product of 96 bits
  }
  std::uint32_t class_of(std::uint32_t row) const { return row - (*this)(row)*pairs; }
};

struct SearchAids;
std::shared_ptr<SearchAids> no_search_aids();

struct EncodedTable {
  std::size_t rows = 0;  // pairs, once the table is one of pairs (pair_table.hpp)
  StoredRow stored;
  std::vector<EncodedColumn> columns;
  std::vector<Lane> lanes;
  TileWords tiles;
  Flags flags;  // of bundled columns, where they pay

  std::vector<std::uint32_t> entry_columns;  // columns stored as entries, ascending
  std::uint32_t entry_cells = 0;
  std::vector<std::uint64_t> entry_begin;   // rows + 1, empty when there are no entries
  std::vector<std::uint32_t> entries;       // cells, ascending within a row
  std::vector<std::uint32_t> entry_bucket;  // of each entry: first_bucket + its bucket
  std::uint32_t entry_buckets = 0;          // of all columns

  std::shared_ptr<SearchAids> aids =
      no_search_aids();  // made by whoever searches large nodes (search_aids.hpp)

  bool paired() const { return stored.pairs > 1; }
  // The tile of the class, where rows are pairs: a word per class instead of one per stored row.
  std::size_t class_tile() const { return paired() ? tiles.size() - 1 : tiles.size(); }

  std::span<const std::uint32_t> row_entries(std::uint32_t given) const {
    const std::uint32_t row = stored(given);
    return {entries.data() + entry_begin[row], entries.data() + entry_begin[row + 1]};
  }
  std::span<const std::uint32_t> row_buckets(std::uint32_t given) const {
    const std::uint32_t row = stored(given);
    return {entry_bucket.data() + entry_begin[row], entry_bucket.data() + entry_begin[row + 1]};
  }
};

// The byte of a lane within its tile's words.
struct LaneView {
  Words words;
  int shift;
  StoredRow stored{};
  bool of_class = false;
  // Asked for each row that is divided; left to itself, the compiler calls it.
  [[gnu::always_inline]] const std::uint64_t* word(std::uint32_t row) const {
    return words.at(of_class ? stored.class_of(row) : stored(row));
  }
  std::uint32_t operator[](std::uint32_t row) const { return (*word(row) >> shift) & 0xff; }
};

inline LaneView lane_view(const EncodedTable& table, std::uint32_t lane) {
  const std::size_t tile = lane / tile_lanes;
  return {table.tiles[tile], static_cast<int>(lane % tile_lanes) * 8, table.stored, tile == table.class_tile()};
}

// Calls body(pointer to the fine codes) with their actual type.
template <class Body>
auto with_fine(const FineCodes& fine, Body&& body) {
  if (auto* narrow = std::get_if<1>(&fine)) return body(narrow->data());
  if (auto* medium = std::get_if<2>(&fine)) return body(medium->data());
  return body(std::get<3>(fine).data());
}

}  // namespace hardwood

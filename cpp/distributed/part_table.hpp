// A part of a table: some rows, in codes that all parts share.
//
// Columns of few values have a code per value of the merged codebook. A many-valued column has buckets
// that all parts share, bucket b holding the keys in (bounds[b-1], bounds[b]], and each row's key beside it. A
// category column has the code of the merged list; with more than 255 categories it is *uncoded*: no lane, each
// row's code stands where a key would. Lanes, tiles and bundles are those of encoded_table.hpp; a bucketed
// column has a lane of its own, which of the others share one is the part's own affair, since histograms
// leave it column by column:
//
//   cells[channel * total + offset[column] + code]
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.hpp"
#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/encoded_table.hpp"

namespace hardwood {

enum class PartCoding : std::uint8_t { constant, coded, bucketed, category, uncoded };

// How every part codes a column.
struct ColumnPlan {
  ColumnKind kind = ColumnKind::numeric;
  PartCoding coding = PartCoding::constant;
  bool missing_code = false;        // the last code is that of missing values
  bool whole = false;               // numeric: every value is a whole number
  std::uint32_t categories = 0;     // category, uncoded
  std::vector<std::uint64_t> keys;  // coded: the codebook; bucketed: bounds of all buckets but the last

  bool bucketed() const { return coding == PartCoding::bucketed; }
  bool has_lane() const { return coding != PartCoding::constant && coding != PartCoding::uncoded; }
  // Codes of present values.
  std::uint32_t values() const {
    if (coding == PartCoding::coded) return static_cast<std::uint32_t>(keys.size());
    if (coding == PartCoding::bucketed) return static_cast<std::uint32_t>(keys.size()) + 1;
    return categories;
  }
  // Cells that the column has in a histogram.
  std::uint32_t codes() const { return has_lane() ? values() + (missing_code ? 1 : 0) : 0; }
};

struct TablePlan {
  std::vector<ColumnPlan> columns;
  std::vector<std::size_t> offset;  // of each column's cells
  std::size_t total = 0;

  void set_offsets() {
    offset.clear();
    total = 0;
    for (const ColumnPlan& column : columns) {
      offset.push_back(total);
      total += column.codes();
    }
  }
};

// With the class as one more column of numbers, the last: how pairs of a row and a class are coded.
TablePlan with_class_column(TablePlan plan, int classes);

constexpr std::uint64_t missing_key = ~std::uint64_t{0};  // uncoded columns: no category

struct PartColumn {
  Storage storage = Storage::constant;
  std::uint32_t lane = 0;
  std::vector<std::uint8_t> digits;
};

// What is stored of a part; the words and keys may lie in mapped files.
struct PartTable {
  std::size_t rows = 0;
  std::vector<PartColumn> columns;
  std::vector<Lane> lanes;
  std::vector<const std::uint64_t*> tiles;  // one word per row each
  std::vector<const std::uint64_t*> keys;   // per column: bucketed and uncoded ones
};

inline LaneView lane_of(const PartTable& table, const PartColumn& column) {
  return {{table.tiles[column.lane / tile_lanes]}, static_cast<int>(column.lane % tile_lanes) * 8};
}

// The same with memory of its own.
struct EncodedPart {
  PartTable table;
  std::vector<std::vector<std::uint64_t>> tiles;
  std::vector<std::vector<std::uint64_t>> keys;
};

// Category inputs are codes of the merged list. Throws InfiniteValue, and std::invalid_argument for a value
// that the plan does not know.
EncodedPart encode_part(const std::vector<ColumnInput>& inputs, std::size_t rows, const TablePlan& plan,
                        Pool& pool, const Poll& poll);

}  // namespace hardwood

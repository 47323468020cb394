#include "data/encoder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "data/bucket_bounds.hpp"
#include "data/bundle.hpp"
#include "data/entry_lists.hpp"
#include "data/load.hpp"
#include "data/ranks.hpp"
#include "data/two_valued_column.hpp"

namespace hardwood {

namespace {

constexpr std::size_t group_columns = 8;   // row-major columns looked at together
constexpr std::size_t loaded_columns = 4;  // of these, copied at a time
constexpr std::size_t few_columns = 4096;  // up to here even rarely set columns have lanes
constexpr std::size_t rare_share = 64;     // beyond: fewer rows than one in so many are entries

// What one task of the encoder produces; tasks share nothing.
struct Part {
  std::vector<LaneBytes> lanes;
  std::vector<NarrowWord> narrow;
  std::vector<EntryList> entries;
  std::vector<std::size_t> left;  // columns for the second pass
  RankScratch scratch;
  LargeVector<double> values;
  std::vector<std::uint64_t> keys;
};

class Encoder {
 public:
  Encoder(std::span<const ColumnInput> inputs, std::size_t rows) : inputs_(inputs) {
    table_.rows = rows;
    table_.columns.resize(inputs.size());
  }

  EncodedTable run(Pool& pool, const Poll& poll);

 private:
  void encode_group(std::size_t first, std::size_t count, Part& part);
  void encode_doubles(std::size_t c, std::span<const double> values, Part& part);
  void encode_rare(std::size_t c, Part& part);
  void encode_rest(std::span<const std::size_t> columns, Part& part, const Poll& poll);
  std::vector<std::size_t> encode_two_valued(std::size_t first, std::size_t count, Part& part);
  void store(std::size_t c, Ranks ranks, Part& part);
  void store_lane(std::size_t c, const Ranks& ranks, Part& part);
  void store_entries(std::size_t c, std::uint32_t implicit_code, Part& part);
  void assemble(std::vector<Part>& parts, Pool& pool);

  std::span<const ColumnInput> inputs_;
  EncodedTable table_;
  std::atomic<bool> stopping_{false};  // one task was told to stop: the others need not go on
};

std::uint32_t most_frequent(const std::vector<std::uint32_t>& frequency) {
  return static_cast<std::uint32_t>(std::max_element(frequency.begin(), frequency.end()) - frequency.begin());
}

void Encoder::encode_doubles(std::size_t c, std::span<const double> values, Part& part) {
  try {
    store(c, rank_doubles(values, part.scratch), part);
  } catch (const std::invalid_argument&) {
    throw InfiniteValue(c);
  }
}

// A sparse column that is mostly absent, in a wide table: only its values are looked at.
void Encoder::encode_rare(std::size_t c, Part& part) {
  const ColumnInput& in = inputs_[c];
  part.values.resize(in.count + 1);
  const auto* values = reinterpret_cast<const double*>(in.data);
  std::copy(values, values + in.count, part.values.begin());
  part.values[in.count] = 0.0;  // ranks the absent value with the others
  Ranks ranks;
  try {
    ranks = rank_doubles(part.values, part.scratch);
  } catch (const std::invalid_argument&) {
    throw InfiniteValue(c);
  }
  EncodedColumn& column = table_.columns[c];
  column.has_missing = ranks.has_missing;
  column.values = static_cast<std::uint32_t>(ranks.codebook.size());
  column.codebook = std::move(ranks.codebook);
  if (column.codes() < 2) return;
  const auto& codes = part.scratch.codes;
  column.storage = Storage::entries;
  column.implicit_code = codes[in.count];
  EntryList list{static_cast<std::uint32_t>(c), {}, {}};
  for (std::size_t i = 0; i < in.count; ++i) {
    if (codes[i] == column.implicit_code) continue;
    list.rows.push_back(static_cast<std::uint32_t>(in.rows[i]));
    list.codes.push_back(codes[i]);
  }
  part.entries.push_back(std::move(list));
}

void Encoder::encode_group(std::size_t first, std::size_t count, Part& part) {
  const ColumnInput& in = inputs_[first];
  const std::size_t rows = table_.rows;
  if (in.kind == ColumnKind::category) {
    const auto* codes = reinterpret_cast<const std::int32_t*>(in.data);
    store(first, rank_categories({codes, rows}, in.categories, part.scratch), part);
  } else if (in.kind != ColumnKind::numeric) {
    load_keys(in, rows, part.keys);
    store(first, rank_keys(part.keys, in.missing, key_flip(in.kind), part.scratch), part);
  } else if (in.rows && inputs_.size() > few_columns && in.count * 8 < rows) {
    encode_rare(first, part);
  } else {
    const std::vector<std::size_t> left = encode_two_valued(first, count, part);
    part.left.insert(part.left.end(), left.begin(), left.end());
  }
}

// Numeric columns that are not two-valued, loaded some at a time where they are not contiguous.
void Encoder::encode_rest(std::span<const std::size_t> columns, Part& part, const Poll& poll) {
  const std::size_t rows = table_.rows;
  for (std::size_t k = 0; k < columns.size() && !stopping_;) {
    poll();
    const ColumnInput& in = inputs_[columns[k]];
    if (is_plain(in)) {
      encode_doubles(columns[k++], {reinterpret_cast<const double*>(in.data), rows}, part);
      continue;
    }
    std::vector<ColumnInput> group;
    for (std::size_t j = k; j < std::min(columns.size(), k + loaded_columns) && !is_plain(inputs_[columns[j]]);
         ++j)
      group.push_back(inputs_[columns[j]]);
    load_doubles(group, rows, part.values, poll);
    for (std::size_t j = 0; j < group.size() && !stopping_; ++j, ++k, poll())
      encode_doubles(columns[k], {part.values.data() + j * rows, rows}, part);
  }
}

// Columns of one or two values without a missing one, in one pass over all of them; the others are left.
std::vector<std::size_t> Encoder::encode_two_valued(std::size_t first, std::size_t count, Part& part) {
  std::vector<std::size_t> rest;
  std::vector<TwoValuedColumn> columns;
  for (std::size_t c = first; c < first + count; ++c) {
    const bool wide = inputs_.size() > few_columns;  // where a column may be stored in other ways
    columns.emplace_back(wide ? nullptr : &part.narrow, static_cast<std::uint32_t>(c), table_.rows);
  }
  ValueBlocks(inputs_.subspan(first, count))
      .read(
          0, table_.rows, [&](std::size_t k) { return columns[k].good(); },
          [&](std::size_t k, const ValueBlock& block) { columns[k].add(block); });
  for (std::size_t k = 0; k < count; ++k) {
    EncodedColumn& column = table_.columns[first + k];
    if (!columns[k].finish()) {
      rest.push_back(first + k);
      continue;
    }
    column.kind = ColumnKind::numeric;
    column.codebook = columns[k].values();
    column.values = static_cast<std::uint32_t>(column.codebook.size());
  }
  return rest;
}

// Decides how the column whose codes are in the scratch is stored.
void Encoder::store(std::size_t c, Ranks ranks, Part& part) {
  EncodedColumn& column = table_.columns[c];
  const std::size_t rows = table_.rows;
  const bool category = inputs_[c].kind == ColumnKind::category;
  column.kind = inputs_[c].kind;
  column.has_missing = ranks.has_missing;
  column.values = static_cast<std::uint32_t>(ranks.frequency.size()) - (ranks.has_missing ? 1 : 0);
  column.codebook = std::move(ranks.codebook);
  column.wide_codebook = std::move(ranks.wide_codebook);
  if (column.codes() < 2) return;

  const std::uint32_t usual = most_frequent(ranks.frequency);
  const std::size_t others = rows - ranks.frequency[usual];
  const bool rare = inputs_.size() > few_columns && others * rare_share < rows;
  if (rare || (category && column.codes() > lane_codes)) {
    store_entries(c, usual, part);
  } else if (column.codes() <= narrow_codes) {
    add_narrow(part.narrow, static_cast<std::uint32_t>(c), column.codes(), part.scratch.codes);
  } else {
    store_lane(c, ranks, part);
  }
}

void Encoder::store_entries(std::size_t c, std::uint32_t implicit_code, Part& part) {
  EncodedColumn& column = table_.columns[c];
  column.storage = Storage::entries;
  column.implicit_code = implicit_code;
  EntryList list{static_cast<std::uint32_t>(c), {}, {}};
  const auto& codes = part.scratch.codes;
  for (std::size_t i = 0; i < table_.rows; ++i) {
    if (codes[i] == implicit_code) continue;
    list.rows.push_back(static_cast<std::uint32_t>(i));
    list.codes.push_back(codes[i]);
  }
  part.entries.push_back(std::move(list));
}

void Encoder::store_lane(std::size_t c, const Ranks& ranks, Part& part) {
  EncodedColumn& column = table_.columns[c];
  const auto& codes = part.scratch.codes;
  LaneBytes out;
  out.bytes.resize(table_.rows);
  out.lane.columns = {static_cast<std::uint32_t>(c)};
  column.storage = Storage::lane;
  column.lane = static_cast<std::uint32_t>(part.lanes.size());
  if (column.codes() <= lane_codes) {
    out.lane.codes = column.codes();
    for (std::size_t i = 0; i < codes.size(); ++i) out.bytes[i] = static_cast<std::uint8_t>(codes[i]);
  } else {
    column.bucket_start = bucket_bounds({ranks.frequency.data(), column.values},
                                        lane_codes - (ranks.has_missing ? 1 : 0), no_code);
    const auto& start = column.bucket_start;
    out.lane.codes = column.buckets() + (column.has_missing ? 1 : 0);
    LargeVector<std::uint8_t> bucket_of(column.codes());
    std::uint32_t widest = 1;
    for (std::uint32_t b = 0; b < column.buckets(); ++b) {
      std::fill(bucket_of.begin() + start[b], bucket_of.begin() + start[b + 1], static_cast<std::uint8_t>(b));
      widest = std::max(widest, start[b + 1] - start[b]);
    }
    if (column.has_missing) bucket_of[column.values] = static_cast<std::uint8_t>(column.buckets());
    const auto fill = [&]<class T>(std::vector<T> fine) {
      fine.resize(codes.size());
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::uint8_t b = bucket_of[codes[i]];
        out.bytes[i] = b;
        fine[i] = static_cast<T>(codes[i] - start[b]);
      }
      column.fine = std::move(fine);
      column.bucket_of.assign(out.bytes.begin(), out.bytes.end());
    };
    if (widest <= 0x100) fill(std::vector<std::uint8_t>{});
    else if (widest <= 0x10000) fill(std::vector<std::uint16_t>{});
    else fill(std::vector<std::uint32_t>{});
  }
  part.lanes.push_back(std::move(out));
}

void Encoder::assemble(std::vector<Part>& parts, Pool& pool) {
  std::vector<LaneBytes> lanes;
  for (Part& part : parts) {
    const auto offset = static_cast<std::uint32_t>(lanes.size());
    for (LaneBytes& lane : part.lanes) {
      for (std::uint32_t c : lane.lane.columns) table_.columns[c].lane += offset;
      lanes.push_back(std::move(lane));
    }
  }
  for (LaneBytes& lane : lanes) table_.lanes.push_back(std::move(lane.lane));
  const std::size_t tiles = (lanes.size() + tile_lanes - 1) / tile_lanes;
  table_.tiles = TileWords(table_.rows, tiles);
  pool.parallel_for(tiles, [&](std::size_t t) {
    for (std::size_t k = 0; k < tile_lanes && t * tile_lanes + k < lanes.size(); ++k) {
      auto& bytes = lanes[t * tile_lanes + k].bytes;
      for (std::size_t i = 0; i < table_.rows; ++i)
        table_.tiles.word(t, i) |= static_cast<std::uint64_t>(bytes[i]) << (8 * k);
      bytes = {};
    }
  });
}

EncodedTable Encoder::run(Pool& pool, const Poll& poll) {
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::size_t c = 0; c < inputs_.size(); c += groups.back().second)
    groups.emplace_back(c, adjacent_columns(inputs_, c, group_columns));
  const auto tasks = std::min<std::size_t>(groups.size(), static_cast<std::size_t>(pool.size()));
  std::vector<Part> parts(tasks);
  const Poll checked = [&] {
    try {
      poll();
    } catch (...) {
      stopping_ = true;
      throw;
    }
  };
  pool.parallel_for(tasks, [&](std::size_t task) {
    for (std::size_t g = task; g < groups.size() && !stopping_; g += tasks) {
      checked();
      encode_group(groups[g].first, groups[g].second, parts[task]);
    }
  });
  std::vector<std::size_t> rest;
  for (const Part& part : parts) rest.insert(rest.end(), part.left.begin(), part.left.end());
  std::sort(rest.begin(), rest.end());
  pool.parallel_for(tasks, [&](std::size_t task) {
    Part& part = parts[task];
    const std::size_t first = task * rest.size() / tasks, end = (task + 1) * rest.size() / tasks;
    if (!stopping_) encode_rest(std::span(rest).subspan(first, end - first), part, checked);
    if (stopping_) return;
    part.scratch = {};
    part.values = {};
    part.keys = {};
    for (NarrowWord& word : part.narrow) {
      make_bundles(word, table_.columns, part.lanes);
      word = {};
    }
  });
  assemble(parts, pool);
  std::vector<EntryList> lists;
  for (Part& part : parts)
    for (EntryList& list : part.entries) lists.push_back(std::move(list));
  assemble_entries(std::move(lists), table_);
  for (EncodedColumn& column : table_.columns)
    column.whole = std::all_of(column.codebook.begin(), column.codebook.end(),
                               [](double x) { return x == std::floor(x); });
  table_.flags = list_flags(table_);
  return std::move(table_);
}

}  // namespace

EncodedTable encode(std::span<const ColumnInput> inputs, std::size_t rows, Pool& pool, const Poll& poll) {
  return Encoder(inputs, rows).run(pool, poll);
}

}  // namespace hardwood

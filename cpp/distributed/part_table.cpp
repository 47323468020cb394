#include "distributed/part_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/bundle.hpp"
#include "data/infinite_value.hpp"
#include "data/keys.hpp"
#include "distributed/column_keys.hpp"

namespace hardwood {

namespace {

constexpr double table_span = 1 << 16;

struct Share {  // of the columns, encoded by one thread
  std::vector<LaneBytes> lanes;
  std::vector<NarrowWord> narrow;
  LargeVector<std::uint32_t> codes;
};

[[noreturn]] void refuse_unknown() {
  throw std::invalid_argument("a value that was not there when the codebooks were made");
}

// Number of the keys that are smaller.
std::uint32_t place_of(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  const std::uint64_t* base = keys.data();
  std::size_t length = keys.size();
  while (length > 1) {
    const std::size_t half = length / 2;
    base += base[half - 1] < key ? half : 0;
    length -= half;
  }
  return static_cast<std::uint32_t>(base - keys.data() + (length == 1 && *base < key ? 1 : 0));
}

// Whole numbers of a small span are looked up; false where the codebook is none such.
bool code_by_table(const ColumnPlan& plan, const ColumnKeys& column, std::size_t rows,
                   LargeVector<std::uint32_t>& codes) {
  if (!column.values() || plan.keys.empty()) return false;
  const double low = value_of(plan.keys.front()), high = value_of(plan.keys.back());
  if (!(high - low < table_span)) return false;
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::uint32_t> table(static_cast<std::size_t>(high - low) + 1, unknown);
  for (std::size_t k = 0; k < plan.keys.size(); ++k) {
    const double value = value_of(plan.keys[k]);
    if (value != std::floor(value)) return false;
    table[static_cast<std::size_t>(value - low)] = static_cast<std::uint32_t>(k);
  }
  const std::uint32_t missing = plan.values();
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = column.values()[i];
    if (x != x) {
      if (!plan.missing_code) refuse_unknown();
      codes[i] = missing;
      continue;
    }
    if (!(x >= low && x <= high)) refuse_unknown();
    const auto at = static_cast<std::size_t>(x - low);
    codes[i] = table[at];
    if (codes[i] == unknown || static_cast<double>(at) != x - low) refuse_unknown();
  }
  return true;
}

void code_numbers(const ColumnPlan& plan, const ColumnKeys& column, std::size_t rows,
                  LargeVector<std::uint32_t>& codes, std::vector<std::uint64_t>* kept) {
  if (!plan.bucketed() && code_by_table(plan, column, rows, codes)) return;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!column.present(i)) {
      if (!plan.missing_code) refuse_unknown();
      codes[i] = plan.values();
      if (kept) (*kept)[i] = missing_key;
      continue;
    }
    const std::uint64_t key = column.key(i);
    codes[i] = place_of(plan.keys, key);
    if (kept) (*kept)[i] = key;
    else if (codes[i] == plan.keys.size() || plan.keys[codes[i]] != key) refuse_unknown();
  }
}

void code_categories(const ColumnPlan& plan, const ColumnInput& input, std::size_t rows,
                     LargeVector<std::uint32_t>& codes, std::vector<std::uint64_t>* kept) {
  const auto* given = reinterpret_cast<const std::int32_t*>(input.data);
  for (std::size_t i = 0; i < rows; ++i) {
    if (given[i] >= static_cast<std::int64_t>(plan.categories) || (given[i] < 0 && !plan.missing_code))
      refuse_unknown();
    codes[i] = given[i] < 0 ? plan.categories : static_cast<std::uint32_t>(given[i]);
    if (kept) (*kept)[i] = given[i] < 0 ? missing_key : static_cast<std::uint64_t>(given[i]);
  }
}

// `keys` is null for a category column.
void encode_column(std::size_t c, const ColumnInput& input, const ColumnKeys* keys, const TablePlan& plan,
                   EncodedPart& out, std::vector<EncodedColumn>& columns, Share& share) {
  const ColumnPlan& column = plan.columns[c];
  const std::size_t rows = out.table.rows;
  share.codes.resize(rows);
  std::vector<std::uint64_t>* kept = nullptr;
  if (column.bucketed() || column.coding == PartCoding::listed) {
    out.keys[c].resize(rows);
    kept = &out.keys[c];
  }
  if (!keys) {
    code_categories(column, input, rows, share.codes, kept);
  } else {
    if (keys->any_infinite(rows)) throw InfiniteValue(c);
    code_numbers(column, *keys, rows, share.codes, kept);
  }
  if (!column.has_lane()) return;
  const auto number = static_cast<std::uint32_t>(c);
  if (column.codes() <= narrow_codes) return add_narrow(share.narrow, number, column.codes(), share.codes);
  LaneBytes lane;
  lane.lane.codes = column.codes();
  lane.lane.columns = {number};
  lane.bytes.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) lane.bytes[i] = static_cast<std::uint8_t>(share.codes[i]);
  columns[c].storage = Storage::lane;
  columns[c].lane = static_cast<std::uint32_t>(share.lanes.size());
  share.lanes.push_back(std::move(lane));
}

void assemble(std::vector<Share>& shares, std::vector<EncodedColumn>& columns, EncodedPart& out) {
  const std::size_t rows = out.table.rows;
  std::uint32_t lane = 0;
  for (Share& share : shares) {
    const std::uint32_t first = lane;
    for (LaneBytes& each : share.lanes) {
      for (std::uint32_t c : each.lane.columns) columns[c].lane += first;
      if (lane % tile_lanes == 0) out.tiles.emplace_back(rows, 0);
      auto& words = out.tiles.back();
      const int shift = static_cast<int>(lane % tile_lanes) * 8;
      for (std::size_t i = 0; i < rows; ++i) words[i] |= static_cast<std::uint64_t>(each.bytes[i]) << shift;
      out.table.lanes.push_back(std::move(each.lane));
      each.bytes = {};
      ++lane;
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    out.table.columns[c] = {columns[c].storage, columns[c].lane, std::move(columns[c].digits)};
  for (const auto& words : out.tiles) out.table.tiles.push_back(words.data());
  for (const auto& keys : out.keys) out.table.keys.push_back(keys.empty() ? nullptr : keys.data());
}

}  // namespace

EncodedPart encode_part(const std::vector<ColumnInput>& inputs, std::size_t rows, const TablePlan& plan,
                        Pool& pool, const Poll& poll) {
  EncodedPart out;
  out.table.rows = rows;
  out.table.columns.resize(inputs.size());
  out.keys.resize(inputs.size());
  std::vector<EncodedColumn> columns(inputs.size());
  const ColumnGroups groups(inputs);
  std::vector<Share> shares(std::min<std::size_t>(groups.size(), static_cast<std::size_t>(pool.size())));
  const auto coded = [&](std::size_t c) { return plan.columns[c].coding != PartCoding::constant; };
  pool.parallel_for(shares.size(), [&](std::size_t task) {
    Share& share = shares[task];
    LargeVector<double> buffer;
    for (std::size_t g = task; g < groups.size(); g += shares.size()) {
      poll();
      groups.read(g, rows, buffer, coded, [&](std::size_t c, const ColumnKeys& keys) {
        const bool category = inputs[c].kind == ColumnKind::category;
        encode_column(c, inputs[c], category ? nullptr : &keys, plan, out, columns, share);
      });
    }
    share.codes = {};
    buffer = {};
    for (NarrowWord& word : share.narrow) make_bundles(word, columns, share.lanes);
    share.narrow.clear();
  });
  assemble(shares, columns, out);
  return out;
}

}  // namespace hardwood

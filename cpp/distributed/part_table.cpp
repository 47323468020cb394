#include "distributed/part_table.hpp"

#include <algorithm>
#include <optional>

#include "data/bundle.hpp"
#include "data/infinite_value.hpp"
#include "data/keys.hpp"
#include "data/value_blocks.hpp"
#include "distributed/column_coder.hpp"

namespace hardwood {

namespace {

constexpr std::size_t assembled_rows = 4096;

struct Share {  // of the columns, encoded by one thread
  std::vector<LaneBytes> lanes;
  std::vector<NarrowWord> narrow;
};

// Where the codes of one column go: a field of a narrow word, or a lane; and its keys where they are kept.
struct Column {
  std::optional<ColumnCoder> coder;
  std::uint64_t* narrow = nullptr;
  int shift = 0;
  std::uint8_t* lane = nullptr;
  std::uint64_t* kept = nullptr;

  void encode(const ValueBlock& block) const {
    std::uint64_t* word = narrow ? narrow + block.begin : nullptr;
    if (word && coder->add_two_valued(block, word, shift)) return;
    std::uint32_t codes[ValueBlocks::block_rows];
    coder->code(block, codes, kept ? kept + block.begin : nullptr);
    for (std::size_t i = 0; word && i < block.rows; ++i)
      word[i] |= static_cast<std::uint64_t>(codes[i]) << shift;
    for (std::size_t i = 0; lane && i < block.rows; ++i)
      lane[block.begin + i] = static_cast<std::uint8_t>(codes[i]);
  }
};

Column place_column(std::size_t c, const ColumnInput& input, const ColumnPlan& plan, EncodedPart& out,
                    std::vector<EncodedColumn>& columns, Share& share) {
  const std::size_t rows = out.table.rows;
  Column column;
  column.coder.emplace(plan, input);
  if (plan.bucketed() || plan.coding == PartCoding::uncoded) {
    out.keys[c].resize(rows);
    column.kept = out.keys[c].data();
  }
  if (!plan.has_lane()) return column;
  const auto number = static_cast<std::uint32_t>(c);
  // A bucketed column never shares a lane, however few its buckets are: keys are looked up by a row's bucket.
  if (!plan.bucketed() && plan.codes() <= narrow_codes) {
    const NarrowField field = reserve_narrow(share.narrow, number, plan.codes(), rows);
    column.narrow = share.narrow.back().words.data();
    column.shift = field.shift;
    return column;
  }
  columns[c].storage = Storage::lane;
  columns[c].lane = static_cast<std::uint32_t>(share.lanes.size());
  share.lanes.push_back({{plan.codes(), {number}}, std::vector<std::uint8_t>(rows)});
  column.lane = share.lanes.back().bytes.data();
  return column;
}

void encode_group(const ValueBlocks& blocks, std::size_t group, const std::vector<ColumnInput>& inputs,
                  const TablePlan& plan, EncodedPart& out, std::vector<EncodedColumn>& columns, Share& share) {
  const std::size_t first = blocks.first(group);
  const auto coded = [&](std::size_t c) { return plan.columns[c].coding != PartCoding::constant; };
  std::vector<Column> own(blocks.end(group) - first);
  for (std::size_t c = first; c < blocks.end(group); ++c)
    if (coded(c)) own[c - first] = place_column(c, inputs[c], plan.columns[c], out, columns, share);
  blocks.read(group, out.table.rows, coded, [&](std::size_t c, const ValueBlock& block) {
    if (block.any_infinite()) throw InfiniteValue(c);
    own[c - first].encode(block);
  });
}

// The lanes eight to a word, a few rows at a time.
void fill_tile(std::vector<std::uint64_t>& words, std::span<const LaneBytes> lanes) {
  for (std::size_t begin = 0; begin < words.size(); begin += assembled_rows) {
    const std::size_t end = std::min(words.size(), begin + assembled_rows);
    for (std::size_t k = 0; k < lanes.size(); ++k)
      for (std::size_t i = begin; i < end; ++i)
        words[i] |= static_cast<std::uint64_t>(lanes[k].bytes[i]) << (8 * k);
  }
}

// Bucketed columns come first: those that are opened together then stand in few tiles.
void assemble(std::vector<Share>& shares, const TablePlan& plan, std::vector<EncodedColumn>& columns,
              EncodedPart& out) {
  std::vector<LaneBytes> lanes;
  for (Share& share : shares) std::move(share.lanes.begin(), share.lanes.end(), std::back_inserter(lanes));
  std::stable_partition(lanes.begin(), lanes.end(), [&](const LaneBytes& each) {
    return plan.columns[each.lane.columns.front()].bucketed();
  });
  for (std::uint32_t k = 0; k < lanes.size(); ++k)
    for (std::uint32_t c : lanes[k].lane.columns) columns[c].lane = k;
  for (std::size_t first = 0; first < lanes.size(); first += tile_lanes) {
    const std::size_t count = std::min<std::size_t>(tile_lanes, lanes.size() - first);
    out.tiles.emplace_back(out.table.rows, 0);
    fill_tile(out.tiles.back(), std::span(lanes).subspan(first, count));
    for (std::size_t k = first; k < first + count; ++k) {
      out.table.lanes.push_back(std::move(lanes[k].lane));
      lanes[k].bytes = {};
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    out.table.columns[c] = {columns[c].storage, columns[c].lane, std::move(columns[c].digits)};
  for (const auto& words : out.tiles) out.table.tiles.push_back(words.data());
  for (const auto& keys : out.keys) out.table.keys.push_back(keys.empty() ? nullptr : keys.data());
}

}  // namespace

TablePlan with_class_column(TablePlan plan, int classes) {
  ColumnPlan column;
  column.coding = PartCoding::coded;
  column.whole = true;
  for (int c = 0; c < classes; ++c) column.keys.push_back(key_of(static_cast<double>(c)));
  plan.columns.push_back(std::move(column));
  plan.set_offsets();
  return plan;
}

EncodedPart encode_part(const std::vector<ColumnInput>& inputs, std::size_t rows, const TablePlan& plan,
                        Pool& pool, const Poll& poll) {
  EncodedPart out;
  out.table.rows = rows;
  out.table.columns.resize(inputs.size());
  out.keys.resize(inputs.size());
  std::vector<EncodedColumn> columns(inputs.size());
  const ValueBlocks blocks(inputs);
  std::vector<Share> shares(std::min<std::size_t>(blocks.groups(), static_cast<std::size_t>(pool.size())));
  pool.parallel_for(shares.size(), [&](std::size_t task) {
    Share& share = shares[task];
    for (std::size_t g = task; g < blocks.groups(); g += shares.size()) {
      poll();
      encode_group(blocks, g, inputs, plan, out, columns, share);
    }
    for (NarrowWord& word : share.narrow) make_bundles(word, columns, share.lanes);
    share.narrow.clear();
  });
  assemble(shares, plan, columns, out);
  return out;
}

}  // namespace hardwood

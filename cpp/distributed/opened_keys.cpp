#include "distributed/opened_keys.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <stdexcept>

#include "base/portable.hpp"
#include "distributed/key_collector.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t block_rows = 4096;

// A question about a bucketed column, while the rows of a node are gone through.
struct Asked {
  struct Reach {
    std::uint32_t first = 0, end = 0;  // intervals that reach into a bucket
  };

  Asked(const PartTable& table, const ColumnPlan& plan, const KeyQuestion& question, int channels)
      : lane(table.columns[question.column].lane), shift(static_cast<int>(lane % tile_lanes) * 8),
        keys(table.keys[question.column]), intervals(question.intervals), found(question.intervals, channels) {
    const auto bucket_of = [&](std::uint64_t key) {
      return std::lower_bound(plan.keys.begin(), plan.keys.end(), key) - plan.keys.begin();
    };
    for (std::uint32_t k = 0; k < intervals.size(); ++k)
      for (auto b = bucket_of(intervals[k].low); b <= bucket_of(intervals[k].high); ++b) {
        if (reach[b].first == reach[b].end) reach[b].first = k;
        reach[b].end = k + 1;
        reached[b] = 1;
      }
  }

  // Adds a row of a bucket that some interval reaches into, if its key lies in one.
  void add(std::size_t bucket, std::uint64_t key, std::int32_t label, std::int64_t weight,
           std::int64_t examples) {
    const Reach& own = reach[bucket];
    std::uint32_t k = own.first;
    if (own.end - k > 1)
      k = static_cast<std::uint32_t>(
          std::lower_bound(intervals.begin() + k, intervals.begin() + own.end, key,
                           [](const KeyInterval& each, std::uint64_t x) { return each.high < x; }) -
          intervals.begin());
    if (k < own.end && intervals[k].low <= key && key <= intervals[k].high)
      found.add(k, key, label, weight, examples);
  }

  std::uint32_t lane;
  int shift;
  const std::uint64_t* keys;
  const std::vector<KeyInterval>& intervals;
  std::array<Reach, lane_codes> reach{};           // by bucket
  std::array<std::uint8_t, lane_codes> reached{};  // 1: some interval reaches into it
  KeyCollector found;
};

// All questions about the columns of one tile, block by block. What can be told from the bucket is told from
// it, since few rows have a key in an interval; the keys and weights of those that may are fetched ahead.
void answer(const PartTable& table, const NodeItems& items, std::span<Asked*> asked) {
  const std::uint64_t* words = table.tiles[asked.front()->lane / tile_lanes];
  const std::uint32_t most = std::min(block_rows, items.by_class.end - items.by_class.begin);
  std::vector<std::uint64_t> block(most);
  std::vector<std::uint32_t> inside(most);  // of the block: rows of a bucket that is asked for
  for (const ClassRows& own : items.by_class.classes)
    for (std::uint32_t first = own.begin; first < own.end; first += block_rows) {
      const std::uint32_t size = std::min(block_rows, own.end - first);
      const std::uint32_t* rows = items.rows + first;
      for (std::uint32_t i = 0; i < size; ++i) {
        prefetch(words + rows[std::min(i + ahead, size - 1)]);
        block[i] = words[rows[i]];
      }
      for (Asked* each : asked) {
        const std::uint8_t* reached = each->reached.data();
        const int shift = each->shift;  // a copy: the compiler cannot tell that `inside` is elsewhere
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < size; ++i) {
          inside[count] = i;
          count += reached[(block[i] >> shift) & 0xff];
        }
        for (std::uint32_t k = 0; k < count; ++k) {
          const std::uint32_t i = inside[k], later = inside[std::min(k + ahead, count - 1)];
          prefetch(each->keys + rows[later]);
          items.prefetch_weight(first + later);
          each->add((block[i] >> shift) & 0xff, each->keys[rows[i]], own.label, items.weight(first + i),
                    items.count(first + i));
        }
      }
    }
}

KeySums open_uncoded(const std::uint64_t* keys, const NodeItems& items, int channels) {
  const std::vector<KeyInterval> none_divided;
  KeyCollector found(none_divided, channels);
  items.each([&](std::uint32_t i, std::int32_t label) {
    found.add_key(keys[items.rows[i]], label, items.weight(i), items.count(i));
  });
  return found.sums();
}

}  // namespace

std::vector<KeySums> open_keys(const PartTable& table, const TablePlan& plans, const NodeItems& items,
                               int channels, std::span<const KeyQuestion> questions) {
  std::vector<std::unique_ptr<Asked>> asked(questions.size());
  std::map<std::uint32_t, std::vector<Asked*>> by_tile;
  std::vector<KeySums> out(questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const ColumnPlan& plan = plans.columns.at(questions[q].column);
    if (plan.coding == PartCoding::uncoded) {
      out[q] = open_uncoded(table.keys[questions[q].column], items, channels);
      continue;
    }
    if (!plan.bucketed()) throw std::invalid_argument("only bucketed and uncoded columns can be opened");
    asked[q] = std::make_unique<Asked>(table, plan, questions[q], channels);
    by_tile[asked[q]->lane / tile_lanes].push_back(asked[q].get());
  }
  for (auto& [tile, own] : by_tile) answer(table, items, own);
  for (std::size_t q = 0; q < questions.size(); ++q)
    if (asked[q]) out[q] = asked[q]->found.sums();
  return out;
}

}  // namespace hardwood

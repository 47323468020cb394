#include "distributed/part.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "distributed/key_collector.hpp"
#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t ahead = 24;   // rows whose words are fetched in advance
constexpr std::size_t few_share = 4;  // few rows: their values would fill less than a fourth of the cells

}  // namespace

Part::Part(PartTable table, const TablePlan& plan, const std::int32_t* labels, int classes)
    : table_(std::move(table)), plan_(plan), labels_(labels), all_classes_(classes), classes_(classes) {}

void Part::set_weights(const std::int64_t* weights, const std::int64_t* examples) {
  weights_ = weights;
  examples_ = examples;
}

void Part::start(int target, std::int64_t least) {
  target_ = target;
  classes_ = target < 0 ? all_classes_ : 2;
  const auto n = static_cast<std::uint32_t>(table_.rows);
  std::vector<std::uint32_t> seen(classes_ + 1, 0), unseen(classes_ + 1, 0);
  for (std::uint32_t i = 0; i < n; ++i) ++(weight(i) >= least ? seen : unseen)[label_of(i) + 1];
  const auto lay_out = [&](std::vector<std::uint32_t>& next) {
    std::partial_sum(next.begin(), next.end(), next.begin());
    NodeRows root;
    root.end = next[classes_];
    for (int c = 0; c < classes_; ++c)
      if (next[c + 1] > next[c]) root.classes.push_back({c, next[c], next[c + 1]});
    return root;
  };
  nodes_.clear();
  nodes_[0] = lay_out(seen);
  absent_root_ = lay_out(unseen);
  rows_.resize(nodes_[0].end);
  absent_.resize(absent_root_.end);
  for (std::uint32_t i = 0; i < n; ++i) {
    const int label = label_of(i);
    if (weight(i) >= least) rows_[seen[label]++] = i;
    else absent_[unseen[label]++] = i;
  }
}

const NodeRows& Part::node(std::int32_t number) const {
  const auto at = nodes_.find(number);
  if (at == nodes_.end()) throw std::invalid_argument("a node that this part does not have");
  return at->second;
}

std::vector<std::int64_t> Part::totals(std::int32_t number) const {
  std::vector<std::int64_t> out(channels(), 0);
  const NodeRows& at = node(number);
  for (const ClassRows& piece : at.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      out[piece.label] += weight(rows_[i]);
      if (examples_) out[classes_] += examples_[rows_[i]];
    }
  return out;
}

// The rows of each branch one after the other, by class; their order within is kept.
template <class BranchOf>
std::vector<NodeRows> Part::move(const NodeRows& node, std::int32_t arity, std::vector<std::uint32_t>& list,
                                 BranchOf branch_of) {
  if (branch_.size() < node.size()) branch_.resize(node.size());
  if (scratch_.size() < node.size()) scratch_.resize(node.size());
  std::vector<std::vector<std::uint32_t>> sizes(node.classes.size(), std::vector<std::uint32_t>(arity, 0));
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i) {
      const std::int32_t branch = branch_of(list[i], list[std::min(i + ahead, node.end - 1)]);
      branch_[i - node.begin] = branch;
      ++sizes[k][branch];
    }
  std::vector<NodeRows> out(arity);
  std::uint32_t at = node.begin;
  for (std::int32_t b = 0; b < arity; ++b) {
    out[b].begin = at;
    for (std::size_t k = 0; k < node.classes.size(); ++k) {
      const std::uint32_t begin = at;
      at += sizes[k][b];
      if (at > begin) out[b].classes.push_back({node.classes[k].label, begin, at});
      sizes[k][b] = begin;
    }
    out[b].end = at;
  }
  std::copy(list.begin() + node.begin, list.begin() + node.end, scratch_.begin());
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
      list[sizes[k][branch_[i - node.begin]]++] = scratch_[i - node.begin];
  return out;
}

namespace {

// The branch of every code of a column.
struct CodeBranches {
  std::vector<std::int32_t> of_code;  // by code, missing last
  std::vector<char> asks;             // bucketed: by bucket, whether a row's key is to be looked at

  CodeBranches(const ColumnPlan& plan, const Split& split) {
    const std::uint32_t values = plan.values();
    of_code.assign(values + 1, split.default_branch);
    of_code[values] = split.route_of_missing();
    if (plan.kind == ColumnKind::category) {
      for (std::size_t i = 0; i < split.codes.size(); ++i) of_code[split.codes[i]] = split.branch_of[i];
      return;
    }
    if (!plan.bucketed()) {
      for (std::uint32_t code = 0; code < values; ++code) of_code[code] = split.interval_branch(code);
      return;
    }
    asks.assign(values + 1, 0);
    for (std::uint32_t b = 0; b < values; ++b) {
      const std::uint64_t first = b == 0 ? 0 : plan.keys[b - 1] + 1;
      const std::uint64_t last = b + 1 == values ? ~std::uint64_t{0} : plan.keys[b];
      of_code[b] = split.interval_branch(first);
      const bool wanted = !split.cuts.empty() && (b == split.bucket || b == split.next_bucket);
      asks[b] = wanted || split.interval_branch(last) != of_code[b];
    }
  }
};

}  // namespace

std::vector<NodeRows> Part::divide(const NodeRows& node, const Split& split, std::vector<std::uint32_t>& list,
                                   std::uint64_t& below, std::uint64_t& above) {
  const ColumnPlan& plan = plan_.columns[split.column];
  const CodeBranches branches(plan, split);
  const auto& of_code = branches.of_code;
  if (plan.coding == PartCoding::constant)
    return move(node, split.arity, list, [&](std::uint32_t, std::uint32_t) { return 0; });
  const std::uint64_t* keys = table_.keys[split.column];
  if (plan.coding == PartCoding::uncoded)
    return move(node, split.arity, list, [&](std::uint32_t row, std::uint32_t) {
      return of_code[keys[row] == missing_key ? plan.categories : keys[row]];
    });
  const PartColumn& column = table_.columns[split.column];
  const LaneView lane = lane_of(table_, column);
  std::vector<std::int32_t> of_lane = of_code;
  if (column.storage == Storage::bundle) {
    of_lane.clear();
    for (std::uint8_t digit : column.digits) of_lane.push_back(of_code[digit]);
  }
  if (!plan.bucketed())
    return move(node, split.arity, list, [&](std::uint32_t row, std::uint32_t later) {
      __builtin_prefetch(lane.words + later);
      return of_lane[lane[row]];
    });
  const std::uint64_t cut = split.cuts.empty() ? ~std::uint64_t{0} : split.cuts[0];
  return move(node, split.arity, list, [&](std::uint32_t row, std::uint32_t later) {
    __builtin_prefetch(lane.words + later);
    const std::uint32_t bucket = lane[row];
    if (!branches.asks[bucket]) return of_code[bucket];
    const std::uint64_t key = keys[row];
    if (key <= cut) below = std::max(below, key);
    else above = std::min(above, key);
    return split.interval_branch(key);
  });
}

void Part::split(const NodeSplit& order, SplitAnswer& answer) {
  check_split(order.split, plan_);
  if (order.children.size() != static_cast<std::size_t>(order.split.arity))
    throw std::invalid_argument("one child per branch is needed");
  std::uint64_t below = 0, above = ~std::uint64_t{0};
  const std::vector<NodeRows> parts = divide(node(order.node), order.split, rows_, below, above);
  nodes_.erase(order.node);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    answer.rows.push_back(parts[b].size());
    std::int64_t examples = 0;
    if (examples_)
      for (std::uint32_t i = parts[b].begin; i < parts[b].end; ++i) examples += examples_[rows_[i]];
    answer.examples.push_back(examples);
    nodes_[order.children[b]] = parts[b];
  }
  answer.below.push_back(below);
  answer.above.push_back(above);
}

template <class Cell>
void Part::add_rows(const NodeRows& node, std::vector<Cell>& cells, const std::vector<std::size_t>& offset,
                    std::size_t total) const {
  const HistogramKernels& kernels = histogram_kernels();
  for (std::size_t tile = 0; tile < table_.tiles.size(); ++tile) {
    const std::size_t first = tile * tile_lanes;
    const int lanes = static_cast<int>(std::min<std::size_t>(tile_lanes, table_.lanes.size() - first));
    for (const ClassRows& piece : node.classes) {
      const RowSpan span{rows_.data() + piece.begin, piece.end - piece.begin};
      Cell* own[tile_lanes];
      const auto aim = [&](int channel) {
        for (int k = 0; k < lanes; ++k) own[k] = cells.data() + channel * total + offset[first + k];
      };
      aim(piece.label);
      if constexpr (std::is_same_v<Cell, std::uint32_t>) {
        kernels.add_counts(table_.tiles[tile], span, lanes, own);
      } else {
        kernels.add_weights(table_.tiles[tile], span, weights_, lanes, own);
        if (!examples_) continue;
        aim(classes_);
        kernels.add_weights(table_.tiles[tile], span, examples_, lanes, own);
      }
    }
  }
}

// Lane by lane first, then each column's own sums.
template <class Cell>
void Part::fill(const NodeRows& node, std::vector<std::int64_t>& out) const {
  std::vector<std::size_t> offset;
  std::size_t total = 0;
  for (const Lane& lane : table_.lanes) {
    offset.push_back(total);
    total += (lane.codes + 15) / 16 * 16;
  }
  std::vector<Cell> cells(channels() * total, 0);
  add_rows(node, cells, offset, total);
  for (std::size_t l = 0; l < table_.lanes.size(); ++l)
    for (std::uint32_t c : table_.lanes[l].columns) {
      const PartColumn& column = table_.columns[c];
      for (int channel = 0; channel < channels(); ++channel) {
        const Cell* from = cells.data() + channel * total + offset[l];
        std::int64_t* to = out.data() + channel * plan_.total + plan_.offset[c];
        for (std::uint32_t k = 0; k < table_.lanes[l].codes; ++k)
          to[column.storage == Storage::bundle ? column.digits[k] : k] += static_cast<std::int64_t>(from[k]);
      }
    }
}

// A node of so few rows that most cells stay empty: row by row, with a list of the cells that were touched.
void Part::add_few(const NodeRows& node, std::vector<std::int64_t>& scratch, HistogramBatch& out) const {
  std::vector<std::uint32_t> places;
  const auto add = [&](std::size_t place, std::int64_t value) {
    if (value && !scratch[place]) places.push_back(static_cast<std::uint32_t>(place));
    scratch[place] += value;
  };
  for (std::size_t l = 0; l < table_.lanes.size(); ++l) {
    const LaneView lane{table_.tiles[l / tile_lanes], static_cast<int>(l % tile_lanes) * 8};
    for (const ClassRows& piece : node.classes)
      for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
        const std::uint32_t row = rows_[i], code = lane[row];
        for (std::uint32_t c : table_.lanes[l].columns) {
          const PartColumn& column = table_.columns[c];
          const std::size_t cell =
              plan_.offset[c] + (column.storage == Storage::bundle ? column.digits[code] : code);
          add(piece.label * plan_.total + cell, weight(row));
          if (examples_) add(classes_ * plan_.total + cell, examples_[row]);
        }
      }
  }
  std::sort(places.begin(), places.end());
  std::vector<std::int64_t> values;
  values.reserve(places.size());
  for (std::uint32_t place : places) {
    values.push_back(scratch[place]);
    scratch[place] = 0;
  }
  out.add(std::move(places), std::move(values));
}

HistogramBatch Part::histograms(const std::vector<std::int32_t>& numbers) const {
  HistogramBatch out(channels() * plan_.total);
  std::vector<std::int64_t> scratch;
  for (std::int32_t number : numbers) {
    const NodeRows& at = node(number);
    scratch.resize(out.width(), 0);
    if (at.size() * plan_.columns.size() * few_share < out.width()) {
      add_few(at, scratch, out);
      continue;
    }
    if (weights_) fill<std::int64_t>(at, scratch);
    else fill<std::uint32_t>(at, scratch);
    out.add(scratch);
    scratch.clear();
  }
  return out;
}

// A question about a bucketed column, while the rows of a node are gone through.
struct Part::Asked {
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
      }
  }

  // Adds a row of a bucket that some interval reaches into, if its key lies in one.
  void add(const Reach& own, std::uint64_t key, std::int32_t label, std::int64_t weight,
           std::int64_t examples) {
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
  std::array<Reach, lane_codes> reach{};  // by bucket
  KeyCollector found;
};

// All questions about the columns of one tile in one pass. Few rows have a key in an interval, so what can be
// told from the bucket is told from it.
void Part::answer(const NodeRows& node, std::span<Asked*> asked) const {
  const std::uint64_t* words = table_.tiles[asked.front()->lane / tile_lanes];
  for (const ClassRows& piece : node.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      const std::uint32_t row = rows_[i];
      __builtin_prefetch(words + rows_[std::min(i + ahead, piece.end - 1)]);
      const std::uint64_t word = words[row];
      for (Asked* each : asked) {
        const Asked::Reach& reach = each->reach[(word >> each->shift) & 0xff];
        if (reach.first == reach.end) continue;
        each->add(reach, each->keys[row], piece.label, weight(row), examples_ ? examples_[row] : 0);
      }
    }
}

KeySums Part::open_uncoded(const NodeRows& node, std::uint32_t column) const {
  const std::vector<KeyInterval> none_divided;
  KeyCollector found(none_divided, channels());
  for (const ClassRows& piece : node.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i)
      found.add_key(table_.keys[column][rows_[i]], piece.label, weight(rows_[i]),
                    examples_ ? examples_[rows_[i]] : 0);
  return found.sums(examples_ != nullptr);
}

std::vector<KeySums> Part::open(std::int32_t number, std::span<const KeyQuestion> questions) const {
  const NodeRows& at = node(number);
  std::vector<std::unique_ptr<Asked>> asked(questions.size());
  std::map<std::uint32_t, std::vector<Asked*>> by_tile;
  std::vector<KeySums> out(questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const ColumnPlan& plan = plan_.columns[questions[q].column];
    if (plan.coding == PartCoding::uncoded) {
      out[q] = open_uncoded(at, questions[q].column);
      continue;
    }
    if (!plan.bucketed()) throw std::invalid_argument("only bucketed and uncoded columns can be opened");
    asked[q] = std::make_unique<Asked>(table_, plan, questions[q], channels());
    by_tile[asked[q]->lane / tile_lanes].push_back(asked[q].get());
  }
  for (auto& [tile, own] : by_tile) answer(at, own);
  for (std::size_t q = 0; q < questions.size(); ++q)
    if (asked[q]) out[q] = asked[q]->found.sums(examples_ != nullptr);
  return out;
}

}  // namespace hardwood

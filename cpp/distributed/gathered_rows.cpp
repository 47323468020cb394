#include "distributed/gathered_rows.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "data/encoder.hpp"
#include "growing/memory_store.hpp"

namespace hardwood {

namespace {

// Rows node by node and class by class.
struct OrderedRows {
  std::vector<std::uint32_t> place;  // of each row of the batch
  std::vector<NodeRows> nodes;
};

OrderedRows ordered(const GatheredNodes& nodes, const RowBatch& rows) {
  const auto classes = static_cast<std::size_t>(nodes.classes);
  std::vector<std::uint32_t> next(nodes.leaves.size() * classes + 1, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.node[i] >= nodes.leaves.size() || rows.label[i] >= classes)
      throw std::invalid_argument("rows of a node that was not asked for");
    ++next[rows.node[i] * classes + rows.label[i] + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  OrderedRows out;
  for (std::size_t k = 0; k < nodes.leaves.size(); ++k) {
    NodeRows own;
    own.begin = next[k * classes];
    own.end = next[(k + 1) * classes];
    for (std::size_t c = 0; c < classes; ++c)
      if (next[k * classes + c] < next[k * classes + c + 1])
        own.classes.push_back({static_cast<int>(c), next[k * classes + c], next[k * classes + c + 1]});
    out.nodes.push_back(std::move(own));
  }
  for (std::size_t i = 0; i < rows.rows(); ++i)
    out.place.push_back(next[rows.node[i] * classes + rows.label[i]]++);
  return out;
}

// The batch as columns in another order.
class Columns {
 public:
  Columns(const TablePlan& plan, const RowBatch& rows, const std::vector<std::uint32_t>& place)
      : inputs_(plan.columns.size()), keys_(inputs_.size()), codes_(inputs_.size()), missing_(inputs_.size()) {
    for (std::size_t c = 0; c < inputs_.size(); ++c) {
      const bool category =
          plan.columns[c].kind == ColumnKind::category && plan.columns[c].coding != PartCoding::constant;
      std::vector<std::uint8_t> absent(rows.rows(), 0);
      for (std::uint64_t row : rows.missing[c]) absent[place[row]] = 1;
      if (category) fill_category(c, plan.columns[c], rows.values[c], place, absent);
      else fill_keys(c, rows.values[c], place);
      inputs_[c].count = rows.rows();
      if (rows.missing[c].empty() || category) continue;
      missing_[c] = std::move(absent);
      inputs_[c].missing = missing_[c].data();
    }
  }
  const std::vector<ColumnInput>& inputs() const { return inputs_; }

 private:
  // Codes and keys alike are numbers whose order is that of the values.
  void fill_keys(std::size_t c, const std::vector<std::uint64_t>& values,
                 const std::vector<std::uint32_t>& place) {
    keys_[c].assign(place.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) keys_[c][place[i]] = values[i];
    inputs_[c].kind = ColumnKind::unsigned_integer;
    inputs_[c].type = ValueType::u64;
    inputs_[c].data = reinterpret_cast<const std::byte*>(keys_[c].data());
    inputs_[c].stride = sizeof(std::uint64_t);
  }
  void fill_category(std::size_t c, const ColumnPlan& plan, const std::vector<std::uint64_t>& values,
                     const std::vector<std::uint32_t>& place, const std::vector<std::uint8_t>& absent) {
    codes_[c].assign(place.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      codes_[c][place[i]] = absent[place[i]] ? -1 : static_cast<std::int32_t>(values[i]);
    inputs_[c].kind = ColumnKind::category;
    inputs_[c].type = ValueType::i32;
    inputs_[c].data = reinterpret_cast<const std::byte*>(codes_[c].data());
    inputs_[c].stride = sizeof(std::int32_t);
    inputs_[c].categories = plan.categories;
  }

  std::vector<ColumnInput> inputs_;
  std::vector<std::vector<std::uint64_t>> keys_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::vector<std::uint8_t>> missing_;
};

// Codes of the gathered table -> codes and keys of the plan. The keys beside the cut are known, so the parts
// need not look for them.
void translate(const EncodedTable& table, Split& split) {
  const EncodedColumn& column = table.columns[split.column];
  if (column.kind == ColumnKind::category) return;
  for (auto* list : {&split.cuts, &split.below, &split.above})
    for (std::uint64_t& code : *list) code = column.wide_codebook[code];
  split.bucket = split.next_bucket = none;
}

template <class Cell>
void grow_all(MemoryStore<Cell>& store, const EncodedTable& table, std::vector<Leaf*> level) {
  while (!level.empty()) {
    std::vector<Expansion> next;
    for (Leaf* leaf : level)
      if (leaf->split.found()) next.push_back({leaf, true});
    for (const Expansion& each : next) each.leaf->state = LeafState::expanding;
    store.expand(next);
    level.clear();
    for (const Expansion& each : next) {
      store.wait(*each.leaf);
      translate(table, each.leaf->split);
      for (const LeafPtr& child : each.leaf->children) level.push_back(child.get());
    }
  }
}

template <class Cell>
std::vector<LeafPtr> grown(const GatheredNodes& nodes, const Problem& problem,
                           const std::vector<NodeRows>& ranges, Pool& pool, const Poll& poll) {
  GrowthRules rules = nodes.rules;
  rules.search = GrowthRules::Search::histograms;
  NodeRows all;
  all.end = static_cast<std::uint32_t>(problem.table->rows);
  std::vector<std::uint32_t> rows(all.end);
  std::iota(rows.begin(), rows.end(), 0u);
  Workspace<Cell> workspace(problem);
  MemoryStore<Cell> store(workspace, rules, all, rows, pool, poll);
  std::vector<LeafPtr> out;
  std::vector<Leaf*> first;
  try {
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      out.push_back(store.adopt(*nodes.leaves[k], ranges[k], nodes.root_weight));
      first.push_back(out.back().get());
    }
    grow_all(store, *problem.table, std::move(first));
  } catch (...) {
    store.stop();
    throw;
  }
  return out;
}

}  // namespace

std::vector<LeafPtr> grow_gathered(const GatheredNodes& nodes, RowBatch batch, Pool& pool, const Poll& poll) {
  if (batch.rows() == 0 || batch.values.size() != nodes.plan.columns.size())
    throw std::invalid_argument("rows of another table");
  const OrderedRows order = ordered(nodes, batch);
  const auto in_order = [&](const std::vector<std::uint64_t>& list) {
    std::vector<std::int64_t> out(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) out[order.place[i]] = static_cast<std::int64_t>(list[i]);
    return out;
  };
  const std::vector<std::int64_t> weights = in_order(batch.weights), examples = in_order(batch.examples);
  EncodedTable table;
  {
    const Columns columns(nodes.plan, batch, order.place);
    const std::size_t rows = batch.rows();
    batch = {};
    table = encode(columns.inputs(), rows, pool, poll);
  }
  const Problem problem{&table, nodes.classes, weights.empty() ? nullptr : weights.data(),
                        examples.empty() ? nullptr : examples.data(), nodes.rules.criterion};
  return problem.weights ? grown<std::int64_t>(nodes, problem, order.nodes, pool, poll)
                         : grown<std::uint32_t>(nodes, problem, order.nodes, pool, poll);
}

}  // namespace hardwood

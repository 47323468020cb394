// Trains tables that tests/portability/tables.py wrote, with every instruction set of this CPU, and prints a
// line per model: the instruction set, the table, the choice of parameters and a hash of all bits of the model.
// The same lines must come from every compiler, optimisation level and CPU.
#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/isa.hpp"
#include "base/pool.hpp"
#include "boosting/booster.hpp"
#include "boosting/memory_boosting.hpp"
#include "data/encoder.hpp"
#include "growing/fractional_store.hpp"
#include "growing/grower.hpp"
#include "growing/memory_store.hpp"
#include "growing/rows_by_class.hpp"

namespace hardwood {
namespace {

const Poll no_poll = [] {};

// FNV-1a over the little-endian bytes of numbers; there is one NaN and one zero.
class Hash {
 public:
  void add(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) state_ = (state_ ^ (x >> (8 * i) & 0xff)) * 0x100000001b3;
  }
  void add(double x) {
    add(x == 0 ? std::uint64_t{0} : x != x ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(x));
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (T x : values) {
      if constexpr (std::is_floating_point_v<T>) add(static_cast<double>(x));
      else add(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    }
  }
  void add(const Tree& t) {
    for (const auto* list : {&t.parent, &t.first_child, &t.branches, &t.feature, &t.cut_count, &t.group_count,
                             &t.group_codes, &t.group_branches, &t.missing_branch, &t.default_branch, &t.depth})
      add(*list);
    for (const auto* list : {&t.kind, &t.missing_seen}) add(*list);
    for (const auto* list : {&t.cut_begin, &t.group_begin, &t.integer_thresholds, &t.rows}) add(*list);
    for (const auto* list : {&t.thresholds, &t.class_weights, &t.cost, &t.share}) add(*list);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

struct Table {
  std::size_t rows = 0;
  int classes = 0;
  std::vector<std::int32_t> labels;
  std::vector<std::vector<char>> bytes;  // what the columns point to
  std::vector<ColumnInput> columns;
};

class Reader {
 public:
  explicit Reader(const char* path) : in_(path, std::ios::binary) {
    if (!in_) throw std::runtime_error(std::string("cannot read ") + path);
  }
  std::uint64_t number() {
    std::uint64_t x = 0;
    in_.read(reinterpret_cast<char*>(&x), sizeof x);
    if (!in_) throw std::runtime_error("the file of a table ends too early");
    return x;
  }
  std::vector<char> bytes() {
    std::vector<char> out(number());
    in_.read(out.data(), static_cast<std::streamsize>(out.size()));
    if (!in_) throw std::runtime_error("the file of a table ends too early");
    return out;
  }

 private:
  std::ifstream in_;
};

Table read(const char* path) {
  Reader in(path);
  Table out;
  out.rows = in.number();
  out.classes = static_cast<int>(in.number());
  const std::vector<char> labels = in.bytes();
  out.labels.resize(out.rows);
  std::memcpy(out.labels.data(), labels.data(), labels.size());
  const std::uint64_t columns = in.number();
  out.bytes.reserve(3 * columns);
  const auto keep = [&] { return out.bytes.emplace_back(in.bytes()).data(); };
  for (std::uint64_t c = 0; c < columns; ++c) {
    ColumnInput column;
    column.kind = static_cast<ColumnKind>(in.number());
    column.type = static_cast<ValueType>(in.number());
    column.stride = static_cast<std::ptrdiff_t>(in.number());
    column.count = in.number();
    column.categories = static_cast<std::uint32_t>(in.number());
    const std::uint64_t has_missing = in.number(), is_sparse = in.number();
    column.data = reinterpret_cast<const std::byte*>(keep());
    const char* missing = keep();
    const char* rows = keep();
    if (has_missing) column.missing = reinterpret_cast<const std::uint8_t*>(missing);
    if (is_sparse) column.rows = reinterpret_cast<const std::int32_t*>(rows);
    out.columns.push_back(column);
  }
  return out;
}

struct Choice {
  const char* name;
  Criterion criterion;
  std::int64_t max_leaves = 0;
  bool weighted = false, fractional = false;
  double gamma = -1;  // negative: two branches
};

constexpr Choice choices[] = {
    {"km", Criterion::km},
    {"gini", Criterion::gini},
    {"entropy", Criterion::entropy},
    {"error", Criterion::error, 25},
    {"weighted", Criterion::km, 40, true},
    {"multiway", Criterion::km, 24, false, false, 0},
    {"multiway-gamma", Criterion::entropy, 40, true, false, 0.3},
    {"fractional", Criterion::entropy, 30, true, true},
};

std::uint64_t tree_hash(const Table& table, const EncodedTable& encoded, const Choice& choice, Pool& pool) {
  std::vector<std::int64_t> weights(choice.weighted ? table.rows : 0);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<std::int64_t>(i * 2654435761u % 1000 + 1) << 20;
  Problem problem;
  problem.table = &encoded;
  problem.classes = table.classes;
  problem.weights = choice.weighted ? weights.data() : nullptr;
  problem.criterion = choice.criterion;
  Prices prices(std::max(choice.gamma, 0.0), 0, choice.max_leaves);
  GrowthRules rules;
  rules.criterion = choice.criterion;
  rules.max_leaves = choice.max_leaves;
  rules.search = GrowthRules::Search::bounded;
  if (choice.gamma >= 0) {
    rules.prices = &prices;
    rules.leaf_choice = LeafChoice::weight;
  }
  std::vector<std::uint32_t> rows;
  const NodeRows root = rows_by_class(table.labels.data(), problem.weights, table.rows, table.classes, rows);
  const auto in_memory = [&]<class Cell>(Workspace<Cell> workspace) {
    MemoryStore<Cell> store(workspace, rules, root, rows, pool, no_poll);
    return grow(store, rules, table.classes, no_poll);
  };
  Growth growth;
  if (choice.fractional) {
    FractionalStore store(problem, rules, root, rows, pool, no_poll);
    growth = grow(store, rules, table.classes, no_poll);
  } else if (choice.weighted) {
    growth = in_memory(Workspace<std::int64_t>(problem));
  } else {
    growth = in_memory(Workspace<std::uint32_t>(problem));
  }
  Hash hash;
  hash.add(growth.tree);
  hash.add(growth.split_nodes);
  hash.add(growth.potential);
  hash.add(growth.error);
  return hash.value();
}

struct BoostedChoice {
  const char* name;
  Variant variant;
  Criterion criterion;
  double rate, prior;
  Search search;
  double cuts = 1;
};

constexpr BoostedChoice boosted_choices[] = {
    {"logistic", Variant::logistic, Criterion::km, 0.3, 0.5, Search::automatic},
    {"drawn-cuts", Variant::logistic, Criterion::km, 0.1, 0.5, Search::automatic, 0.15},
    {"real", Variant::real, Criterion::km, 1, 0, Search::automatic},
    {"gentle", Variant::gentle, Criterion::gini, 0.7, 0, Search::exhaustive},
    {"adaptive", Variant::discrete, Criterion::stump, 1, 0, Search::adaptive},
    {"quick", Variant::discrete, Criterion::stump, 1, 0, Search::quick},
};

// Of the second class against the rest.
std::uint64_t boosted_hash(const Table& table, const EncodedTable& encoded, const BoostedChoice& choice,
                           Pool& pool) {
  std::vector<std::int32_t> labels = table.labels;
  for (std::int32_t& label : labels) label = label == 1;
  BoostingRules rules;
  rules.variant = choice.variant;
  rules.learning_rate = choice.rate;
  rules.leaf_prior = choice.prior;
  rules.search = choice.search;
  rules.cut_fraction = choice.cuts;
  rules.growth.criterion = choice.criterion;
  rules.growth.max_depth = 3;
  if (choice.criterion == Criterion::stump) rules.growth.leaf_choice = LeafChoice::number;
  GivenWeights given;
  given.whole = true;
  MemoryBoosting store(encoded, std::move(labels), 2, choice.criterion, given,
                       choice.variant == Variant::logistic);
  Booster booster(store, 2, rules);
  Hash hash;
  for (std::uint64_t round = 0; round < 20; ++round) {
    const Round done = booster.run(nullptr, round, true, pool, no_poll);
    hash.add(done.growth.tree);
    hash.add(done.value);
    hash.add(done.tree_weight);
    hash.add(done.error);
    if (done.stop != Stop::not_yet) break;
  }
  return hash.value();
}

void train(const char* path, const char* isa) {
  const Table table = read(path);
  const std::string all(path);
  const std::string name = all.substr(all.find_last_of("/\\") + 1);
  const auto show = [&](const char* choice, std::uint64_t hash) {
    std::printf("%s %s %s %016llx\n", isa, name.c_str(), choice, static_cast<unsigned long long>(hash));
  };
  Pool pool(2);
  const EncodedTable encoded = encode(table.columns, table.rows, pool, no_poll);
  for (const Choice& choice : choices) show(choice.name, tree_hash(table, encoded, choice, pool));
  for (const BoostedChoice& choice : boosted_choices)
    show(choice.name, boosted_hash(table, encoded, choice, pool));
}

}  // namespace
}  // namespace hardwood

int main(int count, char** paths) {
  using hardwood::Isa;
  constexpr const char* names[] = {"portable", "avx2", "avx512"};
  for (Isa isa : {Isa::portable, Isa::avx2, Isa::avx512}) {
    hardwood::limit_isa(isa);
    if (hardwood::current_isa() != isa) break;
    for (int i = 1; i < count; ++i) hardwood::train(paths[i], names[static_cast<int>(isa)]);
  }
  return 0;
}

#include <mutex>

#include "search/fractional/fractional_search.hpp"
#include "search/fractional/known_branches.hpp"

namespace hardwood {

namespace {

// What one column offers.
std::vector<RankedSplit> offers_of(const Problem& problem, const Items& items, const MultiwayRequest& request,
                                   std::uint32_t c, bool all) {
  const NodeTotals& node = request.node;
  const ColumnKind kind = problem.table->columns[c].kind;
  std::vector<Piece> pieces;
  Groups groups;
  group_items(*problem.table, items, c, node, node.classes + (items.examples.empty() ? 0 : 1), pieces, groups);
  FractionalColumns columns;
  std::vector<RankedSplit> out;
  if (kind == ColumnKind::category) {
    columns.try_subsets(groups, node, c);
  } else if (all) {
    columns.add_cuts(groups, node, c, out);
  } else {
    const auto cut_of = [&](std::size_t i) { return groups.code[i]; };
    columns.try_cuts(groups, node, c, cut_of, [&](std::size_t i, std::uint64_t cut, Split& split) {
      split.set_cut(cut, groups.code[i], groups.code[i + 1]);
    });
  }
  if (columns.best.found()) out.push_back({columns.best, columns.exact});
  for (RankedSplit& each : out) each.split.merit = node.cost - each.split.cost;
  if (request.prices.size() <= 3) return out;
  RankedSplit* binary = all || out.empty() ? nullptr : &out.front();
  MultiwayRequest own = request;
  own.binary_merit = binary ? binary->split.merit : 0.0;
  bool exact = true;
  Split several = multiway_of_column(own, kind, c, groups, exact);
  if (binary) binary->exact = binary->exact && exact;
  if (!several.found() || several.merit <= own.binary_merit) return out;
  if (binary) binary->split = std::move(several);
  else out.push_back({std::move(several), exact});
  return out;
}

}  // namespace

std::vector<RankedSplit> ranked_columns(const Problem& problem, const Items& items,
                                        const MultiwayRequest& request, const std::vector<char>* allowed,
                                        bool all, Pool& pool, const Poll& poll) {
  const EncodedTable& table = *problem.table;
  std::vector<RankedSplit> out;
  std::mutex mutex;
  pool.parallel_for(table.columns.size(), [&](std::size_t c) {
    if (table.columns[c].storage == Storage::constant || (allowed && !(*allowed)[c])) return;
    poll();
    auto own = offers_of(problem, items, request, static_cast<std::uint32_t>(c), all);
    std::lock_guard lock(mutex);
    for (RankedSplit& each : own) out.push_back(std::move(each));
  });
  return out;
}

}  // namespace hardwood

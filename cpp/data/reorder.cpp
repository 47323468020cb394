#include "data/reorder.hpp"

#include <type_traits>

#include "base/portable.hpp"

namespace hardwood {

namespace {

template <class T>
void gather(const std::vector<T>& from, const std::vector<std::uint32_t>& order, std::vector<T>& to) {
  const std::size_t n = order.size();
  to.resize(n);
  std::size_t i = 0;
  for (; i + ahead < n; ++i) {
    prefetch(from.data() + order[i + ahead]);
    to[i] = from[order[i]];
  }
  for (; i < n; ++i) to[i] = from[order[i]];
}

void gather_fine(const FineCodes& from, const std::vector<std::uint32_t>& order, FineCodes& to) {
  std::visit(
      [&](const auto& codes) {
        using Codes = std::decay_t<decltype(codes)>;
        if constexpr (!std::is_same_v<Codes, std::monostate>) {
          if (!std::holds_alternative<Codes>(to)) to = Codes{};
          gather(codes, order, std::get<Codes>(to));
        }
      },
      from);
}

void gather_entries(const EncodedTable& table, const std::vector<std::uint32_t>& order, EncodedTable& out) {
  if (table.entry_begin.empty()) return;
  out.entry_begin.assign(1, 0);
  out.entries.clear();
  out.entry_bucket.clear();
  for (std::uint32_t row : order) {
    const auto entries = table.row_entries(row);
    out.entries.insert(out.entries.end(), entries.begin(), entries.end());
    const auto buckets = table.row_buckets(row);
    out.entry_bucket.insert(out.entry_bucket.end(), buckets.begin(), buckets.end());
    out.entry_begin.push_back(out.entries.size());
  }
}

}  // namespace

void reorder_rows(const EncodedTable& table, const std::vector<std::uint32_t>& order, EncodedTable& out,
                  Pool& pool) {
  const std::size_t tiles = table.tiles.size(), columns = table.columns.size();
  out.tiles = TileWords(order.size(), tiles);
  pool.parallel_for(tiles + columns, [&](std::size_t task) {
    if (task < tiles) {
      const Words from = table.tiles[task];
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (i + ahead < order.size()) prefetch(from.at(order[i + ahead]));
        out.tiles.word(task, i) = from[order[i]];
      }
    } else {
      const EncodedColumn& from = table.columns[task - tiles];
      gather_fine(from.fine, order, out.columns[task - tiles].fine);
      if (from.bucketed()) gather(from.bucket_of, order, out.columns[task - tiles].bucket_of);
    }
  });
  gather_entries(table, order, out);
  out.aids = no_search_aids();
}

}  // namespace hardwood

#include "data/slices.hpp"

#include <numeric>

namespace hardwood {

const SliceCodes::Column& SliceCodes::of(const EncodedTable& table, std::uint32_t c) {
  return made_.of(table.columns.size(), c, [&](Column& out) {
    const EncodedColumn& column = table.columns[c];
    std::vector<std::uint32_t> all(column.buckets());
    std::iota(all.begin(), all.end(), 0u);
    out.division.set(column, all, most_slices);
    out.of_row.resize(column.bucket_of.size());
    with_fine(column.fine, [&](const auto* fine) {
      for (std::size_t row = 0; row < out.of_row.size(); ++row)
        out.of_row[row] = static_cast<std::uint16_t>(out.division.first[column.bucket_of[row]] +
                                                     (std::uint32_t{fine[row]} >> out.division.shift));
    });
  });
}

}  // namespace hardwood

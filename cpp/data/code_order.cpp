#include "data/code_order.hpp"

namespace hardwood {

const CodeOrder::Column& CodeOrder::of(const EncodedTable& table, std::uint32_t c) {
  return made_.of(table.columns.size(), c, [&](Column& out) {
    const EncodedColumn& column = table.columns[c];
    const std::vector<std::uint8_t>& bucket_of = column.bucket_of;
    std::vector<std::uint32_t> place(std::size_t{column.values} + 1,
                                     0);  // of each code: where its next row goes
    with_fine(column.fine, [&](const auto* fine) {
      const auto each_value = [&](auto visit) {
        for (std::uint32_t row = 0; row < bucket_of.size(); ++row)
          if (bucket_of[row] < column.buckets()) visit(row, column.bucket_start[bucket_of[row]] + fine[row]);
      };
      each_value([&](std::uint32_t, std::uint32_t code) { ++place[code + 1]; });
      for (std::size_t code = 0; code < column.values; ++code) place[code + 1] += place[code];
      out.rows.resize(place[column.values]);
      out.distinct = out.rows.size() == column.values;
      for (std::uint32_t start : column.bucket_start) out.start.push_back(place[start]);
      each_value([&](std::uint32_t row, std::uint32_t code) { out.rows[place[code]++] = row; });
    });
  });
}

}  // namespace hardwood

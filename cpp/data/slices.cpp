#include "data/slices.hpp"

#include <numeric>

namespace hardwood {

std::shared_ptr<SliceCodes> no_slice_codes() {
  return std::make_shared<SliceCodes>();
}

const SliceCodes::Column& SliceCodes::of(const EncodedTable& table, std::uint32_t c) {
  Place* place = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (places_.empty()) places_.resize(table.columns.size());
    if (!places_[c]) places_[c] = std::make_unique<Place>();
    place = places_[c].get();
  }
  std::call_once(place->once, [&] {
    const EncodedColumn& column = table.columns[c];
    SliceDivision& division = place->column.division;
    std::vector<std::uint32_t> all(column.buckets());
    std::iota(all.begin(), all.end(), 0u);
    division.set(column, all, most_slices);
    std::vector<std::uint16_t>& of_row = place->column.of_row;
    of_row.resize(column.bucket_of.size());
    with_fine(column.fine, [&](const auto* fine) {
      for (std::size_t row = 0; row < of_row.size(); ++row)
        of_row[row] = static_cast<std::uint16_t>(division.first[column.bucket_of[row]] +
                                                 (std::uint32_t{fine[row]} >> division.shift));
    });
  });
  return place->column;
}

}  // namespace hardwood

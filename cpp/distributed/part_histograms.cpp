// Histograms of a part's nodes.
#include <algorithm>
#include <type_traits>

#include "distributed/item_histograms.hpp"
#include "distributed/part.hpp"
#include "histogram/histogram_kernels.hpp"

namespace hardwood {

template <class Cell>
void Part::add_rows(const NodeItems& items, std::vector<Cell>& cells, const std::vector<std::size_t>& offset,
                    std::size_t total) const {
  const HistogramKernels& kernels = histogram_kernels();
  for (std::size_t tile = 0; tile < table_.tiles.size(); ++tile) {
    const std::size_t first = tile * tile_lanes;
    const std::size_t last = std::min<std::size_t>(first + tile_lanes, table_.lanes.size());
    for (const ClassRows& piece : items.by_class.classes) {
      const RowSpan span{items.rows + piece.begin, piece.end - piece.begin};
      const auto lanes = [&](int channel) {
        TileLanes<Cell> out;
        for (std::size_t l = first; l < last; ++l)
          out.add(l - first, cells.data() + channel * total + offset[l]);
        return out;
      };
      if constexpr (std::is_same_v<Cell, std::uint32_t>) {
        kernels.add_counts({table_.tiles[tile]}, span, lanes(piece.label));
      } else {
        const auto add = [&](const std::int64_t* values, int channel) {
          if (items.by_row) kernels.add_weights({table_.tiles[tile]}, span, values, lanes(channel));
          else kernels.add_carried({table_.tiles[tile]}, span, values + piece.begin, lanes(channel));
        };
        add(items.weights, piece.label);
        if (items.examples) add(items.examples, classes_);
      }
    }
  }
}

// Lane by lane first, then each column's own sums.
template <class Cell>
void Part::fill(const NodeItems& items, std::vector<std::int64_t>& out) const {
  std::vector<std::size_t> offset;
  std::size_t total = 0;
  for (const Lane& lane : table_.lanes) {
    offset.push_back(total);
    total += lane.places();
  }
  std::vector<Cell> cells(channels() * total, 0);
  add_rows(items, cells, offset, total);
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

void Part::fill_pairs(const NodeRows& node, std::vector<std::int64_t>& out) const {
  const MergedPairs merged = merge_pairs(node, rows_.data(), stored_, weights_, examples_);
  fill<std::int64_t>(items_of(merged), out);
  std::int64_t* const by_class = out.data() + plan_.offset.back();
  for (const ClassRows& piece : node.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      std::int64_t* const cell = by_class + stored_.class_of(rows_[i]);
      cell[piece.label * plan_.total] += weight(rows_[i]);
      if (examples_) cell[classes_ * plan_.total] += examples_[rows_[i]];
    }
}

HistogramBatch Part::histograms(const std::vector<std::int32_t>& numbers) const {
  HistogramBatch out(channels() * plan_.total);
  std::vector<std::int64_t> scratch;
  for (std::int32_t number : numbers) {
    const NodeRows& at = node(number);
    scratch.resize(out.width(), 0);
    if (paired()) {
      fill_pairs(at, scratch);
      out.add(scratch);
      scratch.clear();
      continue;
    }
    if (few_items(at.size(), plan_.columns.size(), out.width())) {
      add_few(table_, plan_, items(number), classes_, scratch, out);
      continue;
    }
    if (weights_) fill<std::int64_t>(items(number), scratch);
    else fill<std::uint32_t>(items(number), scratch);
    out.add(scratch);
    scratch.clear();
  }
  return out;
}

}  // namespace hardwood

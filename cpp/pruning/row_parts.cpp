#include "pruning/row_parts.hpp"

#include <algorithm>

namespace hardwood {

PartsDivision divide(const RowTurns& turns, std::int32_t split, std::int32_t arity,
                     const std::vector<RowPart>& parts) {
  PartsDivision out;
  out.branches.resize(arity);
  std::vector<RowPart> missing;
  std::vector<std::int64_t> known(arity, 0);
  std::int64_t all = 0;
  for (const RowPart& part : parts) {
    const Turn turn = turns.turn(split, part.row);
    if (turn.missing) {
      missing.push_back(part);
      continue;
    }
    if (turn.unseen >= 0) out.unseen.push_back(turn.unseen);
    out.branches[turn.branch].push_back(part);
    known[turn.branch] += part.weight;
    all += part.weight;
  }
  out.missing_seen = !missing.empty();
  out.heaviest = static_cast<std::int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
  for (std::int64_t weight : known)
    out.share.push_back(all ? static_cast<double>(weight) / static_cast<double>(all) : 0.0);
  for (const RowPart& part : missing) {
    std::int64_t left = part.weight;
    for (std::int32_t j = 0; j < arity; ++j) {
      const auto own = static_cast<std::int64_t>(static_cast<__int128>(part.weight) * known[j] /
                                                 std::max<std::int64_t>(all, 1));
      left -= own;
      if (own && j != out.heaviest) out.branches[j].push_back({part.row, own});
      if (j == out.heaviest) left += own;
    }
    out.branches[out.heaviest].push_back({part.row, left});
  }
  return out;
}

void merge(std::vector<RowPart>& parts) {
  std::sort(parts.begin(), parts.end(), [](const RowPart& a, const RowPart& b) { return a.row < b.row; });
  std::size_t size = 0;
  for (const RowPart& part : parts) {
    if (size && parts[size - 1].row == part.row) parts[size - 1].weight += part.weight;
    else parts[size++] = part;
  }
  parts.resize(size);
}

}  // namespace hardwood

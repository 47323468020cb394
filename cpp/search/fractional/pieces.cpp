#include "search/fractional/pieces.hpp"

#include <algorithm>

#include "data/code_reader.hpp"

namespace hardwood {

namespace {

// Adds pieces (or takes them away) to weights per channel.
void add(std::span<const Piece> pieces, int sign, int classes, std::vector<double>& weights) {
  for (const Piece& piece : pieces) {
    weights[piece.channel] += sign * static_cast<double>(piece.weight);
    if (static_cast<int>(weights.size()) > classes)
      weights[classes] += sign * static_cast<double>(piece.examples);
  }
}

}  // namespace

void sort_by_code(std::vector<Piece>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.code < b.code; });
}

void group_pieces(const EncodedColumn& column, std::span<const Piece> pieces, const NodeTotals& node,
                  int channels, Groups& groups) {
  std::vector<double> own(channels), rest(node.total.begin(), node.total.begin() + channels);
  groups.begin(channels, pieces.size() + 1);
  const auto push = [&](std::uint32_t code, const std::vector<double>& weights) {
    const auto weight_of = [&](int c) { return weights[c]; };
    if (code == column.values) groups.set_missing(weight_of);
    else groups.push(code, weight_of);
  };
  bool rest_to_come = column.storage == Storage::entries;
  if (rest_to_come) {
    add(pieces, -1, node.classes, rest);
    rest_to_come = std::any_of(rest.begin(), rest.begin() + node.classes, [](double w) { return w > 0; });
  }
  for (std::size_t i = 0, end = 0; i < pieces.size(); i = end) {
    const std::uint32_t code = pieces[i].code;
    while (end < pieces.size() && pieces[end].code == code) ++end;
    if (rest_to_come && code > column.implicit_code) {
      push(column.implicit_code, rest);
      rest_to_come = false;
    }
    std::fill(own.begin(), own.end(), 0.0);
    add(pieces.subspan(i, end - i), 1, node.classes, own);
    push(code, own);
  }
  if (rest_to_come) push(column.implicit_code, rest);
}

void group_items(const EncodedTable& table, const Items& items, std::uint32_t c, const NodeTotals& node,
                 int channels, std::vector<Piece>& pieces, Groups& groups) {
  const EncodedColumn& column = table.columns[c];
  pieces.clear();
  with_codes(table, column, [&](auto code_of) {
    std::int32_t channel = 0;
    for (const ClassRows& own : items.by_class.classes) {
      for (std::uint32_t i = own.begin; i < own.end; ++i)
        pieces.push_back(
            {code_of(items.row[i]), channel, items.weight[i], items.examples.empty() ? 0 : items.examples[i]});
      ++channel;
    }
  });
  if (column.storage == Storage::entries)
    std::erase_if(pieces, [&](const Piece& piece) { return piece.code == column.implicit_code; });
  sort_by_code(pieces);
  group_pieces(column, pieces, node, channels, groups);
}

}  // namespace hardwood

// The rows of two classes at a node whose codes lie in a run of adjacent codes of a column, in order of code.
//
// The column's order of all rows is gone through, and bits tell which of them are the node's.
#pragma once

#include <algorithm>
#include <vector>

#include "base/portable.hpp"
#include "data/row_bits.hpp"
#include "data/search_aids.hpp"
#include "search/groups.hpp"
#include "search/node_view.hpp"

namespace hardwood {

// Adjacent codes of one bucket.
struct CodeRun {
  std::uint32_t bucket, first, last;
};

class CodeRunRows {
 public:
  // Rows are gone through in order where they are bits, of two classes.
  template <class Cell>
  static bool can(const NodeView<Cell>& view, const RowBits* bits) {
    return bits && view.node.classes.size() == 2;
  }

  // Fills the groups with the run's codes; before[k] is the weight of channel k that lies before them. Returns
  // how many rows of the node there are.
  template <class Cell>
  std::size_t fill(const NodeView<Cell>& view, std::uint32_t c, const CodeRun& run, const RowBits& bits,
                   const double* before, Groups& groups) {
    const EncodedColumn& column = view.problem.table->columns[c];
    const CodeOrder::Column& order = view.problem.table->aids->order.of(*view.problem.table, c);
    with_fine(column.fine, [&](const auto* fine) {
      list(order, places_of(column, order, fine, run), bits);
      groups.begin(view.channels(), count_ + 1);
      for (int k = 0; k < view.channels(); ++k) groups.left[k * groups.stride] = before[k];
      const std::uint32_t start = column.bucket_start[run.bucket];
      if (order.distinct) add_up(view, groups, [&](std::size_t i) { return place_[i]; });
      else add_up(view, groups, [&](std::size_t i) { return start + fine[rows_[i]]; });
    });
    return count_;
  }

 private:
  struct Places {
    std::uint32_t begin, end;
  };

  template <class Fine>
  static Places places_of(const EncodedColumn& column, const CodeOrder::Column& order, const Fine* fine,
                          const CodeRun& run) {
    if (order.distinct) return {run.first, run.last + 1};
    const std::uint32_t start = column.bucket_start[run.bucket];
    const auto rows = order.rows.begin();
    const auto place = [&](std::uint32_t code) {  // of the first row whose code is not less
      const auto less = [&](std::uint32_t row, std::uint32_t own) { return start + fine[row] < own; };
      return static_cast<std::uint32_t>(
          std::lower_bound(rows + order.start[run.bucket], rows + order.start[run.bucket + 1], code, less) -
          rows);
    };
    return {place(run.first), place(run.last + 1)};
  }

  // The node's rows among those in the places, and the class of each. Which are kept is no branch.
  void list(const CodeOrder::Column& order, const Places& places, const RowBits& bits) {
    const std::size_t most = places.end - places.begin + 1;
    if (rows_.size() < most) {
      rows_.resize(most);
      place_.resize(most);
      second_.resize(most);
    }
    const std::uint64_t *first = bits.of(0), *second = bits.of(1);
    count_ = 0;
    for (std::uint32_t i = places.begin; i < places.end; ++i) {
      const std::uint32_t row = order.rows[i];
      const std::uint64_t in_first = first[row / 64] >> (row % 64) & 1,
                          in_second = second[row / 64] >> (row % 64) & 1;
      rows_[count_] = row;
      place_[count_] = i;
      second_[count_] = static_cast<std::int64_t>(in_second);
      count_ += in_first | in_second;
    }
  }

  template <class Cell, class CodeOf>
  void add_up(const NodeView<Cell>& view, Groups& groups, CodeOf code_of) {
    const Problem& problem = view.problem;
    double* const left0 = groups.left.data();
    double *const left1 = left0 + groups.stride, *const examples = left1 + groups.stride;
    auto sum0 = static_cast<std::int64_t>(left0[0]), sum1 = static_cast<std::int64_t>(left1[0]);
    std::size_t at = 0;  // groups so far; the last may go on
    for (std::size_t i = 0; i < count_; ++i) {
      if (problem.weights && i + ahead < count_) prefetch(problem.weights + rows_[i + ahead]);
      const auto weight = static_cast<std::int64_t>(problem.weight(rows_[i]));
      const std::uint32_t code = code_of(i);
      const bool goes_on = at > 0 && groups.code[at - 1] == code;
      at += goes_on ? 0 : 1;
      sum0 += weight & (second_[i] - 1);
      sum1 += weight & -second_[i];
      groups.code[at - 1] = code;
      left0[at] = static_cast<double>(sum0);
      left1[at] = static_cast<double>(sum1);
      if (problem.examples) examples[at] = examples[goes_on ? at : at - 1] + view.examples(rows_[i]);
    }
    groups.count = at;
  }

  std::vector<std::uint32_t> rows_, place_;
  std::vector<std::int64_t> second_;  // 1: of the second class
  std::size_t count_ = 0;
};

}  // namespace hardwood

// The searches of Aziz, Anderton & Aslam (2018) as published: columns race for the best split of a node,
// rows in decreasing weight, and a column is looked at no further once it cannot win.
//
// After some of a column's rows, L is the least that any of its splits can cost and U what its best can cost
// at most. Stumps: L = mistakes so far, U = L + unseen weight. Other criteria: L from the
// corners (docs/theory/rules.md#corners), U = phi of the node until the column is complete.
//   quick     (Appel et al. 2013, AAA18 sec. 3) columns in order of L after the heaviest rows, each
//             continued batch by batch until it cannot win or is complete
//   adaptive  (AAA18 Algorithm 1, its swap corrected) leader and challenger get rows holding the gap
// Comparisons are lexicographic with the column's number, so that ties are decided as everywhere else.
//
// With RaceRules::constants, for stumps, the paper's own runs: every column also has the stump that calls all
// rows alike, columns that are constant in the node run too, and where no split has fewer mistakes than that
// stump the node is not split. Ties that only rounding of the boosting weights breaks count as ties.
#pragma once

#include <cstdint>
#include <vector>

#include "histogram/histogram.hpp"
#include "search/binary/node_search.hpp"
#include "search/published/pair_prefixes.hpp"
#include "search/published/race_rules.hpp"

namespace hardwood {

class ColumnRace {
 public:
  using Cell = std::int64_t;

  struct Result {
    Split split;
    std::int64_t assessments = 0;
    bool constant = false;  // the stump that calls all rows alike won
  };

  // What a race of so many columns asks for where all rows are of one class and constant stumps compete: the
  // first column wins once it is complete.
  std::int64_t assessments_of_pure(const RaceRules& rules, const Problem& problem, const NodeRows& node,
                                   const std::uint32_t* rows, std::int64_t columns);

  // `cells` is a histogram buffer to work in.
  Result run(const RaceRules& rules, const Problem& problem, const HistogramLayout& layout,
             const NodeRows& node, const std::uint32_t* rows, Cell* cells, const NodeTotals& totals,
             const std::vector<char>* allowed);

 private:
  struct Entry {
    std::uint32_t place;  // among the rows in order
    std::uint32_t code;
  };
  struct Runner {
    std::uint32_t column = 0;
    std::uint32_t codes = 0;                        // of its own cells
    std::uint32_t first = none, last = 0;           // smallest and largest code with a value in the node
    std::uint32_t distinct = 0;                     // categories in the node
    bool missing = false;                           // the node has missing values
    bool flat = false;                              // constant in the node: it has no cells
    bool by_example = false;                        // its cells are signed sums (pair_prefixes.hpp)
    const PairPrefixes::Codes* codes_of = nullptr;  // then
    std::size_t seen = 0;                           // rows looked at
    std::vector<Cell> cells;                        // channel by channel
    std::vector<Entry> entries;                     // of a column stored as entries: the rows with another code
    std::size_t next_entry = 0;                     // the first that was not looked at
    double low = 0, high = 0;                       // L and U
    bool complete = false;
    Split best;  // once complete
  };
  struct Row {
    std::uint32_t row;
    std::uint32_t channel;
    std::int64_t weight;
  };

  void order_rows(const NodeRows& node, const std::uint32_t* rows, const std::int64_t* weights);
  bool by_example(const NodeView<Cell>& view, const EncodedColumn& column) const;
  void sum_pairs(const NodeView<Cell>& view, const RaceRules& rules, std::size_t first);
  void line_up(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void line_up_lanes(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void line_up_entries(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void find_range(const EncodedColumn& column, Runner& runner) const;
  void enter(const NodeView<Cell>& view, Runner runner);
  void enter_flat(const std::vector<char>* allowed);
  std::uint32_t code_of(const EncodedColumn& column, std::uint32_t row) const;
  // Looks at the heaviest unseen rows that hold `weight`, at least one.
  void assess(const NodeView<Cell>& view, Runner& runner, double weight);
  void assess_to(const NodeView<Cell>& view, Runner& runner, std::size_t end);
  void add_to(const NodeView<Cell>& view, Runner& runner, std::size_t end);
  // Of the stump that calls all rows alike, among the first so many rows.
  double constant_mistakes(std::size_t seen) const;
  double fewest_mistakes(const Runner& runner, const EncodedColumn& column) const;
  void set_bounds(const NodeView<Cell>& view, Runner& runner);
  void set_bounds_by_example(Runner& runner) const;
  void finish(const NodeView<Cell>& view, Runner& runner);
  std::size_t rows_holding(double weight) const;
  std::size_t first_rows(const RaceRules& rules) const;
  std::size_t batch_end(std::size_t start, int batch, int batches) const;
  void quick(const NodeView<Cell>& view, int batches);
  void adaptive(const NodeView<Cell>& view);
  bool constant_wins() const;

  NodeSearch<Cell> search_;
  Groups groups_;
  CutSearch cuts_;
  std::vector<Row> rows_;                         // in decreasing weight
  std::vector<Row> spare_rows_;                   // to sort them
  std::vector<double> weight_until_;              // of the first i rows
  std::vector<double> signed_until_;              // what those of class 0 weigh more; where constants compete
  std::vector<std::vector<Cell>> channel_until_;  // per channel: the same, where there are entries
  PairPrefixes pairs_;
  std::vector<Runner> runners_;
  Cell* buffer_ = nullptr;
  const EncodedTable* table_ = nullptr;
  std::int64_t assessments_ = 0;
  bool constants_ = false;
  Split best_;
  double least_ = 0;  // L of the best complete runner, and its column
  std::uint32_t least_column_ = 0;
};

}  // namespace hardwood

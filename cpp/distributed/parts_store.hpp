// Rows that are not in memory, in parts of the table: the coordinator's side of growth.
//
// A round trip to expand leaves carries their splits and brings back histograms of all children but the
// heaviest, which is what they leave of the parent; further ones open the buckets that could hold the best cut.
// Splits whose children need no search travel with whatever is asked next. Where every split will be part of
// the tree, the rows of small nodes are fetched and what is below them is grown here (gathered_rows.hpp); the
// parts need to hear of those splits only when they are to prune.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "distributed/merged_search.hpp"
#include "distributed/team.hpp"
#include "growing/growth_rules.hpp"
#include "growing/row_store.hpp"

namespace hardwood {

// All rows that the tree sees, which the parts have as node 0.
struct PartsRoot {
  std::vector<double> weights;  // per class
  double examples = -1;         // negative: not counted
  std::int64_t rows = 0;
  std::vector<std::int64_t> cells;  // its histogram
  std::vector<KeySums> uncoded;     // sums of each uncoded column, in order of columns
  // Rows that miss values go down every branch in pieces. What a branch weighs is then known only when the
  // parts have divided a node, so splits are sent at once.
  bool fractional = false;
  std::int64_t small_node = 0;  // values (rows x columns) of a node whose rows are worth fetching
};

// What a part is asked about all uncoded columns of a node.
void ask_uncoded(const TablePlan& plan, const std::vector<char>* allowed, std::int32_t node,
                 QuestionBatch& out);

class PartsStore : public RowStore {
 public:
  PartsStore(Team& team, const TablePlan& plan, const GrowthRules& rules, PartsRoot root, Pool& pool,
             Poll poll);

  LeafPtr root(bool search) override;
  void expand(std::span<const Expansion> leaves) override;
  void wait(Leaf&) override {}  // expansion is over when `expand` returns
  Lookahead lookahead(std::int64_t room, bool budget) const override;
  Split multiway(Leaf& leaf, const MultiwayOffer& offer) override;
  void joined(const Leaf& leaf) override;
  void finish(Growth& growth, std::span<Leaf* const> frontier) override;
  Threshold threshold(std::uint32_t column, std::uint64_t below, std::uint64_t above) const override;
  ColumnKind kind(std::uint32_t column) const override { return plan_.columns[column].kind; }

  // From now on only splits of the tree are sent.
  void end_growth() { growing_ = false; }
  // Sends the splits that the parts do not know of yet, as far as they are of use, with more.
  TeamAnswer flush(std::vector<Event> events, const std::vector<Request>& requests);
  // The names under which the parts have the rows of a node: its own, or below it if it was split in vain.
  std::vector<std::int32_t> names_of(std::int32_t node) const;
  // The splits below small nodes, which the parts were not told of; `names_of` takes them for told.
  SplitBatch take_gathered() { return {std::move(gathered_)}; }

 private:
  struct PartsLeaf : Leaf {
    std::int32_t name = 0;
    bool needed = false;  // its split is sought
    std::vector<std::int64_t> cells;
    std::vector<KeySums> uncoded;
    std::unique_ptr<MergedSearch> search;
  };
  // What is known of a node by its name, also after its leaf is gone.
  struct Named {
    std::int32_t node = -1;
    std::int64_t rows = 0;
    double examples = 0;
    bool sent = false;  // the parts have divided its rows
    std::vector<std::int32_t> children;
    std::vector<double> weights;  // per class; of fractional examples
    std::uint64_t below = 0, above = 0;
  };
  static PartsLeaf& cast(Leaf& leaf) { return static_cast<PartsLeaf&>(leaf); }

  std::unique_ptr<PartsLeaf> make_leaf(std::int32_t depth);
  void set_totals(PartsLeaf& leaf, const std::vector<std::int32_t>& labels, const double* weights) const;
  void divide(PartsLeaf& leaf);
  bool may_need_search(const PartsLeaf& child) const;
  void take_sums(PartsLeaf& leaf) const;
  void add_asked(PartsLeaf& leaf, const std::vector<char>& needs, std::vector<PartsLeaf*>& asked) const;
  void take_answer(const std::vector<NodeSplit>& sent, const SplitAnswer& answer);
  void take_histograms(std::span<const Expansion> leaves, const std::vector<PartsLeaf*>& asked,
                       const HistogramBatch& histograms);
  bool is_small(const PartsLeaf& leaf) const;
  void expand_by_rows(std::span<const Expansion> leaves, RowBatch rows);
  void take_over(Leaf& leaf, std::int32_t name);
  std::int32_t take_name(const Leaf& leaf);
  void search_all(const std::vector<PartsLeaf*>& leaves);
  void follow(const std::vector<PartsLeaf*>& leaves);
  Split told(const PartsLeaf& leaf, Split split, const KeySums& divided) const;
  void search(const std::vector<PartsLeaf*>& leaves);
  void settle(PartsLeaf& leaf);
  bool open_buckets(const std::vector<PartsLeaf*>& leaves);
  void open_places(PartsLeaf& leaf, std::vector<ColumnPlaces>& columns);
  bool keep_all() const { return rules_.prices != nullptr; }

  Team& team_;
  const TablePlan& plan_;
  const GrowthRules& rules_;
  LeafRules leaf_rules_;
  PartsRoot root_;
  Pool& pool_;
  Poll poll_;
  bool counted_;
  int channels_;
  bool growing_ = true;
  std::vector<std::uint32_t> uncoded_;        // columns that may be used
  std::vector<Named> named_;                  // by name
  std::vector<std::int32_t> name_of_;         // by node
  std::vector<NodeSplit> unsent_, gathered_;  // gathered_: below small nodes
  std::unordered_map<const Leaf*, std::int32_t> gathered_names_;
  std::vector<std::int32_t> all_labels_;
};

}  // namespace hardwood

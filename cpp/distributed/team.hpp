// What the coordinator of a fit and the parts of its table say to each other.
//
// An event changes the state of every part, a request does not; the answers of the parts are sums, merged on
// their way. One call of `ask` is one round trip. Who carries the messages (threads, Dask) is not known here.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "boosting/boosting_store.hpp"
#include "distributed/histogram_batch.hpp"
#include "distributed/key_sums.hpp"
#include "distributed/part_table.hpp"
#include "distributed/row_batch.hpp"
#include "search/split.hpp"

namespace hardwood {

// Nodes have names that the coordinator gives; a finished tree's nodes are named by their numbers.
struct NodeSplit {
  std::int32_t node;
  Split split;
  std::vector<std::int32_t> children;
};

struct SplitBatch {
  std::vector<NodeSplit> splits;

  std::string pack() const;
  static SplitBatch unpack(std::span<const char> bytes);
};

// Of all children, in order: rows and examples, and class weights where examples are fractional. Of each split:
// the largest key present at or below its cut and the smallest above, where it is a bucketed column's.
struct SplitAnswer {
  std::vector<std::int64_t> rows, examples, weights;
  std::vector<std::uint64_t> below, above;
};

struct NodeQuestion {
  std::int32_t node;
  KeyQuestion question;
};

struct QuestionBatch {
  std::vector<NodeQuestion> questions;

  std::string pack() const;
  static QuestionBatch unpack(std::span<const char> bytes);
};

// Events.
struct StartRows {  // rows of at least this weight become node 0; a class against the rest where target >= 0
  int target;
  std::int64_t least;
};
struct RoundWeights {  // weight x factor -> whole numbers
  int booster, exponent;
};
struct ScaleFactors {
  int booster;
  double by;
};
struct RouteRows {  // the rows that the tree did not see go down its splits
  SplitBatch tree;
};
struct MultiplyFactors {  // of the rows at named nodes, or of those that were routed (factors then by node)
  int booster;
  std::vector<std::int32_t> nodes;
  std::vector<LeafFactors> by;
  bool routed;
};
// What reaches the leaves of a tree over pairs, nodes[i] being its leaves[i] (and of the rows that were
// routed): PairSums, rows before weights. It changes nothing, but must be answered before the weights of the
// next round.
struct SumPairs {
  std::vector<std::int32_t> nodes, leaves;
  std::size_t tree_nodes;
  bool routed;
};
using Event =
    std::variant<StartRows, SplitBatch, RoundWeights, ScaleFactors, RouteRows, MultiplyFactors, SumPairs>;
// Sums per channel (StartRows), class weights by node (RouteRows), sums of pairs (SumPairs), a sum
// (RoundWeights), or nothing.
using EventAnswer = std::variant<std::monostate, std::vector<std::int64_t>, SplitAnswer, std::int64_t>;

// Requests.
struct HistogramsOf {
  std::vector<std::int32_t> nodes;
};
struct RowsOf {
  std::int32_t node;
};
struct GatherRows {
  std::vector<std::int32_t> nodes;
};
struct TotalsOf {
  int booster;
};
struct ExactTotalOf {
  int booster;
};
struct WeightDigits {  // sums of the whole weights whose bits above shift + bits are the prefix, by the next
                       // bits
  int shift, bits;
  std::int64_t prefix;
};
using Request =
    std::variant<HistogramsOf, QuestionBatch, RowsOf, GatherRows, TotalsOf, ExactTotalOf, WeightDigits>;
using RequestAnswer = std::variant<HistogramBatch, KeySumsBatch, std::int64_t, RowBatch, FactorTotals,
                                   std::vector<double>, std::vector<std::int64_t>>;

struct TeamAnswer {
  std::vector<EventAnswer> events;
  std::vector<RequestAnswer> requests;
};

class Team {
 public:
  virtual ~Team() = default;
  virtual TeamAnswer ask(const std::vector<Event>& events, const std::vector<Request>& requests) = 0;
};

// Throws unless the split fits the table.
void check_split(const Split& split, const TablePlan& plan);

}  // namespace hardwood

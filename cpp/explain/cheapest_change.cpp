#include "explain/cheapest_change.hpp"

#include <algorithm>
#include <chrono>
#include <queue>

#include "explain/box_bound.hpp"

namespace hardwood {

namespace {

constexpr std::size_t most_words = 1 << 26;                       // of the boxes that wait: half a gigabyte
constexpr std::int64_t rounded_always = 256, rounded_every = 16;  // boxes whose solution is made a row
constexpr int steps_at_first = 300, steps_later = 1;              // by which shares of costs are moved

struct Box {
  std::vector<std::uint64_t> bits;
  double bound = 0;
  std::int32_t condition = nothing;  // to divide it by
  std::int64_t number = 0;
};
struct Later {
  bool operator()(const Box& a, const Box& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
  }
};

class ChangeSearch {
 public:
  ChangeSearch(const CellForest& forest, const ChangeRequest& request, const Poll& poll)
      : forest_(forest), request_(request), poll_(poll), cells_(forest, request.cost, request.own),
        box_(forest, cells_, request.rule, request.target), best_(request.below) {}
  ChangeResult run();

 private:
  using Point = BoxBound::Point;
  void add(Box box);
  void divide(const Box& box);
  bool look_at(Box& box);
  void make_row_of_picks(const Box& box);
  void improve(Point& point);
  double cost_of(const Point& point) const;

  const CellForest& forest_;
  const ChangeRequest& request_;
  const Poll& poll_;
  const RankedCells cells_;
  BoxBound box_;
  double best_;
  Point best_point_;
  std::priority_queue<Box, std::vector<Box>, Later> waiting_;
  std::size_t held_ = 0;  // words of the boxes that wait
  std::int64_t looked_at_ = 0;
};

double ChangeSearch::cost_of(const Point& point) const {
  double sum = 0;
  for (std::size_t j = 0; j < point.size(); ++j) sum += cells_.cost(static_cast<std::int32_t>(j), point[j]);
  return sum;
}

// A row from the bound's solution: the trees that gain most have their leaf, as far as leaves agree.
void ChangeSearch::make_row_of_picks(const Box& box) {
  std::vector<std::size_t> order(forest_.trees());
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return box_.more(a) > box_.more(b); });
  std::vector<std::uint64_t> bits = box.bits;
  for (std::size_t t : order) {
    const std::int32_t l = box_.picked(t), begin = forest_.condition_begin[l],
                       end = forest_.condition_begin[l + 1];
    bool agrees = true;
    for (std::int32_t q = begin; agrees && q < end; ++q)
      agrees = cells_.lowest(bits.data(), forest_.condition_column[q], q) != nothing;
    for (std::int32_t q = begin; agrees && q < end; ++q) {
      const std::int32_t j = forest_.condition_column[q];
      for (std::size_t w = 0; w < cells_.words(j); ++w) cells_.part(bits.data(), j)[w] &= cells_.mask(q)[w];
    }
  }
  Point point(forest_.columns());
  for (std::size_t j = 0; j < point.size(); ++j)
    point[j] = cells_.lowest(bits.data(), static_cast<std::int32_t>(j));
  if (!(cost_of(point) < 2 * best_) || !box_.answers(point)) return;
  improve(point);
  if (const double cost = cost_of(point); cost < best_) best_ = cost, best_point_ = std::move(point);
}

// Every column in turn, the dearest first, goes back to its cheapest cell with which the point still has the
// answer.
void ChangeSearch::improve(Point& point) {
  std::vector<std::size_t> order(point.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  const auto cost = [&](std::size_t j) { return cells_.cost(static_cast<std::int32_t>(j), point[j]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  for (std::size_t j : order) {
    const std::int32_t rank = point[j];
    for (point[j] = 0; point[j] < rank && !box_.answers(point);) ++point[j];
  }
}

// True if the box is to be divided: then it has its bound and the condition.
bool ChangeSearch::look_at(Box& box) {
  ++looked_at_;
  if (!box_.reach(box.bits) || box_.base() >= best_) return false;
  if (box_.answered()) {
    best_ = box_.base(), best_point_ = box_.nearest();
    return false;
  }
  box.bound = std::max(box.bound, box_.bound(looked_at_ == 1 ? steps_at_first : steps_later));
  if (box.bound >= best_) return false;
  box.condition = box_.dividing_condition();
  if (looked_at_ <= rounded_always || looked_at_ % rounded_every == 0) make_row_of_picks(box);
  return box.condition != nothing;
}

void ChangeSearch::add(Box box) {
  if (!look_at(box)) return;
  box.number = looked_at_;
  held_ += box.bits.size();
  waiting_.push(std::move(box));
}

void ChangeSearch::divide(const Box& box) {
  const std::int32_t j = forest_.condition_column[box.condition];
  Box inside = box, outside = box;
  for (std::size_t w = 0; w < cells_.words(j); ++w) {
    const std::uint64_t mask = cells_.mask(box.condition)[w];
    cells_.part(inside.bits.data(), j)[w] &= mask;
    cells_.part(outside.bits.data(), j)[w] &= ~mask;
  }
  add(std::move(inside));
  add(std::move(outside));
}

ChangeResult ChangeSearch::run() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Box all;
  all.bits = cells_.everything();
  add(std::move(all));
  while (!waiting_.empty() && waiting_.top().bound < best_ && held_ <= most_words) {
    poll_();
    if (std::chrono::duration<double>(Clock::now() - start).count() >= request_.seconds) break;
    const Box box = waiting_.top();
    waiting_.pop();
    held_ -= box.bits.size();
    divide(box);
  }
  ChangeResult out;
  out.complete = waiting_.empty() || waiting_.top().bound >= best_;
  out.bound = out.complete ? best_ : waiting_.top().bound;
  out.found = !best_point_.empty();
  out.cost = best_;
  out.boxes = looked_at_;
  for (std::size_t j = 0; j < best_point_.size(); ++j)
    out.cells.push_back(cells_.cell(static_cast<std::int32_t>(j), best_point_[j]));
  return out;
}

}  // namespace

ChangeResult cheapest_change(const CellForest& forest, const ChangeRequest& request, const Poll& poll) {
  return ChangeSearch(forest, request, poll).run();
}

}  // namespace hardwood

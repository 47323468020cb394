#include "pooling/closure.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace hardwood {

namespace {

// A flow from gains to losses, by shortest ways (Dinitz 1970). Every step empties a gain, a loss or an arc to
// exactly 0, so rounding does not keep it from ending.
class Flow {
 public:
  Flow(std::span<const double> gain, std::span<const InOrder> pairs)
      : left_(gain.begin(), gain.end()), begin_(gain.size() + 1, 0), level_(gain.size()), next_(gain.size()) {
    for (const InOrder& pair : pairs) {
      ++begin_[pair.lower + 1];
      ++begin_[pair.upper + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    arcs_.resize(2 * pairs.size());
    std::vector<std::int64_t> free(begin_.begin(), begin_.end() - 1);
    for (const InOrder& pair : pairs) {
      const std::int64_t there = free[pair.lower]++, back = free[pair.upper]++;
      arcs_[there] = {pair.upper, back, std::numeric_limits<double>::infinity()};
      arcs_[back] = {pair.lower, there, 0.0};
    }
  }

  std::vector<char> run(const Poll& poll) && {
    while (reaches_a_loss()) {
      std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
      for (std::size_t i = 0; i < left_.size(); ++i) {
        poll();
        while (left_[i] > 0 && send(static_cast<std::int32_t>(i))) {
        }
      }
    }
    std::vector<char> out;
    for (std::int32_t level : level_) out.push_back(level >= 0);
    return out;
  }

 private:
  struct Arc {
    std::int32_t to;
    std::int64_t back;
    double room;
  };

  // Levels: steps from the nearest item that has gain left, -1 where there is no way.
  bool reaches_a_loss() {
    std::fill(level_.begin(), level_.end(), -1);
    std::vector<std::int32_t> queue;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i] > 0) {
        level_[i] = 0;
        queue.push_back(static_cast<std::int32_t>(i));
      }
    bool found = false;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::int32_t i = queue[at];
      found = found || left_[i] < 0;
      for (std::int64_t a = begin_[i]; a < begin_[i + 1]; ++a)
        if (arcs_[a].room > 0 && level_[arcs_[a].to] < 0) {
          level_[arcs_[a].to] = level_[i] + 1;
          queue.push_back(arcs_[a].to);
        }
    }
    return found;
  }

  // As much as one way takes from the item to a loss. False: there is no way on these levels.
  bool send(std::int32_t from) {
    way_.clear();
    std::int32_t at = from;
    while (left_[at] >= 0) {
      std::int64_t& a = next_[at];
      while (a < begin_[at + 1] && !(arcs_[a].room > 0 && level_[arcs_[a].to] == level_[at] + 1)) ++a;
      if (a < begin_[at + 1]) {
        way_.push_back(a);
        at = arcs_[a].to;
      } else if (way_.empty()) {
        return false;
      } else {  // a dead end
        at = arcs_[arcs_[way_.back()].back].to;
        way_.pop_back();
        ++next_[at];
      }
    }
    double amount = std::min(left_[from], -left_[at]);
    for (std::int64_t a : way_) amount = std::min(amount, arcs_[a].room);
    left_[from] -= amount;
    left_[at] += amount;
    for (std::int64_t a : way_) {
      arcs_[a].room -= amount;
      arcs_[arcs_[a].back].room += amount;
    }
    return true;
  }

  std::vector<double> left_;         // per item: gain that has not flowed, loss that nothing has flowed to
  std::vector<std::int64_t> begin_;  // per item: of its arcs
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> level_;
  std::vector<std::int64_t> next_;  // per item: the first arc that may lead on
  std::vector<std::int64_t> way_;
};

}  // namespace

std::vector<char> best_closure(std::span<const double> gain, std::span<const InOrder> pairs, const Poll& poll) {
  return Flow(gain, pairs).run(poll);
}

}  // namespace hardwood

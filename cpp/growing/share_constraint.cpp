#include "growing/share_constraint.hpp"

#include <algorithm>

namespace hardwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The sums that a branch's probabilities are made of, over the node and all nodes above it.
struct PathSums {
  double nodes = 0;
  std::vector<double> shares;  // per class
  std::vector<double> raised;  // per class that is raised, and output

  explicit PathSums(const ShareRules& rules)
      : shares(rules.classes, 0.0),
        raised(static_cast<std::size_t>(rules.classes) * rules.outputs.size(), 0.0) {}

  void add(const ShareRules& rules, std::span<const std::int32_t> labels, ClassWeights weights) {
    std::vector<double> own(rules.classes, 0.0);
    double weight = 0, largest = 0;
    for (double each : weights) weight += each * rules.unit;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      own[labels[k]] = weights[k] * rules.unit / weight;
      largest = std::max(largest, own[labels[k]]);
    }
    const std::size_t outputs = rules.outputs.size();
    for (int label = 0; label < rules.classes; ++label) {
      double sum = 0;
      for (int c = 0; c < rules.classes; ++c) sum += c == label ? largest : own[c];
      for (std::size_t o = 0; o < outputs; ++o) {
        const int c = rules.outputs[o];
        raised[label * outputs + o] += (c == label ? largest : own[c]) / sum;
      }
    }
    for (int c = 0; c < rules.classes; ++c) shares[c] += own[c];
    ++nodes;
  }
};

class ShareConstraint : public NodeConstraint {
 public:
  ShareConstraint(const ShareRules& rules, PathSums above, std::span<const std::int32_t> labels,
                  ClassWeights weights)
      : rules_(rules), sums_(std::move(above)), labels_(labels.begin(), labels.end()) {
    sums_.add(rules_, labels, weights);
  }

  double cost(std::uint32_t column, ClassWeights left, ClassWeights right, double cost, double) const override {
    if (column == none || !rules_.signs.any(column)) return cost;
    const std::size_t left_label = raised_label(left), right_label = raised_label(right);
    for (std::size_t o = 0; o < rules_.outputs.size(); ++o) {
      const int sign = rules_.signs.at(column, o);
      if (sign == 0) continue;
      const double below = probability(left, left_label, o), above = probability(right, right_label, o);
      if (sign > 0 ? below > above : below < above) return infinity;
    }
    return cost;
  }

  // Two classes: a class has the largest probability where all of it and nothing else comes to a branch.
  double bound(std::uint32_t column, ClassWeights left, ClassWeights inside, ClassWeights right,
               double bound) const override {
    if (rules_.classes != 2 || labels_.size() != 2) return bound;
    if (!rules_.signs.any(column)) return bound;
    for (std::size_t o = 0; o < rules_.outputs.size(); ++o) {
      const int sign = rules_.signs.at(column, o);
      if (sign == 0) continue;
      const Range below = range(left, inside, o), above = range(right, inside, o);
      if (sign > 0 && below.least > above.most + doubt) return infinity;
      if (sign < 0 && above.least > below.most + doubt) return infinity;
    }
    return bound;
  }

  bool binds() const override { return false; }
  Interval interval(std::size_t) const override { return {}; }

  std::shared_ptr<const NodeConstraint> branch(const Split&, std::int32_t, std::span<const std::int32_t> labels,
                                               ClassWeights weights) const override {
    return std::make_shared<ShareConstraint>(rules_, sums_, labels, weights);
  }

 private:
  static constexpr double doubt = 1e-9;  // that rounding can explain
  struct Range {
    double least, most;
  };

  // The probabilities of a branch to which any part of `more` may come.
  Range range(ClassWeights weights, ClassWeights more, std::size_t output) const {
    Range out{infinity, -infinity};
    for (int own : {0, 1}) {
      double all[2] = {weights[0], weights[1]};
      all[own] += more[own];
      if (all[0] + all[1] == 0) return {-infinity, infinity};
      const double value = probability({all, 2}, raised_label({all, 2}), output);
      out = {std::min(out.least, value), std::max(out.most, value)};
    }
    return out;
  }

  // The heaviest class; of several the one with the largest shares above, the first on a tie.
  std::size_t raised_label(ClassWeights weights) const {
    const double largest = *std::max_element(weights.begin(), weights.end());
    std::size_t found = labels_.size();
    for (std::size_t k = 0; k < labels_.size(); ++k)
      if (weights[k] == largest &&
          (found == labels_.size() || sums_.shares[labels_[k]] > sums_.shares[labels_[found]]))
        found = k;
    return labels_[found];
  }

  // Of a branch with these class weights.
  double probability(ClassWeights weights, std::size_t label, std::size_t output) const {
    double weight = 0, own = 0;
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      weight += weights[k] * rules_.unit;
      if (labels_[k] == rules_.outputs[output]) own = weights[k] * rules_.unit;
    }
    if (rules_.prior == 0) return own / weight;
    const double part = rules_.prior / (weight + rules_.prior);
    const double mean = sums_.raised[label * rules_.outputs.size() + output] / sums_.nodes;
    return (1 - part) * (own / weight) + part * mean;
  }

  const ShareRules& rules_;
  PathSums sums_;
  std::vector<std::int32_t> labels_;  // of the classes present
};

}  // namespace

std::shared_ptr<const NodeConstraint> ShareConstraints::root(std::span<const std::int32_t> labels,
                                                             ClassWeights weights) const {
  return std::make_shared<ShareConstraint>(rules_, PathSums(rules_), labels, weights);
}

}  // namespace hardwood

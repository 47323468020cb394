#include "explain/answer_rule.hpp"

#include <algorithm>
#include <cmath>

namespace hardwood {

namespace {

constexpr int tangent_halvings = 40;
constexpr double rule_rounding = 1e-9;

struct RisingLine {
  double start = 0, slope = 0;  // start + slope * x
};

double logistic_of(double x) {
  return 1 / (1 + std::exp(-std::clamp(x, -700.0, 700.0)));
}
double logistic_slope(double x) {
  const double p = logistic_of(x);
  return p * (1 - p);
}

RisingLine through(double x, double y, double slope) {
  return {y - slope * x, slope};
}

RisingLine chord(double low, double high, double at_low, double at_high) {
  return through(low, at_low, high > low ? (at_high - at_low) / (high - low) : 0.0);
}

// Convex below 0 and concave above: from the low end, the tangent to the concave part, or the chord if that
// touches beyond the high end.
RisingLine above_logistic(double low, double high) {
  if (low >= 0) {
    const double middle = low + (high - low) / 2;
    return through(middle, logistic_of(middle), logistic_slope(middle));
  }
  const auto passes = [&](double x) {
    return logistic_of(x) - logistic_of(low) > logistic_slope(x) * (x - low);
  };
  if (high <= 0 || !passes(high)) return chord(low, high, logistic_of(low), logistic_of(high));
  double before = 0, after = high;
  for (int i = 0; i < tangent_halvings; ++i) {
    const double middle = (before + after) / 2;
    (passes(middle) ? after : before) = middle;
  }
  return through(low, logistic_of(low), logistic_slope(before));
}

RisingLine below_logistic(double low, double high) {
  const RisingLine turned = above_logistic(-high, -low);  // f(x) = 1 - f(-x)
  return {1 - turned.start, turned.slope};
}

RisingLine above_exp(double low, double high) {
  return chord(low, high, std::exp(low), std::exp(high));
}

RisingLine below_exp(double low, double high) {
  const double middle = low + (high - low) / 2;
  return through(middle, std::exp(middle), std::exp(middle));
}

std::vector<double> expected_costs(const AnswerRule& rule, const std::vector<double>& scores) {
  const std::size_t classes = scores.size();
  std::vector<double> power(classes), spent(classes, 0.0);
  const double most = *std::max_element(scores.begin(), scores.end()),
               others = static_cast<double>(classes - 1);
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    power[k] = rule.votes ? std::exp(scores[k] / others - most / others) : logistic_of(rule.slope * scores[k]);
    sum += power[k];
  }
  for (std::size_t t = 0; t < classes; ++t)
    for (std::size_t k = 0; k < classes; ++k) spent[k] += power[t] / sum * rule.costs[t * classes + k];
  return spent;
}

Lead weighed_lead(const AnswerRule& rule, std::int32_t rival, const std::vector<double>& low,
                  const std::vector<double>& high, std::int32_t target) {
  const std::size_t classes = low.size();
  const double scale = rule.votes ? 1 / static_cast<double>(classes - 1) : rule.slope;
  const double most = rule.votes ? *std::max_element(high.begin(), high.end()) * scale : 0.0;
  Lead lead;
  lead.weight.assign(classes, 0.0);
  for (std::size_t t = 0; t < classes; ++t) {
    const double more = rule.costs[t * classes + rival] - rule.costs[t * classes + target];
    const double from = low[t] * scale - most, to = high[t] * scale - most;
    const RisingLine line = rule.votes ? (more > 0 ? above_exp(from, to) : below_exp(from, to))
                                       : (more > 0 ? above_logistic(from, to) : below_logistic(from, to));
    lead.constant += more * (line.start - line.slope * most);
    lead.weight[t] = more * line.slope * scale;
    const double size = std::max({std::abs(from), std::abs(to), std::abs(most)});
    lead.slack += rule_rounding * std::abs(more) * (std::abs(line.start) + line.slope * size);
  }
  return lead;
}

}  // namespace

bool says(const AnswerRule& rule, const std::vector<double>& scores, std::int32_t target) {
  if (scores.size() == 1) return (scores[0] > rule.cut) == (target == 1);
  if (rule.costs.empty()) return std::max_element(scores.begin(), scores.end()) - scores.begin() == target;
  const std::vector<double> spent = expected_costs(rule, scores);
  return std::min_element(spent.begin(), spent.end()) - spent.begin() == target;
}

Lead lead_of(const AnswerRule& rule, const std::vector<double>& scores, const std::vector<double>& low,
             const std::vector<double>& high, std::int32_t target) {
  const std::size_t outputs = scores.size();
  if (outputs == 1) {
    const double sign = target == 1 ? 1.0 : -1.0;
    return {-sign * rule.cut, rule_rounding * std::abs(rule.cut), {sign}};
  }
  std::vector<double> standing = scores;
  if (!rule.costs.empty()) {
    standing = expected_costs(rule, scores);
    for (double& each : standing) each = -each;
  }
  std::int32_t rival = target == 0 ? 1 : 0;
  for (std::size_t k = 0; k < outputs; ++k)
    if (static_cast<std::int32_t>(k) != target && standing[k] > standing[rival])
      rival = static_cast<std::int32_t>(k);
  if (!rule.costs.empty()) return weighed_lead(rule, rival, low, high, target);
  Lead lead;
  lead.weight.assign(outputs, 0.0);
  lead.weight[target] = 1, lead.weight[rival] = -1;
  return lead;
}

}  // namespace hardwood

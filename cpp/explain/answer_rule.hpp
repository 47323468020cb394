// How a boosted model's scores become its answer, and what a box of scores says about that.
//
// Without costs the largest score is said (one score: the second class above the cut). With costs among several
// classes the class of least expected cost is: class a is said where for every other class k
//
//   sum_t q_t (costs[t][k] - costs[t][a]) >= 0,   q_t = f(score_t)
//
// with f the logistic function (one against the rest) or exp (votes). f rises, so over an interval of scores a
// line lies above it and another below it; they make the sum a linear function of the scores that is never
// less.
#pragma once

#include <cstdint>
#include <vector>

namespace hardwood {

struct AnswerRule {
  double cut = 0;  // one score: the second class is said above it
  std::vector<double>
      costs;  // [classes, classes] by true class and class said; empty: all mistakes cost the same
  bool votes = false;
  double slope = 1;  // log odds of a score of 1
};

// Never less than the lead of the wanted class over one other: constant + sum of weight[k] * score[k].
struct Lead {
  double constant = 0, slack = 0;  // `slack`: for rounding
  std::vector<double> weight;      // per output
};

// As prediction decides.
bool says(const AnswerRule& rule, const std::vector<double>& scores, std::int32_t target);

// Over the class that leads most at `scores`, for scores from `low` to `high`.
Lead lead_of(const AnswerRule& rule, const std::vector<double>& scores, const std::vector<double>& low,
             const std::vector<double>& high, std::int32_t target);

}  // namespace hardwood

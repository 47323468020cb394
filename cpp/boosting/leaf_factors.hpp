// What a round's numbers follow from, given class weights: leaf values, the tree's weight, the factors of rows.
#pragma once

#include <cstdint>

namespace hardwood {

enum class Variant : std::uint8_t { discrete, real, gentle, logistic };
// chance: the tree is dropped. nothing_left: the tree is kept, but no row's weight moves any more.
enum class Stop : std::uint8_t { not_yet, no_error, chance, nothing_left };

// A row's weight in a round, from its factor f = exp(-yF): f itself, or f / (1 + f) for the logistic loss.
[[gnu::always_inline]] inline double round_weight(double factor, bool logistic) {
  return logistic ? factor / (1 + factor) : factor;
}
constexpr double largest_factor = 0x1p1000;  // logistic: factors are not scaled, and must stay finite
constexpr double vanished = 0x1p-900;        // a total below which no weight is left

struct LeafFactors {
  double same = 1, other = 1;  // for rows of the leaf's own class, and of the others
  std::int32_t label = 0;
};

// Score of a leaf with these class weights: +1 or -1 (discrete), its class (more than two classes). Others: to
// each class `prior` is added. Real, logistic: without a prior the ratio of the weights is kept within `cap`
// and its inverse.
double leaf_value(Variant variant, double cap, double prior, int classes, const double* weights);

// What a leaf of this value lowers the logistic loss by, at least: its class weights times 1 - exp(-+ step).
double proved_drop(double step, double minus, double plus);

// Why training ends after a tree whose mistakes weigh so much of `weight`.
Stop stop_after(double mistakes, double weight, int classes);

double tree_weight(Variant variant, double rate, int classes, double mistakes, double weight);

// What a leaf of this value does to the factors of its rows; `error` is the tree's share of mistakes.
LeafFactors leaf_factors(Variant variant, double rate, int classes, double value, double error);

}  // namespace hardwood

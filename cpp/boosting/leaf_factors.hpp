// What a round's numbers follow from, given class weights: leaf values, the tree's weight, the factors of rows.
#pragma once

#include <cstdint>

namespace hardwood {

enum class Variant : std::uint8_t { discrete, real, gentle };
enum class Stop : std::uint8_t { not_yet, no_error, chance };

struct LeafFactors {
  double same = 1, other = 1;  // for rows of the leaf's own class, and of the others
  std::int32_t label = 0;
};

// Score of a leaf with these class weights: +1 or -1 (discrete), its class (more than two classes). Real:
// the ratio of the weights is kept within `cap` and its inverse.
double leaf_value(Variant variant, double cap, int classes, const double* weights);

// Why training ends after a tree whose mistakes weigh so much of `weight`.
Stop stop_after(double mistakes, double weight, int classes);

double tree_weight(Variant variant, double rate, int classes, double mistakes, double weight);

// What a leaf of this value does to the factors of its rows; `error` is the tree's share of mistakes.
LeafFactors leaf_factors(Variant variant, double rate, int classes, double value, double error);

}  // namespace hardwood

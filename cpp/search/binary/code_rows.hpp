// Rows of a few codes of a column, to be searched code by code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/groups.hpp"

namespace hardwood {

template <class Cell>
struct CodeRow {
  std::uint32_t code;  // of the column; or a number in which columns follow each other
  std::uint32_t run;   // to which stretch of adjacent codes it belongs
  std::uint32_t channel;
  Cell weight, examples;
};

// The groups of equal code of rows in ascending order of code. before[k] is the weight of channel k that lies
// before the first of them; codes are counted from first_code on.
template <class Cell>
void fill_groups(Groups& groups, std::span<const CodeRow<Cell>> rows, int channels, int classes,
                 const double* before, std::uint32_t first_code) {
  groups.begin(channels, rows.size());
  for (int k = 0; k < channels; ++k) groups.left[k * groups.stride] = before[k];
  for (std::size_t at = 0; at < rows.size();) {
    const std::uint32_t code = rows[at].code;
    const std::size_t to = groups.count + 1;
    for (int k = 0; k < channels; ++k)
      groups.left[k * groups.stride + to] = groups.left[k * groups.stride + to - 1];
    for (; at < rows.size() && rows[at].code == code; ++at) {
      groups.left[rows[at].channel * groups.stride + to] += static_cast<double>(rows[at].weight);
      if (channels > classes)
        groups.left[classes * groups.stride + to] += static_cast<double>(rows[at].examples);
    }
    groups.code[groups.count++] = code - first_code;
  }
}

}  // namespace hardwood

// Which branch of a split the codes of its column go to.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/row_kernels.hpp"
#include "search/split.hpp"

namespace hardwood {

// The branch of every code of a column, missing values last.
class BranchOfCode {
 public:
  BranchOfCode(const EncodedColumn& column, const Split& split)
      : split_(split), missing_code_(column.values), missing_(split.route_of_missing()) {
    if (column.kind != ColumnKind::category) return;
    by_code_.assign(column.values + 1, split.default_branch);
    for (std::size_t i = 0; i < split.codes.size(); ++i) by_code_[split.codes[i]] = split.branch_of[i];
    by_code_[column.values] = missing_;
  }

  std::int32_t operator()(std::uint32_t code) const {
    if (!by_code_.empty()) return by_code_[code];
    return code == missing_code_ ? missing_ : split_.interval_branch(code);
  }

 private:
  const Split& split_;
  std::uint32_t missing_code_;
  std::int32_t missing_;
  std::vector<std::int32_t> by_code_;
};

// Of a split in two: the branch of each lane code, or ask_row for buckets whose rows' own codes decide, or are
// wanted for the threshold.
inline std::array<std::uint8_t, lane_codes> lane_branches(const EncodedColumn& column, const Split& split,
                                                          const BranchOfCode& branch) {
  std::array<std::uint8_t, lane_codes> out{};
  const auto of = [&](std::uint32_t code) { return static_cast<std::uint8_t>(branch(code)); };
  if (column.storage == Storage::bundle) {
    for (std::size_t k = 0; k < column.digits.size(); ++k) out[k] = of(column.digits[k]);
  } else if (!column.bucketed()) {
    for (std::uint32_t code = 0; code < column.codes(); ++code) out[code] = of(code);
  } else {
    for (std::uint32_t b = 0; b < column.buckets(); ++b) {
      const std::uint8_t first = of(column.bucket_start[b]), last = of(column.bucket_start[b + 1] - 1);
      const bool wanted = !split.cuts.empty() && (b == split.bucket || b == split.next_bucket);
      out[b] = first != last || wanted ? ask_row : first;
    }
    if (column.has_missing) out[column.buckets()] = of(column.values);
  }
  return out;
}

// The codes beside a cut, seen while rows are divided by their own codes.
template <class Fine>
struct CutCodes {
  const EncodedColumn& column;
  const Fine* fine;
  std::uint64_t cut;
  std::uint64_t below = 0, above = none;

  std::uint8_t operator()(std::uint32_t row) {
    const std::uint64_t code = column.bucket_start[column.bucket_of[row]] + fine[row];
    if (code <= cut) {
      below = std::max(below, code);
      return 0;
    }
    above = std::min(above, code);
    return 1;
  }
  void add(const CutCodes& other) {
    below = std::max(below, other.below);
    above = std::min(above, other.above);
  }
  static std::uint8_t ask(void* self, std::uint32_t row) { return (*static_cast<CutCodes*>(self))(row); }
};
// clang before 16 does not find this by itself.
template <class Fine>
CutCodes(const EncodedColumn&, const Fine*, std::uint64_t) -> CutCodes<Fine>;

}  // namespace hardwood

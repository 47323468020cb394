#include "growing/row_bit_partition.hpp"

#include "base/portable.hpp"
#include "data/row_bit_kernels.hpp"
#include "data/search_aids.hpp"
#include "growing/branch_of_code.hpp"

namespace hardwood {

namespace {

constexpr std::size_t words_a_piece = 256;   // that one thread divides at a time
constexpr std::size_t least_rows = 1 << 14;  // fewer are divided sooner one by one

// How many rows of each class of the node go where, in a range of words.
struct BitPiece {
  WordRange words;
  std::vector<std::uint32_t> all, right;  // per class
};

class BitDivision {
 public:
  BitDivision(const Problem& problem, const NodeRows& node, const RowBits& bits, const RowArrays& arrays,
              Pool& pool)
      : problem_(problem), node_(node), bits_(bits), arrays_(arrays), pool_(pool), right_(bits.words()) {
    for (std::size_t begin = 0; begin < bits.words(); begin += words_a_piece)
      pieces_.push_back({{begin, std::min(begin + words_a_piece, bits.words()), problem.table->rows},
                         std::vector<std::uint32_t>(node.classes.size()),
                         std::vector<std::uint32_t>(node.classes.size())});
  }

  std::size_t pieces() const { return pieces_.size(); }

  // division_of(number of the piece) says which branch rows take.
  template <class DivisionOf>
  BitBranches run(DivisionOf division_of) {
    pool_.parallel_for(pieces_.size(), [&](std::size_t p) { mark(pieces_[p], division_of(p)); });
    place();
    pool_.parallel_for(pieces_.size(), [&](std::size_t p) { spread(p); });
    return std::move(out_);
  }

 private:
  void mark(BitPiece& piece, const RowDivision& division) {
    std::array<std::uint64_t, words_a_piece> asked;
    const std::size_t first = piece.words.begin;
    row_bit_kernels()->match(division, piece.words, right_.data() + first, asked.data());
    for (std::size_t w = first; w < piece.words.end; ++w) {
      if (asked[w - first] == 0) continue;
      std::uint64_t own = 0;
      for (std::size_t k = 0; k < node_.classes.size(); ++k) own |= bits_.of(k)[w];
      for (std::uint64_t left = asked[w - first] & own; left != 0; left &= left - 1) {
        const int place = lowest_bit(left);
        const auto row = static_cast<std::uint32_t>(w * rows_a_word + static_cast<std::size_t>(place));
        right_[w] |= std::uint64_t{division.ask(division.context, row)} << place;
      }
    }
    const auto count = row_bit_kernels()->count;
    for (std::size_t k = 0; k < node_.classes.size(); ++k) {
      piece.all[k] = static_cast<std::uint32_t>(count(piece.words, bits_.of(k), bits_.of(k)));
      piece.right[k] = static_cast<std::uint32_t>(count(piece.words, bits_.of(k), right_.data()));
    }
  }

  // Where the rows of each branch, class and piece go.
  void place() {
    for (const ClassRows& part : node_.classes) {
      std::uint32_t before = part.begin;
      for (const BitPiece& piece : pieces_) {
        from_.push_back(before);
        before += piece.all[static_cast<std::size_t>(&part - node_.classes.data())];
      }
    }
    out_.rows.resize(2);
    std::uint32_t at = node_.begin;
    for (int b = 0; b < 2; ++b) {
      NodeRows& branch = out_.rows[b];
      branch.begin = at;
      for (std::size_t k = 0; k < node_.classes.size(); ++k) {
        const std::uint32_t begin = at;
        for (const BitPiece& piece : pieces_) {
          places_[b].push_back(at);
          at += b == 1 ? piece.right[k] : piece.all[k] - piece.right[k];
        }
        channel_[b].push_back(branch.classes.size());
        if (at > begin) branch.classes.push_back({node_.classes[k].label, begin, at});
      }
      branch.end = at;
      if (keeps_bits(*problem_.table, branch.size()))
        out_.bits[b] = std::make_unique<RowBits>(problem_.table->rows, branch.classes.size());
    }
  }

  void spread(std::size_t p) {
    const BitPiece& piece = pieces_[p];
    for (std::size_t k = 0; k < node_.classes.size(); ++k) {
      const std::size_t number = k * pieces_.size() + p;
      const auto places = [&](int b, std::uint32_t count) {
        const std::uint32_t to = places_[b][number];
        return RowPlaces{arrays_.moved_rows + to, arrays_.weights ? arrays_.moved_weights + to : nullptr,
                         count};
      };
      const auto bits = [&](int b) -> std::uint64_t* {
        const std::size_t channel = channel_[b][k];
        const auto& classes = out_.rows[b].classes;
        if (!out_.bits[b] || channel == classes.size() || classes[channel].label != node_.classes[k].label)
          return nullptr;
        return out_.bits[b]->of(channel);
      };
      const BitRun run{piece.words, bits_.of(k), right_.data(), arrays_.rows + from_[number],
                       arrays_.weights ? arrays_.weights + from_[number] : nullptr};
      row_bit_kernels()->spread(run, places(0, piece.all[k] - piece.right[k]), places(1, piece.right[k]),
                                bits(0), bits(1));
    }
  }

  const Problem& problem_;
  const NodeRows& node_;
  const RowBits& bits_;
  const RowArrays& arrays_;
  Pool& pool_;
  std::vector<std::uint64_t> right_;  // of all rows of the table
  std::vector<BitPiece> pieces_;
  std::vector<std::uint32_t> from_;                   // by class and piece: where its rows stand in the node
  std::array<std::vector<std::uint32_t>, 2> places_;  // per branch, by class and piece: where its rows go
  std::array<std::vector<std::size_t>, 2> channel_;   // per branch: of each class of the node, if it is there
  BitBranches out_;
};

}  // namespace

bool keeps_bits(const EncodedTable& table, std::size_t rows) {
  return row_bit_kernels() && rows >= least_rows && RowBits::pays(table, rows);
}

std::optional<BitBranches> divide_bits(const Problem& problem, const NodeRows& node, const RowBits& bits,
                                       Split& split, const RowArrays& arrays, Pool& pool) {
  const EncodedTable& table = *problem.table;
  const EncodedColumn& column = table.columns[split.column];
  if (!row_bit_kernels() || split.arity != 2) return {};
  if (column.storage != Storage::lane && column.storage != Storage::bundle) return {};
  const BranchOfCode branch(column, split);
  const auto branches = lane_branches(column, split, branch);
  BitDivision division(problem, node, bits, arrays, pool);
  if (!column.bucketed()) {
    if (!split.cuts.empty() && split.bucket != none) {
      split.below.assign(1, split.bucket);
      split.above.assign(1, split.next_bucket);
    }
    const RowBytes bytes = table.aids->bytes.of(table, column.lane, node.size());
    return division.run([&](std::size_t) { return RowDivision{bytes, branches.data(), nullptr, nullptr}; });
  }
  std::optional<BitBranches> out;
  with_fine(column.fine, [&](const auto* fine) {
    CutCodes codes{column, fine, split.cuts.empty() ? column.values : split.cuts[0]};
    std::vector<decltype(codes)> seen(division.pieces(), codes);
    out = division.run([&](std::size_t p) {
      return RowDivision{{{}, 0, column.bucket_of.data()}, branches.data(), codes.ask, &seen[p]};
    });
    for (const auto& each : seen) codes.add(each);
    if (split.bucket != none && !split.cuts.empty()) {
      split.below.assign(1, codes.below);
      split.above.assign(1, codes.above);
    }
  });
  return out;
}

}  // namespace hardwood

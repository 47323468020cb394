#include "search/binary/bucket_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/portable.hpp"
#include "search/binary/bucket_opener.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t least_rows_ordered = 1 << 13;  // a smaller table's buckets hold few rows each
// Rows whose weight has changed by more than so many times the mean are added up one by one, of the others only
// the most that they can have changed by.
constexpr double restless_from = 4;
constexpr int useful_trees = 8;
constexpr std::uint32_t rows_a_piece = 1 << 14;
constexpr std::uint32_t strands = 4;  // sums side by side, so that none waits for the one before
// Weights are remembered in 24 bits; sums of the bounds are rounded.
constexpr double rounding = 1e-6;

}  // namespace

void BucketOrder::set_up(const View& root) {
  const std::vector<EncodedColumn>& all = root.problem.table->columns;
  if (place_.size() != all.size()) {
    place_.assign(all.size(), none);
    for (std::uint32_t c = 0; c < all.size(); ++c)
      if (all[c].bucketed()) {
        place_[c] = static_cast<std::uint32_t>(columns_.size());
        columns_.push_back(c);
      }
    buckets_.resize(columns_.size() * lane_codes);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!has_cells(root, i)) continue;
    const std::int64_t* lane = root.lane(all[columns_[i]].lane);
    for (std::uint32_t b = 0; b < all[columns_[i]].buckets(); ++b)
      for (int k = 0; k < 2; ++k) at(i, b).root[k] = static_cast<double>(lane[root.channel_offset[k] + b]);
  }
}

void BucketOrder::begin_tree(const View& root, Pool& pool) {
  root_rows_ = 0;
  if (root.totals.criterion == Criterion::stump || root.totals.classes != 2 || root.problem.classes != 2 ||
      !root.weights || root.node.size() != root.problem.table->rows || root.node.size() < least_rows_ordered)
    return forget();
  if (place_.size() == root.problem.table->columns.size() && columns_.empty()) return;
  set_up(root);
  if (columns_.empty()) return;
  root_rows_ = root.node.size();
  // Looking costs about as much as opening every bucket of every column once. What was seen may be of no use
  // soon, where weights change much: then the next look waits for longer.
  ++trees_since_;
  if (2 * opened_ >= (std::uint64_t{root_rows_} * columns_.size() << patience_)) {
    if (!reference_.empty()) patience_ = trees_since_ < useful_trees ? std::min(patience_ + 1, 6) : 0;
    return look(root, pool);
  }
  if (reference_.empty())
    for (Bucket& bucket : buckets_) bucket.now = 1;
  else compare(root, pool);
}

void BucketOrder::look(const View& root, Pool& pool) {
  opened_ = 0;
  trees_since_ = 0;
  usual_ = {};
  reference_.assign(root.weights, root.weights + root.node.size());
  reference_weight_ = {root.totals.total[0], root.totals.total[1]};
  const auto threads = std::min(static_cast<std::size_t>(pool.size()), columns_.size());
  std::atomic<std::size_t> next{0};
  pool.parallel_for(threads, [&](std::size_t) {
    BucketOpener<std::int64_t> opener;
    for (std::size_t i; (i = next++) < columns_.size();) {
      if (!has_cells(root, i)) {  // nothing is known of it until the next look
        for (std::uint32_t b = 0; b < lane_codes; ++b) at(i, b) = Bucket{};
        continue;
      }
      const std::vector<double> found = opener.unevenness(root, columns_[i]);
      for (std::uint32_t b = 0; b < found.size(); ++b) {
        Bucket& bucket = at(i, b);
        bucket.reference = bucket.root;
        bucket.seen = bucket.now = found[b] + rounding;
      }
    }
  });
}

// The class's rows whose weight has changed by more than `calm` times what it would be; returns the mean
// relative change. By pieces in order: the same bits for every number of threads.
double BucketOrder::list_restless(const View& root, int k, double ratio, double calm, Pool& pool) {
  struct Piece {
    double changed = 0;
    std::vector<std::uint32_t> rows;
    std::vector<double> change;
  };
  const ClassRows& part = root.node.classes[k];
  std::vector<Piece> pieces((part.end - part.begin + rows_a_piece - 1) / rows_a_piece);
  pool.parallel_for(pieces.size(), [&](std::size_t p) {
    Piece& piece = pieces[p];
    const auto begin = part.begin + static_cast<std::uint32_t>(p) * rows_a_piece;
    const std::uint32_t end = std::min(begin + rows_a_piece, part.end);
    std::array<double, strands> changed{};
    const auto look_at = [&](std::uint32_t i, std::size_t strand) {
      const double was = ratio * static_cast<double>(reference_[i]);
      const double change = std::abs(static_cast<double>(root.weights[i]) - was);
      changed[strand] += change;
      if (!(change > calm * was)) return;  // none where calm is infinite
      piece.rows.push_back(root.rows[i]);
      piece.change.push_back(change);
    };
    std::uint32_t i = begin;
    for (; i + strands <= end; i += strands)
      for (std::uint32_t strand = 0; strand < strands; ++strand) look_at(i + strand, strand);
    for (; i < end; ++i) look_at(i, 0);
    piece.changed = std::accumulate(changed.begin(), changed.end(), 0.0);
  });
  double changed = 0;
  for (const Piece& piece : pieces) {
    changed += piece.changed;
    restless_.insert(restless_.end(), piece.rows.begin(), piece.rows.end());
    change_.insert(change_.end(), piece.change.begin(), piece.change.end());
  }
  return changed / root.totals.total[k];
}

void BucketOrder::compare(const View& root, Pool& pool) {
  restless_.clear();
  change_.clear();
  Classes ratio{}, calm{};
  std::array<std::size_t, 3> ends{};
  for (int k = 0; k < 2; ++k) {
    ratio[k] = root.totals.total[k] / reference_weight_[k];
    if (usual_[k] == 0)
      usual_[k] = list_restless(root, k, ratio[k], std::numeric_limits<double>::infinity(), pool);
    calm[k] = restless_from * usual_[k];
    usual_[k] = list_restless(root, k, ratio[k], calm[k], pool);
    ends[k + 1] = restless_.size();
  }
  const StoredRow stored = root.problem.table->stored;
  pool.parallel_for(columns_.size(), [&](std::size_t i) {
    if (!has_cells(root, i)) return;
    const EncodedColumn& column = root.problem.table->columns[columns_[i]];
    const std::uint8_t* bucket_of = column.bucket_of.data();
    std::array<Classes, lane_codes> moved{};
    for (int k = 0; k < 2; ++k)
      for (std::size_t r = ends[k]; r < ends[k + 1]; ++r) {
        if (r + ahead < ends[k + 1]) prefetch(bucket_of + stored(restless_[r + ahead]));
        moved[bucket_of[stored(restless_[r])]][k] += change_[r];
      }
    for (std::uint32_t b = 0; b < column.buckets(); ++b) {
      Bucket& bucket = at(i, b);
      bucket.now = bucket.seen + rounding;
      for (int k = 0; k < 2; ++k) {
        if (bucket.root[k] == 0) continue;
        const double expected = ratio[k] * bucket.reference[k];
        bucket.now +=
            (moved[b][k] + calm[k] * expected + std::abs(expected - bucket.root[k])) / (2 * bucket.root[k]);
      }
    }
  });
}

double BucketOrder::bound(const View& node, std::uint32_t c, std::uint32_t b, const double* before) const {
  constexpr double unknown = 0;
  if (root_rows_ == 0 || node.totals.classes != 2) return unknown;
  const EncodedColumn& column = node.problem.table->columns[c];
  const Bucket& bucket = buckets_[place_[c] * lane_codes + b];
  const std::int64_t* lane = node.lane(column.lane);
  double gap = bucket.now;
  Classes inside{};
  for (int k = 0; k < 2; ++k) {
    inside[k] = static_cast<double>(lane[node.channel_offset[k] + b]);
    if (bucket.root[k] > 0) gap += 1 - inside[k] / bucket.root[k];
  }
  if (!(gap < 1)) return unknown;
  const double all0 = node.totals.total[0], all1 = node.totals.total[1], kept = 1 - gap;
  double out = node.totals.cost;
  const auto least = [&](double left0, double left1) {
    const auto cost = [&](double more0, double more1) {
      return with_criterion(node.totals.criterion, [&]<Criterion K>() {
        return split_cost<K>(left0 + more0, left1 + more1, all0, all1);
      });
    };
    const double first = inside[0], second = inside[1];
    for (double each : {cost(0, 0), cost(first, second), cost(gap * first, 0), cost(0, gap * second),
                        cost(first, kept * second), cost(kept * first, second)})
      out = std::min(out, each);
  };
  least(before[0], before[1]);
  if (column.has_missing) {
    const std::int64_t* missing = lane + column.missing_lane_code();
    least(before[0] + static_cast<double>(missing[node.channel_offset[0]]),
          before[1] + static_cast<double>(missing[node.channel_offset[1]]));
  }
  return out;
}

}  // namespace hardwood

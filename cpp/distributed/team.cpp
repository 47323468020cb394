#include "distributed/team.hpp"

#include <bit>
#include <stdexcept>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

namespace {

// Numbers of which some may be -1, one up.
std::vector<std::uint64_t> raised(std::initializer_list<std::int64_t> numbers) {
  std::vector<std::uint64_t> out;
  for (std::int64_t number : numbers) out.push_back(static_cast<std::uint64_t>(number + 1));
  return out;
}

}  // namespace

// What a part divides its rows by; costs and weights stay with the coordinator.
std::string SplitBatch::pack() const {
  NumberWriter out;
  out.add(splits.size());
  for (const NodeSplit& each : splits) {
    const Split& s = each.split;
    const auto head =
        raised({each.node, s.column == none ? -1 : std::int64_t{s.column}, s.arity, s.missing_branch,
                s.default_branch, s.bucket == none ? -1 : std::int64_t{s.bucket},
                s.next_bucket == none ? -1 : std::int64_t{s.next_bucket}});
    out.add_list(std::span<const std::uint64_t>(head));
    out.add_list(std::span<const std::uint64_t>(s.cuts));
    out.add_list(std::span<const std::uint32_t>(s.codes));
    out.add_list(std::span<const std::int32_t>(s.branch_of));
    out.add_list(std::span<const std::int64_t>(s.known));
    out.add_list(std::span<const std::int32_t>(each.children));
  }
  return out.bytes();
}

SplitBatch SplitBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  SplitBatch out;
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto head = in.list<std::uint64_t>();
    if (head.size() != 7) throw std::invalid_argument("a packed split that is damaged");
    const auto number = [&](std::size_t k) { return static_cast<std::int32_t>(head[k]) - 1; };
    const auto unsigned_of = [&](std::size_t k) { return static_cast<std::uint32_t>(head[k] - 1); };
    NodeSplit each{number(0), {}, {}};
    each.split.column = unsigned_of(1);
    each.split.arity = number(2);
    each.split.missing_branch = number(3);
    each.split.default_branch = number(4);
    each.split.bucket = unsigned_of(5);
    each.split.next_bucket = unsigned_of(6);
    each.split.cuts = in.list<std::uint64_t>();
    each.split.codes = in.list<std::uint32_t>();
    each.split.branch_of = in.list<std::int32_t>();
    each.split.known = in.list<std::int64_t>();
    each.children = in.list<std::int32_t>();
    out.splits.push_back(std::move(each));
  }
  return out;
}

std::string QuestionBatch::pack() const {
  NumberWriter out;
  out.add(questions.size());
  for (const NodeQuestion& each : questions) {
    std::vector<std::uint64_t> ends{static_cast<std::uint64_t>(each.node), each.question.column};
    for (const KeyInterval& k : each.question.intervals) ends.insert(ends.end(), {k.low, k.high, k.step});
    out.add_list(std::span<const std::uint64_t>(ends));
  }
  return out.bytes();
}

QuestionBatch QuestionBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  QuestionBatch out;
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto ends = in.list<std::uint64_t>();
    if (ends.size() % 3 != 2) throw std::invalid_argument("a packed question that is damaged");
    NodeQuestion each{static_cast<std::int32_t>(ends[0]), {static_cast<std::uint32_t>(ends[1]), {}}};
    for (std::size_t k = 2; k < ends.size(); k += 3) {
      if (!std::has_single_bit(ends[k + 2])) throw std::invalid_argument("a step must be a power of two");
      each.question.intervals.push_back({ends[k], ends[k + 1], ends[k + 2]});
    }
    out.questions.push_back(std::move(each));
  }
  return out;
}

void check_split(const Split& split, const TablePlan& plan) {
  const auto fits = [&](std::int32_t branch) { return branch >= 0 && branch < split.arity; };
  bool good = split.column < plan.columns.size() && split.arity >= 2 && fits(split.route_of_missing()) &&
              fits(split.default_branch) && split.codes.size() == split.branch_of.size() &&
              split.cuts.size() < static_cast<std::size_t>(split.arity);
  for (std::int32_t branch : split.branch_of) good &= fits(branch);
  if (good)
    for (std::uint32_t code : split.codes) good &= code < plan.columns[split.column].values();
  if (!good) throw std::invalid_argument("a split that does not fit the table");
}

}  // namespace hardwood

#include "distributed/row_batch.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

namespace {

constexpr int small_bits = 16;  // codes, labels: packed as they are

int bits_of(std::uint64_t number) {
  return static_cast<int>(std::bit_width(number));
}

int bits_of(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t all = 0;
  for (std::uint64_t number : numbers) all |= number;
  return bits_of(all);
}

// Numbers of so many bits each, side by side.
std::vector<std::uint64_t> squeezed(const std::vector<std::uint64_t>& numbers, int bits) {
  std::vector<std::uint64_t> words((numbers.size() * bits + 63) / 64, 0);
  std::size_t at = 0;
  for (std::uint64_t number : numbers) {
    const std::size_t word = at / 64, shift = at % 64;
    if (bits) words[word] |= number << shift;
    if (shift + bits > 64) words[word + 1] |= number >> (64 - shift);
    at += bits;
  }
  return words;
}

std::vector<std::uint64_t> unsqueezed(const std::vector<std::uint64_t>& words, std::size_t count, int bits) {
  std::vector<std::uint64_t> out(count, 0);
  if (bits == 0) return out;
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::size_t at = 0;
  for (std::uint64_t& number : out) {
    const std::size_t word = at / 64, shift = at % 64;
    number = words[word] >> shift;
    if (shift + bits > 64) number |= words[word + 1] << (64 - shift);
    number &= mask;
    at += bits;
  }
  return out;
}

// Large numbers that occur again and again are named by their places in a list.
void add_numbers(NumberWriter& out, const std::vector<std::uint64_t>& numbers, int least_bits = 0) {
  int bits = std::max(bits_of(numbers), least_bits);
  std::vector<std::uint64_t> distinct;
  if (bits > small_bits) {
    distinct = numbers;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const int place_bits = bits_of(distinct.size() - 1);
    if (distinct.size() * 64 + numbers.size() * place_bits >= numbers.size() * bits) distinct.clear();
    else bits = place_bits;
  }
  out.add(numbers.size());
  out.add(static_cast<std::uint64_t>(bits));
  out.add_list(std::span<const std::uint64_t>(distinct));
  std::vector<std::uint64_t> places;
  if (!distinct.empty())
    for (std::uint64_t number : numbers)
      places.push_back(std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin());
  const auto words = squeezed(distinct.empty() ? numbers : places, bits);
  out.add_list(std::span<const std::uint64_t>(words));
}

[[noreturn]] void refuse() {
  throw std::invalid_argument("packed rows that are damaged");
}

// `most`: numbers that there can be; those of no bits take no room, so their count is not believed.
std::vector<std::uint64_t> next_numbers(NumberReader& in, std::uint64_t most) {
  const std::uint64_t count = in.next(), bits = in.next();
  const auto distinct = in.list<std::uint64_t>();
  const auto words = in.list<std::uint64_t>();
  if (count > most || bits > 64 || words.size() != (count * bits + 63) / 64) refuse();
  auto out = unsqueezed(words, count, static_cast<int>(bits));
  if (distinct.empty()) return out;
  for (std::uint64_t& number : out) {
    if (number >= distinct.size()) refuse();
    number = distinct[number];
  }
  return out;
}

}  // namespace

void RowBatch::add(const PartTable& table, const TablePlan& plan, std::size_t position,
                   const NodeItems& items) {
  const std::size_t first = rows();
  values.resize(plan.columns.size());
  missing.resize(plan.columns.size());
  items.each([&](std::uint32_t i, std::int32_t own) {
    node.push_back(position);
    label.push_back(static_cast<std::uint64_t>(own));
    if (items.weights) weights.push_back(static_cast<std::uint64_t>(items.weight(i)));
    if (items.examples) examples.push_back(static_cast<std::uint64_t>(items.count(i)));
  });
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const ColumnPlan& column = plan.columns[c];
    if (column.coding == PartCoding::constant) continue;
    std::size_t row = first;
    const auto add_value = [&](bool absent, std::uint64_t value) {
      if (absent) missing[c].push_back(row);
      values[c].push_back(absent ? 0 : value);
      ++row;
    };
    const std::uint64_t* keys = table.keys[c];
    if (!column.has_lane()) {
      items.each([&](std::uint32_t i, std::int32_t) {
        const std::uint64_t key = keys[items.rows[i]];
        add_value(key == missing_key, key);
      });
      continue;
    }
    const PartColumn& stored = table.columns[c];
    const LaneView lane = lane_of(table, stored);
    items.each([&](std::uint32_t i, std::int32_t) {
      std::uint32_t code = lane[items.rows[i]];
      if (stored.storage == Storage::bundle) code = stored.digits[code];
      add_value(code == column.values(), column.bucketed() ? keys[items.rows[i]] : code);
    });
  }
}

void RowBatch::merge(const RowBatch& other) {
  if (other.values.size() != values.size()) {
    if (rows() && other.rows()) throw std::invalid_argument("rows of other columns");
    if (other.rows()) *this = other;
    return;
  }
  const std::size_t before = rows();
  const auto append = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(node, other.node);
  append(label, other.label);
  append(weights, other.weights);
  append(examples, other.examples);
  for (std::size_t c = 0; c < values.size(); ++c) {
    append(values[c], other.values[c]);
    for (std::uint64_t row : other.missing[c]) missing[c].push_back(before + row);
  }
}

std::string RowBatch::pack() const {
  NumberWriter out;
  out.add(values.size());
  out.add(rows());
  add_numbers(out, node, 1);  // so that no message is short for its rows
  for (const auto* list : {&label, &weights, &examples}) add_numbers(out, *list);
  for (std::size_t c = 0; c < values.size(); ++c) {
    add_numbers(out, values[c]);
    add_numbers(out, missing[c]);
  }
  return out.bytes();
}

RowBatch RowBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  RowBatch out;
  const std::uint64_t columns = in.next(), rows = in.next();
  // A column takes some bytes, a row a bit of a word, of which each is a byte at least.
  if (columns > bytes.size() || rows / 64 > bytes.size()) refuse();
  for (auto* list : {&out.node, &out.label, &out.weights, &out.examples}) *list = next_numbers(in, rows);
  for (std::uint64_t c = 0; c < columns; ++c) {
    out.values.push_back(next_numbers(in, rows));
    out.missing.push_back(next_numbers(in, rows));
    const std::size_t own = out.values.back().size();
    if ((own && own != rows) || (own == 0 && !out.missing.back().empty())) refuse();
    for (std::uint64_t row : out.missing.back())
      if (row >= rows) refuse();
  }
  const auto fits = [&](const std::vector<std::uint64_t>& list) { return list.empty() || list.size() == rows; };
  if (out.node.size() != rows || out.label.size() != rows || !fits(out.weights) || !fits(out.examples))
    refuse();
  return out;
}

}  // namespace hardwood

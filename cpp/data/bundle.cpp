#include "data/bundle.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace hardwood {

namespace {

constexpr std::size_t sample_rows = 4096;
constexpr std::size_t slots = 1024;  // of the table of combinations, at most a quarter full

// The combinations of a run of fields, numbered in order of appearance.
class Combinations {
 public:
  Combinations() : number_(slots, -1) {}

  // Number of the combination, or -1 when there are more than 256.
  int number(std::uint64_t key) {
    std::size_t at = (key * 0x9e3779b97f4a7c15u) >> 54;
    while (number_[at] >= 0 && keys_[number_[at]] != key) at = (at + 1) % slots;
    if (number_[at] < 0) {
      if (keys_.size() == lane_codes) return -1;
      number_[at] = static_cast<int>(keys_.size());
      keys_.push_back(key);
    }
    return number_[at];
  }
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  std::vector<int> number_;
  std::vector<std::uint64_t> keys_;
};

struct Run {
  int shift;
  std::uint64_t mask;
};

Run run_of(std::span<const NarrowField> fields) {
  const int shift = fields.front().shift;
  const int width = fields.back().shift + fields.back().bits - shift;
  return {shift, width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1};
}

bool few_in_sample(const NarrowWord& word, std::span<const NarrowField> fields) {
  const Run run = run_of(fields);
  Combinations combinations;
  const std::size_t step = std::max<std::size_t>(1, word.words.size() / sample_rows);
  for (std::size_t i = 0; i < word.words.size(); i += step)
    if (combinations.number((word.words[i] >> run.shift) & run.mask) < 0) return false;
  return true;
}

bool number_rows(const NarrowWord& word, std::span<const NarrowField> fields, Combinations& combinations,
                 std::vector<std::uint8_t>& bytes) {
  const Run run = run_of(fields);
  bytes.resize(word.words.size());
  std::uint64_t last_key = ~std::uint64_t{0};
  int last = -1;
  for (std::size_t i = 0; i < word.words.size(); ++i) {
    const std::uint64_t key = (word.words[i] >> run.shift) & run.mask;
    if (key != last_key || last < 0) {
      last = combinations.number(key);
      last_key = key;
      if (last < 0) return false;
    }
    bytes[i] = static_cast<std::uint8_t>(last);
  }
  return true;
}

// Longest run from `begin` that a sample says fits a lane.
std::size_t promising_end(const NarrowWord& word, std::size_t begin) {
  const std::span fields(word.fields);
  std::size_t good = begin + 1, bad = fields.size() + 1;
  while (good + 1 < bad) {
    const std::size_t middle = (good + bad) / 2;
    if (few_in_sample(word, fields.subspan(begin, middle - begin))) good = middle;
    else bad = middle;
  }
  return good;
}

// Longest run from `begin` of at most eight bits: it always fits.
std::size_t certain_end(const NarrowWord& word, std::size_t begin) {
  std::size_t end = begin;
  int bits = 0;
  while (end < word.fields.size() && bits + word.fields[end].bits <= 8) bits += word.fields[end++].bits;
  return end;
}

}  // namespace

NarrowField reserve_narrow(std::vector<NarrowWord>& list, std::uint32_t column, std::uint32_t codes,
                           std::size_t rows) {
  const int bits = std::bit_width(codes - 1);
  if (list.empty() || list.back().used + bits > 64) {
    list.emplace_back();
    list.back().words.assign(rows, 0);
  }
  NarrowWord& word = list.back();
  word.fields.push_back({column, word.used, bits});
  word.used += bits;
  return word.fields.back();
}

void add_narrow(std::vector<NarrowWord>& list, std::uint32_t column, std::uint32_t codes,
                std::span<const std::uint32_t> values) {
  const NarrowField field = reserve_narrow(list, column, codes, values.size());
  std::vector<std::uint64_t>& words = list.back().words;
  for (std::size_t i = 0; i < values.size(); ++i)
    words[i] |= static_cast<std::uint64_t>(values[i]) << field.shift;
}

void make_bundles(const NarrowWord& word, std::vector<EncodedColumn>& columns, std::vector<LaneBytes>& lanes) {
  for (std::size_t begin = 0; begin < word.fields.size();) {
    LaneBytes out;
    Combinations combinations;
    std::size_t end = promising_end(word, begin);
    const std::size_t certain = certain_end(word, begin);
    while (!number_rows(word, std::span(word.fields).subspan(begin, end - begin), combinations, out.bytes)) {
      end = std::max(certain, begin + (end - begin) * 3 / 4);
      combinations = {};
    }
    const int base = word.fields[begin].shift;
    for (std::size_t f = begin; f < end; ++f) {
      const NarrowField& field = word.fields[f];
      EncodedColumn& column = columns[field.column];
      column.storage = Storage::bundle;
      column.lane = static_cast<std::uint32_t>(lanes.size());
      for (std::uint64_t key : combinations.keys())
        column.digits.push_back(
            static_cast<std::uint8_t>((key >> (field.shift - base)) & ((std::uint64_t{1} << field.bits) - 1)));
      out.lane.columns.push_back(field.column);
    }
    out.lane.codes = static_cast<std::uint32_t>(combinations.keys().size());
    lanes.push_back(std::move(out));
    begin = end;
  }
}

}  // namespace hardwood

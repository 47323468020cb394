// The shortest decimal in the middle half of [low, high].
//
// The decimals of at most k digits that are next to a number x, on both sides, are the only ones of that length
// that can be the nearest to x. So for k = 1, 2, ... it is enough to look beside the two float64 numbers that
// enclose the midpoint: a decimal that lies between those two is read as one of them.
//
// Nothing is rounded but the decimals themselves, when they are read: what decides is the sign of a sum of
// float64 numbers, exactly. No locale, no libm, the same bits everywhere.
#include "tree/threshold.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "base/portable.hpp"

namespace hardwood {

namespace {

constexpr int most_digits = 17;  // tell every float64 from its neighbours

// A sum of multiples of float64 numbers in fixed point, exact: bit 0 is worth 2^-1074.
class ExactSum {
 public:
  void add(int times, double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const auto mantissa = static_cast<Wide>(exponent ? fraction | std::uint64_t{1} << 52 : fraction);
    const int place = exponent ? exponent - 1 : 0;
    const Wide added = ((bits >> 63 ? -mantissa : mantissa) * times) << (place % 64);
    const auto low = static_cast<std::uint64_t>(added), high = static_cast<std::uint64_t>(added >> 64);
    const std::uint64_t sign = added < 0 ? ~std::uint64_t{0} : 0;
    std::uint64_t carry = 0;
    const auto first = static_cast<std::size_t>(place / 64);
    for (std::size_t i = first; i < words_.size(); ++i) {
      const std::uint64_t word = i == first ? low : i == first + 1 ? high : sign;
      const std::uint64_t sum = words_[i] + word, all = sum + carry;
      carry = (sum < word) + (all < sum);
      words_[i] = all;
    }
  }
  bool negative() const { return words_.back() >> 63; }

 private:
  std::array<std::uint64_t, 34> words_{};  // 2^1024 is bit 2098
};

// Whether the terms add up to less than 0.
struct Term {
  int times;
  double x;
};
bool below_zero(std::initializer_list<Term> terms) {
  ExactSum sum;
  for (const Term& term : terms) sum.add(term.times, term.x);
  return sum.negative();
}

// digits * 10^exponent
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

// The positive number in 17 digits, rounded.
Decimal decimal_of(double x) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, most_digits - 1).ptr;
  Decimal out;
  const char* at = text;
  for (; *at != 'e'; ++at)
    if (*at != '.') out.digits = 10 * out.digits + (*at - '0');
  at += at[1] == '+' ? 2 : 1;
  std::from_chars(at, end, out.exponent);
  out.exponent -= most_digits - 1;
  return out;
}

// The float64 that is nearest to the decimal; none beyond the largest.
std::optional<double> read(const Decimal& decimal) {
  char text[32];
  char* at = std::to_chars(text, text + 20, decimal.digits).ptr;
  *at++ = 'e';
  at = std::to_chars(at, text + sizeof text, decimal.exponent).ptr;
  double value = 0;
  if (std::from_chars(text, at, value).ec != std::errc{}) return std::nullopt;
  return value;
}

// The float64 nearest to the exact midpoint. A sum whose half is not exact has no rounding of its own.
double midpoint(double low, double high) {
  const double sum = low + high;
  return std::isfinite(sum) ? sum / 2 : low / 2 + high / 2;
}

// Looks for the shortest decimal in the middle half.
class Gap {
 public:
  Gap(double low, double high) : low_(low), high_(high) {}

  bool in_middle_half(double t) const {
    return !below_zero({{4, t}, {-3, low_}, {-1, high_}}) && !below_zero({{-4, t}, {1, low_}, {3, high_}});
  }

  double threshold() {
    if (in_middle_half(0)) return 0;
    const double middle = midpoint(low_, high_);
    // The enclosing float64 numbers; twice the same where the midpoint is one.
    const double infinity = std::numeric_limits<double>::infinity();
    const bool above = below_zero({{-2, middle}, {1, low_}, {1, high_}});
    const bool below = below_zero({{2, middle}, {-1, low_}, {-1, high_}});
    const double other = above || below ? std::nextafter(middle, above ? -infinity : infinity) : middle;
    if (in_middle_half(middle)) {
      const Decimal one = decimal_of(std::abs(middle)), two = decimal_of(std::abs(other));
      std::int64_t unit = 10'000'000'000'000'000;
      for (int digits = 1; digits <= most_digits && !found_; ++digits, unit /= 10) {
        look_beside(one, unit, middle < 0);
        if (other != middle) look_beside(two, unit, middle < 0);
      }
    }
    return found_ ? *found_ : low_;  // no float64 lies between neighbours
  }

 private:
  // The decimals next to x that are whole multiples of so many units of its last place.
  void look_beside(const Decimal& x, std::int64_t unit, bool negative) {
    const std::int64_t down = x.digits - x.digits % unit;
    consider({down, x.exponent}, negative);
    consider({down + unit, x.exponent}, negative);
    // Below a power of ten the decimals of that length lie closer together.
    const bool power = down == 10'000'000'000'000'000;
    if (power) consider({10 * down - unit, x.exponent - 1}, negative);
    else consider({down - unit, x.exponent}, negative);
  }

  void consider(const Decimal& decimal, bool negative) {
    const std::optional<double> size = read(decimal);
    if (!size) return;
    const double t = negative ? -*size : *size;
    if ((found_ && t == *found_) || !in_middle_half(t)) return;
    if (!found_ || nearer(t, *found_)) found_ = t;
  }

  // To the midpoint; on a tie the smaller is.
  bool nearer(double t, double than) const {
    if (t > than) return below_zero({{1, t}, {1, than}, {-1, low_}, {-1, high_}});
    return !below_zero({{1, t}, {1, than}, {-1, low_}, {-1, high_}});
  }

  double low_, high_;
  std::optional<double> found_;
};

// The same among whole numbers.
Wide whole_between(Wide low, Wide high) {
  const Wide sum = low + high, middle = (sum - (sum & 1)) / 2;
  std::optional<Wide> found;
  const auto consider = [&](Wide t) {
    if (4 * t < 3 * low + high || 4 * t > low + 3 * high) return;
    const bool left = found && (t < *found ? t + *found >= sum : t + *found < sum);
    if (!found || left) found = t;
  };
  consider(0);
  Wide first = 1, second = 1;  // one more than the largest of as many digits
  while (first <= middle || first <= -middle) first *= 10;
  while (second <= middle + 1 || second <= -(middle + 1)) second *= 10;
  while (!found && (first > 1 || second > 1)) {
    for (auto [x, unit] : {std::pair{middle, &first}, std::pair{middle + 1, &second}}) {
      if (*unit == 1) continue;
      *unit /= 10;
      const Wide down = x - (x % *unit + *unit) % *unit;
      consider(down);
      consider(down + *unit);
    }
  }
  return found ? *found : low;
}

}  // namespace

Threshold threshold_between(double low, double high, bool whole) {
  if (whole && high - low == 1) return {low, 0};
  return {Gap(low, high).threshold(), 0};
}

Threshold integer_threshold_between(std::uint64_t low, std::uint64_t high, bool is_signed) {
  const auto number = [&](std::uint64_t bits) -> Wide {
    if (is_signed) return std::bit_cast<std::int64_t>(bits);
    return bits;
  };
  const Wide found = whole_between(number(low), number(high));
  return {std::numeric_limits<double>::quiet_NaN(), static_cast<std::int64_t>(found)};
}

}  // namespace hardwood

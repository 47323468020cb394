// A signed 128-bit whole number for compilers that have none of their own: two's complement in two 64-bit
// words. Everything is as with a built-in type of that width: results wrap around, division rounds towards
// zero, and a number becomes the nearest double, ties to even.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>

namespace hardwood {

class TwoWords {
  using Word = std::uint64_t;

 public:
  constexpr TwoWords() = default;
  template <std::integral T>
  constexpr TwoWords(T x) : low_(static_cast<Word>(x)), high_(x < T{0} ? ~Word{0} : 0) {}
  // The whole part of x, which is below 2^127 in size.
  explicit TwoWords(double x) {
    const double size = std::floor(std::fabs(x));
    high_ = static_cast<Word>(size * 0x1p-64);
    low_ = static_cast<Word>(size - static_cast<double>(high_) * 0x1p64);
    if (x < 0) *this = -*this;
  }

  template <std::integral T>
    requires(!std::same_as<T, bool>)
  explicit constexpr operator T() const {
    return static_cast<T>(low_);
  }
  explicit operator double() const {
    const TwoWords size = negative() ? -*this : *this;
    double x = static_cast<double>(size.low_);
    if (size.high_) {
      const int shift = 64 - std::countl_zero(size.high_);
      const Word rest = shift == 64 ? size.low_ : size.low_ & ((Word{1} << shift) - 1);
      const Word top = (size >> shift).low_ | (rest != 0);  // 64 bits; the last stands for all below
      x = std::ldexp(static_cast<double>(top), shift);
    }
    return negative() ? -x : x;
  }

  constexpr TwoWords operator-() const { return TwoWords(~low_ + 1, ~high_ + (low_ == 0)); }
  friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
    const Word low = a.low_ + b.low_;
    return TwoWords(low, a.high_ + b.high_ + (low < a.low_));
  }
  friend constexpr TwoWords operator-(TwoWords a, TwoWords b) { return a + -b; }
  friend constexpr TwoWords operator*(TwoWords a, TwoWords b) {
    constexpr Word half = 0xffffffff;
    const Word a0 = a.low_ & half, a1 = a.low_ >> 32, b0 = b.low_ & half, b1 = b.low_ >> 32;
    const Word first = a0 * b0, second = a1 * b0 + (first >> 32), third = a0 * b1 + (second & half);
    const Word carried = a1 * b1 + (second >> 32) + (third >> 32);
    return TwoWords(third << 32 | (first & half), carried + a.low_ * b.high_ + a.high_ * b.low_);
  }
  friend constexpr TwoWords operator/(TwoWords a, TwoWords b) {
    const TwoWords quotient = divided(a.size(), b.size());
    return a.negative() != b.negative() ? -quotient : quotient;
  }
  friend constexpr TwoWords operator%(TwoWords a, TwoWords b) { return a - a / b * b; }
  friend constexpr TwoWords operator&(TwoWords a, TwoWords b) {
    return TwoWords(a.low_ & b.low_, a.high_ & b.high_);
  }
  constexpr TwoWords operator<<(int by) const {
    if (by == 0) return *this;
    if (by >= 64) return TwoWords(0, low_ << (by - 64));
    return TwoWords(low_ << by, high_ << by | low_ >> (64 - by));
  }
  constexpr TwoWords operator>>(int by) const {
    const auto high = static_cast<std::int64_t>(high_);
    if (by == 0) return *this;
    if (by >= 64) return TwoWords(static_cast<Word>(high >> (by - 64)), static_cast<Word>(high >> 63));
    return TwoWords(low_ >> by | high_ << (64 - by), static_cast<Word>(high >> by));
  }
  constexpr TwoWords& operator+=(TwoWords other) { return *this = *this + other; }
  constexpr TwoWords& operator-=(TwoWords other) { return *this = *this - other; }
  constexpr TwoWords& operator*=(TwoWords other) { return *this = *this * other; }
  constexpr TwoWords& operator/=(TwoWords other) { return *this = *this / other; }

  friend constexpr bool operator==(TwoWords a, TwoWords b) = default;
  friend constexpr std::strong_ordering operator<=>(TwoWords a, TwoWords b) {
    if (a.high_ != b.high_) return static_cast<std::int64_t>(a.high_) <=> static_cast<std::int64_t>(b.high_);
    return a.low_ <=> b.low_;
  }

 private:
  constexpr TwoWords(Word low, Word high) : low_(low), high_(high) {}
  constexpr bool negative() const { return high_ >> 63; }
  constexpr TwoWords size() const { return negative() ? -*this : *this; }

  // Long division of numbers from 0 on, a binary digit at a time.
  static constexpr TwoWords divided(TwoWords a, TwoWords b) {
    if (!a.high_ && !b.high_) return TwoWords(a.low_ / b.low_, 0);
    TwoWords out, rest;
    for (int place = 127; place >= 0; --place) {
      const Word digit = (place >= 64 ? a.high_ >> (place - 64) : a.low_ >> place) & 1;
      rest = (rest << 1) + TwoWords(digit, 0);
      if (rest < b) continue;
      rest -= b;
      (place >= 64 ? out.high_ : out.low_) |= Word{1} << (place % 64);
    }
    return out;
  }

  Word low_ = 0, high_ = 0;
};

}  // namespace hardwood

// Whole numbers as few bytes, and back: a single one in seven bits a byte, of which the last has no eighth bit;
// a list in the narrowest of 1, 2, 4 and 8 bytes a number or, where that is shorter, each number in as many
// bytes as it has, after half a byte for each that says how many these are.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hardwood {

inline std::size_t bytes_in(std::uint64_t number) {
  return (static_cast<std::size_t>(std::bit_width(number)) + 7) / 8;
}
static_assert(std::endian::native == std::endian::little);
constexpr std::uint8_t each_its_length = 0;  // in the place of a list's width

class NumberWriter {
 public:
  void add(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) append(static_cast<std::uint8_t>(number | 0x80));
    append(static_cast<std::uint8_t>(number));
  }

  // None of the numbers is negative.
  template <class T>
  void add_list(std::span<const T> numbers) {
    add(numbers.size());
    std::uint64_t all = 0;
    for (T number : numbers) all |= static_cast<std::uint64_t>(number);
    if (all > 0xff && add_by_length(numbers, all)) return;
    if (all <= 0xff) return add_as<std::uint8_t>(numbers);
    if (all <= 0xffff) return add_as<std::uint16_t>(numbers);
    if (all <= 0xffffffff) return add_as<std::uint32_t>(numbers);
    add_as<std::uint64_t>(numbers);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  template <class Narrow, class T>
  void add_as(std::span<const T> numbers) {
    append(static_cast<std::uint8_t>(sizeof(Narrow)));
    const std::size_t first = bytes_.size();
    bytes_.resize(first + numbers.size() * sizeof(Narrow));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto narrow = static_cast<Narrow>(numbers[i]);
      std::memcpy(bytes_.data() + first + i * sizeof narrow, &narrow, sizeof narrow);
    }
  }
  // False where one width for all is as short.
  template <class T>
  bool add_by_length(std::span<const T> numbers, std::uint64_t all) {
    const std::size_t lengths = (numbers.size() + 1) / 2;
    std::size_t size = lengths;
    for (T number : numbers) size += bytes_in(static_cast<std::uint64_t>(number));
    if (size >= numbers.size() * std::bit_ceil(bytes_in(all))) return false;
    append(each_its_length);
    const std::size_t first = bytes_.size();
    bytes_.resize(first + size +
                  sizeof(std::uint64_t));  // numbers are written whole, one over the end of another
    char* half = bytes_.data() + first;
    char* at = half + lengths;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = static_cast<std::uint64_t>(numbers[i]);
      const std::size_t length = bytes_in(number);
      if (i % 2 == 0) *half = static_cast<char>(length);
      else *half = static_cast<char>(*half | length << 4), ++half;
      std::memcpy(at, &number, sizeof number);
      at += length;
    }
    bytes_.resize(first + size);
    return true;
  }
  template <class T>
  void append(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string bytes_;
};

// Throws std::invalid_argument where the bytes end too early or are none of a writer's.
class NumberReader {
 public:
  explicit NumberReader(std::span<const char> bytes) : bytes_(bytes) {}

  std::uint64_t next() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw std::invalid_argument("a packed number that does not end");
  }

  // How many numbers follow, of a byte each at least.
  std::uint64_t next_count() {
    const std::uint64_t count = next();
    need(count);
    return count;
  }

  template <class T>
  std::vector<T> list() {
    const std::uint64_t count = next();
    switch (take<std::uint8_t>()) {
      case each_its_length:
        return list_by_length<T>(count);
      case 1:
        return list_of<T, std::uint8_t>(count);
      case 2:
        return list_of<T, std::uint16_t>(count);
      case 4:
        return list_of<T, std::uint32_t>(count);
      case 8:
        return list_of<T, std::uint64_t>(count);
      default:
        throw std::invalid_argument("packed numbers of an unknown width");
    }
  }

 private:
  void need(std::uint64_t size) const {
    if (bytes_.size() < size) throw std::invalid_argument("packed numbers that end too early");
  }
  template <class T>
  T take() {
    need(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }
  template <class T, class Narrow>
  std::vector<T> list_of(std::uint64_t count) {
    if (count > std::numeric_limits<std::uint64_t>::max() / sizeof(Narrow)) need(~std::uint64_t{0});
    need(count * sizeof(Narrow));
    std::vector<T> out(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      Narrow narrow;
      std::memcpy(&narrow, bytes_.data() + i * sizeof narrow, sizeof narrow);
      out[i] = static_cast<T>(narrow);
    }
    bytes_ = bytes_.subspan(count * sizeof(Narrow));
    return out;
  }

  template <class T>
  std::vector<T> list_by_length(std::uint64_t count) {
    need(count / 2 + count % 2);
    const std::span<const char> lengths = bytes_.first(count / 2 + count % 2);
    bytes_ = bytes_.subspan(lengths.size());
    std::vector<T> out(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t length = static_cast<std::uint8_t>(lengths[i / 2]) >> (i % 2 * 4) & 0xf;
      std::uint64_t number = 0;
      if (length > sizeof number) throw std::invalid_argument("a packed number that is too long");
      if (bytes_.size() >= sizeof number) {  // read whole, with the beginning of the next
        std::memcpy(&number, bytes_.data(), sizeof number);
        number &= length ? ~std::uint64_t{0} >> (64 - 8 * length) : 0;
      } else {
        need(length);
        std::memcpy(&number, bytes_.data(), length);
      }
      out[i] = static_cast<T>(number);
      bytes_ = bytes_.subspan(length);
    }
    return out;
  }

  std::span<const char> bytes_;
};

}  // namespace hardwood

#include "data/load.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace hardwood {

namespace {

constexpr std::size_t loaded_rows = 512;

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class Body>
void with_type(ValueType type, Body&& body) {
  switch (type) {
    case ValueType::f64:
      return body(double{});
    case ValueType::f32:
      return body(float{});
    case ValueType::i64:
      return body(std::int64_t{});
    case ValueType::i32:
      return body(std::int32_t{});
    case ValueType::i16:
      return body(std::int16_t{});
    case ValueType::i8:
      return body(std::int8_t{});
    case ValueType::u64:
      return body(std::uint64_t{});
    case ValueType::u32:
      return body(std::uint32_t{});
    case ValueType::u16:
      return body(std::uint16_t{});
    case ValueType::u8:
      return body(std::uint8_t{});
  }
}

std::ptrdiff_t size_of(ValueType type) {
  std::ptrdiff_t size = 0;
  with_type(type, [&](auto zero) { size = sizeof zero; });
  return size;
}

template <class T>
void load_dense(const ColumnInput& in, std::size_t begin, std::size_t end, double* out) {
  const std::byte* at = in.data + static_cast<std::ptrdiff_t>(begin) * in.stride;
  for (std::size_t i = 0; i < end - begin; ++i, at += in.stride) out[i] = static_cast<double>(read<T>(at));
  if (in.missing)
    for (std::size_t i = begin; i < end; ++i)
      if (in.missing[i]) out[i - begin] = std::numeric_limits<double>::quiet_NaN();
}

void load_sparse(const ColumnInput& in, std::size_t begin, std::size_t end, double* out) {
  std::fill_n(out, end - begin, 0.0);
  const std::int32_t* last = in.rows + in.count;
  const auto* at = std::lower_bound(in.rows, last, static_cast<std::int64_t>(begin));
  for (; at < last && static_cast<std::size_t>(*at) < end; ++at)
    out[*at - begin] = read<double>(in.data + (at - in.rows) * in.stride);
}

}  // namespace

std::size_t adjacent_columns(std::span<const ColumnInput> inputs, std::size_t first, std::size_t most) {
  const ColumnInput& head = inputs[first];
  const std::ptrdiff_t size = size_of(head.type);
  std::size_t n = 1;
  if (head.kind != ColumnKind::numeric || head.rows || head.missing || head.stride == size) return n;
  while (n < most && first + n < inputs.size()) {
    const ColumnInput& next = inputs[first + n];
    const bool beside = next.kind == head.kind && next.type == head.type && next.stride == head.stride &&
                        !next.rows && !next.missing &&
                        next.data == head.data + static_cast<std::ptrdiff_t>(n) * size;
    if (!beside) break;
    ++n;
  }
  return n;
}

void load_rows(const ColumnInput& in, std::size_t begin, std::size_t end, double* out) {
  if (in.rows) return load_sparse(in, begin, end, out);
  with_type(in.type, [&]<class T>(T) { load_dense<T>(in, begin, end, out); });
}

void load_doubles(std::span<const ColumnInput> group, std::size_t rows, LargeVector<double>& buffer,
                  const Poll& poll) {
  buffer.resize(group.size() * rows);
  for (std::size_t begin = 0; begin < rows; begin += loaded_rows) {
    poll();
    const std::size_t end = std::min(rows, begin + loaded_rows);
    for (std::size_t k = 0; k < group.size(); ++k)
      load_rows(group[k], begin, end, buffer.data() + k * rows + begin);
  }
}

bool is_plain(const ColumnInput& in) {
  return in.type == ValueType::f64 && in.stride == sizeof(double) && !in.missing && !in.rows &&
         reinterpret_cast<std::uintptr_t>(in.data) % alignof(double) == 0;
}

void load_keys(const ColumnInput& in, std::size_t rows, std::vector<std::uint64_t>& buffer) {
  buffer.resize(rows);
  const std::uint64_t flip = key_flip(in.kind);
  for (std::size_t i = 0; i < rows; ++i)
    buffer[i] = read<std::uint64_t>(in.data + static_cast<std::ptrdiff_t>(i) * in.stride) ^ flip;
}

std::uint64_t key_flip(ColumnKind kind) {
  return kind == ColumnKind::integer ? std::uint64_t{1} << 63 : 0;
}

}  // namespace hardwood

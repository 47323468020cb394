// What the caller hands over: one view per column, never written to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hardwood {

enum class ColumnKind : std::uint8_t { numeric, integer, unsigned_integer, category };

enum class ValueType : std::uint8_t { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8 };

struct ColumnInput {
  ColumnKind kind = ColumnKind::numeric;
  ValueType type = ValueType::f64;
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;              // bytes from one row to the next
  const std::uint8_t* missing = nullptr;  // one byte a row (contiguous), or none
  const std::int32_t* rows = nullptr;     // sparse column: where its values stand; other rows are 0.0
  std::size_t count = 0;                  // number of values: all rows, or the sparse ones
  std::uint32_t categories = 0;           // size of a category column's list; its values are codes
};

}  // namespace hardwood

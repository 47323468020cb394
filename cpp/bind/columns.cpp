#include "bind/columns.hpp"

#include <stdexcept>

namespace hardwood {

namespace {

using Array = nb::ndarray<nb::ro>;

ValueType type_of(const Array& array) {
  return value_type(array.dtype());
}

Array array_of_column(nb::handle object, std::size_t length, BoundColumns& out) {
  Array array = nb::cast<Array>(object);
  if (array.ndim() != 1 || array.shape(0) != length)
    throw std::invalid_argument("a column has another length than the table");
  out.arrays.push_back(array);
  return array;
}

ColumnInput bind_column(nb::handle item, std::size_t rows, BoundColumns& out) {
  const nb::tuple parts = nb::cast<nb::tuple>(item);
  ColumnInput in;
  in.kind = static_cast<ColumnKind>(nb::cast<int>(parts[0]));
  in.count = rows;
  if (!parts[3].is_none()) in.count = nb::cast<Array>(parts[3]).shape(0);
  const Array values = array_of_column(parts[1], in.count, out);
  in.type = type_of(values);
  in.data = static_cast<const std::byte*>(values.data());
  in.stride = values.stride(0) * static_cast<std::ptrdiff_t>(values.itemsize());
  if (!parts[2].is_none()) {
    const Array missing = array_of_column(parts[2], rows, out);
    if (missing.itemsize() != 1 || (rows > 1 && missing.stride(0) != 1))
      throw std::invalid_argument("a mask must be contiguous bytes");
    in.missing = static_cast<const std::uint8_t*>(missing.data());
  }
  if (!parts[3].is_none()) {
    const Array places = array_of_column(parts[3], in.count, out);
    if (type_of(places) != ValueType::i32 || in.type != ValueType::f64)
      throw std::invalid_argument("a sparse column must have int32 rows and float64 values");
    in.rows = static_cast<const std::int32_t*>(places.data());
  }
  in.categories = nb::cast<std::uint32_t>(parts[4]);
  const bool contiguous = rows < 2 || in.stride == static_cast<std::ptrdiff_t>(values.itemsize());
  if (in.kind == ColumnKind::category && (in.type != ValueType::i32 || !contiguous))
    throw std::invalid_argument("category codes must be contiguous int32");
  const bool wide = in.kind == ColumnKind::integer || in.kind == ColumnKind::unsigned_integer;
  if (wide && in.type != ValueType::i64 && in.type != ValueType::u64)
    throw std::invalid_argument("wide integers must be int64 or uint64");
  return in;
}

}  // namespace

ValueType value_type(nb::dlpack::dtype type) {
  const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
  const bool is_signed = code == nb::dlpack::dtype_code::Int;
  if (code == nb::dlpack::dtype_code::Float && type.bits == 64) return ValueType::f64;
  if (code == nb::dlpack::dtype_code::Float && type.bits == 32) return ValueType::f32;
  if (code == nb::dlpack::dtype_code::Bool) return ValueType::u8;
  if (is_signed || code == nb::dlpack::dtype_code::UInt) {
    switch (type.bits) {
      case 64:
        return is_signed ? ValueType::i64 : ValueType::u64;
      case 32:
        return is_signed ? ValueType::i32 : ValueType::u32;
      case 16:
        return is_signed ? ValueType::i16 : ValueType::u16;
      case 8:
        return is_signed ? ValueType::i8 : ValueType::u8;
      default:
        break;
    }
  }
  throw std::invalid_argument("a column's values must be numbers of 8 to 64 bits");
}

BoundColumns bind_columns(nb::list columns, std::size_t rows) {
  BoundColumns out;
  out.inputs.reserve(columns.size());
  for (nb::handle item : columns)
    out.inputs.push_back(item.is_none() ? ColumnInput{} : bind_column(item, rows, out));
  return out;
}

}  // namespace hardwood

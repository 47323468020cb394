// The error for an infinite value, in training and in prediction.
#pragma once

#include <cstddef>
#include <exception>

namespace hardwood {

struct InfiniteValue : std::exception {
  explicit InfiniteValue(std::size_t where) : column(where) {}
  const char* what() const noexcept override { return "infinite value"; }
  std::size_t column;
};

}  // namespace hardwood

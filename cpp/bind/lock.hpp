// When a prediction gives up the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>

namespace hardwood {

// A row in a tree takes some 50 ns. To give up the lock for less than about 100 us in all costs more than it
// lets others do: eight threads that ask for one row each got half as many answers as one thread, and now get
// nine tenths.
constexpr std::size_t rows_worth_releasing = 2000;

// The lock is given up while it lives, if there are so many rows; each counts once for every tree.
class ReleasedForRows {
 public:
  explicit ReleasedForRows(std::size_t rows) {
    if (rows >= rows_worth_releasing) released_.emplace();
  }

 private:
  std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace hardwood

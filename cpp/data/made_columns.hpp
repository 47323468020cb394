// What is made of a column when it is first asked for, by any thread, and then kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hardwood {

template <class Made>
class MadeColumns {
 public:
  // make(made) fills the column's, once; a table has so many columns.
  template <class Make>
  const Made& of(std::size_t columns, std::uint32_t column, Make make) {
    Place* place = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (places_.empty()) places_.resize(columns);
      if (!places_[column]) places_[column] = std::make_unique<Place>();
      place = places_[column].get();
    }
    std::call_once(place->once, [&] {
      make(place->made);
      place->ready = true;
    });
    return place->made;
  }

  // Null if it has not been made yet.
  const Made* already(std::uint32_t column) {
    std::lock_guard lock(mutex_);
    const Place* const place = places_.empty() ? nullptr : places_[column].get();
    return place && place->ready ? &place->made : nullptr;
  }

 private:
  struct Place {
    std::once_flag once;
    std::atomic<bool> ready{false};
    Made made;
  };
  std::mutex mutex_;
  std::vector<std::unique_ptr<Place>> places_;  // per column of the table
};

}  // namespace hardwood

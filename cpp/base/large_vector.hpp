// A vector whose memory, when it is large, lies on huge pages where the system has them: random access to
// many megabytes then misses the page tables far less often.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace hardwood {

template <class T>
struct LargeAllocator {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(std::size_t n) {
    if (n * sizeof(T) < page) return static_cast<T*>(::operator new(n * sizeof(T)));
    const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
    void* memory = ::operator new(bytes, std::align_val_t{page});
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; refused, nothing changes
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < page) ::operator delete(memory);
    else ::operator delete(memory, std::align_val_t{page});
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace hardwood

// Array: a vector whose memory, if it is large, is asked for in huge pages.
//
// A step of a large system runs through a few hundred megabytes several times. With pages of 4 kB every body costs
// address translations in each of these passes: chain-spatial(10000) was 10 to 20 % slower.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace extremal {

template <class T>
struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  static constexpr std::size_t page = std::size_t(1) << 21, large = 2 * page;

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < large) return static_cast<T*>(::operator new(bytes, std::align_val_t(alignof(T))));
    void* memory = ::operator new(bytes, std::align_val_t(page));
#ifdef __linux__
    madvise(memory, bytes / page * page, MADV_HUGEPAGE);  // a hint: nothing depends on it
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < large)
      ::operator delete(memory, std::align_val_t(alignof(T)));
    else
      ::operator delete(memory, std::align_val_t(page));
  }
  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};

template <class T>
using Array = std::vector<T, PageAllocator<T>>;

}  // namespace extremal

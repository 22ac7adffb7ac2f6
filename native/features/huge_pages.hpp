// Memory for large tables with random access: in huge pages if the system has them, which avoids most page-table walks.
// These would cost more than the reads.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace treaty::features {

template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{1} << 21;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t n) {
    const bool small = n * sizeof(T) < kPage;
    const auto bytes = small ? n * sizeof(T) : (n * sizeof(T) + kPage - 1) / kPage * kPage;
#ifdef _WIN32  // has no aligned_alloc whose memory free takes
    void* memory = std::malloc(bytes);
#else
    void* memory = small ? std::malloc(bytes) : std::aligned_alloc(kPage, bytes);
#endif
    if (!memory) throw std::bad_alloc();
#ifdef __linux__
    if (!small) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; it affects only the speed
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }
};

}  // namespace treaty::features

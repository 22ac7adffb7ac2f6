// The state of a search on disk, for any method: a magic number, the identity of the search, plain numbers, and a
// checksum at the end. A reader that finds anything else throws.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace treaty::induce {

// Writes or reads; the same visitor does both, so that the formats agree.
class Archive {
 public:
  enum Mode { kWrite, kRead };

  // `descriptor` is that of an open file, which stays open. `identity` represents all that a search must have in common
  // with the one that wrote the file.
  Archive(int descriptor, Mode mode, std::uint64_t identity);

  bool reading() const { return mode_ == kRead; }

  template <class T>
  void value(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    array(&value, 1);
  }
  template <class T>
  void array(T* values, std::size_t size) {
    static_assert(std::is_arithmetic_v<T>);
    if (size == 0) return;
    const auto done = mode_ == kWrite ? std::fwrite(values, sizeof(T), size, file_.get())
                                      : std::fread(values, sizeof(T), size, file_.get());
    if (done != size) fail();
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (std::size_t i = 0; i < size * sizeof(T); ++i) checksum_ = (checksum_ ^ bytes[i]) * 0x100000001b3u;  // FNV-1a
  }
  template <class T>
  void vector(std::vector<T>& values) {
    auto size = static_cast<std::uint64_t>(values.size());
    value(size);
    if (reading()) {
      if (size > size_ / sizeof(T)) throw std::runtime_error("it is damaged");
      values.resize(static_cast<std::size_t>(size));
    }
    array(values.data(), values.size());
  }
  // Writes or checks the checksum at the end of the file.
  void finish();

 private:
  static constexpr std::uint64_t kFormat = 0x7472656174791003u;

  [[noreturn]] void fail() const;  // says why the system cannot read or write
  // A number that must be the same when it is read.
  void expect(std::uint64_t number, const char* message) {
    auto found = number;
    value(found);
    if (found != number) throw std::runtime_error(message);
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  Mode mode_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;  // of the file being read: no array in it can be larger
  std::uint64_t checksum_ = 0xcbf29ce484222325u;
};

}  // namespace treaty::induce

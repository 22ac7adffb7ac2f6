#include "induce/archive.hpp"

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include <cerrno>
#include <system_error>

namespace treaty::induce {

Archive::Archive(int descriptor, Mode mode, std::uint64_t identity) : mode_(mode) {
  const int own = dup(descriptor);
  file_.reset(own < 0 ? nullptr : fdopen(own, mode == kWrite ? "wb" : "rb"));
  if (file_ == nullptr) fail();
  std::setvbuf(file_.get(), nullptr, _IOFBF, 1 << 20);
  if (mode == kRead && std::fseek(file_.get(), 0, SEEK_END) == 0) {
    size_ = static_cast<std::uint64_t>(std::ftell(file_.get()));
    std::rewind(file_.get());
  }
  expect(kFormat, "it is not a search, or of another version");
  expect(identity, "it is of another corpus or other settings");
}

void Archive::fail() const {
  if (file_ != nullptr && mode_ == kRead && std::feof(file_.get())) throw std::runtime_error("it is truncated");
  throw std::runtime_error(std::generic_category().message(errno));
}

void Archive::finish() {
  auto sum = checksum_;
  const auto expected = sum;
  value(sum);
  if (reading()) {
    if (sum != expected || std::fgetc(file_.get()) != EOF) throw std::runtime_error("it is damaged");
    return;
  }
  if (std::fclose(file_.release()) != 0) fail();
}

}  // namespace treaty::induce

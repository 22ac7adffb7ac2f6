#include "induce/archive.hpp"

#include <unistd.h>

namespace treaty::induce {

void Archive::finish() {
  auto sum = checksum_;
  const auto expected = sum;
  value(sum);
  if (reading()) {
    if (sum != expected || std::fgetc(file_.get()) != EOF) throw std::runtime_error("it is damaged");
    return;
  }
  const bool flushed = std::fflush(file_.get()) == 0 && fsync(fileno(file_.get())) == 0;
  const bool closed = std::fclose(file_.release()) == 0;
  if (!flushed || !closed) throw std::runtime_error("cannot write: is the disk full?");
}

}  // namespace treaty::induce

// The arguments of a factor that is to be added, and their checks. Messages are written for users of Python, of graph
// files and of this library alike.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace treaty::graph {

struct Arguments {
  const char* name;
  std::span<const std::int32_t> literals;
  std::span<const double> data;
  std::span<const std::int32_t> shape;
  double largest;  // size of a number

  [[noreturn]] void refuse(const std::string& why) const;
  void require_degree(std::size_t least) const;
  void require_length(const char* what, std::size_t got, std::size_t expected) const;
  void require_numbers() const;  // finite data
  void require_scores() const;   // data may also be -inf: forbidden
  void require_states() const;   // shape holds the cardinalities of variables, literals their states
  void require_few() const;      // few enough literals that no product of sizes overflows
};

}  // namespace treaty::graph

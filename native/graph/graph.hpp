// The factor graph: binary variables with scores, and factors that tie them.
//
// Everything lives in flat arrays in order of insertion, so that solvers, file writers and the Python
// side read the same memory. A literal is 2 * variable, plus 1 when it is negated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/oracle.hpp"

namespace treaty::graph {

// A number for each kind of factor: kind_of<Reward> and so on, by the list in graph/factors.hpp. The header of each
// kind documents its `data` (doubles) and `shape` (integers).
enum class Kind : std::uint8_t;

// Larger scores are rejected, so that no sum of them overflows.
inline constexpr double kLargestScore = 1e100;

// An invalid argument; the message is written for users.
struct GraphError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

struct FactorView {
  Kind kind;
  std::span<const std::int32_t> literals;
  std::span<const double> data;
  std::span<const std::int32_t> shape;
  const OracleFactory* custom;  // only of a Custom factor

  int degree() const { return static_cast<int>(literals.size()); }
};

class Graph {
 public:
  std::int32_t add_variables(std::span<const double> scores);    // returns the first
  std::int32_t add_categorical(std::span<const double> scores);  // likewise; one of them is on
  void set_score(std::int32_t variable, double score);
  void fix(std::int32_t variable, int value);  // 0 or 1; -1 frees it again

  // Adds a factor after checking its arguments; returns its index.
  std::int32_t add(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
                   std::span<const std::int32_t> shape);
  std::int32_t add_custom(std::span<const std::int32_t> literals, std::shared_ptr<OracleFactory> oracle);

  std::int32_t variables() const { return static_cast<std::int32_t>(score.size()); }
  std::int32_t factors() const { return static_cast<std::int32_t>(kind.size()); }
  FactorView factor(std::int32_t index) const;

  std::vector<double> score;
  std::vector<std::int8_t> evidence;  // -1 free, 0 off, 1 on
  std::vector<std::int32_t> categorical_first, categorical_size;

  std::vector<Kind> kind;
  std::vector<std::int64_t> literal_begin{0}, data_begin{0}, shape_begin{0};
  std::vector<std::int32_t> literals;
  std::vector<double> data;
  std::vector<std::int32_t> shape;
  std::vector<std::shared_ptr<OracleFactory>> oracles;
  std::uint64_t version = 0;  // grows with every change
};

}  // namespace treaty::graph

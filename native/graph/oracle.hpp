// The local oracle: a structured factor must only provide its best configuration (Martins, Almeida & Smith 2013,
// Assumption 1). The active-set method does the rest.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace treaty::graph {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A configuration of a factor: the slots that are on, ascending, and the factor's own score for it.
struct Configuration {
  std::vector<std::int32_t> on;
  double score = 0.0;  // without the slots' scores; -inf when the factor has no configuration at all
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  // Maximizes slot_score . y + score(y) over the factor's configurations y and writes a best one.
  // Ties are resolved by a rule that depends only on the input. No allocation once `best` has grown.
  virtual void maximize(std::span<const double> slot_score, Configuration& best) = 0;
  // The factor's own score of a configuration (slots ascending), -inf where it is not allowed.
  virtual double evaluate(std::span<const std::int32_t> on) = 0;
};

// Makes oracles: one per solver and thread, since an oracle owns scratch memory.
class OracleFactory {
 public:
  virtual ~OracleFactory() = default;
  virtual std::unique_ptr<Oracle> make(std::int32_t degree) const = 0;
};

}  // namespace treaty::graph

// From a relaxed point to an assignment that satisfies every factor.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "solve/dual/layout.hpp"
#include "solve/presolve/propagate.hpp"

namespace treaty::solve {

using graph::Configuration;

class Rounder {
 public:
  Rounder(const Graph& graph, Layout& layout);

  // Rounds u, most certain variables first, each fixing followed by propagation and taken back on a
  // contradiction; after a dead end, once more with the variable that caused it first. Returns the objective and leaves the assignment in values(); -inf if it came to a dead end.
  // `fixed` (-1 free) is respected.
  double round(std::span<const double> u, std::span<const std::int8_t> fixed);
  // Improves values() by local search: flips single variables (with their rivals in at-most-one rows) while that
  // gains more than `least`, then kicks small clusters out of place and descends again. The descent looks at no more
  // than `budget` slots, the kicks at `kicks`. Returns the new objective.
  double polish(double objective, std::span<const std::int8_t> fixed, double least, std::int64_t budget,
                std::int64_t kicks);
  const std::vector<std::int8_t>& values() const { return values_; }
  // Takes over an assignment; its objective.
  double adopt(std::span<const double> values);

 private:
  double objective_of_values();
  double value_of(std::int32_t f);
  bool find_flips(std::int32_t v, std::span<const std::int8_t> fixed);
  double gain_of_flips();
  void accept_flips();
  double descend(std::span<const std::int8_t> fixed, double least, std::int64_t& budget);
  double kick(std::span<const std::int8_t> fixed, std::int64_t& budget);
  void enqueue(std::int32_t v);
  void revert();
  void prefer_whole_structures();
  std::int32_t dive();

  const Graph& graph_;
  Layout& layout_;
  Propagator propagator_;
  bool consistent_;
  std::size_t root_ = 0;  // length of the trail before any decision
  std::vector<double> wish_;
  std::vector<std::int32_t> order_;
  std::vector<std::int8_t> values_;
  std::vector<std::int8_t> slots_;
  std::vector<double> scores_;
  std::vector<double> factor_value_;               // while polishing
  std::vector<std::int32_t> flips_, factors_hit_;  // of the move under trial
  std::vector<std::int64_t> last_hit_;
  std::vector<double> new_value_;
  std::int64_t moves_ = 0;
  std::vector<std::int32_t> queue_, journal_;  // variables to look at; flips since the last incumbent
  std::vector<std::uint8_t> queued_;
  std::minstd_rand random_;
  Configuration configuration_;
};

}  // namespace treaty::solve

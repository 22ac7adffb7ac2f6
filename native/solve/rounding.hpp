// From a relaxed point to an assignment that satisfies every factor.
#pragma once

#include <span>
#include <vector>

#include "solve/layout.hpp"
#include "solve/propagate.hpp"

namespace treaty {

class Rounder {
 public:
  Rounder(const Graph& graph, Layout& layout);

  // Rounds u, most certain variables first, each fixing followed by propagation and taken back on a
  // contradiction. Returns the objective and leaves the assignment in values(); -inf if it came to a dead end.
  // `fixed` (-1 free) is respected.
  double round(std::span<const double> u, std::span<const std::int8_t> fixed);
  const std::vector<std::int8_t>& values() const { return values_; }

 private:
  double objective_of_values();
  void prefer_whole_structures();
  bool dive();

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
  Configuration configuration_;
};

}  // namespace treaty

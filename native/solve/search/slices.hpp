// Potentials of a pattern problem, and its cutting into slices that bucket elimination can afford.
#pragma once

#include <vector>

#include "solve/search/bucket_forest.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

// Tables over all sets of vertices that patterns or edges of the problem score, one for each set, and an empty one for
// vertices that nothing scores but their own labels. Throws GraphError when one needs more than `table_cells` cells.
std::vector<Potential> potentials_of(const PatternProblem& problem, std::size_t table_cells);

struct Slices {
  std::vector<std::vector<Part>> parts;
  std::size_t table_cells;
  bool affordable;  // every slice can be solved exactly
};
// Slices of breadth-first layers, as thick as tables of `table_cells` cells allow; of fewer where all tables together
// would not fit into the memory.
Slices slices_of(std::span<const std::int32_t> labels, std::span<const Potential> potentials, std::size_t table_cells);
// Whether slices_of would find some that can all be solved exactly; sooner told than done.
bool are_slices_affordable(std::span<const std::int32_t> labels, std::span<const Potential> potentials,
                           std::size_t table_cells);

}  // namespace treaty::solve

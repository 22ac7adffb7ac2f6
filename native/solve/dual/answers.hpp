// The search for labelings (solve/search/primal_search.hpp) in the service of solvers of prepared graphs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solve/patterns/pattern_problem.hpp"
#include "solve/presolve/prepare.hpp"
#include "solve/search/primal_search.hpp"

namespace treaty::solve {

class Answers {
 public:
  // Both must outlive it. The pattern problem is read when it is first needed.
  Answers(const Graph& source, const Prepared& prepared) : source_(source), prepared_(prepared) {}

  // Searches from an assignment of the prepared graph (or from anywhere, if it is empty) for about `budget` states
  // looked at. Returns a better assignment if it finds one; nothing if the graph is no pattern problem.
  std::vector<double> better(std::span<const double> values, std::int64_t budget,
                             const std::function<bool()>& keep_going);

 private:
  bool open();

  const Graph& source_;
  const Prepared& prepared_;
  bool opened_ = false;
  std::unique_ptr<PatternGraph> pattern_;
  std::unique_ptr<PrimalSearch> search_;
};

}  // namespace treaty::solve

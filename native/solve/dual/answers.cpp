#include "solve/dual/answers.hpp"

namespace treaty::solve {

bool Answers::open() {
  constexpr std::size_t kMostCells = std::size_t{1} << 24;  // they are copied twice
  if (opened_) return search_ != nullptr;
  opened_ = true;
  try {
    pattern_ = std::make_unique<PatternGraph>(source_);
  } catch (const GraphError&) {
    return false;
  }
  const auto& problem = pattern_->problem;
  if (problem.cells.size() > kMostCells || problem.pattern_states.size() > kMostCells) return false;
  search_ = std::make_unique<PrimalSearch>(problem);
  return true;
}

std::vector<double> Answers::better(std::span<const double> values, std::int64_t budget,
                                    const std::function<bool()>& keep_going) {
  if (!open()) return {};
  double given = -kInfinity;
  if (!values.empty()) {
    const auto label = pattern_->labels(prepared_.expand(values));
    given = pattern_->problem.score(label);
    if (given > search_->objective() || search_->objective() == -kInfinity) search_->offer(label);
  }
  search_->run(budget, keep_going);
  if (search_->objective() <= given) return {};
  return prepared_.reduce(pattern_->values(search_->best()));
}

}  // namespace treaty::solve

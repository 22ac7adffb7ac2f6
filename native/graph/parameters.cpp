#include "graph/parameters.hpp"

#include <cmath>

#include "graph/factors.hpp"

namespace treaty::graph {

Parameters::Parameters(const Graph& graph) : variables_(graph.score.size()) {
  begin_.reserve(graph.kind.size() + 1);
  begin_.push_back(static_cast<std::int64_t>(variables_));
  for (std::size_t f = 0; f < graph.kind.size(); ++f) {
    visit(graph.kind[f], [&](auto factor) {
      for (auto i = graph.data_begin[f]; factor.data_are_scores && i < graph.data_begin[f + 1]; ++i) {
        datum_.push_back(i);
        may_forbid_.push_back(factor.may_forbid);
      }
    });
    begin_.push_back(static_cast<std::int64_t>(size()));
  }
}

std::vector<double> Parameters::read(const Graph& graph) const {
  auto all = graph.score;
  all.reserve(size());
  for (auto i : datum_) all.push_back(graph.data[static_cast<std::size_t>(i)]);
  return all;
}

std::int64_t Parameters::first_invalid(std::span<const double> scores) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::abs(scores[i]) <= kLargestScore) continue;
    const bool forbids = scores[i] == -kInfinity && i >= variables_ && may_forbid_[i - variables_];
    if (!forbids) return static_cast<std::int64_t>(i);
  }
  return -1;
}

void Parameters::write(std::span<const double> scores, Graph& graph) const {
  std::copy_n(scores.begin(), variables_, graph.score.begin());
  for (std::size_t i = variables_; i < scores.size(); ++i)
    graph.data[static_cast<std::size_t>(datum_[i - variables_])] = scores[i];
  ++graph.version;
}

}  // namespace treaty::graph

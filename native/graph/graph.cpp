#include "graph/graph.hpp"

#include <cmath>

#include "graph/factor.hpp"
#include "graph/factors.hpp"

namespace treaty::graph {

namespace {
void require_finite(std::span<const double> scores) {
  for (double s : scores)
    if (!(std::abs(s) <= kLargestScore))
      throw GraphError("a variable's score must be a finite number of at most 1e100 in size");
}
}  // namespace

std::int32_t Graph::add_variables(std::span<const double> scores) {
  require_finite(scores);
  if (score.size() + scores.size() > (1u << 30)) throw GraphError("a graph holds at most 2^30 variables");
  const auto first = variables();
  score.insert(score.end(), scores.begin(), scores.end());
  evidence.resize(score.size(), -1);
  ++version;
  return first;
}

std::int32_t Graph::add_categorical(std::span<const double> scores) {
  if (scores.empty()) throw GraphError("a categorical variable needs at least one state");
  const auto first = add_variables(scores);
  categorical_first.push_back(first);
  categorical_size.push_back(static_cast<std::int32_t>(scores.size()));
  return first;
}

void Graph::set_score(std::int32_t variable, double value) {
  if (variable < 0 || variable >= variables()) throw GraphError("no such variable");
  require_finite({&value, 1});
  score[static_cast<std::size_t>(variable)] = value;
  ++version;
}

void Graph::fix(std::int32_t variable, int value) {
  if (variable < 0 || variable >= variables()) throw GraphError("no such variable");
  if (value < -1 || value > 1) throw GraphError("evidence is on, off or free");
  evidence[static_cast<std::size_t>(variable)] = static_cast<std::int8_t>(value);
  ++version;
}

std::int32_t Graph::add(Kind new_kind, std::span<const std::int32_t> new_literals,
                        std::span<const double> new_data, std::span<const std::int32_t> new_shape) {
  validate(new_kind, new_literals, new_data, new_shape, variables());
  kind.push_back(new_kind);
  literals.insert(literals.end(), new_literals.begin(), new_literals.end());
  data.insert(data.end(), new_data.begin(), new_data.end());
  shape.insert(shape.end(), new_shape.begin(), new_shape.end());
  literal_begin.push_back(static_cast<std::int64_t>(literals.size()));
  data_begin.push_back(static_cast<std::int64_t>(data.size()));
  shape_begin.push_back(static_cast<std::int64_t>(shape.size()));
  ++version;
  return factors() - 1;
}

std::int32_t Graph::add_custom(std::span<const std::int32_t> new_literals,
                               std::shared_ptr<OracleFactory> oracle) {
  const std::int32_t index = static_cast<std::int32_t>(oracles.size());
  const auto factor = add(kind_of<Custom>, new_literals, {}, {&index, 1});
  oracles.push_back(std::move(oracle));
  return factor;
}

FactorView Graph::factor(std::int32_t index) const {
  const auto f = static_cast<std::size_t>(index);
  auto part = [f](const auto& values, const std::vector<std::int64_t>& begin) {
    return std::span(values).subspan(static_cast<std::size_t>(begin[f]),
                                     static_cast<std::size_t>(begin[f + 1] - begin[f]));
  };
  FactorView view{kind[f], part(literals, literal_begin), part(data, data_begin),
                  part(shape, shape_begin), nullptr};
  if (view.kind == kind_of<Custom>) view.custom = oracles[static_cast<std::size_t>(view.shape[0])].get();
  return view;
}

}  // namespace treaty::graph

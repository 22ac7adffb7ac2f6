#include <algorithm>
#include <numeric>

#include "diff/smoother.hpp"
#include "graph/factor.hpp"
#include "graph/factors.hpp"

namespace treaty::diff {
namespace {

using namespace treaty::graph;

// Makes an oracle of a closed form.
class ClosedFormOracle final : public Oracle {
 public:
  explicit ClosedFormOracle(const FactorView& factor) : factor_(factor), y_(factor.literals.size()) {}
  void maximize(std::span<const double> slot_score, Configuration& best) override {
    best.on.clear();
    if (graph::maximize(factor_, slot_score, y_, workspace_) == -kInfinity) {
      best.score = -kInfinity;
      return;
    }
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (y_[i] > 0.5) best.on.push_back(static_cast<std::int32_t>(i));
    best.score = evaluate(best.on);
  }
  double evaluate(std::span<const std::int32_t> on) override {
    bits_.assign(y_.size(), 0);
    for (auto slot : on) bits_[static_cast<std::size_t>(slot)] = 1;
    return graph::evaluate(factor_, bits_);
  }

 private:
  FactorView factor_;
  std::vector<double> y_;
  std::vector<std::int8_t> bits_;
  Workspace workspace_;
};

}  // namespace

Mixture mix(const FactorView& factor, std::span<const double> scores, double strength) {
  const auto n = scores.size();
  const auto oracle = is_structured(factor.kind) ? make_oracle(factor) : std::make_unique<ClosedFormOracle>(factor);
  std::vector<double> a(n), z(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = scores[i] / strength;
  ActiveSet active;
  ActiveSetWorkspace workspace;
  Mixture mixture;
  if (!active.project(a, 1.0 / strength, *oracle, z, workspace)) return mixture;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < active.size(); ++k)
    if (active.weight(k) > 0.0) order.push_back(k);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return active.weight(k); });
  for (auto k : order) {
    const auto begin = mixture.configurations.size();
    mixture.configurations.resize(begin + n, 0);
    for (auto slot : active.on(k)) mixture.configurations[begin + static_cast<std::size_t>(slot)] = 1;
    mixture.weights.push_back(active.weight(k));
  }
  return mixture;
}

Graph alone(const Graph& graph, std::int32_t factor) {
  const auto view = graph.factor(factor);
  Graph twin;
  twin.add_variables(std::vector<double>(view.literals.size(), 0.0));
  std::vector<std::int32_t> literals(view.literals.size());
  for (std::size_t i = 0; i < literals.size(); ++i) literals[i] = 2 * static_cast<std::int32_t>(i);
  if (view.kind == kind_of<Custom>) twin.add_custom(literals, graph.oracles[static_cast<std::size_t>(view.shape[0])]);
  else twin.add(view.kind, literals, view.data, view.shape);
  return twin;
}

}  // namespace treaty::diff

#include "graph/factor.hpp"

#include <algorithm>
#include <string>

#include "graph/active_set.hpp"
#include "graph/factors.hpp"

namespace treaty::graph {
namespace {

double maximize_by(Oracle& oracle, std::span<const double> slot_score, std::span<double> y) {
  Configuration best;
  oracle.maximize(slot_score, best);
  std::ranges::fill(y, 0.0);
  double value = best.score;
  for (auto slot : best.on) {
    y[slot] = 1.0;
    value += slot_score[slot];
  }
  return value;
}

bool project_by(Oracle& oracle, std::span<double> z, double step) {
  ActiveSet active;
  ActiveSetWorkspace workspace;
  const std::vector<double> a(z.begin(), z.end());
  return active.project(a, step, oracle, z, workspace);
}

double evaluate_by(Oracle& oracle, std::span<const std::int8_t> y) {
  std::vector<std::int32_t> on;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] != 0) on.push_back(static_cast<std::int32_t>(i));
  return oracle.evaluate(on);
}

}  // namespace

const char* name_of(Kind kind) {
  return visit(kind, [](auto factor) { return factor.name; });
}

bool is_structured(Kind kind) {
  return visit(kind, [](auto factor) { return factor.structured; });
}

void validate(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
              std::span<const std::int32_t> shape, std::int32_t variables, double largest) {
  visit(kind, [&](auto factor) {
    const Arguments arguments{factor.name, literals, data, shape, largest};
    for (auto literal : literals)
      if (literal < 0 || (literal >> 1) >= variables) arguments.refuse("a literal names no variable of this graph");
    factor.check(arguments);
  });
}

double maximize(const FactorView& view, std::span<const double> slot_score, std::span<double> y,
                Workspace& workspace) {
  return visit(view.kind, [&](auto factor) {
    if constexpr (factor.structured) return maximize_by(*factor.oracle(view), slot_score, y);
    else
      return factor.maximize(view, slot_score.data(), view.degree(), y.data(), workspace.reserve(4 * y.size()));
  });
}

bool project(const FactorView& view, std::span<double> z, double step, Workspace& workspace) {
  return visit(view.kind, [&](auto factor) {
    if constexpr (factor.structured) return project_by(*factor.oracle(view), z, step);
    else return factor.project(view, z.data(), view.degree(), 1.0 / step, workspace.reserve(4 * z.size()));
  });
}

double evaluate(const FactorView& view, std::span<const std::int8_t> y) {
  return visit(view.kind, [&](auto factor) {
    if constexpr (factor.structured) return evaluate_by(*factor.oracle(view), y);
    else return factor.evaluate(view, y);
  });
}

std::unique_ptr<Oracle> make_oracle(const FactorView& view) {
  return visit(view.kind, [&](auto factor) -> std::unique_ptr<Oracle> {
    if constexpr (factor.structured) return factor.oracle(view);
    else throw GraphError(std::string(factor.name) + ": has a closed form and no oracle");
  });
}

}  // namespace treaty::graph

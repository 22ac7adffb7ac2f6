// How often each parameter counts in the score of an assignment, and in the objective of a smooth answer.
#include <algorithm>

#include "diff/smoother.hpp"
#include "graph/factor.hpp"
#include "graph/factors.hpp"

namespace treaty::diff {
namespace {

using namespace treaty::graph;

double value_of(std::int32_t literal, std::span<const double> values) {
  const double value = values[static_cast<std::size_t>(literal >> 1)];
  return literal & 1 ? 1.0 - value : value;
}

}  // namespace

Counted count(const Graph& graph, const Parameters& parameters, std::span<const std::int8_t> y, std::span<double> counts) {
  std::ranges::fill(counts, 0.0);
  for (std::size_t v = 0; v < y.size(); ++v) counts[v] = y[v];
  std::vector<std::int8_t> slots;
  std::vector<std::int32_t> on;
  Counted counted;
  for (std::int32_t f = 0; f < graph.factors(); ++f) {
    const auto view = graph.factor(f);
    slots.clear(), on.clear();
    for (auto literal : view.literals) {
      slots.push_back(static_cast<std::int8_t>(y[static_cast<std::size_t>(literal >> 1)] ^ (literal & 1)));
      if (slots.back()) on.push_back(static_cast<std::int32_t>(slots.size()) - 1);
    }
    const double own = graph::evaluate(view, slots);
    if (own == -kInfinity) {
      if (counted.refused < 0) counted.refused = f;
      continue;
    }
    if (view.kind == kind_of<Custom>) counted.hidden += own;
    const auto first = static_cast<std::size_t>(parameters.begin()[static_cast<std::size_t>(f)]);
    visit(view.kind, [&](auto factor) {
      if constexpr (factor.structured) factor.use(view, on, [&](std::size_t i) { counts[first + i] += 1.0; });
      else if (view.kind == kind_of<Reward>) counts[first] = std::ssize(on) == view.degree() ? 1.0 : 0.0;
    });
  }
  return counted;
}

void Smoother::expect(const Faces& faces, std::span<const double> scores, std::span<const double> values,
                      std::span<double> counts) const {
  std::ranges::fill(counts, 0.0);
  std::ranges::copy(values, counts.begin());
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    const auto origin = static_cast<std::size_t>(layout_.index[f]);
    const auto first = static_cast<std::size_t>(parameters_.begin()[origin]);
    if (parameters_.begin()[origin + 1] == parameters_.begin()[origin]) continue;
    const auto& view = layout_.view[f];
    if (view.kind == kind_of<Reward>) {
      double least = 1.0, off = 0.0;
      for (auto literal : view.literals) {
        least = std::min(least, value_of(literal, values));
        off += 1.0 - value_of(literal, values);
      }
      const double own = first < scores.size() ? scores[first] : view.data[0];
      counts[first] = own > 0.0 ? least : std::max(0.0, 1.0 - off);
      continue;
    }
    visit(view.kind, [&](auto factor) {
      if constexpr (factor.structured)
        for (std::size_t k = 0; k < faces.active[f].size(); ++k)
          factor.use(view, faces.active[f].on(k), [&](std::size_t i) { counts[first + i] += faces.active[f].weight(k); });
    });
  }
}

}  // namespace treaty::diff

#include "solve/layout.hpp"

#include <algorithm>
#include <numeric>

namespace treaty::solve {

Layout::Layout(const Graph& graph) {
  const auto n = graph.factors();
  index.resize(n);
  std::iota(index.begin(), index.end(), 0);
  std::ranges::stable_sort(index, {}, [&](std::int32_t f) { return graph.kind[f]; });

  number_slots(graph);
  view.reserve(n);
  oracle.resize(n);
  factor_begin.assign(1, 0);
  auto next = slot_begin;
  for (std::int32_t f = 0; f < n; ++f) {
    const auto& factor = view.emplace_back(graph.factor(index[f]));
    if (groups.empty() || groups.back().kind != factor.kind) groups.push_back({factor.kind, f, f});
    groups.back().last = f + 1;
    if (is_structured(factor.kind)) oracle[f] = make_oracle(factor);
    for (auto literal : factor.literals) {
      const auto slot = next[literal >> 1]++;
      factor_slots.push_back(slot);
      factor_negated.push_back(literal & 1);
      slot_factor[slot] = f;
    }
    factor_begin.push_back(static_cast<std::int32_t>(factor_slots.size()));
  }
}

void Layout::number_slots(const Graph& graph) {
  slot_count.assign(graph.variables(), 0);
  for (auto literal : graph.literals) ++slot_count[literal >> 1];
  by_degree.resize(graph.variables());
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::ranges::stable_sort(by_degree, {}, [&](std::int32_t v) { return slot_count[v]; });

  slot_begin.resize(graph.variables());
  slot_variable.reserve(graph.literals.size());
  slot_factor.resize(graph.literals.size());
  for (std::int32_t k = 0; k < graph.variables(); ++k) {
    const auto v = by_degree[k];
    slot_begin[v] = slots();
    if (slot_count[v] == 0) continue;
    if (classes.empty() || classes.back().degree != slot_count[v]) classes.push_back({slot_count[v], k, k, slots()});
    classes.back().last = k + 1;
    slot_variable.insert(slot_variable.end(), slot_count[v], v);
  }
}

}  // namespace treaty::solve

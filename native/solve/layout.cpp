#include "solve/layout.hpp"

#include <algorithm>
#include <numeric>

namespace treaty {

Layout::Layout(const Graph& graph) {
  const auto n = graph.factors();
  index.resize(n);
  std::iota(index.begin(), index.end(), 0);
  std::ranges::stable_sort(index, {}, [&](std::int32_t f) { return graph.kind[f]; });

  slot_begin.assign(graph.variables() + 1, 0);
  for (auto literal : graph.literals) ++slot_begin[(literal >> 1) + 1];
  std::partial_sum(slot_begin.begin(), slot_begin.end(), slot_begin.begin());

  view.reserve(n);
  oracle.resize(n);
  factor_begin.assign(1, 0);
  factor_slots.resize(graph.literals.size());
  slot_variable.resize(graph.literals.size());
  slot_factor.resize(graph.literals.size());
  slot_negated.resize(graph.literals.size());
  auto next = slot_begin;
  for (std::int32_t f = 0; f < n; ++f) {
    const auto& factor = view.emplace_back(graph.factor(index[f]));
    if (groups.empty() || groups.back().kind != factor.kind) groups.push_back({factor.kind, f, f});
    groups.back().last = f + 1;
    if (is_structured(factor.kind)) oracle[f] = make_oracle(factor);
    auto position = factor_begin.back();
    for (auto literal : factor.literals) {
      const auto slot = next[literal >> 1]++;
      factor_slots[position++] = slot;
      slot_variable[slot] = literal >> 1;
      slot_negated[slot] = literal & 1;
      slot_factor[slot] = f;
    }
    factor_begin.push_back(position);
  }
}

}  // namespace treaty

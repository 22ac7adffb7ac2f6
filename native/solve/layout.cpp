#include "solve/layout.hpp"

#include <algorithm>
#include <numeric>

namespace treaty {

Layout::Layout(const Graph& graph) {
  const auto n = graph.factors();
  index.resize(n);
  std::iota(index.begin(), index.end(), 0);
  std::ranges::stable_sort(index, {}, [&](std::int32_t f) { return graph.kind[f]; });

  view.reserve(n);
  oracle.resize(n);
  slot_begin.assign(1, 0);
  variable_begin.assign(graph.variables() + 1, 0);
  for (std::int32_t f = 0; f < n; ++f) {
    const auto& factor = view.emplace_back(graph.factor(index[f]));
    if (groups.empty() || groups.back().kind != factor.kind) groups.push_back({factor.kind, f, f});
    groups.back().last = f + 1;
    if (is_structured(factor.kind)) oracle[f] = make_oracle(factor);
    for (auto literal : factor.literals) {
      slot_variable.push_back(literal >> 1);
      slot_negated.push_back(literal & 1);
      slot_factor.push_back(f);
      ++variable_begin[(literal >> 1) + 1];
    }
    slot_begin.push_back(static_cast<std::int32_t>(slot_variable.size()));
  }
  std::partial_sum(variable_begin.begin(), variable_begin.end(), variable_begin.begin());
  variable_slots.resize(slot_variable.size());
  auto next = variable_begin;
  for (std::int32_t s = 0; s < slots(); ++s) variable_slots[next[slot_variable[s]]++] = s;
}

}  // namespace treaty

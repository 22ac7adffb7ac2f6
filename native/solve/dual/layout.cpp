#include "solve/dual/layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "graph/factors.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

namespace {

constexpr auto kKinds = static_cast<std::size_t>(graph::Factors::size);

// Oracles are kept for the structured kinds only, behind all closed forms.
constexpr bool structured_kinds_come_last() {
  return []<class... Factor>(graph::FactorList<Factor...>) {
    bool seen = false, last = true;
    ((last = last && (Factor::structured || !seen), seen = seen || Factor::structured), ...);
    return last;
  }(graph::Factors{});
}
static_assert(structured_kinds_come_last());

}  // namespace

Layout::Layout(const Graph& graph) {
  const auto n = graph.factors();
  std::array<std::int32_t, kKinds + 1> next_of_kind{};
  for (auto kind : graph.kind) ++next_of_kind[static_cast<std::size_t>(kind) + 1];
  for (std::size_t k = 0; k < kKinds; ++k) next_of_kind[k + 1] += next_of_kind[k];
  index.resize(n);
  poll(n);
  for (std::int32_t f = 0; f < n; ++f) {
    index[next_of_kind[static_cast<std::size_t>(graph.kind[f])]++] = f;
  }

  number_slots(graph);
  view.reserve(n);
  factor_begin.reserve(static_cast<std::size_t>(n) + 1);
  factor_begin.assign(1, 0);
  factor_slots.reserve(graph.literals.size());
  factor_negated.reserve(graph.literals.size());
  oracle.first = n;
  auto next = slot_begin;
  for (std::int32_t f = 0; f < n; ++f) {
    const auto& factor = view.emplace_back(graph.factor(index[f]));
    poll(16 + 4 * factor.degree());
    if (groups.empty() || groups.back().kind != factor.kind) groups.push_back({factor.kind, f, f});
    groups.back().last = f + 1;
    if (is_structured(factor.kind)) {
      oracle.first = std::min(oracle.first, f);
      oracle.all.push_back(make_oracle(factor));
      poll(static_cast<std::int64_t>(factor.data.size()));
    }
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
    poll(8);
    const auto v = by_degree[k];
    slot_begin[v] = slots();
    if (slot_count[v] == 0) continue;
    if (classes.empty() || classes.back().degree != slot_count[v]) classes.push_back({slot_count[v], k, k, slots()});
    classes.back().last = k + 1;
    slot_variable.insert(slot_variable.end(), slot_count[v], v);
  }
}

}  // namespace treaty::solve

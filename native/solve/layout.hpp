// The factors of a graph laid out for the inner loops of a solver: sorted by kind, so that a thousand XORs are
// one tight loop, with one slot for each literal of each factor and a list of slots for each variable.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/factor.hpp"

namespace treaty {

struct Layout {
  explicit Layout(const Graph& graph);

  struct Group {  // a run of factors of one kind
    Kind kind;
    std::int32_t first, last;
  };

  std::int32_t factors() const { return static_cast<std::int32_t>(view.size()); }
  std::int32_t variables() const { return static_cast<std::int32_t>(variable_begin.size()) - 1; }
  std::int32_t slots() const { return slot_begin.back(); }
  std::int32_t degree(std::int32_t f) const { return slot_begin[f + 1] - slot_begin[f]; }

  std::vector<std::int32_t> index;  // sorted order -> the graph's order
  std::vector<FactorView> view;     // factors in sorted order
  std::vector<Group> groups;
  std::vector<std::int32_t> slot_begin;  // factor -> slots
  std::vector<std::int32_t> slot_variable, slot_factor;
  std::vector<std::uint8_t> slot_negated;
  std::vector<std::int32_t> variable_begin, variable_slots;  // variable -> slots
  std::vector<std::unique_ptr<Oracle>> oracle;               // by factor, for structured ones
};

}  // namespace treaty

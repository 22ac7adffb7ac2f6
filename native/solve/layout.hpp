// The factors of a graph laid out for the inner loops of a solver: sorted by kind, so that a thousand XORs are
// one tight loop. There is one slot for each literal of each factor; slots are numbered variable by variable, so
// that the update of consensus and prices streams through memory, and factors gather theirs by number.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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
  std::int32_t variables() const { return static_cast<std::int32_t>(slot_begin.size()) - 1; }
  std::int32_t slots() const { return slot_begin.back(); }
  std::int32_t degree(std::int32_t f) const { return view[f].degree(); }
  std::span<const std::int32_t> slots_of(std::int32_t f) const {
    return {&factor_slots[factor_begin[f]], view[f].literals.size()};
  }

  std::vector<std::int32_t> index;  // sorted order -> the graph's order
  std::vector<FactorView> view;     // factors in sorted order
  std::vector<Group> groups;
  std::vector<std::int32_t> factor_begin, factor_slots;  // factor -> slots, in the order of its literals
  std::vector<std::int32_t> slot_begin;                  // variable -> first slot; ends with the number of slots
  std::vector<std::int32_t> slot_variable, slot_factor;
  std::vector<std::uint8_t> slot_negated;
  std::vector<std::unique_ptr<Oracle>> oracle;  // by factor, for structured ones
};

}  // namespace treaty

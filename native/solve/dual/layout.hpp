// The factors of a graph laid out for the inner loops of a solver.
//
// There is one slot for each literal of each factor. Factors are sorted by kind, so that a thousand XORs are one
// tight loop, and gather their slots by number. Slots are numbered variable by variable and variables sorted by
// degree, so that the update of consensus and prices streams through memory in loops of constant length. What
// slots hold is in the variable's terms; a factor turns it into its literal's as it gathers it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/factor.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::FactorView, graph::Graph, graph::Kind, graph::Oracle;

struct Layout {
  explicit Layout(const Graph& graph);

  struct Group {  // a run of factors of one kind
    Kind kind;
    std::int32_t first, last;
  };
  struct Class {  // a run of variables of one degree, and the first of their slots
    std::int32_t degree;
    std::int32_t first, last;
    std::int32_t slot;
  };
  struct Range {
    std::int32_t begin, end;
  };

  std::int32_t factors() const { return static_cast<std::int32_t>(view.size()); }
  std::int32_t variables() const { return static_cast<std::int32_t>(slot_begin.size()); }
  std::int32_t slots() const { return static_cast<std::int32_t>(slot_variable.size()); }
  std::int32_t degree(std::int32_t f) const { return view[f].degree(); }
  Range slots_of_variable(std::int32_t v) const { return {slot_begin[v], slot_begin[v] + slot_count[v]}; }
  std::span<const std::int32_t> slots_of(std::int32_t f) const {
    return {factor_slots.data() + factor_begin[f], view[f].literals.size()};
  }

  // Visits factors in blocks, visit(first, last), and polls before each: a poll in an inner loop would cost it some percents.
  template <class Visit>
  void for_each_block(std::int32_t first, std::int32_t last, Visit visit) const {
    constexpr std::int32_t kFactors = 64, kSlots = 1 << 12, kStructured = 1 << 10;
    while (first < last) {
      auto end = std::min(last, first + kFactors);
      if (factor_begin[end] - factor_begin[first] > kSlots) end = first + 1;
      graph::poll(2 * (end - first) + 4 * (factor_begin[end] - factor_begin[first]) + (end > oracle.first ? kStructured : 0));
      visit(first, end);
      first = end;
    }
  }

  // From values by slot to those of a factor's literals, and back; prices change sign only.
  void gather(std::int32_t f, const std::vector<double>& by_slot, double* to) const {
    for (auto p = factor_begin[f]; p < factor_begin[f + 1]; ++p)
      *to++ = flip(p, by_slot[factor_slots[p]]);
  }
  void scatter(std::int32_t f, const double* from, std::vector<double>& by_slot) const {
    for (auto p = factor_begin[f]; p < factor_begin[f + 1]; ++p) by_slot[factor_slots[p]] = flip(p, *from++);
  }
  void gather_prices(std::int32_t f, const std::vector<double>& by_slot, double* to) const {
    for (auto p = factor_begin[f]; p < factor_begin[f + 1]; ++p) {
      const double price = by_slot[factor_slots[p]];
      *to++ = factor_negated[p] ? -price : price;
    }
  }

  std::vector<std::int32_t> index;  // sorted order of factors -> the graph's order
  std::vector<FactorView> view;     // factors in sorted order
  std::vector<Group> groups;
  std::vector<std::int32_t> factor_begin;  // factor -> positions in the next two
  std::vector<std::int32_t> factor_slots;  // in the order of the factor's literals
  std::vector<std::uint8_t> factor_negated;
  // Of structured factors, which come last, by factor; null for closed forms.
  struct Oracles {
    Oracle* operator[](std::int32_t f) const { return f < first ? nullptr : all[f - first].get(); }
    void renew(std::int32_t f, const FactorView& factor) { all[f - first] = make_oracle(factor); }
    std::int32_t first = 0;
    std::vector<std::unique_ptr<Oracle>> all;
  } oracle;

  std::vector<std::int32_t> by_degree;  // variables
  std::vector<Class> classes;           // of by_degree; variables in no factor are in none
  std::vector<std::int32_t> slot_begin, slot_count;  // by variable
  std::vector<std::int32_t> slot_variable, slot_factor;

 private:
  void number_slots(const Graph& graph);
  double flip(std::int32_t position, double value) const {
    const double negated = factor_negated[position];
    return negated + (1.0 - 2.0 * negated) * value;
  }
};

}  // namespace treaty::solve

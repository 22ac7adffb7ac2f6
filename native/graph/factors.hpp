// The list of all kinds of factors; no other file of native/ lists them.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "graph/arborescence.hpp"
#include "graph/budget.hpp"
#include "graph/compression_tree.hpp"
#include "graph/custom.hpp"
#include "graph/general_tree.hpp"
#include "graph/head_automaton.hpp"
#include "graph/knapsack.hpp"
#include "graph/logic.hpp"
#include "graph/reward.hpp"
#include "graph/sequence.hpp"
#include "graph/sequence_budget.hpp"
#include "graph/table.hpp"
#include "graph/tri_sibling_automaton.hpp"

namespace treaty::graph {

template <class... Factor>
struct FactorList {
  static constexpr int size = sizeof...(Factor);
};

// The order of the list numbers the kinds; solvers process the factors of a graph in this order.
using Factors =
    FactorList<ExactlyOne, AtMostOne, AtLeastOne, XorWithOutput, OrWithOutput, AndWithOutput, Reward, AtMost, Exactly,
               Knapsack, Table, Sequence, CompressionTree, Arborescence, HeadAutomaton, TriSiblingAutomaton, SequenceBudget,
               GeneralTree, GeneralTreeCounts, Custom>;

template <class Wanted, class... Factor>
consteval Kind number_among(FactorList<Factor...>) {
  int number = 0;
  static_cast<void>(((std::is_same_v<Wanted, Factor> || (++number, false)) || ...));
  return static_cast<Kind>(number);
}
template <class Factor>
inline constexpr Kind kind_of = number_among<Factor>(Factors{});

// The only dispatch on kinds: returns visit(Factor{}) for the factor of that kind. Solvers visit a whole group of
// factors of one kind at a time, so that their inner loops are compiled for each kind.
template <class Visit>
decltype(auto) visit(Kind kind, Visit&& visitor) {
  return [&]<class First, class... Rest>(FactorList<First, Rest...>) -> decltype(auto) {
    using Result = std::invoke_result_t<Visit&, First>;
    static constexpr Result (*calls[])(Visit&) = {[](Visit& call) -> Result { return call(First{}); },
                                                  [](Visit& call) -> Result { return call(Rest{}); }...};
    return calls[static_cast<std::size_t>(kind)](visitor);
  }(Factors{});
}

// Solvers access all structured factors through their oracles.
template <class Factor>
using Solved = std::conditional_t<Factor::structured, Structured, Factor>;

}  // namespace treaty::graph

// Categorical variables on a tree with a table of scores for each edge, as the files of AD3 have them; with counts, one
// literal more for each number of nodes that may be in their first state.
//
// shape = {states of each node..., parent of each node (-1 for node 0, the root)...}; literals = states in order, then
// with counts those of 0, 1, ..., n first states; data = for each node but the root a table, a row per state of its
// parent.
#pragma once

#include "graph/counting_tree.hpp"

namespace treaty::graph {

inline TreeShape tree_shape(std::span<const std::int32_t> shape) {
  return {shape.first(shape.size() / 2), shape.last(shape.size() / 2)};
}

template <bool kCounts>
class GeneralTreeOracle final : public Oracle {
 public:
  explicit GeneralTreeOracle(const FactorView& factor)
      : tree_(tree_shape(factor.shape), tables_of(factor),
              kCounts ? static_cast<std::int32_t>(factor.shape.size() / 2) : -1) {}

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    const auto reached = tree_.reach(slot_score);
    double top = -kInfinity;
    std::size_t count = 0;
    for (std::size_t c = 0; c < reached.size(); ++c) {
      const double value = reached[c] + (kCounts ? slot_score[tree_.slots() + c] : 0.0);
      if (value > top) top = value, count = c;
    }
    if (top == -kInfinity) return set_infeasible(best);
    const auto label = tree_.labels(count);
    best.on.resize(tree_.nodes());
    for (std::size_t i = 0; i < tree_.nodes(); ++i)
      best.on[i] = static_cast<std::int32_t>(tree_.first_slot(i)) + label[i];
    if (kCounts) best.on.push_back(static_cast<std::int32_t>(tree_.slots() + count));
    best.score = evaluate(best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    std::size_t count = 0;
    if (!kCounts) return tree_.score(on, count);
    if (on.empty()) return -kInfinity;
    const double score = tree_.score(on.first(on.size() - 1), count);
    return static_cast<std::size_t>(on.back()) == tree_.slots() + count ? score : -kInfinity;
  }

 private:
  static std::vector<const double*> tables_of(const FactorView& factor) {
    const auto shape = tree_shape(factor.shape);
    std::vector<const double*> tables(shape.nodes(), nullptr);
    std::size_t cell = 0;
    for (std::size_t i = 1; i < shape.nodes(); ++i) {
      tables[i] = factor.data.data() + cell;
      cell += static_cast<std::size_t>(shape.states[i]) * static_cast<std::size_t>(shape.states[shape.parents[i]]);
    }
    return tables;
  }

  CountingTree tree_;
};

// Calls see(states) for the states of each node.
template <class See>
void for_each_node(std::span<const std::int32_t> literals, std::span<const std::int32_t> states, See see) {
  std::size_t first = 0;
  for (auto count : states) {
    see(literals.subspan(first, static_cast<std::size_t>(count)));
    first += static_cast<std::size_t>(count);
  }
}

template <bool kCounts>
struct TreeFactor : Structured {
  static constexpr bool may_forbid = true;

  static void check(const Arguments& arguments) {
    const auto shape = arguments.shape;
    const auto n = shape.size() / 2;
    if (shape.empty() || shape.size() % 2) arguments.refuse("needs the number of states and the parent of each node");
    std::size_t states = 0;
    for (auto count : shape.first(n)) {
      if (count < 1) arguments.refuse("every node needs at least one state");
      states += static_cast<std::size_t>(count);
    }
    arguments.require_length(kCounts ? "literals (states, then counts)" : "state literals", arguments.literals.size(),
                             states + (kCounts ? n + 1 : 0));
    require_tree(arguments, shape.last(n));
    std::size_t cells = 0;
    for (std::size_t i = 1; i < n; ++i)
      cells += static_cast<std::size_t>(shape[i]) * static_cast<std::size_t>(shape[shape[n + i]]);
    arguments.require_length("scores of edges", arguments.data.size(), cells);
    arguments.require_scores();
    require_memory(arguments, tree_shape(shape), kCounts ? static_cast<std::int32_t>(n) : -1);
  }

  static void require_memory(const Arguments& arguments, const TreeShape& shape, std::int32_t most) {
    constexpr double kMostCells = double(std::size_t{1} << 27);
    if (CountingTree::cells(shape, most) > kMostCells)
      arguments.refuse("counting the states of so many nodes needs more than 2^27 numbers");
  }

  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<GeneralTreeOracle<kCounts>>(factor);
  }
  static void imply(const FactorView& factor, Rows& rows) {
    for_each_node(factor.literals, tree_shape(factor.shape).states, [&](auto states) { rows.add(states, 1, 1); });
    if (kCounts) rows.add(counts_of(factor), 1, 1);
  }
  static bool equate(const FactorView& factor, Facts& facts) {
    bool possible = true;
    for_each_node(factor.literals, tree_shape(factor.shape).states,
                  [&](auto states) { possible = possible && facts.last_two_differ(states); });
    return possible && (!kCounts || facts.last_two_differ(counts_of(factor)));
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    const auto shape = tree_shape(factor.shape);
    std::vector<std::int32_t> state(shape.nodes());
    std::int32_t first = 0;
    for (std::size_t i = 0; i < shape.nodes(); first += shape.states[i++]) state[i] = on[i] - first;
    std::size_t cell = 0;
    for (std::size_t i = 1; i < shape.nodes(); ++i) {
      const auto parent = static_cast<std::size_t>(shape.parents[i]);
      see(cell + static_cast<std::size_t>(state[parent] * shape.states[i] + state[i]));
      cell += static_cast<std::size_t>(shape.states[parent]) * static_cast<std::size_t>(shape.states[i]);
    }
  }

 private:
  static std::span<const std::int32_t> counts_of(const FactorView& factor) {
    return factor.literals.last(factor.shape.size() / 2 + 1);
  }
  static void require_tree(const Arguments& arguments, std::span<const std::int32_t> parents) {
    const auto n = static_cast<std::int32_t>(parents.size());
    if (parents[0] != -1) arguments.refuse("node 0 is the root: its parent is -1");
    for (auto parent : parents.subspan(1))
      if (parent < 0 || parent >= n) arguments.refuse("the parent of a node is another node; only node 0 is a root");
    if (order_from_root(parents).size() != parents.size()) arguments.refuse("the parents form a cycle");
  }
};

struct GeneralTree : TreeFactor<false> {
  static constexpr const char* name = "general_tree";
};
struct GeneralTreeCounts : TreeFactor<true> {
  static constexpr const char* name = "general_tree_counts";
};

}  // namespace treaty::graph

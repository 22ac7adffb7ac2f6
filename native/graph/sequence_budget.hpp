// A chain of categorical variables, as in `sequence`, of which at most some are in their first state.
//
// shape = {budget, cardinalities...}; literals and data as those of `sequence`.
#pragma once

#include "graph/general_tree.hpp"
#include "graph/sequence.hpp"

namespace treaty::graph {

// The chain is a tree whose nodes have the one before as their parent.
class SequenceBudgetOracle final : public Oracle {
 public:
  explicit SequenceBudgetOracle(const FactorView& factor)
      : parents_(chain(factor.shape.size() - 1)),
        start_(factor.data.first(static_cast<std::size_t>(factor.shape[1]))),
        stop_(factor.data.last(static_cast<std::size_t>(factor.shape.back()))),
        tree_({factor.shape.subspan(1), parents_}, tables_of(factor), counted(factor.shape)) {}

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    score_.assign(slot_score.begin(), slot_score.end());
    for (std::size_t a = 0; a < start_.size(); ++a) score_[a] += start_[a];
    for (std::size_t a = 0; a < stop_.size(); ++a) score_[score_.size() - stop_.size() + a] += stop_[a];
    const auto reached = tree_.reach(score_);
    const auto top = std::ranges::max_element(reached);
    if (*top == -kInfinity) return set_infeasible(best);
    const auto label = tree_.labels(static_cast<std::size_t>(top - reached.begin()));
    best.on.resize(tree_.nodes());
    for (std::size_t i = 0; i < tree_.nodes(); ++i)
      best.on[i] = static_cast<std::int32_t>(tree_.first_slot(i)) + label[i];
    best.score = evaluate(best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    std::size_t count = 0;
    const double score = tree_.score(on, count);
    if (score == -kInfinity) return score;
    const auto last = static_cast<std::size_t>(on.back()) - tree_.first_slot(tree_.nodes() - 1);
    return score + start_[static_cast<std::size_t>(on[0])] + stop_[last];
  }

  // A budget for all positions is none.
  static std::int32_t counted(std::span<const std::int32_t> shape) {
    return shape[0] < static_cast<std::int32_t>(shape.size()) - 1 ? shape[0] : -1;
  }
  static std::vector<std::int32_t> chain(std::size_t length) {
    std::vector<std::int32_t> parents(length);
    for (std::size_t i = 0; i < length; ++i) parents[i] = static_cast<std::int32_t>(i) - 1;
    return parents;
  }

 private:
  static std::vector<const double*> tables_of(const FactorView& factor) {
    const auto card = [&](std::size_t i) { return static_cast<std::size_t>(factor.shape[i + 1]); };
    std::vector<const double*> tables(factor.shape.size() - 1, nullptr);
    std::size_t cell = card(0);
    for (std::size_t i = 1; i < tables.size(); ++i) {
      tables[i] = factor.data.data() + cell;
      cell += card(i - 1) * card(i);
    }
    return tables;
  }

  std::vector<std::int32_t> parents_;
  std::span<const double> start_, stop_;
  CountingTree tree_;
  std::vector<double> score_;
};

struct SequenceBudget : Structured {
  static constexpr const char* name = "sequence_budget";
  static constexpr bool may_forbid = true;

  static void check(const Arguments& arguments) {
    const auto shape = arguments.shape;
    if (shape.empty() || shape[0] < 0) arguments.refuse("needs a budget of at least 0, then the numbers of states");
    Arguments chain = arguments;
    chain.shape = shape.subspan(1);
    Sequence::check(chain);
    const auto parents = SequenceBudgetOracle::chain(chain.shape.size());
    GeneralTree::require_memory(arguments, {chain.shape, parents}, SequenceBudgetOracle::counted(shape));
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<SequenceBudgetOracle>(factor);
  }
  static void imply(const FactorView& factor, Rows& rows) {
    std::vector<std::int32_t> first;
    for_each_node(factor.literals, factor.shape.subspan(1), [&](auto states) {
      rows.add(states, 1, 1);
      first.push_back(states[0]);
    });
    rows.add(first, 0, std::min(factor.shape[0], static_cast<std::int32_t>(first.size())));
  }
  static bool equate(const FactorView& factor, Facts& facts) {
    bool possible = true;
    for_each_node(factor.literals, factor.shape.subspan(1),
                  [&](auto states) { possible = possible && facts.last_two_differ(states); });
    return possible;
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    Sequence::use(factor.shape.subspan(1), on, see);
  }
};

}  // namespace treaty::graph

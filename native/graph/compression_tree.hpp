// Binary decisions on a tree: a literal is on only if its parent is (Almeida & Martins 2013, §3.2,
// where the literals are the words of a sentence and a subtree that is off is cut away).
//
// shape = {parent of each literal (-1: root)..., 1 if a root that is on needs a child}; data = score when a literal is
// off and its parent on (roots: when off).
#pragma once

#include <algorithm>
#include <utility>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// One sweep from the leaves to the roots and one back. Ties are resolved by cutting. If a root must keep a child but
// none has a gain, it keeps the first of those that cost least.
class CompressionTreeOracle final : public Oracle {
 public:
  CompressionTreeOracle(std::span<const double> cut_score, std::span<const std::int32_t> shape)
      : cut_score_(cut_score),
        parent_(shape.first(cut_score.size())),
        root_needs_child_(shape.back() != 0),
        value_(cut_score.size()),
        gain_(cut_score.size()),
        best_child_(cut_score.size()),
        is_on_(cut_score.size()) {
    order_by_depth();
  }

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    std::ranges::copy(slot_score, value_.begin());
    std::ranges::fill(best_child_, -1);
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) weigh(*node);

    best.score = 0.0;
    for (const auto node : order_) {
      const auto i = static_cast<std::size_t>(node);
      const bool may_be_on = is_root(node) || is_on(parent_[i]);
      is_on_[i] = may_be_on && (gain_[i] > 0.0 || is_needed(node));
      if (may_be_on && !is_on_[i]) best.score += cut_score_[i];
    }
    best.on.clear();
    for (std::size_t i = 0; i < is_on_.size(); ++i)
      if (is_on_[i]) best.on.push_back(static_cast<std::int32_t>(i));
  }

  double evaluate(std::span<const std::int32_t> on) override {
    std::ranges::fill(is_on_, 0);
    std::ranges::fill(best_child_, -1);
    for (const auto node : on) {
      is_on_[static_cast<std::size_t>(node)] = 1;
      if (!is_root(node)) best_child_[static_cast<std::size_t>(parent_of(node))] = node;
    }
    double score = 0.0;
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(is_on_.size()); ++node) {
      const bool may_be_on = is_root(node) || is_on(parent_of(node));
      if (is_on(node) && !may_be_on) return -kInfinity;
      if (is_on(node) && is_root(node) && root_needs_child_ && best_child(node) < 0) return -kInfinity;
      if (!is_on(node) && may_be_on) score += cut_score_[static_cast<std::size_t>(node)];
    }
    return score;
  }

 private:
  std::int32_t parent_of(std::int32_t node) const { return parent_[static_cast<std::size_t>(node)]; }
  std::int32_t best_child(std::int32_t node) const { return best_child_[static_cast<std::size_t>(node)]; }
  bool is_root(std::int32_t node) const { return parent_of(node) < 0; }
  bool is_on(std::int32_t node) const { return is_on_[static_cast<std::size_t>(node)] != 0; }
  bool is_needed(std::int32_t node) const {  // to a root that is on and needs a child
    if (!root_needs_child_ || is_root(node)) return false;
    return is_root(parent_of(node)) && best_child(parent_of(node)) == node;
  }

  // Parents before children, siblings in ascending order.
  void order_by_depth() {
    const auto n = parent_.size();
    std::vector<std::int32_t> first_child(n, -1), next_sibling(n, -1);
    for (std::size_t i = n; i-- > 0;) {
      if (parent_[i] < 0) continue;
      auto& first = first_child[static_cast<std::size_t>(parent_[i])];
      next_sibling[i] = std::exchange(first, static_cast<std::int32_t>(i));
    }
    order_.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      if (parent_[i] < 0) order_.push_back(static_cast<std::int32_t>(i));
    for (std::size_t done = 0; done < order_.size(); ++done)
      for (auto child = first_child[static_cast<std::size_t>(order_[done])]; child >= 0;
           child = next_sibling[static_cast<std::size_t>(child)])
        order_.push_back(child);
  }

  // Children come first: value_ of a node already holds its own score and the best of each child.
  void weigh(std::int32_t node) {
    const auto i = static_cast<std::size_t>(node);
    if (root_needs_child_ && is_root(node)) {
      const auto child = best_child(node);
      value_[i] += child < 0 ? -kInfinity : std::min(0.0, gain_[static_cast<std::size_t>(child)]);
    }
    gain_[i] = value_[i] - cut_score_[i];
    if (is_root(node)) return;
    const auto p = static_cast<std::size_t>(parent_[i]);
    value_[p] += std::max(value_[i], cut_score_[i]);
    auto& favorite = best_child_[p];  // siblings come last to first, so >= leaves ties to the first
    if (favorite < 0 || gain_[i] >= gain_[static_cast<std::size_t>(favorite)]) favorite = node;
  }

  std::span<const double> cut_score_;
  std::span<const std::int32_t> parent_;
  bool root_needs_child_;
  std::vector<std::int32_t> order_;
  std::vector<double> value_;              // value of the best subtree whose top is on
  std::vector<double> gain_;               // how much better that is than cutting it
  std::vector<std::int32_t> best_child_;   // the one with the largest gain, -1 for none
  std::vector<std::uint8_t> is_on_;
};

struct CompressionTree : Structured {
  static constexpr const char* name = "compression_tree";
  static void check(const Arguments& arguments) {
    const auto& shape = arguments.shape;
    const auto n = arguments.literals.size();
    arguments.require_degree(1);
    arguments.require_length("parents and a flag", shape.size(), n + 1);
    arguments.require_length("cut scores", arguments.data.size(), n);
    arguments.require_numbers();
    if (shape.back() != 0 && shape.back() != 1) arguments.refuse("the last shape entry is 0 or 1");
    require_forest(arguments);
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<CompressionTreeOracle>(factor.data, factor.shape);
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    const auto is_on = [&](std::int32_t node) { return std::ranges::binary_search(on, node); };
    for (std::int32_t node = 0; node < factor.degree(); ++node)
      if (!is_on(node) && (factor.shape[node] < 0 || is_on(factor.shape[node]))) see(static_cast<std::size_t>(node));
  }
  static void imply(const FactorView& factor, Rows& rows) {
    const auto literals = factor.literals;
    const int n = factor.degree();
    for (int i = 0; i < n; ++i)
      if (factor.shape[i] >= 0) rows.either(literals[i] ^ 1, literals[factor.shape[i]]);
    for (int root = 0; root < n && factor.shape[n]; ++root)
      if (factor.shape[root] < 0) {  // a root that is on has a child
        std::vector<std::int32_t> row{literals[root] ^ 1};
        for (int i = 0; i < n; ++i)
          if (factor.shape[i] == root) row.push_back(literals[i]);
        rows.at_least_one(row);
      }
  }

 private:
  static void require_forest(const Arguments& arguments) {
    const auto n = static_cast<std::int32_t>(arguments.literals.size());
    const auto parent = [&](std::int32_t node) { return arguments.shape[static_cast<std::size_t>(node)]; };
    enum State : std::uint8_t { kUnseen, kOnPath, kDone };
    std::vector<State> states(arguments.literals.size(), kUnseen);
    const auto state = [&](std::int32_t node) -> State& { return states[static_cast<std::size_t>(node)]; };
    for (std::int32_t start = 0; start < n; ++start) {
      std::int32_t node = start;
      while (node >= 0 && state(node) == kUnseen) {
        state(node) = kOnPath;
        node = parent(node);
        if (node < -1 || node >= n) arguments.refuse("a parent is an index into the literals, or -1");
      }
      if (node >= 0 && state(node) == kOnPath) arguments.refuse("the parents form a cycle");
      for (node = start; node >= 0 && state(node) == kOnPath; node = parent(node)) state(node) = kDone;
    }
  }
};

}  // namespace treaty::graph

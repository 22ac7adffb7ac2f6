// Labels of the nodes of a tree, scored by a table per edge, with the number of nodes in their first state: what
// the factors `general_tree`, `general_tree_counts` and `sequence_budget` have in common.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// States of the nodes stand in slots, in order. Node 0 is the root.
struct TreeShape {
  std::span<const std::int32_t> states;   // how many each node has
  std::span<const std::int32_t> parents;  // -1 for node 0
  std::size_t nodes() const { return states.size(); }
};

// Parents before children; shorter than the number of nodes if there is a cycle.
inline std::vector<std::int32_t> order_from_root(std::span<const std::int32_t> parents) {
  const auto n = parents.size();
  std::vector<std::size_t> begin(n + 1, 0);
  for (std::size_t i = 1; i < n; ++i) ++begin[static_cast<std::size_t>(parents[i]) + 1];
  for (std::size_t i = 0; i < n; ++i) begin[i + 1] += begin[i];
  std::vector<std::int32_t> child(n), order{0};
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 1; i < n; ++i) child[next[static_cast<std::size_t>(parents[i])]++] = static_cast<std::int32_t>(i);
  for (std::size_t done = 0; done < order.size(); ++done) {
    const auto node = static_cast<std::size_t>(order[done]);
    for (auto c = begin[node]; c < begin[node + 1]; ++c) order.push_back(child[c]);
  }
  return order;
}

// A dynamic program from the leaves to the root. A node keeps, for each of its states and each count of first states in
// its subtree, the best value; a child is merged into its parent by (max, +) convolution. Without counting there is one
// count, 0, and the merge is a sum. Backtracking compares values again instead of storing choices. Ties go to the
// smallest count, then to the first state. O(sum S_p S_j n_j) + O(S n^2) for trees of n nodes, or O(S n most).
class CountingTree {
 public:
  // Counts up to `most`; labelings with a higher count are not allowed. `most` < 0: does not count.
  CountingTree(const TreeShape& shape, std::vector<const double*> tables, std::int32_t most)
      : shape_(shape), tables_(std::move(tables)), counts_(most >= 0), cap_(static_cast<std::size_t>(most) + 1),
        order_(order_from_root(shape.parents)) {
    const auto n = shape.nodes();
    first_slot_.resize(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) first_slot_[i + 1] = first_slot_[i] + states(i);
    list_children();
    lay_out();
    chosen_.resize(n);
  }

  // How many doubles it will need; parents must be valid.
  static double cells(const TreeShape& shape, std::int32_t most) {
    const auto order = order_from_root(shape.parents);
    std::vector<double> width(shape.nodes(), most < 0 ? 1.0 : 2.0);
    double total = 0.0;
    for (std::size_t i = order.size(); i-- > 0;) {
      const auto j = static_cast<std::size_t>(order[i]);
      if (most >= 0) width[j] = std::min(width[j], most + 1.0);
      total += shape.states[j] * width[j];
      if (i == 0) break;
      const auto p = static_cast<std::size_t>(shape.parents[j]);
      total += shape.states[p] * (width[j] + width[p]);
      if (most >= 0) width[p] += width[j] - 1.0;
    }
    return total;
  }

  std::size_t nodes() const { return shape_.nodes(); }
  std::size_t first_slot(std::size_t node) const { return first_slot_[node]; }
  std::size_t slots() const { return first_slot_.back(); }

  // The best value for each count (one of them without counting), in order; -inf where there is none.
  std::span<const double> reach(std::span<const double> slot_score) {
    for (std::size_t i = 0; i < nodes(); ++i) start(i, slot_score);
    for (std::size_t i = order_.size(); --i > 0;) merge(static_cast<std::size_t>(order_[i]));
    root_best_.assign(width_[0], -kInfinity);
    for (std::size_t s = 0; s < states(0); ++s) raise_to(root_best_, value(0, s), 0.0);
    return root_best_;
  }

  // After `reach`: the states of a labeling with this count and the value found for it.
  std::span<const std::int32_t> labels(std::size_t count) {
    taken_.assign(nodes(), 0);
    taken_[0] = count;
    chosen_[0] = place(root_best_[count], 0, [&](std::size_t s) { return value(0, s)[count]; });
    for (std::size_t i = 0; i < order_.size(); ++i) descend(static_cast<std::size_t>(order_[i]));
    return chosen_;
  }

  // The sum of the tables' cells for slots that are one state per node; -inf if they are not, or too many are first.
  double score(std::span<const std::int32_t> on, std::size_t& count) {
    count = 0;
    if (on.size() != nodes()) return -kInfinity;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const auto slot = static_cast<std::size_t>(on[i]);
      if (slot < first_slot_[i] || slot >= first_slot_[i + 1]) return -kInfinity;
      chosen_[i] = static_cast<std::int32_t>(slot - first_slot_[i]);
      count += chosen_[i] == 0;
    }
    if (counts_ && count >= cap_) return -kInfinity;
    double total = 0.0;
    for (std::size_t i = 1; i < nodes(); ++i)
      total += tables_[i][static_cast<std::size_t>(chosen_[parent(i)]) * states(i) + chosen_[i]];
    return total;
  }

 private:
  std::size_t states(std::size_t node) const { return static_cast<std::size_t>(shape_.states[node]); }
  std::size_t parent(std::size_t node) const { return static_cast<std::size_t>(shape_.parents[node]); }
  double* value(std::size_t node, std::size_t state) { return &value_[value_at_[node] + state * most_width_[node]]; }
  // To the parent's states: the best of the subtree, and what the parent had before it was merged in.
  double* message(std::size_t node, std::size_t state) { return &message_[message_at_[node] + state * most_width_[node]]; }
  double* before(std::size_t node, std::size_t state) { return &before_[before_at_[node] + state * width_before_[node]]; }

  // Children are listed as they are merged: those that come last in the order first.
  void list_children() {
    const auto n = nodes();
    children_begin_.assign(n + 1, 0);
    for (std::size_t i = 1; i < n; ++i) ++children_begin_[parent(i) + 1];
    for (std::size_t i = 0; i < n; ++i) children_begin_[i + 1] += children_begin_[i];
    children_.resize(n - 1);
    auto next = children_begin_;
    for (std::size_t i = n; --i > 0;) {
      const auto j = static_cast<std::size_t>(order_[i]);
      children_[next[parent(j)]++] = order_[i];
    }
  }

  void lay_out() {
    const auto n = nodes();
    most_width_.assign(n, counts_ ? std::min<std::size_t>(2, cap_) : 1);
    width_before_.assign(n, 0);
    for (std::size_t i = order_.size(); --i > 0;) {
      const auto j = static_cast<std::size_t>(order_[i]), p = parent(j);
      width_before_[j] = most_width_[p];
      if (counts_) most_width_[p] = std::min(most_width_[p] + most_width_[j] - 1, cap_);
    }
    std::size_t values = 0, messages = 0, befores = 0;
    for (std::size_t j = 0; j < n; ++j) {
      value_at_.push_back(values), message_at_.push_back(messages), before_at_.push_back(befores);
      values += states(j) * most_width_[j];
      if (j == 0) continue;
      messages += states(parent(j)) * most_width_[j];
      befores += states(parent(j)) * width_before_[j];
    }
    value_.resize(values), message_.resize(messages), before_.resize(befores);
    width_.resize(n);
  }

  void start(std::size_t node, std::span<const double> slot_score) {
    width_[node] = counts_ ? std::min<std::size_t>(2, cap_) : 1;
    for (std::size_t s = 0; s < states(node); ++s) {
      double* const own = value(node, s);
      std::fill_n(own, most_width_[node], -kInfinity);
      const std::size_t count = counts_ && s == 0 ? 1 : 0;
      if (count < width_[node]) own[count] = slot_score[first_slot_[node] + s];
    }
  }

  void merge(std::size_t j) {
    const auto p = parent(j);
    const auto child_width = width_[j], parent_width = width_before_[j];
    const auto joined = counts_ ? std::min(parent_width + child_width - 1, cap_) : 1;
    for (std::size_t k = 0; k < states(p); ++k) {
      double* const to_parent = message(j, k);
      std::fill_n(to_parent, child_width, -kInfinity);
      const double* const row = tables_[j] + k * states(j);
      for (std::size_t s = 0; s < states(j); ++s) raise_to({to_parent, child_width}, value(j, s), row[s]);
      double* const own = value(p, k);
      double* const old = before(j, k);
      std::copy_n(own, parent_width, old);
      std::fill_n(own, joined, -kInfinity);
      for (std::size_t d = 0; d < std::min(child_width, joined); ++d)
        raise_to({own + d, std::min(parent_width, joined - d)}, old, to_parent[d]);
    }
    width_[p] = joined;
  }

  // The children of a node whose state and count are known; the last one merged comes first.
  void descend(std::size_t p) {
    const auto k = static_cast<std::size_t>(chosen_[p]);
    auto count = taken_[p];
    double target = value(p, k)[count];
    for (auto c = children_begin_[p + 1]; c-- > children_begin_[p];) {
      const auto j = static_cast<std::size_t>(children_[c]);
      const double* const old = before(j, k);
      const double* const to_parent = message(j, k);
      std::size_t d = 0;
      while (d + 1 < width_[j] && !(d <= count && count - d < width_before_[j] && to_parent[d] + old[count - d] == target))
        ++d;
      taken_[j] = d;
      const double reached = to_parent[d];
      const double* const row = tables_[j] + k * states(j);
      chosen_[j] = place(reached, j, [&](std::size_t s) { return row[s] + value(j, s)[d]; });
      count -= d;
      target = old[count];
    }
  }

  template <class ValueAt>
  std::int32_t place(double reached, std::size_t node, ValueAt value_at) const {
    return static_cast<std::int32_t>(place_of(reached, states(node), value_at));
  }

  TreeShape shape_;
  std::vector<const double*> tables_;  // of each node but the root
  bool counts_;
  std::size_t cap_;  // counts are below it
  std::vector<std::size_t> first_slot_;
  std::vector<std::int32_t> order_, children_;
  std::vector<std::size_t> children_begin_;
  std::vector<std::size_t> most_width_, width_before_, width_;  // how many counts: in all, of the parent, so far
  std::vector<std::size_t> value_at_, message_at_, before_at_;
  std::vector<double> value_, message_, before_, root_best_;
  std::vector<std::size_t> taken_;
  std::vector<std::int32_t> chosen_;
};

}  // namespace treaty::graph

// Dynamic programs over instances whose edges form chains or trees: best labelings, and probabilities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "label/scores.hpp"

namespace treaty::label {

// Works on one instance at a time; reused from instance to instance, one per thread.
class Forest {
 public:
  // Prepares for an instance; returns false if its edges have a cycle or it has larger patterns. Transposed copies of
  // tables may be added to the scores, which must outlive this object.
  bool build(Scores& scores);
  // The same without larger patterns, and over as many of the edges as form a forest: first those that forbid
  // something, then those whose scores differ most.
  void span_edges(Scores& scores);

  // The best labeling and its score (Viterbi); kForbidden if there is none.
  double best(std::span<std::int32_t> labeling);
  // The n best labelings, best first, concatenated, and their scores; fewer if there are no more.
  std::vector<double> n_best(std::size_t n, std::vector<std::int32_t>& labelings);

  // The logarithm of the sum over all labelings of e^score (forward-backward); kForbidden if there is none. The
  // functions below return its probabilities.
  double log_sum();
  // The probability of each label of a vertex.
  const double* belief_of(std::int32_t vertex) const { return belief_.data() + at(position_[vertex]); }
  // The expected count of each pair of labels, over all edges that use a table.
  const double* expected(std::int32_t table) const { return expected_.data() + scores_->cells_of_table() * table; }

 private:
  static constexpr std::int32_t kRoot = -1;

  bool build_chain();
  bool build_trees(std::span<const std::int32_t> edges, bool all);
  void hang(std::int32_t root);
  std::size_t at(std::int32_t position) const { return static_cast<std::size_t>(position) * scores_->labels; }
  const double* state(std::int32_t position) const { return scores_->state_of(order_[position]); }
  const double* table(std::int32_t position) const { return scores_->table(table_[position]); }

  bool scaled_log_sum(double& sum);
  bool pass_scaled(std::int32_t position, double& sum);
  void spread_scaled();
  double exact_log_sum();
  void spread_exact();
  void share_expected();

  Scores* scores_ = nullptr;
  // Vertices in an order with children before their parents, and for each position the parent's position and the
  // table of (its label, its parent's label).
  std::vector<std::int32_t> order_, position_, parent_, table_;
  std::vector<double> reach_, message_;  // by position and label: sums over the subtree; message to the parent
  std::vector<double> potential_, most_in_table_;  // e^(score - the table's greatest)
  std::vector<double> belief_, expected_, share_;

  struct Neighbor {
    std::int32_t vertex, edge;
  };
  std::vector<Neighbor> neighbors_;
  std::vector<std::int32_t> neighbor_begin_, root_of_, queue_, edges_, kept_;
};

}  // namespace treaty::label

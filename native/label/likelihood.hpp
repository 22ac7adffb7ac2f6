// Regularized maximum likelihood for forests: log P(gold) - lambda/2 |w|^2 per example, by stochastic gradient. Where
// labels are known only in part, P(gold) is the sum over all labelings that agree with what is known.
#pragma once

#include <span>
#include <vector>

#include "label/forest.hpp"

namespace treaty::label {

// The right label of every vertex: the number of a label, or model.labels + s for any label of set s. A set is a row of
// flags, one for each label.
struct Truth {
  std::span<const std::int32_t> labels;
  std::span<const std::uint8_t> sets = {};

  // Throws std::invalid_argument unless there is a label or a set for every vertex.
  void check(const Model& model, const Bound& bound) const;
};

// The gradient of one example's log P(gold), by factor.
struct Gradient {
  // A row with a number for each pattern of the kind, to be added to the rows of the factor's features.
  struct Row {
    std::size_t kind;
    std::int64_t factor;
    std::size_t first;  // among the numbers
  };
  std::vector<Row> rows;
  std::vector<float> numbers;
  double log_likelihood = 0.0;
  Dropout dropout;
};

// Works on one example at a time; reused from example to example, one per thread.
class Likelihood {
 public:
  explicit Likelihood(const Model& model) : model_(model) {}

  // The example must be a forest, and its gold labeling must be allowed.
  void differentiate(const Bound& bound, std::int32_t instance, const Truth& gold, const Dropout& dropout,
                     Gradient& gradient);

 private:
  // The logarithm of the sum over all labelings that agree with the sets.
  double known_log_sum(std::span<const std::int32_t> gold, std::span<const std::uint8_t> sets);
  void add_vertices(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold, bool partly,
                    Gradient& gradient);
  void add_tables(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold, bool partly,
                  Gradient& gradient);

  const Model& model_;
  Scores scores_, known_scores_;
  Forest forest_, known_;  // over all labelings, and over those that agree with the sets
};

// Adds a multiple of the gradient to weights, the model's or others of the same layout.
void add(const Model& model, const Bound& bound, const Gradient& gradient, double times, AveragedWeights& weights);

// log P(gold) of all instances, and its gradient.
std::pair<double, std::vector<float>> likelihood(const Model& model, const Bound& bound, const Truth& gold);

}  // namespace treaty::label

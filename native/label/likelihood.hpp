// Regularized maximum likelihood for forests: log P(gold) - lambda/2 |w|^2 per example, by stochastic gradient.
#pragma once

#include <span>
#include <vector>

#include "label/forest.hpp"

namespace treaty::label {

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
  void differentiate(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold,
                     const Dropout& dropout, Gradient& gradient);

 private:
  const Model& model_;
  Scores scores_;
  Forest forest_;
};

// Adds a multiple of the gradient to weights, the model's or others of the same layout.
void add(const Model& model, const Bound& bound, const Gradient& gradient, double times, AveragedWeights& weights);

// log P(gold) of all instances, and its gradient.
std::pair<double, std::vector<float>> likelihood(const Model& model, const Bound& bound,
                                                 std::span<const std::int32_t> gold);

}  // namespace treaty::label

// Averaged perceptron and cost-augmented MIRA: the update from a wrong answer towards the gold labeling.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "label/forest.hpp"
#include "learn/update.hpp"

namespace treaty::label {

using learn::Update;

struct Training {
  // Aggressiveness of MIRA; zero for the perceptron, whose steps all have size one.
  double aggressiveness = 0.0;
  // The share of the features of single vertices that is left out of an example, drawn again each time.
  double dropout = 0.0;
  // The cost of predicting b for gold label a, at a * labels + b; the perceptron uses only which labels are wrong.
  std::vector<double> cost;

  void check(std::int32_t labels) const;
};

// Works on one example at a time; reused from example to example, one per thread.
class Learner {
 public:
  using Labels = std::span<const std::int32_t>;
  Learner(const Model& model, const Training& training) : model_(model), training_(training) {}

  // The scores that an example is decoded with in training: with costs for MIRA.
  void score(const Bound& bound, std::int32_t instance, Labels gold, Scores& scores) const;
  // Decodes an example, which must be a forest, and writes the step; returns how many labels were right.
  int learn(const Bound& bound, std::int32_t instance, Labels gold, Update& update);
  // The step from a given answer.
  int step(const Bound& bound, std::int32_t instance, Labels gold, Labels answer, Update& update) const;

 private:
  Dropout dropout(std::int32_t instance) const;

  const Model& model_;
  const Training& training_;
  Scores scores_;
  Forest forest_;
  std::vector<std::int32_t> answer_;
};

// Learns from these instances in this order; returns how many labels were right before the updates.
std::int64_t train(Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                   std::span<const std::int32_t> ids, const Training& training, int batch, int threads);

// The graph that an example is decoded with in training, and the steps from a list of answers to a batch of examples
// that were all found with the current weights.
graph::Graph training_graph(const Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                            std::int32_t instance, const Training& training);
void learn_from(Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                std::span<const std::int32_t> ids, std::span<const std::int32_t> answers, const Training& training);

}  // namespace treaty::label

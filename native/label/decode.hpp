// Predictions of a model for many instances: best labelings, marginals, scores.
#pragma once

#include <span>
#include <vector>

#include "label/forest.hpp"

namespace treaty::label {

// All of these score an instance by its features, or by the scores of its parts if they are given.

// The best labelings of forests. For other graphs, the best over a forest of their edges, which is not exact.
struct Decoded {
  std::vector<std::int32_t> labels;  // of all vertices
  std::vector<double> score;
  std::vector<std::uint8_t> exact;
};
Decoded decode(const Model& model, const Bound& bound, int threads, const Given& given = {});

// The probability of each label of all vertices, and log Z of each instance. All instances must be forests.
struct Marginals {
  std::vector<double> beliefs, log_sums;
};
Marginals marginals(const Model& model, const Bound& bound, int threads);

// The expected amount of each part under scores of parts, and log Z of each instance. All must be forests.
struct PartMarginals {
  std::vector<double> amounts, log_sums;
};
PartMarginals part_marginals(const Model& model, const Bound& bound, std::span<const double> given);

// The n best labelings of a forest, concatenated, and their scores.
struct Best {
  std::vector<std::int32_t> labels;
  std::vector<double> scores;
};
Best n_best(const Model& model, const Bound& bound, std::int32_t instance, std::size_t n, const Given& given = {});

// The score of a labeling of each instance.
std::vector<double> scores_of(const Model& model, const Bound& bound, std::span<const std::int32_t> labels,
                              const Given& given = {});

}  // namespace treaty::label

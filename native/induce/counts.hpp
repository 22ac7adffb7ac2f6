// Counts over a whole corpus: of best trees, expected counts, counts of given trees; and restarts of local search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/local_search.hpp"

namespace treaty::induce {

struct Counted {
  std::vector<double> counts;
  double score = 0.0;
};

// Throws std::invalid_argument unless there is a finite number or -inf for every feature.
void check_weights(const Corpus& corpus, std::span<const double> weights);

// Counts of the best trees, whose heads are written. The sums are the same for any number of threads.
Counted parse_all(const Corpus& corpus, std::span<const double> weights, std::uint64_t seed, int threads,
                  std::span<std::int32_t> heads);
// Expected counts, and the logarithm of the sum over trees.
Counted expect_all(const Corpus& corpus, std::span<const double> weights, int threads);
std::vector<double> count_all(const Corpus& corpus, std::span<const std::int32_t> heads);

// How the starts of local search are chosen: by breaking ties, at random, or (except for the first) partly at random.
enum class Starts : std::uint8_t { Ties, Random, Disturbed };

struct Restarts {
  Starts starts;
  int steps;
  int first, count;  // numbers of the restarts
  std::uint64_t seed;
};

// Every restart has its own seed and is independent of the others; the heads of all but the first of the best are
// dropped.
std::vector<Local> restart(const Corpus& corpus, std::span<const double> initial, double lambda,
                           const Posterior& posterior, const Restarts& restarts, int threads);

}  // namespace treaty::induce

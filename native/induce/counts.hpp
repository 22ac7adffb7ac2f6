// Counts over a whole corpus: of best trees, expected ones, given ones; and restarts of local search.
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

// Throws std::invalid_argument unless there is a number or -inf for every feature.
void check_weights(const Corpus& corpus, std::span<const double> weights);

// Of the best trees, whose heads are written. The sums are the same for any number of threads.
Counted parse_all(const Corpus& corpus, std::span<const double> weights, std::uint64_t seed, int threads,
                  std::span<std::int32_t> heads);
// Expected ones, and the logarithm of the sum over trees.
Counted expect_all(const Corpus& corpus, std::span<const double> weights, int threads);
std::vector<double> count_all(const Corpus& corpus, std::span<const std::int32_t> heads);

// How the starts of local search differ: in the ties that are broken, in all, or (but for the first) in part.
enum class Starts : std::uint8_t { Ties, Random, Disturbed };

struct Restarts {
  Starts starts;
  int steps;
  int first, count;  // numbers of the restarts
  std::uint64_t seed;
};

// Every restart has its own seed and is alone by itself; all but the first of the best lose their heads.
std::vector<Local> restart(const Corpus& corpus, std::span<const double> initial, double lambda,
                           const Posterior& posterior, const Restarts& restarts, int threads);

}  // namespace treaty::induce

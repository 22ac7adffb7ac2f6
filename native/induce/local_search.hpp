// Viterbi EM (Spitkovsky et al. 2010) from many starts: best trees under the parameters, then the best parameters for
// these trees, until nothing changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/chart.hpp"
#include "induce/likelihood.hpp"
#include "induce/random.hpp"

namespace treaty::induce {

// A share of the arcs must be of given kinds (Gormley & Eisner 2013, section 4.4). There are as many arcs as tokens, so
// this is equivalent to a maximum number of other arcs; `others` has a 1 for each feature of those, and is empty if
// there is no such constraint.
struct Posterior {
  std::vector<double> others;
  double most = 0.0;

  bool any() const { return !others.empty(); }
  double count(std::span<const double> counts) const;
  bool allows(std::span<const double> counts) const { return !any() || count(counts) <= most + 1e-9; }
  // Weights with a price for each of the other arcs. The best score under them, plus `price * most`, is an upper bound
  // on all trees that satisfy the constraint.
  void charge(double price, std::span<const double> weights, std::span<double> charged) const;
};

struct Local {
  double objective;  // log-likelihood with lambda, -inf if no trees that satisfy the constraint were found
  std::vector<double> counts;
  std::vector<std::int32_t> heads;
  int steps = 0;
};

class LocalSearch {
 public:
  LocalSearch(const Corpus& corpus, double lambda, const Posterior& posterior);

  // Climbs from these weights, for at most this many steps; a nonzero seed breaks ties of the first parses.
  Local climb(std::span<const double> weights, std::uint64_t seed, int steps);
  // Climbs from counts.
  Local climb_from(std::span<const double> counts, int steps);
  // Climbs from perturbed counts, in one of three ways that the seed chooses (iterated local search).
  Local kick(std::span<const double> counts, std::uint64_t seed, int steps);

  double objective(std::span<const double> counts) const { return log_likelihood(distributions_, counts, lambda_); }

 private:
  void disturb_all(std::span<const double> counts, Random& random);
  void redraw_some(std::span<const double> counts, Random& random);
  void redraw_tag(Random& random);
  // Best parses that meet the constraint, by its price (a Lagrange multiplier). False if there are none.
  bool parse(std::span<const double> weights, std::uint64_t seed, double& price);

  const Corpus* corpus_;
  double lambda_;
  const Posterior* posterior_;
  std::vector<Distribution> distributions_;
  Parser parser_;
  std::vector<double> weights_, priced_, counts_, start_, disturbed_;
  std::vector<std::int32_t> heads_;
};

// Weights to start from: those of random distributions, or those given with every probability multiplied by a random
// number.
void random_weights(std::span<const Distribution> distributions, std::uint64_t seed, std::span<double> weights);
void disturb_weights(std::span<const Distribution> distributions, std::uint64_t seed, std::span<double> weights);

}  // namespace treaty::induce

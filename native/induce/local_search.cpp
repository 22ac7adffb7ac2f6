#include "induce/local_search.hpp"

#include <algorithm>
#include <limits>


namespace treaty::induce {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kHighestPrice = 1e6;  // of an arc; far larger than any difference of log-probabilities of real counts
constexpr double kPrecision = 1e-3;    // of a price
constexpr double kWiden = 1.2;         // prices usually change by a smaller factor from step to step

}  // namespace

void estimate(std::span<const Distribution> distributions, std::span<const double> counts, double lambda,
              std::span<double> weights) {
  for (const auto [first, size] : distributions) {
    double sum = 0.0;
    for (int m = first; m < first + size; ++m) sum += counts[m] + lambda;
    const double log_sum = sum > 0.0 ? label::logarithm(sum) : label::logarithm(size);
    for (int m = first; m < first + size; ++m) {
      const double some = counts[m] + lambda;
      weights[m] = sum > 0.0 ? (some > 0.0 ? label::logarithm(some) - log_sum : kNever) : -log_sum;
    }
  }
}

void random_weights(std::span<const Distribution> distributions, std::uint64_t seed, std::span<double> weights) {
  std::fill(weights.begin(), weights.end(), 0.0);
  disturb_weights(distributions, seed, weights);
}

void disturb_weights(std::span<const Distribution> distributions, std::uint64_t seed, std::span<double> weights) {
  Random random(seed);
  std::vector<double> shares(weights.size());
  for (std::size_t m = 0; m < shares.size(); ++m) {
    const double draw = -label::logarithm(1.0 - random.uniform()) + 1e-6;  // of equal weights, a flat Dirichlet
    shares[m] = label::exponential(weights[m]) * draw;
  }
  estimate(distributions, shares, 0.0, weights);
}

double Posterior::count(std::span<const double> counts) const {
  double sum = 0.0;
  for (std::size_t m = 0; m < others.size(); ++m) sum += others[m] * counts[m];
  return sum;
}

void Posterior::charge(double price, std::span<const double> weights, std::span<double> charged) const {
  for (std::size_t m = 0; m < weights.size(); ++m) charged[m] = weights[m] - price * others[m];
}

LocalSearch::LocalSearch(const Corpus& corpus, double lambda, const Posterior& posterior)
    : corpus_(&corpus),
      lambda_(lambda),
      posterior_(&posterior),
      distributions_(distributions(corpus.layout)),
      parser_(corpus) {
  for (auto* array : {&weights_, &priced_, &counts_, &start_, &disturbed_})
    array->resize(static_cast<std::size_t>(corpus.layout.size()));
  heads_.resize(corpus.tokens.size());
}

bool LocalSearch::parse(std::span<const double> weights, std::uint64_t seed, double& price) {
  const auto parse_with = [&](std::span<const double> charged) {
    std::fill(counts_.begin(), counts_.end(), 0.0);
    return parser_.parse(charged, counts_, heads_, seed) != kNever && posterior_->allows(counts_);
  };
  if (parse_with(weights)) return true;
  if (!posterior_->any()) return false;
  const auto parse_at = [&](double tried) {
    posterior_->charge(tried, weights, priced_);
    return parse_with(priced_);
  };
  // The lowest price at which the constraint is satisfied, starting from that of the previous weights.
  double low = 0.0, high = kWiden * price;
  // The number of other arcs falls as the price rises, so bisection applies. It starts with a
  // bracket around the previous price, which is close.
  while (!parse_at(high)) {
    if (high > kHighestPrice) return false;
    low = high, high *= 4.0;
  }
  if (const double lower = price / kWiden; low < lower && lower < high) (parse_at(lower) ? high : low) = lower;
  while (high - low > kPrecision * high) {
    const double middle = 0.5 * (low + high);
    (parse_at(middle) ? high : low) = middle;
  }
  // The last price that was tried may be one that is too low: the trees and counts are those of `high`.
  price = high;
  return parse_at(high);
}

Local LocalSearch::climb(std::span<const double> weights, std::uint64_t seed, int steps) {
  Local best{kNever, {}, {}, 0};
  double price = 1.0;
  std::copy(weights.begin(), weights.end(), weights_.begin());
  while (best.steps < steps && parse(weights_, best.steps == 0 ? seed : 0, price)) {
    ++best.steps;
    const double objective = this->objective(counts_);
    if (objective <= best.objective) break;
    best.objective = objective;
    best.counts = counts_;
    best.heads = heads_;
    estimate(distributions_, counts_, lambda_, weights_);
  }
  return best;
}

Local LocalSearch::climb_from(std::span<const double> counts, int steps) {
  estimate(distributions_, counts, lambda_, start_);
  return climb(start_, 0, steps);
}

// Some counts grow, some shrink, none stays at zero.
void LocalSearch::disturb_all(std::span<const double> counts, Random& random) {
  const double strength = 0.25 + 2.0 * random.uniform();
  for (std::size_t m = 0; m < counts.size(); ++m)
    disturbed_[m] = (counts[m] + 0.5 * strength * random.uniform()) * (1.0 + 0.8 * strength * (random.uniform() - 0.5));
}

// A few distributions are randomized.
void LocalSearch::redraw_some(std::span<const double> counts, Random& random) {
  for (auto left = 1 + random.next() % 3; left > 0; --left) {
    const auto [first, size] = distributions_[random.next() % distributions_.size()];
    double sum = 1.0;
    for (int m = first; m < first + size; ++m) sum += counts[m];
    for (int m = first; m < first + size; ++m) disturbed_[m] = sum * random.uniform();
  }
}

// The counts of one tag are randomized: those of its children, and partly those of its heads.
void LocalSearch::redraw_tag(Random& random) {
  constexpr double kSome = 5.0;
  const auto& layout = corpus_->layout;
  const int tag = static_cast<int>(random.next() % static_cast<std::uint64_t>(layout.tags));
  for (int d : {kLeft, kRight}) {
    for (int child = 0; child < layout.tags; ++child)
      disturbed_[layout.child(tag, d, child)] = kSome * random.uniform();
    for (int v : {kFirst, kLater})
      for (int what : {kStop, kContinue}) disturbed_[layout.decision(tag, d, v, what)] = kSome * random.uniform();
    for (int head = 0; head < layout.tags; ++head) disturbed_[layout.child(head, d, tag)] *= 2.0 * random.uniform();
  }
}

Local LocalSearch::kick(std::span<const double> counts, std::uint64_t seed, int steps) {
  Random random(seed);
  const auto kind = random.next() % 3;
  const double added = 0.05 + random.uniform();
  for (std::size_t m = 0; m < counts.size(); ++m) disturbed_[m] = counts[m] + added * random.uniform();
  if (kind == 0) disturb_all(counts, random);
  else if (kind == 1) redraw_some(counts, random);
  else redraw_tag(random);
  estimate(distributions_, disturbed_, 0.0, start_);
  return climb(start_, 0, steps);
}

}  // namespace treaty::induce

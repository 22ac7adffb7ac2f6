#include "induce/counts.hpp"

#include <algorithm>
#include <stdexcept>

#include "induce/chart.hpp"
#include "induce/inside.hpp"
#include "induce/random.hpp"
#include "learn/batches.hpp"

namespace treaty::induce {
namespace {

constexpr int kAtATime = 64;  // sentences that are summed together, for any number of threads

// Calls body(worker, from, to, counts) for ranges of sentences, and adds their counts and scores in order.
template <class Worker, class Argument, class Body>
Counted sum(const Corpus& corpus, int threads, const Argument& argument, Body body) {
  const int parts = (corpus.size() + kAtATime - 1) / kAtATime;
  const auto size = static_cast<std::size_t>(corpus.layout.size());
  const int width = std::min(parts, 4 * learn::usable_threads(threads));  // parts that are in memory together
  std::vector<Counted> part(static_cast<std::size_t>(width), {std::vector<double>(size), 0.0});
  const auto workers = learn::one_per_thread<Worker>(threads, argument);
  Counted total{std::vector<double>(size), 0.0};
  for (int first = 0; first < parts; first += width) {
    const int some = std::min(width, parts - first);
    learn::parallel_for(some, threads, [&](int p, int worker) {
      const int from = (first + p) * kAtATime;
      std::ranges::fill(part[p].counts, 0.0);
      part[p].score = body(*workers[worker], from, std::min(corpus.size(), from + kAtATime), std::span(part[p].counts));
    });
    for (int p = 0; p < some; ++p) {
      for (std::size_t m = 0; m < size; ++m) total.counts[m] += part[p].counts[m];
      total.score += part[p].score;
    }
  }
  return total;
}

}  // namespace

void check_weights(const Corpus& corpus, std::span<const double> weights) {
  if (static_cast<int>(weights.size()) != corpus.layout.size())
    throw std::invalid_argument("expected a weight for every feature");
  for (double weight : weights)
    if (!(weight < 1e300)) throw std::invalid_argument("weights must be numbers or -inf");
}

Counted parse_all(const Corpus& corpus, std::span<const double> weights, std::uint64_t seed, int threads,
                  std::span<std::int32_t> heads) {
  check_weights(corpus, weights);
  return sum<Parser>(corpus, threads, corpus, [&](Parser& parser, int from, int to, std::span<double> counts) {
    return parser.parse(from, to, weights, seed, counts, heads);
  });
}

Counted expect_all(const Corpus& corpus, std::span<const double> weights, int threads) {
  check_weights(corpus, weights);
  const auto run = [&](InsideOutside& chart, int from, int to, std::span<double> counts) {
    double score = 0.0;
    for (int s = from; s < to; ++s) {
      learn::check_interrupt();
      score += corpus.copies[s] * chart.run(corpus.sentence(s), weights, corpus.copies[s], counts);
    }
    return score;
  };
  return sum<InsideOutside>(corpus, threads, corpus.layout, run);
}

std::vector<double> count_all(const Corpus& corpus, std::span<const std::int32_t> heads) {
  if (heads.size() != corpus.tokens.size()) throw std::invalid_argument("expected a head for every token");
  std::vector<double> counts(static_cast<std::size_t>(corpus.layout.size()));
  std::vector<std::int32_t> children;
  for (int s = 0; s < corpus.size(); ++s) {
    learn::check_interrupt(s);
    const auto n = static_cast<std::size_t>(corpus.length(s));
    const auto tree = heads.subspan(static_cast<std::size_t>(corpus.begin[s]), n);
    for (auto head : tree)
      if (head < 0 || head > static_cast<std::int32_t>(n)) throw std::invalid_argument("a head that is not there");
    children.resize(2 * n);
    count_tree(corpus.layout, corpus.sentence(s), tree, corpus.copies[s], children, counts);
  }
  return counts;
}

std::vector<Local> restart(const Corpus& corpus, std::span<const double> initial, double lambda,
                           const Posterior& posterior, const Restarts& restarts, int threads) {
  check_weights(corpus, initial);
  std::vector<Local> found(static_cast<std::size_t>(restarts.count));
  const auto all = distributions(corpus.layout);
  const auto workers = learn::one_per_thread<LocalSearch>(threads, corpus, lambda, posterior);
  learn::parallel_for(restarts.count, threads, [&](int i, int worker) {
    const int number = restarts.first + i;
    const auto own = stream(restarts.seed, static_cast<std::uint64_t>(number)) | 1;
    std::vector<double> weights(initial.begin(), initial.end());
    if (restarts.starts == Starts::Random) random_weights(all, own, weights);
    if (restarts.starts == Starts::Disturbed && number > 0) disturb_weights(all, own, weights);
    found[i] = workers[worker]->climb(weights, own, restarts.steps);
  });
  const auto best = std::ranges::max_element(found, {}, &Local::objective);
  for (auto local = found.begin(); local != found.end(); ++local)
    if (local != best) local->heads.clear();
  return found;
}

}  // namespace treaty::induce

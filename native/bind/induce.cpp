#include <algorithm>

#include "bind/bind.hpp"
#include "induce/chart.hpp"
#include "induce/inside.hpp"
#include "induce/local_search.hpp"
#include "induce/random.hpp"
#include "learn/parallel.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::induce;
using Floats = std::span<const double>;

constexpr int kAtATime = 64;  // sentences that are summed together, whatever the number of threads

template <class T>
std::vector<T> copy(const In<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

Corpus corpus_of(int tags, const In<std::int32_t>& tokens, const In<std::int64_t>& begin, const In<double>& copies) {
  Corpus corpus{{tags}, copy(tokens), copy(begin), copy(copies)};
  if (tags < 1 || corpus.begin.empty() || corpus.begin.front() != 0 ||
      corpus.begin.back() != static_cast<std::int64_t>(corpus.tokens.size()) ||
      corpus.copies.size() + 1 != corpus.begin.size())
    throw std::invalid_argument("sentences that do not fit their tokens");
  for (int s = 0; s < corpus.size(); ++s)
    if (corpus.begin[s + 1] <= corpus.begin[s] || !(corpus.copies[s] > 0.0))
      throw std::invalid_argument("a sentence without tokens or copies");
  for (auto tag : corpus.tokens)
    if (tag < 0 || tag >= tags) throw std::invalid_argument("a tag that is not there");
  return corpus;
}

void check_weights(const Corpus& corpus, const In<double>& weights) {
  if (static_cast<int>(weights.shape(0)) != corpus.layout.size())
    throw std::invalid_argument("expected a weight for every feature");
  for (double weight : view(weights))
    if (!(weight < 1e300)) throw std::invalid_argument("weights must be numbers or -inf");
}

Posterior posterior_of(const Corpus& corpus, const In<double>& kinds, double least) {
  if (kinds.shape(0) != 0 && static_cast<int>(kinds.shape(0)) != corpus.layout.size())
    throw std::invalid_argument("expected a share for every feature");
  return {copy(kinds), least};
}

// Calls body(from, to, part, worker) for stretches of sentences and adds up their counts and scores in order: the sums
// are the same for any number of threads.
template <class MakeWorker, class Body>
std::pair<std::vector<double>, double> summed(const Corpus& corpus, int threads, MakeWorker make, Body body) {
  const int parts = (corpus.size() + kAtATime - 1) / kAtATime;
  const auto size = static_cast<std::size_t>(corpus.layout.size());
  std::vector<std::vector<double>> counts(static_cast<std::size_t>(parts), std::vector<double>(size));
  std::vector<double> scores(static_cast<std::size_t>(parts));
  std::vector<decltype(make())> workers;
  for (int i = 0; i < std::max(1, threads); ++i) workers.push_back(make());
  parallel_for(parts, threads, [&](int part, int worker) {
    const int from = part * kAtATime;
    scores[part] = body(workers[worker], from, std::min(corpus.size(), from + kAtATime), std::span(counts[part]));
  });
  std::pair<std::vector<double>, double> sum{std::vector<double>(size), 0.0};
  for (int part = 0; part < parts; ++part) {
    for (std::size_t m = 0; m < size; ++m) sum.first[m] += counts[part][m];
    sum.second += scores[part];
  }
  return sum;
}

nb::tuple parse_all(const Corpus& corpus, Floats weights, std::uint64_t seed, int threads) {
  std::vector<std::int32_t> heads(corpus.tokens.size());
  std::pair<std::vector<double>, double> sum;
  {
    nb::gil_scoped_release unlock;
    sum = summed(corpus, threads, [&] { return Parser(corpus); },
                 [&](Parser& parser, int from, int to, std::span<double> counts) {
                   return parser.parse(from, to, weights, seed, counts, heads);
                 });
  }
  return nb::make_tuple(to_numpy(std::move(heads)), to_numpy(std::move(sum.first)), sum.second);
}

nb::tuple expect_all(const Corpus& corpus, Floats weights, int threads) {
  std::pair<std::vector<double>, double> sum;
  {
    nb::gil_scoped_release unlock;
    sum = summed(corpus, threads, [&] { return InsideOutside(corpus.layout); },
                 [&](InsideOutside& chart, int from, int to, std::span<double> counts) {
                   double score = 0.0;
                   for (int s = from; s < to; ++s)
                     score += corpus.copies[s] * chart.run(corpus.sentence(s), weights, corpus.copies[s], counts);
                   return score;
                 });
  }
  return nb::make_tuple(to_numpy(std::move(sum.first)), sum.second);
}

std::vector<double> count_all(const Corpus& corpus, std::span<const std::int32_t> heads) {
  if (heads.size() != corpus.tokens.size()) throw std::invalid_argument("expected a head for every token");
  std::vector<double> counts(static_cast<std::size_t>(corpus.layout.size()));
  std::vector<std::int32_t> children;
  for (int s = 0; s < corpus.size(); ++s) {
    const auto n = static_cast<std::size_t>(corpus.length(s));
    const auto tree = heads.subspan(static_cast<std::size_t>(corpus.begin[s]), n);
    for (auto head : tree)
      if (head < 0 || head > static_cast<std::int32_t>(n)) throw std::invalid_argument("a head that is not there");
    children.resize(2 * n);
    count_tree(corpus.layout, corpus.sentence(s), tree, corpus.copies[s], children, counts);
  }
  return counts;
}

// Every restart has its own seed and is alone by itself; the best is the first of the best.
nb::tuple restart(const Corpus& corpus, Floats initial, bool random, double lambda, const Posterior& posterior, int steps,
                  int first, int restarts, std::uint64_t seed, int threads) {
  std::vector<Local> found(static_cast<std::size_t>(restarts));
  {
    nb::gil_scoped_release unlock;
    const auto all = distributions(corpus.layout);
    std::vector<LocalSearch> workers(static_cast<std::size_t>(std::max(1, threads)), LocalSearch(corpus, lambda, posterior));
    parallel_for(restarts, threads, [&](int i, int worker) {
      const auto own = stream(seed, static_cast<std::uint64_t>(first + i)) | 1;
      std::vector<double> weights(initial.begin(), initial.end());
      if (random) random_weights(all, own, weights);
      found[i] = workers[worker].climb(weights, own, steps);
    });
  }
  std::vector<double> objectives;
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> taken;
  for (auto& local : found) {
    if (objectives.empty() || local.objective > *std::max_element(objectives.begin(), objectives.end()))
      heads = std::move(local.heads);
    objectives.push_back(local.objective);
    taken.push_back(local.steps);
  }
  return nb::make_tuple(to_numpy(std::move(objectives)), to_numpy(std::move(heads)), to_numpy(std::move(taken)));
}

}  // namespace

void register_induce(nb::module_& m) {
  nb::class_<Corpus>(m, "DmvCorpus", "Sentences of tags in flat arrays, each with the number of its copies.")
      .def("__init__",
           [](Corpus* self, int tags, In<std::int32_t> tokens, In<std::int64_t> begin, In<double> copies) {
             new (self) Corpus(corpus_of(tags, tokens, begin, copies));
           },
           nb::arg("tags"), nb::arg("tokens"), nb::arg("begin"), nb::arg("copies"));
  m.def("dmv_parse",
        [](const Corpus& corpus, In<double> weights, std::uint64_t seed, int threads) {
          check_weights(corpus, weights);
          return parse_all(corpus, view(weights), seed, threads);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("seed") = 0, nb::arg("threads") = 1,
        "The best trees: (heads, counts, score).");
  m.def("dmv_expect",
        [](const Corpus& corpus, In<double> weights, int threads) {
          check_weights(corpus, weights);
          return expect_all(corpus, view(weights), threads);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("threads") = 1, "Expected counts and the log of the sum over trees.");
  m.def("dmv_count",
        [](const Corpus& corpus, In<std::int32_t> heads) { return to_numpy(count_all(corpus, view(heads))); },
        nb::arg("corpus"), nb::arg("heads"), "The counts of trees.");
  m.def("dmv_restarts",
        [](const Corpus& corpus, In<double> initial, bool random, double smoothing, In<double> kinds, double least,
           int steps, int first, int restarts, std::uint64_t seed, int threads) {
          check_weights(corpus, initial);
          const auto posterior = posterior_of(corpus, kinds, least);
          return restart(corpus, view(initial), random, smoothing, posterior, steps, first, restarts, seed, threads);
        },
        nb::arg("corpus"), nb::arg("initial"), nb::arg("random"), nb::arg("smoothing"), nb::arg("kinds"),
        nb::arg("least"), nb::arg("steps"), nb::arg("first"), nb::arg("restarts"), nb::arg("seed"), nb::arg("threads") = 1,
        "Viterbi EM from several starts: objectives, the heads of the best, steps.");
}

}  // namespace treaty::bind

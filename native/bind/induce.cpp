#include <algorithm>

#include "bind/bind.hpp"
#include "induce/chart.hpp"
#include "induce/inside.hpp"
#include "induce/local_search.hpp"
#include "induce/random.hpp"
#include "induce/search.hpp"
#include "learn/parallel.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::induce;
using namespace treaty::learn;
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

Posterior posterior_of(const Corpus& corpus, const In<double>& others, double most) {
  if (others.shape(0) != 0 && static_cast<int>(others.shape(0)) != corpus.layout.size())
    throw std::invalid_argument("expected a mark for every feature");
  return {copy(others), most};
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

// How the starts of local search differ: in the ties that are broken, in all, or (but for the first) in part.
enum Starts { kTies, kRandom, kDisturbed };

// Every restart has its own seed and is alone by itself; the best is the first of the best.
nb::tuple restart(const Corpus& corpus, Floats initial, int starts, double lambda, const Posterior& posterior,
                  int steps, int first, int restarts, std::uint64_t seed, int threads) {
  std::vector<Local> found(static_cast<std::size_t>(restarts));
  {
    nb::gil_scoped_release unlock;
    const auto all = distributions(corpus.layout);
    const LocalSearch one(corpus, lambda, posterior);
    std::vector<LocalSearch> workers(static_cast<std::size_t>(std::max(1, threads)), one);
    parallel_for(restarts, threads, [&](int i, int worker) {
      const auto own = stream(seed, static_cast<std::uint64_t>(first + i)) | 1;
      std::vector<double> weights(initial.begin(), initial.end());
      if (starts == kRandom) random_weights(all, own, weights);
      if (starts == kDisturbed && first + i > 0) disturb_weights(all, own, weights);
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

void register_choices(nb::module_& m) {
  nb::class_<Choices>(m, "Choices", "The choices of all distributions, and the bounds of boxes of their ratios.")
      .def("__init__",
           [](Choices* self, const Corpus& corpus, double smoothing) {
             const std::vector<double> none(static_cast<std::size_t>(corpus.layout.size()));
             new (self) Choices(corpus, smoothing, none);
           },
           nb::arg("corpus"), nb::arg("smoothing") = 0.0)
      .def("__len__", &Choices::size)
      .def("whole", [](const Choices& self) { return to_numpy(self.whole()); }, "The box of all ratios there are.")
      .def("totals",
           [](const Choices& self, In<double> counts) {
             std::vector<double> x(static_cast<std::size_t>(self.size())), n(x.size());
             self.totals(view(counts), x, n);
             return nb::make_tuple(to_numpy(std::move(x)), to_numpy(std::move(n)));
           },
           nb::arg("counts"), "x and n of each choice.")
      .def("cut",
           [](const Choices& self, int choice, In<Point> box, double at) {
             const auto cut = self.cut(choice, view(box), at);
             return nb::make_tuple(cut.low, cut.high);
           },
           nb::arg("choice"), nb::arg("box"), nb::arg("at"), "Where the lower part ends, and the higher begins.")
      .def("bound",
           [](const Choices& self, const Corpus& corpus, double smoothing, In<double> others, double most,
              In<Point> box) {
             if (box.shape(0) != 2 * static_cast<std::size_t>(self.size()))
               throw std::invalid_argument("expected two ends for each choice");
             const auto posterior = posterior_of(corpus, others, most);
             const Problem problem{corpus, self, smoothing, posterior};
             Bounder bounder(problem);
             double price = 0.0;
             return bounder.bound(view(box), price, -1e300);
           },
           nb::arg("corpus"), nb::arg("smoothing"), nb::arg("others"), nb::arg("most"), nb::arg("box"));
}

void register_search(nb::module_& m) {
  nb::class_<Search>(m, "Search", "Branch and bound by chords; see treaty.induce.branch_and_bound.")
      .def("__init__",
           [](Search* self, const Corpus& corpus, In<double> others, double most, double smoothing, double relative_gap,
              std::uint64_t seed, int restarts, std::uint64_t memory) {
             const SearchOptions options{smoothing, relative_gap, seed, restarts, memory};
             const auto posterior = posterior_of(corpus, others, most);
             nb::gil_scoped_release unlock;
             new (self) Search(corpus, posterior, options);
           },
           nb::arg("corpus"), nb::arg("others"), nb::arg("most"), nb::arg("smoothing"), nb::arg("relative_gap"),
           nb::arg("seed"), nb::arg("restarts"), nb::arg("memory"))
      .def("run", &Search::run, nb::arg("seconds"), nb::arg("nodes"), nb::arg("threads"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("descend", &Search::descend, nb::arg("seed"), nb::arg("number"), nb::call_guard<nb::gil_scoped_release>())
      .def("save", &Search::save, nb::arg("path"), nb::arg("identity"), nb::call_guard<nb::gil_scoped_release>())
      .def("load", &Search::load, nb::arg("path"), nb::arg("identity"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("done", &Search::done)
      .def_prop_ro("feasible", &Search::feasible)
      .def_prop_ro("objective", [](const Search& self) { return self.best().objective; })
      .def_prop_ro("heads", [](const Search& self) { return to_numpy(std::vector(self.best().heads)); }, kOwned)
      .def_prop_ro("bound", &Search::bound)
      .def_prop_ro("nodes", &Search::nodes)
      .def_prop_ro("open", &Search::open)
      .def_prop_ro("memory", &Search::memory);
}

// Searches that are not native keep their state in files of the same form.
void register_archive(nb::module_& m) {
  m.def("write_archive",
        [](const std::string& path, std::uint64_t identity, In<std::uint8_t> data) {
          auto bytes = copy(data);
          nb::gil_scoped_release unlock;
          Archive archive(path, Archive::kWrite, identity);
          archive.vector(bytes);
          archive.finish();
        },
        nb::arg("path"), nb::arg("identity"), nb::arg("data"));
  m.def("read_archive",
        [](const std::string& path, std::uint64_t identity) {
          std::vector<std::uint8_t> bytes;
          {
            nb::gil_scoped_release unlock;
            Archive archive(path, Archive::kRead, identity);
            archive.vector(bytes);
            archive.finish();
          }
          return to_numpy(std::move(bytes));
        },
        nb::arg("path"), nb::arg("identity"));
}

}  // namespace

void register_induce(nb::module_& m) {
  register_choices(m);
  register_search(m);
  register_archive(m);
  nb::class_<Corpus>(m, "Corpus", "Sentences of tags in flat arrays, each with the number of its copies.")
      .def("__init__",
           [](Corpus* self, int tags, In<std::int32_t> tokens, In<std::int64_t> begin, In<double> copies) {
             new (self) Corpus(corpus_of(tags, tokens, begin, copies));
           },
           nb::arg("tags"), nb::arg("tokens"), nb::arg("begin"), nb::arg("copies"));
  m.def("parse",
        [](const Corpus& corpus, In<double> weights, std::uint64_t seed, int threads) {
          check_weights(corpus, weights);
          return parse_all(corpus, view(weights), seed, threads);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("seed") = 0, nb::arg("threads") = 1,
        "The best trees: (heads, counts, score).");
  m.def("expect",
        [](const Corpus& corpus, In<double> weights, int threads) {
          check_weights(corpus, weights);
          return expect_all(corpus, view(weights), threads);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("threads") = 1,
        "Expected counts and the log of the sum over trees.");
  m.def("count",
        [](const Corpus& corpus, In<std::int32_t> heads) { return to_numpy(count_all(corpus, view(heads))); },
        nb::arg("corpus"), nb::arg("heads"), "The counts of trees.");
  m.def("restarts",
        [](const Corpus& corpus, In<double> initial, int starts, double smoothing, In<double> others, double most,
           int steps, int first, int restarts, std::uint64_t seed, int threads) {
          check_weights(corpus, initial);
          const auto posterior = posterior_of(corpus, others, most);
          return restart(corpus, view(initial), starts, smoothing, posterior, steps, first, restarts, seed, threads);
        },
        nb::arg("corpus"), nb::arg("initial"), nb::arg("starts"), nb::arg("smoothing"), nb::arg("others"),
        nb::arg("most"), nb::arg("steps"), nb::arg("first"), nb::arg("restarts"), nb::arg("seed"),
        nb::arg("threads") = 1, "Viterbi EM from several starts: objectives, the heads of the best, steps.");
}

}  // namespace treaty::bind

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "induce/counts.hpp"
#include "induce/search.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::induce;

Posterior posterior_of(const Corpus& corpus, const In<double>& others, double most) {
  if (others.shape(0) != 0 && static_cast<int>(others.shape(0)) != corpus.layout.size())
    throw std::invalid_argument("expected a mark for every feature");
  return {copy(others), most};
}

nb::tuple restarts_of(const Corpus& corpus, In<double> initial, int starts, double lambda, In<double> others, double most,
                      int steps, int first, int restarts, std::uint64_t seed, Threads threads) {
  const auto posterior = posterior_of(corpus, others, most);
  const Restarts wanted{static_cast<Starts>(starts), steps, first, restarts, seed};
  auto found = unlocked([&, weights = copy(initial)] { return restart(corpus, weights, lambda, posterior, wanted, threads); });
  std::vector<double> objectives;
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> taken;
  for (auto& local : found) {
    if (!local.heads.empty()) heads = std::move(local.heads);
    objectives.push_back(local.objective);
    taken.push_back(local.steps);
  }
  return to_arrays(std::move(objectives), std::move(heads), std::move(taken));
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

// A search works without the interpreter lock; until it stops, nobody else may use it.
template <class Result, class... Argument>
auto alone(Result (Search::*method)(Argument...)) {
  return [method](Search& self, Argument... arguments) -> Result {
    const Changing changing(&self);
    return unlocked([&]() -> Result { return (self.*method)(arguments...); });
  };
}

template <class Tell>
auto told(Tell tell) {
  return [tell](const Search& self) { return check_readable(self), tell(self); };
}

// Nodes as arrays: bounds, prices, and the boxes one after the other.
nb::tuple arrays_of(const std::vector<Part>& parts) {
  std::vector<double> bounds, prices;
  std::vector<Point> boxes;
  for (const auto& part : parts) {
    bounds.push_back(part.bound);
    prices.push_back(part.price);
    boxes.insert(boxes.end(), part.box.begin(), part.box.end());
  }
  return to_arrays(std::move(bounds), std::move(prices), std::move(boxes));
}

std::vector<Part> parts_of(const Search& search, const In<double>& bounds, const In<double>& prices, const In<Point>& boxes) {
  const auto width = 2 * static_cast<std::size_t>(search.choices()), count = bounds.shape(0);
  if (prices.shape(0) != count || boxes.shape(0) != count * width)
    throw std::invalid_argument("expected a price and a box for every bound");
  std::vector<Part> parts;
  const auto points = view(boxes);
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back({view(bounds)[i], view(prices)[i], {points.begin() + i * width, points.begin() + (i + 1) * width}});
  return parts;
}

void register_shares(nb::class_<Search>& search) {
  search
      .def("start_share", alone(&Search::start_share), nb::arg("number"), "Empty this search for a share of another's nodes.")
      .def("hand_over",
           [](Search& self, std::uint64_t most) {
             const Changing changing(&self);
             return arrays_of(self.hand_over(static_cast<std::size_t>(most)));
           },
           nb::arg("most"), "Hand over open nodes: bounds, prices, boxes.")
      .def("take_over",
           [](Search& self, In<double> bounds, In<double> prices, In<Point> boxes, double closed, std::uint64_t nodes) {
             const Changing changing(&self);
             self.take_over(parts_of(self, bounds, prices, boxes), closed, nodes);
           },
           nb::arg("bounds"), nb::arg("prices"), nb::arg("boxes"), nb::arg("closed"), nb::arg("nodes"))
      .def("adopt",
           [](Search& self, In<std::int32_t> heads) {
             const Changing changing(&self);
             return self.adopt(copy(heads));
           },
           nb::arg("heads"), "Take over trees if they are better.")
      .def("save_with",
           [](Search& self, int file, std::uint64_t identity, In<double> bounds, In<double> prices, In<Point> boxes) {
             const Changing changing(&self);
             self.save_with(file, identity, parts_of(self, bounds, prices, boxes));
           },
           nb::arg("file"), nb::arg("identity"), nb::arg("bounds"), nb::arg("prices"), nb::arg("boxes"))
      .def_prop_ro("closed", told([](const Search& self) { return self.closed(); }));
}

void register_search(nb::module_& m) {
  nb::class_<Search> search(m, "Search", "Branch and bound by chords; see treaty.induce.branch_and_bound.");
  search
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
      .def("run", 
           [](Search& self, double seconds, std::uint64_t nodes, Threads threads) {
             return alone(&Search::run)(self, seconds, nodes, threads);
           }, nb::arg("seconds"), nb::arg("nodes"), nb::arg("threads"))
      .def("descend", alone(&Search::descend), nb::arg("seed"), nb::arg("number"))
      .def("save", alone(&Search::save), nb::arg("file"), nb::arg("identity"))
      .def("load", alone(&Search::load), nb::arg("file"), nb::arg("identity"))
      .def_prop_ro("done", told([](const Search& self) { return self.done(); }))
      .def_prop_ro("feasible", told([](const Search& self) { return self.feasible(); }))
      .def_prop_ro("objective", told([](const Search& self) { return self.best().objective; }))
      .def_prop_ro("heads", told([](const Search& self) { return to_numpy(std::vector(self.best().heads)); }), kOwned)
      .def_prop_ro("bound", told([](const Search& self) { return self.bound(); }))
      .def_prop_ro("nodes", told([](const Search& self) { return self.nodes(); }))
      .def_prop_ro("open", told([](const Search& self) { return self.open(); }))
      .def_prop_ro("memory", told([](const Search& self) { return self.memory(); }));
  register_shares(search);
}

// Searches that are not native keep their state in files of the same form.
void register_archive(nb::module_& m) {
  m.def("write_archive",
        [](int file, std::uint64_t identity, In<std::uint8_t> data) {
          auto bytes = copy(data);
          nb::gil_scoped_release unlock;
          Archive archive(file, Archive::kWrite, identity);
          archive.vector(bytes);
          archive.finish();
        },
        nb::arg("file"), nb::arg("identity"), nb::arg("data"));
  m.def("read_archive",
        [](int file, std::uint64_t identity) {
          std::vector<std::uint8_t> bytes;
          {
            nb::gil_scoped_release unlock;
            Archive archive(file, Archive::kRead, identity);
            archive.vector(bytes);
            archive.finish();
          }
          return to_numpy(std::move(bytes));
        },
        nb::arg("file"), nb::arg("identity"));
}

}  // namespace

void register_induce(nb::module_& m) {
  register_choices(m);
  register_search(m);
  register_archive(m);
  nb::class_<Corpus>(m, "Corpus", "Sentences of tags in flat arrays, each with the number of its copies.")
      .def("__init__",
           [](Corpus* self, int tags, In<std::int32_t> tokens, In<std::int64_t> begin, In<double> copies) {
             Corpus corpus{{tags}, copy(tokens), copy(begin), copy(copies)};
             corpus.check();
             new (self) Corpus(std::move(corpus));
           },
           nb::arg("tags"), nb::arg("tokens"), nb::arg("begin"), nb::arg("copies"));
  m.def("parse",
        [](const Corpus& corpus, In<double> weights, std::uint64_t seed, Threads threads) {
          std::vector<std::int32_t> heads(corpus.tokens.size());
          auto sum = unlocked([&, weights = copy(weights)] { return parse_all(corpus, weights, seed, threads, heads); });
          return nb::make_tuple(to_numpy(std::move(heads)), to_numpy(std::move(sum.counts)), sum.score);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("seed") = 0, nb::arg("threads") = 1,
        "The best trees: (heads, counts, score).");
  m.def("expect",
        [](const Corpus& corpus, In<double> weights, Threads threads) {
          auto sum = unlocked([&, weights = copy(weights)] { return expect_all(corpus, weights, threads); });
          return nb::make_tuple(to_numpy(std::move(sum.counts)), sum.score);
        },
        nb::arg("corpus"), nb::arg("weights"), nb::arg("threads") = 1,
        "Expected counts and the log of the sum over trees.");
  m.def("count",
        [](const Corpus& corpus, In<std::int32_t> heads) { return to_numpy(count_all(corpus, view(heads))); },
        nb::arg("corpus"), nb::arg("heads"), "The counts of trees.");
  m.def("restarts", &restarts_of, nb::arg("corpus"), nb::arg("initial"), nb::arg("starts"), nb::arg("smoothing"),
        nb::arg("others"), nb::arg("most"), nb::arg("steps"), nb::arg("first"), nb::arg("restarts"), nb::arg("seed"),
        nb::arg("threads") = 1, "Viterbi EM from several starts: objectives, the heads of the best, steps.");
}

}  // namespace treaty::bind

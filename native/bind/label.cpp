#include <algorithm>

#include "bind/bind.hpp"
#include "label/exponential.hpp"
#include "label/likelihood.hpp"
#include "label/problem.hpp"
#include "label/sgd.hpp"
#include "label/train.hpp"
#include "learn/batches.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::label;
using namespace treaty::learn;
using label::Kind;
using Ints = std::span<const std::int32_t>;

template <class T>
std::vector<T> copy(const In<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

template <class T>
std::vector<T> one_per_thread(int threads, const T& example) {
  return std::vector<T>(static_cast<std::size_t>(std::max(1, threads)), example);
}

void check_gold(const Model& model, const Bound& bound, Ints gold) {
  if (static_cast<std::int64_t>(gold.size()) != bound.instances->all_vertices())
    throw std::invalid_argument("expected a label for every vertex");
  for (auto label : gold)
    if (label < 0 || label >= model.labels) throw std::invalid_argument("a label that is not there");
}

void check_ids(const Bound& bound, Ints ids) {
  for (auto i : ids)
    if (i < 0 || i >= bound.instances->size()) throw std::invalid_argument("an instance that is not there");
}

Ints labels_of(const Bound& bound, Ints all, std::int32_t instance) {
  return all.subspan(static_cast<std::size_t>(bound.instances->first(instance)),
                     static_cast<std::size_t>(bound.instances->vertices(instance)));
}

struct Decoded {
  std::vector<std::int32_t> labels;
  std::vector<double> score;
  std::vector<std::uint8_t> exact;
};

// The best labelings of forests. Of others, the best over a forest of their edges, which is not exact.
Decoded decode(const Model& model, const Bound& bound, int threads) {
  const auto n = bound.instances->size();
  Decoded all{std::vector<std::int32_t>(static_cast<std::size_t>(bound.instances->all_vertices())),
              std::vector<double>(static_cast<std::size_t>(n)), std::vector<std::uint8_t>(static_cast<std::size_t>(n))};
  struct Worker {
    Scores scores;
    Forest forest;
  };
  auto workers = one_per_thread(threads, Worker{});
  parallel_for(n, threads, [&](int i, int worker) {
    auto& [scores, forest] = workers[worker];
    score(model, bound, i, {}, scores);
    all.exact[i] = forest.build(scores);
    if (!all.exact[i]) forest.span_edges(scores);
    const auto labels = std::span(all.labels).subspan(bound.instances->first(i), bound.instances->vertices(i));
    all.score[i] = forest.best(labels);
    if (!all.exact[i] && all.score[i] != kForbidden) all.score[i] = scores.of(labels);
  });
  return all;
}

std::pair<std::vector<double>, std::vector<double>> marginals(const Model& model, const Bound& bound, int threads) {
  const auto n = bound.instances->size();
  std::vector<double> beliefs(static_cast<std::size_t>(bound.instances->all_vertices()) * model.labels);
  std::vector<double> log_sums(static_cast<std::size_t>(n));
  struct Worker {
    Scores scores;
    Forest forest;
  };
  auto workers = one_per_thread(threads, Worker{});
  parallel_for(n, threads, [&](int i, int worker) {
    auto& [scores, forest] = workers[worker];
    score(model, bound, i, {}, scores);
    if (!forest.build(scores)) throw std::invalid_argument("marginals need factors that form chains or trees");
    log_sums[i] = forest.log_sum();
    if (log_sums[i] == kForbidden) throw std::invalid_argument("an instance all of whose labelings are forbidden");
    for (std::int32_t v = 0; v < scores.vertices; ++v)
      std::copy_n(forest.belief_of(v), model.labels, &beliefs[(bound.instances->first(i) + v) * model.labels]);
  });
  return {std::move(beliefs), std::move(log_sums)};
}

std::int64_t train(Model& model, const Bound& bound, Ints gold, Ints ids, const Training& training, int batch,
                   int threads) {
  auto workers = one_per_thread(threads, Learner(model, training));
  std::vector<Update> updates(static_cast<std::size_t>(std::max(1, batch)));
  std::vector<int> right(updates.size());
  std::int64_t total = 0;
  in_batches(
      ids, batch, threads,
      [&](int i, int worker, int slot) {
        right[slot] = workers[worker].learn(bound, i, labels_of(bound, gold, i), updates[slot]);
      },
      [&](int slot) {
        apply(updates[slot], model);
        total += right[slot];
      });
  return total;
}

// Steps from answers that were all found with the weights as they are.
void learn_from(Model& model, const Bound& bound, Ints gold, Ints ids, Ints answers, const Training& training) {
  std::vector<Update> updates(ids.size());
  const Learner learner(model, training);
  for (auto label : answers)
    if (label < 0 || label >= model.labels) throw std::invalid_argument("a label that is not there");
  std::size_t begin = 0;
  for (std::size_t slot = 0; slot < ids.size(); ++slot) {
    const auto right = labels_of(bound, gold, ids[slot]);
    if (begin + right.size() > answers.size()) throw std::invalid_argument("expected a label for every vertex");
    learner.step(bound, ids[slot], right, answers.subspan(begin, right.size()), updates[slot]);
    begin += right.size();
  }
  for (const auto& update : updates) apply(update, model);
}

Training training_of(const Model& model, double aggressiveness, double dropout, const In<double>& cost) {
  if (!(dropout >= 0.0 && dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
  if (!(aggressiveness >= 0.0)) throw std::invalid_argument("aggressiveness is not negative");
  const auto cells = static_cast<std::size_t>(model.labels) * model.labels;
  if (cost.shape(0) != cells) throw std::invalid_argument("expected a cost for every pair of labels");
  return {aggressiveness, dropout, copy(cost)};
}

void register_model(nb::module_& m) {
  nb::class_<Instances>(m, "Instances", "Instances in flat arrays: vertices, and factors by kind.")
      .def(
          "__init__", [](Instances* self, In<std::int32_t> sizes) { new (self) Instances(view(sizes)); },
          nb::arg("sizes"))
      .def("start", &Instances::start, nb::arg("vertices"))
      .def(
          "add",
          [](Instances& self, std::size_t kind, In<std::int32_t> vertices, In<std::uint64_t> features,
             In<std::int64_t> begin, In<float> values) {
            self.add(kind, view(vertices), view(features), view(begin), view(values));
          },
          nb::arg("kind"), nb::arg("vertices"), nb::arg("features"), nb::arg("begin"), nb::arg("values"))
      .def_prop_ro("sizes", [](const Instances& self) {
        std::vector<std::int32_t> sizes;
        for (std::int32_t i = 0; i < self.size(); ++i) sizes.push_back(self.vertices(i));
        return to_numpy(std::move(sizes));
      }, kOwned, "How many vertices each instance has.")
      .def_prop_ro("all_vertices", &Instances::all_vertices)
      .def("__len__", &Instances::size);

  nb::class_<Model>(m, "Model", "Kinds of factors, rows of weights for their features.")
      .def(
          "__init__",
          [](Model* self, std::int32_t labels, In<std::int32_t> sizes, const std::vector<In<std::int32_t>>& patterns,
             const std::vector<In<std::int32_t>>& forbidden) {
            std::vector<Kind> kinds;
            for (std::size_t k = 0; k < sizes.shape(0); ++k)
              kinds.emplace_back(labels, sizes.data()[k], copy(patterns.at(k)), copy(forbidden.at(k)));
            new (self) Model(labels, std::move(kinds));
          },
          nb::arg("labels"), nb::arg("sizes"), nb::arg("patterns"), nb::arg("forbidden"))
      .def(
          "index",
          [](Model& self, const Instances& instances, std::int64_t least_count) {
            nb::gil_scoped_release unlock;
            self.index(instances, least_count);
          },
          nb::arg("instances"), nb::arg("least_count") = 1)
      .def(
          "index_features",
          [](Model& self, const std::vector<In<std::uint64_t>>& features) {
            std::vector<std::vector<std::uint64_t>> lists;
            for (const auto& list : features) lists.push_back(copy(list));
            self.index(lists);
          },
          nb::arg("features"))
      .def("features", [](const Model& self, std::size_t kind) { return to_numpy(self.rows.at(kind).features()); },
           nb::arg("kind"), "The features of a kind in the order of their rows.")
      .def_rw("seen", &Model::seen, "Examples in training.")
      .def_prop_ro("weights", [](Model& self) -> AveragedWeights& { return self.weights; },
                   nb::rv_policy::reference_internal);

  nb::class_<Bound>(m, "BoundInstances", "Instances whose features have been looked up in a model.")
      .def(
          "__init__",
          [](Bound* self, const Model& model, std::shared_ptr<Instances> instances, int threads) {
            nb::gil_scoped_release unlock;
            new (self) Bound(model, std::move(instances), threads);
          },
          nb::arg("model"), nb::arg("instances"), nb::arg("threads") = 1);
}

void register_decoding(nb::module_& m) {
  m.def(
      "decode",
      [](const Model& model, const Bound& bound, int threads) {
        Decoded all;
        {
          nb::gil_scoped_release unlock;
          all = decode(model, bound, threads);
        }
        return nb::make_tuple(to_numpy(std::move(all.labels)), to_numpy(std::move(all.score)),
                              to_numpy(std::move(all.exact)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("threads") = 1,
      "Labels of all vertices, scores, and where they are exact: (labels, scores, exact).");
  m.def(
      "marginals",
      [](const Model& model, const Bound& bound, int threads) {
        std::pair<std::vector<double>, std::vector<double>> all;
        {
          nb::gil_scoped_release unlock;
          all = marginals(model, bound, threads);
        }
        return nb::make_tuple(to_numpy(std::move(all.first)), to_numpy(std::move(all.second)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("threads") = 1,
      "The probability of each label of all vertices, and log Z of each instance.");
  m.def(
      "n_best",
      [](const Model& model, const Bound& bound, std::int32_t instance, std::size_t n) {
        check_ids(bound, {&instance, 1});
        Scores scores;
        Forest forest;
        score(model, bound, instance, {}, scores);
        if (!forest.build(scores)) throw std::invalid_argument("n-best lists need factors that form chains or trees");
        std::vector<std::int32_t> labelings;
        auto best = forest.n_best(n, labelings);
        return nb::make_tuple(to_numpy(std::move(labelings)), to_numpy(std::move(best)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("instance"), nb::arg("n"));
  m.def(
      "score",
      [](const Model& model, const Bound& bound, In<std::int32_t> labels) {
        check_gold(model, bound, view(labels));
        std::vector<double> all;
        Scores scores;
        for (std::int32_t i = 0; i < bound.instances->size(); ++i) {
          score(model, bound, i, {}, scores);
          all.push_back(scores.of(labels_of(bound, view(labels), i)));
        }
        return to_numpy(std::move(all));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("labels"), "Of a labeling of each instance.");
  m.def(
      "make_graph",
      [](const Model& model, const Bound& bound, std::int32_t instance) {
        check_ids(bound, {&instance, 1});
        Scores scores;
        score(model, bound, instance, {}, scores);
        return to_graph(problem_of(scores));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("instance"));
}

void register_training(nb::module_& m) {
  m.def(
      "train",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::int32_t> ids, double aggressiveness,
         double dropout, In<double> cost, int batch, int threads) {
        check_gold(model, bound, view(gold));
        check_ids(bound, view(ids));
        const auto training = training_of(model, aggressiveness, dropout, cost);
        nb::gil_scoped_release unlock;
        return train(model, bound, view(gold), view(ids), training, batch, threads);
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("ids"), nb::arg("aggressiveness"),
      nb::arg("dropout"), nb::arg("cost"), nb::arg("batch") = 1, nb::arg("threads") = 1,
      "Learns from these instances in this order; returns how many labels were right at first.");
  m.def(
      "training_graph",
      [](const Model& model, const Bound& bound, In<std::int32_t> gold, std::int32_t instance, double aggressiveness,
         double dropout, In<double> cost) {
        check_gold(model, bound, view(gold));
        check_ids(bound, {&instance, 1});
        const auto training = training_of(model, aggressiveness, dropout, cost);
        Scores scores;
        Learner(model, training).score(bound, instance, labels_of(bound, view(gold), instance), scores);
        return to_graph(problem_of(scores));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("instance"), nb::arg("aggressiveness"),
      nb::arg("dropout"), nb::arg("cost"), "What an example is decoded by in training.");
  m.def(
      "learn_from",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::int32_t> ids, In<std::int32_t> answers,
         double aggressiveness, double dropout, In<double> cost) {
        check_gold(model, bound, view(gold));
        check_ids(bound, view(ids));
        learn_from(model, bound, view(gold), view(ids), view(answers),
                   training_of(model, aggressiveness, dropout, cost));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("ids"), nb::arg("answers"),
      nb::arg("aggressiveness"), nb::arg("dropout"), nb::arg("cost"),
      "Learns from answers to a batch of examples, one after the other in one list.");
  m.def(
      "likelihood",
      [](const Model& model, const Bound& bound, In<std::int32_t> gold) {
        check_gold(model, bound, view(gold));
        AveragedWeights slope;
        slope.values.assign(model.weights.values.size(), 0.0f);
        double total = 0.0;
        Likelihood likelihood(model);
        Gradient gradient;
        for (std::int32_t i = 0; i < bound.instances->size(); ++i) {
          likelihood.differentiate(bound, i, labels_of(bound, view(gold), i), {}, gradient);
          add(model, bound, gradient, 1.0, slope);
          total += gradient.log_likelihood;
        }
        return nb::make_tuple(total, to_numpy(slope.average()));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), "log P(gold) of all instances, and its gradient.");
  m.def(
      "sgd",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::int32_t> ids, double rate, double lambda,
         double dropout, int batch, int threads) {
        check_gold(model, bound, view(gold));
        check_ids(bound, view(ids));
        if (!(dropout >= 0.0 && dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
        if (!(rate > 0.0) || !(lambda >= 0.0)) throw std::invalid_argument("the rate must be positive, lambda not negative");
        nb::gil_scoped_release unlock;
        return ascend(model, bound, view(gold), view(ids), {rate, lambda, dropout, batch, threads});
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("ids"), nb::arg("rate"), nb::arg("regularization"),
      nb::arg("dropout") = 0.0, nb::arg("batch") = 1, nb::arg("threads") = 1,
      "Steps of stochastic gradient ascent; returns the log-likelihood that was met.");
}

}  // namespace

void register_label(nb::module_& m) {
  register_model(m);
  register_decoding(m);
  register_training(m);
  m.def("exponential", &exponential, nb::arg("x"), "e^x for x <= 0, the same on every machine.");
  m.def("logarithm", &logarithm, nb::arg("x"), "log x, the same on every machine.");
}

}  // namespace treaty::bind

#include <nanobind/stl/optional.h>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "label/decode.hpp"
#include "label/exponential.hpp"
#include "label/problem.hpp"
#include "label/sgd.hpp"
#include "label/train.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::label;
using namespace treaty::learn;
using label::Kind;

// The instances that a model was bound to, while something is done to them and with the model.
auto reading(const Model& model, const Bound& bound) {
  return Reading(&model, &model.weights, bound.instances.get());
}

// Scores of parts; none if those of the features are meant.
using Parts = std::optional<In<double>>;
using Own = std::optional<std::vector<double>>;

Own copied(const Parts& parts) { return parts ? Own(copy(*parts)) : Own(); }
Given given(const Own& parts) { return parts ? Given(*parts) : Given(); }

void register_model(nb::module_& m) {
  nb::class_<Instances>(m, "Instances", "Instances in flat arrays: vertices, and factors by kind.")
      .def(
          "__init__", [](Instances* self, In<std::int32_t> sizes) { new (self) Instances(view(sizes)); },
          nb::arg("sizes"))
      .def("start", changing<Instances>(&Instances::start), nb::arg("vertices"))
      .def(
          "add",
          [](Instances& self, std::size_t kind, In<std::int32_t> vertices, In<std::uint64_t> features,
             In<std::int64_t> begin, In<float> values) {
            check_changeable(self);
            self.add(kind, view(vertices), view(features), view(begin), view(values));
          },
          nb::arg("kind"), nb::arg("vertices"), nb::arg("features"), nb::arg("begin"), nb::arg("values"))
      .def(
          "add_evidence",
          [](Instances& self, In<std::int32_t> vertices, In<std::int32_t> labels, In<double> scores) {
            check_changeable(self);
            self.add_evidence(view(vertices), view(labels), view(scores));
          },
          nb::arg("vertices"), nb::arg("labels"), nb::arg("scores"))
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
             const std::vector<In<std::int32_t>>& forbidden, const std::vector<bool>& tied) {
            std::vector<Kind> kinds;
            for (std::size_t k = 0; k < sizes.shape(0); ++k)
              kinds.emplace_back(labels, sizes.data()[k], copy(patterns.at(k)), copy(forbidden.at(k)), tied.at(k));
            new (self) Model(labels, std::move(kinds));
          },
          nb::arg("labels"), nb::arg("sizes"), nb::arg("patterns"), nb::arg("forbidden"), nb::arg("tied"))
      .def(
          "index",
          [](Model& self, const Instances& instances, std::int64_t least_count) {
            const Changing changing(&self, &self.weights);
            const Reading reading(&instances);
            nb::gil_scoped_release unlock;
            self.index(instances, least_count);
          },
          nb::arg("instances"), nb::arg("least_count") = 1)
      .def(
          "index_features",
          [](Model& self, const std::vector<In<std::uint64_t>>& features) {
            std::vector<std::vector<std::uint64_t>> lists;
            for (const auto& list : features) lists.push_back(copy(list));
            const Changing changing(&self, &self.weights);
            self.index(lists);
          },
          nb::arg("features"))
      .def("features", [](const Model& self, std::size_t kind) { return check_readable(self), to_numpy(self.rows.at(kind).features()); },
           nb::arg("kind"), "The features of a kind in the order of their rows.")
      .def_rw("seen", &Model::seen, "Examples in training.")
      .def_prop_ro("weights", [](Model& self) -> AveragedWeights& { return self.weights; },
                   nb::rv_policy::reference_internal);

  nb::class_<Bound>(m, "BoundInstances", "Instances whose features have been looked up in a model.")
      .def(
          "__init__",
          [](Bound* self, const Model& model, std::shared_ptr<Instances> instances, Threads threads) {
            const Reading reading(&model, instances.get());
            nb::gil_scoped_release unlock;
            new (self) Bound(model, std::move(instances), threads);
          },
          nb::arg("model"), nb::arg("instances"), nb::arg("threads") = 1);
}

void register_decoding(nb::module_& m) {
  m.def(
      "decode",
      [](const Model& model, const Bound& bound, Threads threads, const Parts& parts) {
        const auto claims = reading(model, bound);
        auto all = unlocked([&, own = copied(parts)] { return decode(model, bound, threads, given(own)); });
        return to_arrays(std::move(all.labels), std::move(all.score), std::move(all.exact));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("threads") = 1, nb::arg("parts") = nb::none(),
      "Labels of all vertices, scores, and where they are exact: (labels, scores, exact).");
  m.def(
      "marginals",
      [](const Model& model, const Bound& bound, Threads threads) {
        const auto claims = reading(model, bound);
        auto all = unlocked([&] { return marginals(model, bound, threads); });
        return to_arrays(std::move(all.beliefs), std::move(all.log_sums));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("threads") = 1,
      "The probability of each label of all vertices, and log Z of each instance.");
  m.def(
      "n_best",
      [](const Model& model, const Bound& bound, std::int32_t instance, std::size_t n, const Parts& parts) {
        const auto claims = reading(model, bound);
        const auto own = copied(parts);
        auto best = n_best(model, bound, instance, n, given(own));
        return to_arrays(std::move(best.labels), std::move(best.scores));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("instance"), nb::arg("n"), nb::arg("parts") = nb::none());
  m.def(
      "score",
      [](const Model& model, const Bound& bound, In<std::int32_t> labels, const Parts& parts) {
        const auto claims = reading(model, bound);
        const auto own = copied(parts);
        return to_numpy(scores_of(model, bound, view(labels), given(own)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("labels"), nb::arg("parts") = nb::none(), "Of a labeling of each instance.");
  m.def(
      "make_graph",
      [](const Model& model, const Bound& bound, std::int32_t instance, const Parts& parts) {
        const auto claims = reading(model, bound);
        const auto own = copied(parts);
        return graph_of(model, bound, instance, given(own));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("instance"), nb::arg("parts") = nb::none());
}

void register_parts(nb::module_& m) {
  m.def(
      "part_begins",
      [](const Model& model, const Bound& bound) {
        const auto claims = reading(model, bound);
        return to_numpy(PartIndex(model, *bound.instances).begin);
      },
      nb::arg("model"), nb::arg("bound"), "Where the parts of each kind begin, and where the last ones end.");
  m.def(
      "part_features",
      [](const Model& model, const Bound& bound) {
        const auto claims = reading(model, bound);
        auto all = part_features(model, bound);
        return to_arrays(std::move(all.begin), std::move(all.places), std::move(all.values));
      },
      nb::arg("model"), nb::arg("bound"),
      "Of the patterns of all factors, by kind: where the weights of each begin, their places, and their values (empty "
      "if all are one).");
  m.def(
      "parts_of",
      [](const Model& model, const Bound& bound, In<std::int32_t> labels) {
        const auto claims = reading(model, bound);
        return to_numpy(parts_of(model, bound, view(labels)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("labels"), "Which parts a labeling of all vertices has.");
  m.def(
      "labels_of",
      [](const Model& model, const Bound& bound, In<std::uint8_t> on) {
        const auto claims = reading(model, bound);
        return to_numpy(labels_of(model, bound, view(on)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("on"), "The labels that these parts tell; -1 where there is none.");
  m.def(
      "part_marginals",
      [](const Model& model, const Bound& bound, In<double> parts) {
        const auto claims = reading(model, bound);
        auto all = part_marginals(model, bound, copy(parts));
        return to_arrays(std::move(all.amounts), std::move(all.log_sums));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("parts"),
      "The expected amount of each part under scores of parts, and log Z of each instance.");
}

void register_training(nb::module_& m) {
  m.def(
      "train",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::int32_t> ids, double aggressiveness,
         double dropout, In<double> cost, int batch, Threads threads) {
        const Training training{aggressiveness, dropout, copy(cost)};
        const Changing changing(&model, &model.weights);
        const Reading reading(bound.instances.get());
        return unlocked([&, labels = copy(gold), order = copy(ids)] {
          return train(model, bound, labels, order, training, batch, threads);
        });
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("ids"), nb::arg("aggressiveness"),
      nb::arg("dropout"), nb::arg("cost"), nb::arg("batch") = 1, nb::arg("threads") = 1,
      "Learns from these instances in this order; returns how many labels were right at first.");
  m.def(
      "training_graph",
      [](const Model& model, const Bound& bound, In<std::int32_t> gold, std::int32_t instance, double aggressiveness,
         double dropout, In<double> cost) {
        const auto claims = reading(model, bound);
        return training_graph(model, bound, view(gold), instance, {aggressiveness, dropout, copy(cost)});
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("instance"), nb::arg("aggressiveness"),
      nb::arg("dropout"), nb::arg("cost"), "What an example is decoded by in training.");
  m.def(
      "learn_from",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::int32_t> ids, In<std::int32_t> answers,
         double aggressiveness, double dropout, In<double> cost) {
        const Changing changing(&model, &model.weights);
        const Reading reading(bound.instances.get());
        learn_from(model, bound, view(gold), view(ids), view(answers), {aggressiveness, dropout, copy(cost)});
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("ids"), nb::arg("answers"),
      nb::arg("aggressiveness"), nb::arg("dropout"), nb::arg("cost"),
      "Learns from answers to a batch of examples, one after the other in one list.");
  m.def(
      "likelihood",
      [](const Model& model, const Bound& bound, In<std::int32_t> gold, In<std::uint8_t> sets) {
        const auto claims = reading(model, bound);
        auto [total, slope] = likelihood(model, bound, {view(gold), view(sets)});
        return nb::make_tuple(total, to_numpy(std::move(slope)));
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("sets"),
      "log P(gold) of all instances, and its gradient.");
  m.def(
      "sgd",
      [](Model& model, const Bound& bound, In<std::int32_t> gold, In<std::uint8_t> sets, In<std::int32_t> ids,
         double rate, double lambda, double dropout, int batch, Threads threads) {
        const Changing changing(&model, &model.weights);
        const Reading reading(bound.instances.get());
        return unlocked([&, labels = copy(gold), flags = copy(sets), order = copy(ids)] {
          return ascend(model, bound, {labels, flags}, order, {rate, lambda, dropout, batch, threads});
        });
      },
      nb::arg("model"), nb::arg("bound"), nb::arg("gold"), nb::arg("sets"), nb::arg("ids"), nb::arg("rate"),
      nb::arg("regularization"), nb::arg("dropout") = 0.0, nb::arg("batch") = 1, nb::arg("threads") = 1,
      "Steps of stochastic gradient ascent; returns the log-likelihood that was met.");
}

}  // namespace

void register_label(nb::module_& m) {
  register_model(m);
  register_decoding(m);
  register_parts(m);
  register_training(m);
  m.def("exponential", &exponential, nb::arg("x"), "e^x for x <= 0, the same on every machine.");
  m.def("logarithm", &logarithm, nb::arg("x"), "log x, the same on every machine.");
}

}  // namespace treaty::bind

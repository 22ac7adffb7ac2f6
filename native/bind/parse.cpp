#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include "bind/bind.hpp"
#include "parse/parser.hpp"
#include "parse/train.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::features;
using namespace treaty::parse;

struct Candidates {
  std::vector<Arcs> arcs;
  std::int64_t found;
};

// Flat arrays with an entry for every item, the root's included.
std::vector<std::vector<std::int32_t>> split(const Sequences& sentences, std::span<const std::int32_t> flat) {
  std::vector<std::vector<std::int32_t>> parts;
  std::size_t at = 0;
  for (int s = 0; s < sentences.size(); ++s) {
    const auto n = static_cast<std::size_t>(sentences.length(s));
    if (at + n > flat.size()) throw std::invalid_argument("fewer entries than items");
    parts.emplace_back(flat.begin() + at, flat.begin() + at + n);
    at += n;
  }
  if (at != flat.size()) throw std::invalid_argument("more entries than items");
  return parts;
}

Order order_of(const ScoringModel& model, const std::vector<bool>& families) {
  Order order = model.order();
  for (std::size_t f = 0; f < families.size() && f < kFamilies; ++f) order.has[f] = order.has[f] && families[f];
  return order;
}

nb::dict to_dict(const std::vector<Parse>& parses) {
  std::vector<std::int32_t> head, label, candidates;
  std::vector<std::uint8_t> status;
  std::vector<double> objective, bound;
  std::vector<std::int64_t> iterations;
  for (const auto& parse : parses) {
    head.insert(head.end(), parse.tree.head.begin(), parse.tree.head.end());
    label.insert(label.end(), parse.label.begin(), parse.label.end());
    candidates.push_back(parse.candidates);
    status.push_back(static_cast<std::uint8_t>(parse.tree.status));
    objective.push_back(parse.tree.objective);
    bound.push_back(parse.tree.bound);
    iterations.push_back(parse.tree.iterations);
  }
  nb::dict result;
  result["head"] = to_numpy(std::move(head));
  result["label"] = to_numpy(std::move(label));
  result["candidates"] = to_numpy(std::move(candidates));
  result["status"] = to_numpy(std::move(status));
  result["objective"] = to_numpy(std::move(objective));
  result["bound"] = to_numpy(std::move(bound));
  result["iterations"] = to_numpy(std::move(iterations));
  return result;
}

void register_options(nb::module_& m) {
  nb::class_<PrunerOptions>(m, "PrunerOptions")
      .def(nb::init<>())
      .def_rw("heads", &PrunerOptions::heads)
      .def_rw("threshold", &PrunerOptions::threshold)
      .def_rw("modifiers", &PrunerOptions::modifiers)
      .def_rw("single_root", &PrunerOptions::single_root)
      .def_rw("projective", &PrunerOptions::projective);
  nb::class_<DecoderOptions>(m, "DecoderOptions")
      .def(nb::init<>())
      .def_rw("single_root", &DecoderOptions::single_root)
      .def_rw("projective", &DecoderOptions::projective)
      .def_rw("iterations", &DecoderOptions::iterations)
      .def_rw("penalty", &DecoderOptions::penalty)
      .def_rw("rounds", &DecoderOptions::rounds);
  nb::class_<BatchOptions>(m, "BatchOptions")
      .def(nb::init<>())
      .def_rw("batch", &BatchOptions::batch)
      .def_rw("threads", &BatchOptions::threads)
      .def_rw("rate", &BatchOptions::rate);
  nb::class_<Tally>(m, "Tally")
      .def_ro("words", &Tally::words)
      .def_ro("right", &Tally::right)
      .def_ro("sentences", &Tally::sentences)
      .def_ro("optimal", &Tally::optimal)
      .def_ro("iterations", &Tally::iterations);
}

void register_models(nb::module_& m) {
  nb::class_<ScoringModel>(m, "ScoringModel", "Templates by family and their weights.")
      .def(
          "__init__",
          [](ScoringModel* self, const std::vector<std::optional<std::shared_ptr<Templates>>>& templates, int bits, int coarse,
             int width) {
            FamilyTemplates families;
            for (std::size_t f = 0; f < templates.size() && f < kFamilies; ++f) families[f] = templates[f].value_or(nullptr);
            new (self) ScoringModel{families, Weights(bits), coarse, width};
          },
          nb::arg("templates"), nb::arg("bits"), nb::arg("coarse"), nb::arg("width"))
      .def_prop_ro("weights", [](ScoringModel& self) -> Weights& { return self.weights; },
                   nb::rv_policy::reference_internal);

  nb::class_<LabelModel>(m, "LabelModel", "Templates and weights that choose the labels of arcs.")
      .def(
          "__init__",
          [](LabelModel* self, std::shared_ptr<Templates> templates, int bits, int coarse, int width, int labels) {
            new (self) LabelModel{std::move(templates), Weights(bits), coarse, width, labels, {}};
          },
          nb::arg("templates"), nb::arg("bits"), nb::arg("coarse"), nb::arg("width"), nb::arg("labels"))
      .def_prop_ro("weights", [](LabelModel& self) -> Weights& { return self.weights; },
                   nb::rv_policy::reference_internal)
      .def(
          "see",
          [](LabelModel& self, const Sequences& sentences, const Gold& gold) {
            for (int s = 0; s < sentences.size(); ++s)
              for (int w = 1; w < sentences.length(s); ++w) {
                auto& seen = self.seen[Labeler::key(sentences, s, gold.head[s][w], w, self.coarse)];
                const auto at = std::ranges::lower_bound(seen, gold.label[s][w]);
                if (at == seen.end() || *at != gold.label[s][w]) seen.insert(at, gold.label[s][w]);
              }
          },
          nb::arg("sentences"), nb::arg("gold"), "Notes which labels stand between which kinds of words.")
      .def_prop_rw(
          "seen",
          [](const LabelModel& self) {
            std::vector<std::pair<std::uint64_t, std::int32_t>> pairs;
            for (const auto& [key, labels] : self.seen)
              for (auto label : labels) pairs.emplace_back(key, label);
            std::ranges::sort(pairs);
            std::vector<std::uint64_t> keys;
            std::vector<std::int32_t> labels;
            for (const auto& [key, label] : pairs) keys.push_back(key), labels.push_back(label);
            return nb::make_tuple(to_numpy(std::move(keys)), to_numpy(std::move(labels)));
          },
          [](LabelModel& self, const std::pair<In<std::uint64_t>, In<std::int32_t>>& pairs) {
            self.seen.clear();
            for (std::size_t i = 0; i < pairs.first.shape(0); ++i) {
              const auto label = pairs.second.data()[i];
              if (label < 0 || label >= self.labels) throw std::invalid_argument("a label that is not there");
              self.seen[pairs.first.data()[i]].push_back(label);
            }
          });

  nb::class_<Gold>(m, "Gold", "Gold trees: flat arrays with an entry for every item, the root's included.")
      .def(
          "__init__",
          [](Gold* self, const Sequences& sentences, In<std::int32_t> heads, In<std::int32_t> labels) {
            new (self) Gold{split(sentences, view(heads)), split(sentences, view(labels))};
          },
          nb::arg("sentences"), nb::arg("heads"), nb::arg("labels"));

  nb::class_<Candidates>(m, "Candidates", "Candidate arcs of many sentences.")
      .def_ro("found", &Candidates::found, "Gold arcs the pruner had kept.")
      .def_prop_ro("arcs", [](const Candidates& self) {
        std::int64_t total = 0;
        for (const auto& arcs : self.arcs) total += arcs.size();
        return total;
      });
}

// The factor graph of one sentence, with `extra` arcs (head, modifier, head, modifier...) among the candidates. What
// every tree scores is the score of one more variable, which is on.
nb::tuple make_graph(const Sequences& sentences, int sentence, const ScoringModel& pruner, const ScoringModel& model,
                     const std::vector<bool>& families, const PrunerOptions& pruning, const DecoderOptions& decoding,
                     In<std::int32_t> extra) {
  Graph graph;
  Arcs arcs;
  {
    nb::gil_scoped_release unlock;
    Pruner(pruner).candidates(sentences, sentence, pruning, arcs);
    insert_arcs(view(extra), arcs);
    Scored scored(model);
    scored.order = order_of(model, families);
    scored.run(sentences, sentence, arcs, false);
    double constant = 0.0;
    build_graph(scored.parts, scored.extractor.scores(), decoding, graph, constant);
    const double score[] = {constant};
    graph.fix(graph.add_variables(score), 1);
  }
  return nb::make_tuple(std::move(graph), to_numpy(std::move(arcs.head)), to_numpy(std::move(arcs.modifier)));
}

}  // namespace

void register_parse(nb::module_& m) {
  register_options(m);
  register_models(m);

  m.def("make_graph", &make_graph, nb::arg("sentences"), nb::arg("sentence"), nb::arg("pruner"), nb::arg("model"),
        nb::arg("families"), nb::arg("pruning"), nb::arg("decoding"), nb::arg("extra"),
        "A sentence's factor graph, and the head and modifier of each arc variable.");
  m.def(
      "arc_marginals",
      [](const Sequences& sentences, int sentence, const ScoringModel& pruner, bool single_root) {
        nb::gil_scoped_release unlock;
        return Pruner(pruner).marginals(sentences, sentence, single_root);
      },
      nb::arg("sentences"), nb::arg("sentence"), nb::arg("pruner"), nb::arg("single_root"));
  m.def(
      "label_scores",
      [](const LabelModel& model, const Sequences& sentences, int sentence, In<std::int32_t> tree, int head,
         int modifier) {
        std::vector<std::int32_t> labels;
        std::vector<double> scores;
        Labeler(model).score_arc(sentences, sentence, view(tree), head, modifier, labels, scores);
        return nb::make_tuple(to_numpy(std::move(labels)), to_numpy(std::move(scores)));
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), nb::arg("tree"), nb::arg("head"),
      nb::arg("modifier"), "The labels an arc may have, and their scores where the rest of the tree is as given.");

  m.def(
      "train_pruner",
      [](ScoringModel& model, const Sequences& sentences, const Gold& gold, In<std::int32_t> ids, bool single_root,
         const BatchOptions& options) {
        nb::gil_scoped_release unlock;
        train_pruner(model, sentences, gold, view(ids), single_root, options);
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("ids"), nb::arg("single_root"),
      nb::arg("options"));
  m.def(
      "list_candidates",
      [](const ScoringModel& pruner, const Sequences& sentences, const Gold* gold, const PrunerOptions& options,
         int threads) {
        nb::gil_scoped_release unlock;
        Candidates candidates;
        candidates.found = list_candidates(pruner, sentences, gold, options, threads, candidates.arcs);
        return candidates;
      },
      nb::arg("pruner"), nb::arg("sentences"), nb::arg("gold").none(), nb::arg("options"), nb::arg("threads"));
  m.def(
      "train_parser",
      [](ScoringModel& model, const Sequences& sentences, const Gold& gold, const Candidates& candidates,
         In<std::int32_t> ids, const DecoderOptions& decoding, const BatchOptions& options) {
        nb::gil_scoped_release unlock;
        return train_parser(model, sentences, gold, candidates.arcs, view(ids), decoding, options);
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("candidates"), nb::arg("ids"),
      nb::arg("decoding"), nb::arg("options"));
  m.def(
      "train_labeler",
      [](LabelModel& model, const Sequences& sentences, const Gold& gold, In<std::int32_t> ids,
         const BatchOptions& options) {
        nb::gil_scoped_release unlock;
        return train_labeler(model, sentences, gold, view(ids), options);
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("ids"), nb::arg("options"));
  m.def(
      "parse",
      [](const Sequences& sentences, const ScoringModel& pruner, const ScoringModel& model,
         const std::vector<bool>& families, const LabelModel* labels, const PrunerOptions& pruning,
         const DecoderOptions& decoding, int threads) {
        std::vector<Parse> parses;
        {
          nb::gil_scoped_release unlock;
          parses = parse::parse(sentences, pruner, model, order_of(model, families), labels, pruning, decoding, threads);
        }
        return to_dict(parses);
      },
      nb::arg("sentences"), nb::arg("pruner"), nb::arg("model"), nb::arg("families"), nb::arg("labels").none(),
      nb::arg("pruning"), nb::arg("decoding"), nb::arg("threads"));
}

}  // namespace treaty::bind

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "parse/parser.hpp"
#include "parse/sentence_parts.hpp"
#include "parse/train.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::features;
using namespace treaty::parse;

nb::dict to_dict(const std::vector<Parse>& parses) {
  std::vector<std::int32_t> head, label, candidates;
  std::vector<std::uint8_t> status;
  std::vector<double> objective, bound, marginal, margin, label_margin;
  std::vector<std::int64_t> iterations;
  for (const auto& parse : parses) {
    head.insert(head.end(), parse.tree.head.begin(), parse.tree.head.end());
    label.insert(label.end(), parse.label.begin(), parse.label.end());
    candidates.push_back(parse.candidates);
    marginal.insert(marginal.end(), parse.marginal.begin(), parse.marginal.end());
    margin.insert(margin.end(), parse.margin.begin(), parse.margin.end());
    label_margin.insert(label_margin.end(), parse.label_margin.begin(), parse.label_margin.end());
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
  result["marginal"] = to_numpy(std::move(marginal));
  result["margin"] = to_numpy(std::move(margin));
  result["label_margin"] = to_numpy(std::move(label_margin));
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
      .def_prop_rw(
          "threads", [](const BatchOptions& self) { return self.threads; },
          [](BatchOptions& self, Threads threads) { self.threads = threads; })
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
            new (self) LabelModel{std::move(templates), Weights(bits), coarse, width, labels, {}, {}};
          },
          nb::arg("templates"), nb::arg("bits"), nb::arg("coarse"), nb::arg("width"), nb::arg("labels"))
      .def_prop_ro("weights", [](LabelModel& self) -> Weights& { return self.weights; },
                   nb::rv_policy::reference_internal)
      .def(
          "see",
          [](LabelModel& self, const Sequences& sentences, const Gold& gold) {
            check_changeable(self);
            for (int s = 0; s < sentences.size(); ++s) self.see(sentences, s, gold.head[s], gold.label[s]);
          },
          nb::arg("sentences"), nb::arg("gold"), "Notes which labels stand between which kinds of words.")
      .def_prop_rw(
          "seen",
          [](const LabelModel& self) {
            std::vector<std::uint64_t> keys;
            std::vector<std::int32_t> labels;
            for (const auto& [key, label] : self.pairs()) keys.push_back(key), labels.push_back(label);
            return to_arrays(std::move(keys), std::move(labels));
          },
          [](LabelModel& self, const std::pair<In<std::uint64_t>, In<std::int32_t>>& pairs) {
            check_changeable(self);
            self.set_pairs(view(pairs.first), view(pairs.second));
          })
      .def_prop_rw(
          "exclusions",
          [](const LabelModel& self) {
            std::vector<std::int32_t> first, second;
            self.exclusions.list(first, second);
            return to_arrays(std::move(first), std::move(second));
          },
          [](LabelModel& self, const std::pair<In<std::int32_t>, In<std::int32_t>>& pairs) {
            check_changeable(self);
            self.exclusions = LabelExclusions(self.labels, view(pairs.first), view(pairs.second));
          },
          "Pairs of labels that no head has among its dependents.");

  nb::class_<Gold>(m, "Gold", "Gold trees: flat arrays with an entry for every item, the root's included.")
      .def(
          "__init__",
          [](Gold* self, const Sequences& sentences, In<std::int32_t> heads, In<std::int32_t> labels) {
            new (self) Gold(sentences, view(heads), view(labels));
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

void check_tree(const Sequences& sentences, int sentence, const In<std::int32_t>& tree) {
  if (sentence < 0 || sentence >= sentences.size() || static_cast<int>(tree.shape(0)) != sentences.length(sentence))
    throw std::invalid_argument("expected a head for every word of the sentence");
  for (std::size_t m = 1; m < tree.shape(0); ++m)
    if (tree.data()[m] < 0 || tree.data()[m] >= static_cast<int>(tree.shape(0)))
      throw std::invalid_argument("a head that is not there");
}

LabelChoices checked_choices(const LabelModel& model, const In<std::int32_t>& tree, const In<std::int64_t>& begin,
                             const In<std::int32_t>& labels) {
  LabelChoices choices{copy(begin), copy(labels)};
  const auto& starts = choices.begin;
  if (starts.size() != tree.shape(0) + 1 || starts.front() != 0 || starts[1] != 0 ||
      starts.back() != static_cast<std::int64_t>(choices.label.size()) || !std::ranges::is_sorted(starts))
    throw std::invalid_argument("the labels are not those of the words");
  for (auto label : choices.label)
    if (label < 0 || label >= model.labels) throw std::invalid_argument("a label that is not there");
  for (std::size_t m = 1; m < tree.shape(0); ++m)
    if (tree.data()[m] < 0 || tree.data()[m] >= static_cast<int>(tree.shape(0)))
      throw std::invalid_argument("a head that is not there");
  return choices;
}

void register_parts(nb::module_& m) {
  nb::class_<SentenceParts>(m, "SentenceParts", "The parts of a sentence over candidate arcs: listed, and decoded under any scores.")
      .def("__len__", &SentenceParts::size)
      .def_prop_ro("words", [](const SentenceParts& self) { return self.arcs().words; })
      .def_prop_ro("head", [](const SentenceParts& self) { return copy(self.arcs().head); }, kOwned, "Of each arc.")
      .def_prop_ro("modifier", [](const SentenceParts& self) { return copy(self.arcs().modifier); }, kOwned, "Of each arc.")
      .def_prop_ro("family", [](const SentenceParts& self) { return copy(self.description().family); }, kOwned,
                   "Of each part; 255 where there is none.")
      .def_prop_ro("roles", [](const SentenceParts& self) { return copy(self.description().words); }, kOwned,
                   "Four words for each part, in the order of the family's roles.")
      .def(
          "scores",
          [](const SentenceParts& self, const ScoringModel& model, const Sequences& sentences, int sentence) {
            const Reading reading(&sentences, &model.weights);
            return to_numpy(unlocked([&] { return self.scores(model, sentences, sentence); }));
          },
          nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"))
      .def(
          "features",
          [](const SentenceParts& self, const ScoringModel& model, const Sequences& sentences, int sentence) {
            const Reading reading(&sentences, &model.weights);
            auto all = unlocked([&] { return self.features(model, sentences, sentence); });
            return to_arrays(std::move(all.begin), std::move(all.places));
          },
          nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), "Where the weights of each part begin, and their places.")
      .def(
          "of_tree",
          [](SentenceParts& self, In<std::int32_t> heads) {
            const Changing changing(&self);
            return to_numpy(self.of_tree(view(heads)));
          },
          nb::arg("heads"), "The parts of a tree; an entry for the root comes first.")
      .def(
          "decode",
          [](SentenceParts& self, In<double> scores, DecoderOptions options) {
            const Changing changing(&self);
            auto tree = unlocked([&, all = copy(scores)] { return self.decode(all, options); });
            nb::dict result;
            result["head"] = to_numpy(std::move(tree.head));
            result["status"] = static_cast<int>(tree.status);
            result["objective"] = tree.objective;
            result["bound"] = tree.bound;
            result["iterations"] = tree.iterations;
            return result;
          },
          nb::arg("scores"), nb::arg("options"))
      .def(
          "graph",
          [](SentenceParts& self, In<double> scores, DecoderOptions options) {
            const Changing changing(&self);
            auto [graph, others] = unlocked([&, all = copy(scores)] { return self.graph(all, options); });
            std::vector<std::int32_t> flat;
            for (const auto& [meaning, head, modifier, word] : others)
              flat.insert(flat.end(), {static_cast<std::int32_t>(meaning), head, modifier, word});
            return nb::make_tuple(std::move(graph), to_numpy(std::move(flat)));
          },
          nb::arg("scores"), nb::arg("options"),
          "The factor graph, whose first variables are the arcs, and what the variables after them mean: a kind (path, "
          "unit, projective arc), head, modifier and word of each.");
  m.def(
      "candidate_parts",
      [](const Sequences& sentences, int sentence, const ScoringModel& pruner, const ScoringModel& model,
         const std::vector<bool>& families, PrunerOptions pruning, In<std::int32_t> extra) {
        const Reading reading(&sentences, &pruner.weights);
        return unlocked([&, pairs = copy(extra)] {
          Arcs arcs;
          Pruner(pruner).candidates(sentences, sentence, pruning, arcs);
          if (!pairs.empty()) insert_arcs(pairs, arcs);
          return std::make_unique<SentenceParts>(std::move(arcs), model.order(families));
        });
      },
      nb::arg("sentences"), nb::arg("sentence"), nb::arg("pruner"), nb::arg("model"), nb::arg("families"),
      nb::arg("pruning"), nb::arg("extra"), "Over the arcs that the pruner keeps and these: head, modifier, head...");
  m.def(
      "given_parts",
      [](int words, In<std::int32_t> heads, In<std::int32_t> modifiers, const ScoringModel& model,
         const std::vector<bool>& families) {
        return std::make_unique<SentenceParts>(arcs_of(words, view(heads), view(modifiers)), model.order(families));
      },
      nb::arg("words"), nb::arg("heads"), nb::arg("modifiers"), nb::arg("model"), nb::arg("families"),
      "Over given arcs.");
}

}  // namespace

void register_parse(nb::module_& m) {
  register_options(m);
  register_models(m);
  register_parts(m);

  m.def(
      "arc_marginals",
      [](const Sequences& sentences, int sentence, const ScoringModel& pruner, bool single_root) {
        const Reading reading(&sentences, &pruner.weights);
        nb::gil_scoped_release unlock;
        return Pruner(pruner).marginals(sentences, sentence, single_root);
      },
      nb::arg("sentences"), nb::arg("sentence"), nb::arg("pruner"), nb::arg("single_root"));
  m.def(
      "label_scores",
      [](const LabelModel& model, const Sequences& sentences, int sentence, In<std::int32_t> tree, int head,
         int modifier) {
        const Reading reading(&model, &model.weights);
        std::vector<std::int32_t> labels;
        std::vector<double> scores;
        Labeler(model).score_arc(sentences, sentence, view(tree), head, modifier, labels, scores);
        return to_arrays(std::move(labels), std::move(scores));
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), nb::arg("tree"), nb::arg("head"),
      nb::arg("modifier"), "The labels an arc may have, and their scores where the rest of the tree is as given.");
  m.def(
      "label_choices",
      [](const LabelModel& model, const Sequences& sentences, int sentence, In<std::int32_t> tree,
         In<std::int32_t> wanted) {
        const Reading reading(&model, &sentences);
        check_tree(sentences, sentence, tree);
        if (wanted.shape(0) != tree.shape(0)) throw std::invalid_argument("expected a label for every word, or -1");
        auto all = Labeler(model).choices(sentences, sentence, view(tree), view(wanted));
        return to_arrays(std::move(all.begin), std::move(all.label));
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), nb::arg("tree"), nb::arg("wanted"),
      "The labels that the words of a tree may have, and those wanted: where those of each begin, and the labels.");
  m.def(
      "label_features",
      [](const LabelModel& model, const Sequences& sentences, int sentence, In<std::int32_t> tree,
         In<std::int64_t> begin, In<std::int32_t> labels) {
        const Reading reading(&model, &sentences);
        check_tree(sentences, sentence, tree);
        const auto choices = checked_choices(model, tree, begin, labels);
        auto all = Labeler(model).features(sentences, sentence, view(tree), choices);
        return to_arrays(std::move(all.begin), std::move(all.places));
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), nb::arg("tree"), nb::arg("begin"), nb::arg("labels"),
      "Of the labels of all words: where the weights of each begin, and their places.");
  m.def(
      "choose_labels",
      [](const LabelModel& model, In<std::int32_t> tree, In<std::int64_t> begin, In<std::int32_t> labels,
         In<double> scores) {
        const Reading reading(&model);
        const auto choices = checked_choices(model, tree, begin, labels);
        auto all = choose_labels(model.exclusions, view(tree), choices, view(scores));
        return nb::make_tuple(to_numpy(std::move(all.choice)), all.objective, all.bound);
      },
      nb::arg("model"), nb::arg("tree"), nb::arg("begin"), nb::arg("labels"), nb::arg("scores"),
      "The best choice of each word (-1 of the root), the sum of their scores, and an upper bound on it.");
  m.def(
      "label_tree",
      [](const LabelModel& model, const Sequences& sentences, int sentence, In<std::int32_t> tree) {
        const Reading reading(&model, &model.weights, &sentences);
        std::vector<std::int32_t> labels(tree.shape(0), -1);
        Labeler(model).label(sentences, sentence, view(tree), labels);
        return to_numpy(std::move(labels));
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("sentence"), nb::arg("tree"), "The best labels of a tree.");

  m.def(
      "train_pruner",
      [](ScoringModel& model, const Sequences& sentences, const Gold& gold, In<std::int32_t> ids, bool single_root,
         BatchOptions options) {
        const Changing changing(&model.weights);
        const Reading reading(&sentences);
        unlocked([&, order = copy(ids)] { train_pruner(model, sentences, gold, order, single_root, options); });
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("ids"), nb::arg("single_root"),
      nb::arg("options"));
  m.def(
      "list_candidates",
      [](const ScoringModel& pruner, const Sequences& sentences, const Gold* gold, PrunerOptions options,
         Threads threads) {
        const Reading reading(&sentences, &pruner.weights);
        nb::gil_scoped_release unlock;
        return list_candidates(pruner, sentences, gold, options, threads);
      },
      nb::arg("pruner"), nb::arg("sentences"), nb::arg("gold").none(), nb::arg("options"), nb::arg("threads"));
  m.def(
      "train_parser",
      [](ScoringModel& model, const Sequences& sentences, const Gold& gold, const Candidates& candidates,
         In<std::int32_t> ids, DecoderOptions decoding, BatchOptions options) {
        const Changing changing(&model.weights);
        const Reading reading(&sentences);
        return unlocked([&, order = copy(ids)] {
          return train_parser(model, sentences, gold, candidates, order, decoding, options);
        });
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("candidates"), nb::arg("ids"),
      nb::arg("decoding"), nb::arg("options"));
  m.def(
      "train_labeler",
      [](LabelModel& model, const Sequences& sentences, const Gold& gold, In<std::int32_t> ids,
         BatchOptions options) {
        const Changing changing(&model, &model.weights);
        const Reading reading(&sentences);
        return unlocked([&, order = copy(ids)] { return train_labeler(model, sentences, gold, order, options); });
      },
      nb::arg("model"), nb::arg("sentences"), nb::arg("gold"), nb::arg("ids"), nb::arg("options"));
  m.def(
      "parse",
      [](const Sequences& sentences, const ScoringModel& pruner, const ScoringModel& model,
         const std::vector<bool>& families, const LabelModel* labels, PrunerOptions pruning,
         DecoderOptions decoding, Threads threads, bool margins) {
        const Reading reading(&sentences, &pruner.weights, &model.weights, labels, labels ? &labels->weights : nullptr);
        return to_dict(unlocked([&] {
          return parse::parse(sentences, pruner, model, model.order(families), labels, pruning, decoding, threads,
                              margins);
        }));
      },
      nb::arg("sentences"), nb::arg("pruner"), nb::arg("model"), nb::arg("families"), nb::arg("labels").none(),
      nb::arg("pruning"), nb::arg("decoding"), nb::arg("threads"), nb::arg("margins") = false);
}

}  // namespace treaty::bind

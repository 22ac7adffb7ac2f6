#include <nanobind/stl/optional.h>

#include <stdexcept>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "parse/tag_parts.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::parse;
using namespace treaty::features;

}  // namespace

void register_parse_tagger(nb::module_& m) {
  nb::class_<TagModel>(m, "TagModel", "Templates of tags, pairs and triples of tags, and their weights.")
      .def(
          "__init__",
          [](TagModel* self, std::shared_ptr<Templates> single, std::shared_ptr<Templates> pair,
             std::shared_ptr<Templates> triple, int bits, std::int32_t tags, std::optional<std::int32_t> start) {
            if (start && (*start < 0 || *start > tags)) throw std::invalid_argument("a start that is not there");
            new (self) TagModel{{std::move(single), std::move(pair), std::move(triple)}, Weights(bits), tags,
                                start.value_or(tags)};
          },
          nb::arg("single"), nb::arg("pair"), nb::arg("triple"), nb::arg("bits"), nb::arg("tags"),
          nb::arg("start").none() = nb::none())
      .def_prop_ro("weights", [](TagModel& self) -> Weights& { return self.weights; },
                   nb::rv_policy::reference_internal);

  nb::class_<TagChoices>(m, "TagChoices", "The tags each item may have: its class's.")
      .def(
          "__init__",
          [](TagChoices* self, const Sequences& sequences, In<std::int32_t> class_of, In<std::int32_t> tags,
             In<std::int32_t> class_begin) {
            new (self) TagChoices(sequences, copy(class_of), copy(tags), copy(class_begin));
          },
          nb::arg("sequences"), nb::arg("class_of"), nb::arg("tags"), nb::arg("class_begin"));

  m.def(
      "tag_part_features",
      [](const TagModel& model, const Sequences& sequences, int sequence, const TagChoices& choices) {
        const Reading reading(&model.weights, &sequences);
        auto all = tag_part_features(model, sequences, sequence, choices);
        return to_arrays(std::move(all.begin), std::move(all.places));
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("sequence"), nb::arg("choices"),
      "Of the tags of all items, then of pairs, then of triples: where the weights of each begin, and their places.");
  m.def(
      "tag",
      [](const TagModel& model, const Sequences& sequences, const TagChoices& choices, Threads threads) {
        const Reading reading(&model.weights, &sequences);
        return to_numpy(unlocked([&] { return tag_all(model, sequences, choices, threads); }));
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("choices"), nb::arg("threads") = 1,
      "The best tag of every item.");
  m.def(
      "tag_with_probabilities",
      [](const TagModel& model, const Sequences& sequences, const TagChoices& choices, Threads threads) {
        const Reading reading(&model.weights, &sequences);
        auto [tags, probability] = unlocked([&] { return tag_all_with_probabilities(model, sequences, choices, threads); });
        return to_arrays(std::move(tags), std::move(probability));
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("choices"), nb::arg("threads") = 1,
      "The best tag of every item, and its probability if that of a tagging is proportional to exp(score).");
  m.def(
      "train_tagger",
      [](TagModel& model, const Sequences& sequences, const TagChoices& choices, In<std::int32_t> gold,
         In<std::int32_t> ids, double aggressiveness, double dropout, int batch, Threads threads, double last_cost) {
        const Changing changing(&model.weights);
        const Reading reading(&sequences);
        return unlocked([&, tags = copy(gold), order = copy(ids)] {
          return train_tagger(model, sequences, choices, tags, order, {aggressiveness, dropout, last_cost}, batch, threads);
        });
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("choices"), nb::arg("gold"), nb::arg("ids"),
      nb::arg("aggressiveness"), nb::arg("dropout") = 0.0, nb::arg("batch") = 1, nb::arg("threads") = 1,
      nb::arg("last_cost") = 1.0, "Learns from these sequences in this order; returns how many tags were right at first.");
}

}  // namespace treaty::bind

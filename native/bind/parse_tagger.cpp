#include <algorithm>

#include "bind/bind.hpp"
#include "learn/batches.hpp"
#include "parse/tagger.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::parse;
using namespace treaty::learn;
using namespace treaty::features;

void check(const TagModel& model, const Sequences& sequences, const TagChoices& choices) {
  if (choices.sequences() != sequences.size()) throw std::invalid_argument("choices of other sequences");
  if (choices.most_tag() >= model.tags) throw std::invalid_argument("a tag that is not there");
}

std::vector<Tagger> taggers(const TagModel& model, int threads) {
  return std::vector<Tagger>(static_cast<std::size_t>(std::max(1, threads)), Tagger(model));
}

std::vector<std::int32_t> tag(const TagModel& model, const Sequences& sequences, const TagChoices& choices, int threads) {
  std::vector<std::int32_t> tags(static_cast<std::size_t>(choices.items()));
  auto workers = taggers(model, threads);
  parallel_for(sequences.size(), threads, [&](int s, int worker) {
    const auto first = static_cast<std::size_t>(choices.first(s));
    workers[worker].tag(sequences, s, choices, std::span(tags).subspan(first, sequences.length(s)));
  });
  return tags;
}

std::int64_t train(TagModel& model, const Sequences& sequences, const TagChoices& choices,
                   std::span<const std::int32_t> gold, std::span<const std::int32_t> ids, const TagTraining& options,
                   int batch, int threads) {
  auto workers = taggers(model, threads);
  std::vector<Update> updates(static_cast<std::size_t>(std::max(1, batch)));
  std::vector<int> right(updates.size());
  std::int64_t total = 0;
  in_batches(
      ids, batch, threads,
      [&](int s, int worker, int slot) {
        const auto tags = gold.subspan(static_cast<std::size_t>(choices.first(s)), sequences.length(s));
        right[slot] = workers[worker].learn(sequences, s, choices, tags, options, updates[slot]);
      },
      [&](int slot) {
        updates[slot].apply(model.weights);
        model.weights.next_step();
        total += right[slot];
      });
  return total;
}

void check_gold(const Sequences& sequences, const TagChoices& choices, std::span<const std::int32_t> gold,
                std::span<const std::int32_t> ids) {
  if (static_cast<std::int64_t>(gold.size()) != choices.items()) throw std::invalid_argument("expected a tag for every item");
  for (auto s : ids) {
    if (s < 0 || s >= sequences.size()) throw std::invalid_argument("a sequence that is not there");
    for (int i = 0; i < sequences.length(s); ++i)
      if (const auto tags = choices.of(s, i); std::ranges::find(tags, gold[choices.first(s) + i]) == tags.end())
        throw std::invalid_argument("the right tag is not among the choices");
  }
}

}  // namespace

void register_parse_tagger(nb::module_& m) {
  nb::class_<TagModel>(m, "TagModel", "Templates of tags, pairs and triples of tags, and their weights.")
      .def(
          "__init__",
          [](TagModel* self, std::shared_ptr<Templates> single, std::shared_ptr<Templates> pair,
             std::shared_ptr<Templates> triple, int bits, std::int32_t tags) {
            new (self) TagModel{{std::move(single), std::move(pair), std::move(triple)}, Weights(bits), tags};
          },
          nb::arg("single"), nb::arg("pair"), nb::arg("triple"), nb::arg("bits"), nb::arg("tags"))
      .def_prop_ro("weights", [](TagModel& self) -> Weights& { return self.weights; },
                   nb::rv_policy::reference_internal);

  nb::class_<TagChoices>(m, "TagChoices", "The tags each item may have: its class's.")
      .def(
          "__init__",
          [](TagChoices* self, const Sequences& sequences, In<std::int32_t> class_of, In<std::int32_t> tags,
             In<std::int32_t> class_begin) {
            const auto copy = [](const In<std::int32_t>& array) {
              return std::vector<std::int32_t>(array.data(), array.data() + array.shape(0));
            };
            new (self) TagChoices(sequences, copy(class_of), copy(tags), copy(class_begin));
          },
          nb::arg("sequences"), nb::arg("class_of"), nb::arg("tags"), nb::arg("class_begin"));

  m.def(
      "tag",
      [](const TagModel& model, const Sequences& sequences, const TagChoices& choices, int threads) {
        check(model, sequences, choices);
        std::vector<std::int32_t> tags;
        {
          nb::gil_scoped_release unlock;
          tags = tag(model, sequences, choices, threads);
        }
        return to_numpy(std::move(tags));
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("choices"), nb::arg("threads") = 1,
      "The best tag of every item.");
  m.def(
      "train_tagger",
      [](TagModel& model, const Sequences& sequences, const TagChoices& choices, In<std::int32_t> gold,
         In<std::int32_t> ids, double aggressiveness, double dropout, int batch, int threads) {
        check(model, sequences, choices);
        check_gold(sequences, choices, view(gold), view(ids));
        if (!(dropout >= 0.0 && dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
        nb::gil_scoped_release unlock;
        return train(model, sequences, choices, view(gold), view(ids), {aggressiveness, dropout}, batch, threads);
      },
      nb::arg("model"), nb::arg("sequences"), nb::arg("choices"), nb::arg("gold"), nb::arg("ids"),
      nb::arg("aggressiveness"), nb::arg("dropout") = 0.0, nb::arg("batch") = 1, nb::arg("threads") = 1,
      "Learns from these sequences in this order; returns how many tags were right at first.");
}

}  // namespace treaty::bind

#include <algorithm>
#include <stdexcept>

#include "learn/batches.hpp"
#include "parse/tagger.hpp"

namespace treaty::parse {
namespace {

void check(const TagModel& model, const Sequences& sequences, const TagChoices& choices) {
  if (choices.sequences() != sequences.size()) throw std::invalid_argument("choices of other sequences");
  if (choices.most_tag() >= model.tags) throw std::invalid_argument("a tag that is not there");
}

void check_gold(const Sequences& sequences, const TagChoices& choices, std::span<const std::int32_t> gold,
                std::span<const std::int32_t> ids) {
  if (static_cast<std::int64_t>(gold.size()) != choices.items())
    throw std::invalid_argument("expected a tag for every item");
  for (auto s : ids) {
    if (s < 0 || s >= sequences.size()) throw std::invalid_argument("a sequence that is not there");
    for (int i = 0; i < sequences.length(s); ++i)
      if (const auto tags = choices.of(s, i); std::ranges::find(tags, gold[choices.first(s) + i]) == tags.end())
        throw std::invalid_argument("the right tag is not among the choices");
  }
}

}  // namespace

std::vector<std::int32_t> tag_all(const TagModel& model, const Sequences& sequences, const TagChoices& choices,
                                  int threads) {
  check(model, sequences, choices);
  std::vector<std::int32_t> tags(static_cast<std::size_t>(choices.items()));
  const auto workers = learn::one_per_thread<Tagger>(threads, model);
  learn::parallel_for(sequences.size(), threads, [&](int s, int worker) {
    workers[worker]->tag(sequences, s, choices, std::span(tags).subspan(choices.first(s), sequences.length(s)));
  });
  return tags;
}

std::pair<std::vector<std::int32_t>, std::vector<double>> tag_all_with_probabilities(
    const TagModel& model, const Sequences& sequences, const TagChoices& choices, int threads) {
  check(model, sequences, choices);
  std::vector<std::int32_t> tags(static_cast<std::size_t>(choices.items()));
  std::vector<double> probability(tags.size());
  const auto workers = learn::one_per_thread<Tagger>(threads, model);
  learn::parallel_for(sequences.size(), threads, [&](int s, int worker) {
    const auto first = static_cast<std::size_t>(choices.first(s)), length = static_cast<std::size_t>(sequences.length(s));
    workers[worker]->tag(sequences, s, choices, std::span(tags).subspan(first, length),
                         std::span(probability).subspan(first, length));
  });
  return {std::move(tags), std::move(probability)};
}

std::int64_t train_tagger(TagModel& model, const Sequences& sequences, const TagChoices& choices,
                          std::span<const std::int32_t> gold, std::span<const std::int32_t> ids,
                          const TagTraining& options, int batch, int threads) {
  check(model, sequences, choices);
  check_gold(sequences, choices, gold, ids);
  if (!(options.dropout >= 0.0 && options.dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
  const auto workers = learn::one_per_thread<Tagger>(threads, model);
  return learn::learn_in_batches<Update>(
      ids, batch, threads,
      [&](int s, int worker, Update& update) -> std::int64_t {
        const auto tags = gold.subspan(choices.first(s), sequences.length(s));
        return workers[worker]->learn(sequences, s, choices, tags, options, update);
      },
      [&](const Update& update) {
        update.apply(model.weights);
        model.weights.next_step();
      });
}

}  // namespace treaty::parse

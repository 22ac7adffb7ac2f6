#include "parse/train.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "learn/batches.hpp"

namespace treaty::parse {

using learn::learn_in_batches, learn::mira_rate, learn::one_per_thread;
namespace {

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

class MiraWorker {
 public:
  explicit MiraWorker(const ScoringModel& model) : scored_(model) {}

  Tally run(const Sequences& sentences, int sentence, const Arcs& arcs, std::span<const std::int32_t> gold,
            const DecoderOptions& decoding, double aggressiveness, Update& update) {
    scored_.run(sentences, sentence, arcs, true);
    const auto& score = scored_.extractor.scores();
    augmented_ = score;
    for (int a = 0; a < arcs.size(); ++a) augmented_[a] += gold[arcs.modifier[a]] != arcs.head[a];
    decoder_.decode(scored_.parts, augmented_, decoding, tree_);

    int wrong = 0;
    for (int m = 1; m <= arcs.words; ++m) wrong += tree_.head[m] != gold[m];
    const Tally tally{arcs.words, arcs.words - wrong, 1, tree_.status == Status::Optimal, tree_.iterations};
    update.clear();
    if (wrong == 0 || tree_.status == Status::Infeasible) return tally;
    // Only the parts that one tree has and the other does not have matter.
    parts_of(gold, gold_parts_);
    parts_of(tree_.head, tree_parts_);
    const double violation = wrong + collect(tree_parts_, gold_parts_, -1.0f, update) +
                             collect(gold_parts_, tree_parts_, 1.0f, update);
    update.rate = static_cast<float>(mira_rate(violation, update.merge(), aggressiveness));
    return tally;
  }

 private:
  void parts_of(std::span<const std::int32_t> head, std::vector<std::int32_t>& parts) {
    scored_.parts.of_tree(head, parts);
    std::ranges::sort(parts);
  }
  // Adds the features of the parts in `these` and not in `others`; returns their score, with the opposite sign.
  double collect(std::span<const std::int32_t> these, std::span<const std::int32_t> others, float count, Update& update) {
    difference_.clear();
    std::ranges::set_difference(these, others, std::back_inserter(difference_));
    double total = 0.0;
    for (auto part : difference_) {
      total += scored_.extractor.scores()[part];
      update.add(scored_.extractor.features(part), count);
    }
    return -count * total;
  }

  Scored scored_;
  Decoder decoder_;
  Tree tree_;
  std::vector<double> augmented_;
  std::vector<std::int32_t> gold_parts_, tree_parts_, difference_;
};

// Ends a step.
auto into(Weights& weights) {
  return [&](const Update& update) {
    update.apply(weights);
    weights.next_step();
  };
}

}  // namespace

Gold::Gold(const Sequences& sentences, std::span<const std::int32_t> heads, std::span<const std::int32_t> labels)
    : head(split(sentences, heads)), label(split(sentences, labels)) {}

void train_pruner(ScoringModel& model, const Sequences& sentences, const Gold& gold, std::span<const std::int32_t> ids,
                  bool single_root, const BatchOptions& options) {
  const auto pruners = one_per_thread<Pruner>(options.threads, model);
  learn_in_batches<Update>(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, Update& update) {
        update.clear();
        pruners[worker]->gradient(sentences, sentence, gold.head[sentence], single_root, update);
        update.rate = static_cast<float>(options.rate);
        return 0;
      },
      into(model.weights));
}

Candidates list_candidates(const ScoringModel& pruner, const Sequences& sentences, const Gold* gold,
                           const PrunerOptions& options, int threads) {
  const auto pruners = one_per_thread<Pruner>(threads, pruner);
  Candidates candidates{std::vector<Arcs>(sentences.size()), 0};
  std::vector<std::int64_t> found(sentences.size(), 0);
  learn::parallel_for(sentences.size(), threads, [&](int sentence, int worker) {
    pruners[worker]->candidates(sentences, sentence, options, candidates.arcs[sentence]);
    if (gold) found[sentence] = insert_tree(gold->head[sentence], candidates.arcs[sentence]);
  });
  for (auto count : found) candidates.found += count;
  return candidates;
}

Tally train_parser(ScoringModel& model, const Sequences& sentences, const Gold& gold, const Candidates& candidates,
                   std::span<const std::int32_t> ids, const DecoderOptions& decoding, const BatchOptions& options) {
  const auto workers = one_per_thread<MiraWorker>(options.threads, model);
  return learn_in_batches<Update>(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, Update& update) {
        return workers[worker]->run(sentences, sentence, candidates.arcs[sentence], gold.head[sentence], decoding,
                                    options.rate, update);
      },
      into(model.weights));
}

Tally train_labeler(LabelModel& model, const Sequences& sentences, const Gold& gold,
                    std::span<const std::int32_t> ids, const BatchOptions& options) {
  const auto workers = one_per_thread<Labeler>(options.threads, model);
  return learn_in_batches<std::vector<Update>>(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, std::vector<Update>& updates) {
        const auto& head = gold.head[sentence];
        const auto right = workers[worker]->learn(sentences, sentence, head, gold.label[sentence], options.rate, updates);
        return Tally{static_cast<std::int64_t>(head.size()) - 1, right, 1, 0, 0};
      },
      [&](const std::vector<Update>& updates) {
        for (const auto& update : updates) update.apply(model.weights);
        model.weights.next_step();
      });
}

}  // namespace treaty::parse

#include "parse/train.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "learn/batches.hpp"

namespace treaty::parse {

using learn::in_batches, learn::mira_rate, learn::parallel_for;
namespace {

template <class T, class Model>
std::vector<std::unique_ptr<T>> one_per_thread(int threads, const Model& model) {
  std::vector<std::unique_ptr<T>> workers;
  for (int i = 0; i < std::max(1, threads); ++i) workers.push_back(std::make_unique<T>(model));
  return workers;
}

class MiraWorker {
 public:
  explicit MiraWorker(const ScoringModel& model) : scored_(model) {}

  void run(const Sequences& sentences, int sentence, const Arcs& arcs, std::span<const std::int32_t> gold,
           const DecoderOptions& decoding, double aggressiveness, Update& update, Tally& tally) {
    scored_.run(sentences, sentence, arcs, true);
    const auto& score = scored_.extractor.scores();
    augmented_ = score;
    for (int a = 0; a < arcs.size(); ++a) augmented_[a] += gold[arcs.modifier[a]] != arcs.head[a];
    decoder_.decode(scored_.parts, augmented_, decoding, tree_);

    int wrong = 0;
    for (int m = 1; m <= arcs.words; ++m) wrong += tree_.head[m] != gold[m];
    tally = {arcs.words, arcs.words - wrong, 1, tree_.status == Status::Optimal, tree_.iterations};
    update.clear();
    if (wrong == 0 || tree_.status == Status::Infeasible) return;
    // Only the parts that one tree has and the other lacks make a difference.
    parts_of(gold, gold_parts_);
    parts_of(tree_.head, tree_parts_);
    const double violation = wrong + collect(tree_parts_, gold_parts_, -1.0f, update) +
                             collect(gold_parts_, tree_parts_, 1.0f, update);
    update.rate = static_cast<float>(mira_rate(violation, update.merge(), aggressiveness));
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

void operator+=(Tally& sum, const Tally& tally) {
  sum.words += tally.words;
  sum.right += tally.right;
  sum.sentences += tally.sentences;
  sum.optimal += tally.optimal;
  sum.iterations += tally.iterations;
}

}  // namespace

void train_pruner(ScoringModel& model, const Sequences& sentences, const Gold& gold, std::span<const std::int32_t> ids,
                  bool single_root, const BatchOptions& options) {
  const auto pruners = one_per_thread<Pruner>(options.threads, model);
  std::vector<Update> updates(options.batch);
  in_batches(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, int slot) {
        updates[slot].clear();
        pruners[worker]->gradient(sentences, sentence, gold.head[sentence], single_root, updates[slot]);
        updates[slot].rate = static_cast<float>(options.rate);
      },
      [&](int slot) {
        updates[slot].apply(model.weights);
        model.weights.next_step();
      });
}

std::int64_t list_candidates(const ScoringModel& pruner, const Sequences& sentences, const Gold* gold,
                             const PrunerOptions& options, int threads, std::vector<Arcs>& candidates) {
  const auto pruners = one_per_thread<Pruner>(threads, pruner);
  candidates.assign(sentences.size(), {});
  std::vector<std::int64_t> found(std::max(1, threads), 0);
  parallel_for(sentences.size(), threads, [&](int sentence, int worker) {
    pruners[worker]->candidates(sentences, sentence, options, candidates[sentence]);
    if (gold) found[worker] += insert_tree(gold->head[sentence], candidates[sentence]);
  });
  std::int64_t total = 0;
  for (auto count : found) total += count;
  return total;
}

Tally train_parser(ScoringModel& model, const Sequences& sentences, const Gold& gold,
                   std::span<const Arcs> candidates, std::span<const std::int32_t> ids, const DecoderOptions& decoding,
                   const BatchOptions& options) {
  const auto workers = one_per_thread<MiraWorker>(options.threads, model);
  std::vector<Update> updates(options.batch);
  std::vector<Tally> tallies(options.batch);
  Tally sum;
  in_batches(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, int slot) {
        workers[worker]->run(sentences, sentence, candidates[sentence], gold.head[sentence], decoding, options.rate,
                             updates[slot], tallies[slot]);
      },
      [&](int slot) {
        updates[slot].apply(model.weights);
        model.weights.next_step();
        sum += tallies[slot];
      });
  return sum;
}

Tally train_labeler(LabelModel& model, const Sequences& sentences, const Gold& gold,
                     std::span<const std::int32_t> ids, const BatchOptions& options) {
  const auto workers = one_per_thread<Labeler>(options.threads, model);
  std::vector<std::vector<Update>> updates(options.batch);
  std::vector<Tally> tallies(options.batch);
  Tally sum;
  in_batches(
      ids, options.batch, options.threads,
      [&](int sentence, int worker, int slot) {
        const auto& head = gold.head[sentence];
        const auto right = workers[worker]->learn(sentences, sentence, head, gold.label[sentence], options.rate, updates[slot]);
        tallies[slot] = {static_cast<std::int64_t>(head.size()) - 1, right, 1, 0, 0};
      },
      [&](int slot) {
        for (const auto& update : updates[slot]) update.apply(model.weights);
        model.weights.next_step();
        sum += tallies[slot];
      });
  return sum;
}

}  // namespace treaty::parse

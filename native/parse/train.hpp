// Online training of pruner, parser and labeler over batches of sentences.
//
// The sentences of a batch use the same weights, so that any number of threads can process them; their updates are then
// applied in order. The result depends on the batch size, not on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse/decoder.hpp"
#include "parse/labeler.hpp"
#include "parse/pruner.hpp"

namespace treaty::parse {

// Gold trees of the sentences; entry 0 of each is that of the root and is not used.
struct Gold {
  // From flat arrays with an entry for every item, the root's included.
  Gold(const Sequences& sentences, std::span<const std::int32_t> heads, std::span<const std::int32_t> labels);
  std::vector<std::vector<std::int32_t>> head, label;
};

struct BatchOptions {
  int batch = 8;
  int threads = 1;
  double rate = 1.0;  // the pruner's step; MIRA's aggressiveness
};

struct Tally {
  std::int64_t words = 0, right = 0;
  std::int64_t sentences = 0, optimal = 0, iterations = 0;

  void operator+=(const Tally& other) {
    words += other.words, right += other.right;
    sentences += other.sentences, optimal += other.optimal, iterations += other.iterations;
  }
};

struct Candidates {  // arcs of every sentence
  std::vector<Arcs> arcs;
  std::int64_t found = 0;  // gold arcs that the pruner had kept
};

void train_pruner(ScoringModel& model, const Sequences& sentences, const Gold& gold, std::span<const std::int32_t> ids,
                  bool single_root, const BatchOptions& options);

// With gold trees, their arcs are added to the candidates.
Candidates list_candidates(const ScoringModel& pruner, const Sequences& sentences, const Gold* gold,
                           const PrunerOptions& options, int threads);

// Cost-augmented MIRA; the cost of a tree is the number of its wrong arcs.
Tally train_parser(ScoringModel& model, const Sequences& sentences, const Gold& gold, const Candidates& candidates,
                   std::span<const std::int32_t> ids, const DecoderOptions& decoding, const BatchOptions& options);

Tally train_labeler(LabelModel& model, const Sequences& sentences, const Gold& gold,
                    std::span<const std::int32_t> ids, const BatchOptions& options);

}  // namespace treaty::parse

// Online training of pruner, parser and labeler over batches of sentences.
//
// The sentences of a batch see the same weights, so that they can be worked on by any number of threads; their
// updates are then applied in order. The batch, not the number of threads, decides the result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse/decoder.hpp"
#include "parse/labeler.hpp"
#include "parse/pruner.hpp"

namespace treaty::parse {

// Gold trees beside the sentences they belong to; entry 0 of each is the root's and means nothing.
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

// With gold trees, their arcs are put among the candidates.
Candidates list_candidates(const ScoringModel& pruner, const Sequences& sentences, const Gold* gold,
                           const PrunerOptions& options, int threads);

// Cost-augmented MIRA; the cost of a tree is the number of its wrong arcs.
Tally train_parser(ScoringModel& model, const Sequences& sentences, const Gold& gold, const Candidates& candidates,
                   std::span<const std::int32_t> ids, const DecoderOptions& decoding, const BatchOptions& options);

Tally train_labeler(LabelModel& model, const Sequences& sentences, const Gold& gold,
                    std::span<const std::int32_t> ids, const BatchOptions& options);

}  // namespace treaty::parse

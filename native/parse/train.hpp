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
};

void train_pruner(ScoringModel& model, const Sequences& sentences, const Gold& gold, std::span<const std::int32_t> ids,
                  bool single_root, const BatchOptions& options);

// Candidate arcs of every sentence; with gold trees, their arcs are put among them. Returns how many gold arcs the
// pruner had kept.
std::int64_t list_candidates(const ScoringModel& pruner, const Sequences& sentences, const Gold* gold,
                             const PrunerOptions& options, int threads, std::vector<Arcs>& candidates);

// Cost-augmented MIRA; the cost of a tree is the number of its wrong arcs.
Tally train_parser(ScoringModel& model, const Sequences& sentences, const Gold& gold,
                   std::span<const Arcs> candidates, std::span<const std::int32_t> ids, const DecoderOptions& decoding,
                   const BatchOptions& options);

Tally train_labeler(LabelModel& model, const Sequences& sentences, const Gold& gold,
                     std::span<const std::int32_t> ids, const BatchOptions& options);

}  // namespace treaty::parse

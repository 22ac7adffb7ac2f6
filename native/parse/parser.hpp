// Parsing: one pass per sentence from features to a labeled tree, many sentences over threads.
#pragma once

#include <vector>

#include "parse/decoder.hpp"
#include "parse/labeler.hpp"
#include "parse/margins.hpp"
#include "parse/pruner.hpp"

namespace treaty::parse {

struct Parse {
  Tree tree;
  std::vector<std::int32_t> label;  // label[0] = -1; empty without a labeler
  int candidates = 0;               // arcs that were kept
  // For confidences, if asked for; with an entry for the root: the pruner's marginal of each arc, and by how much its
  // head and its label are better than the next best.
  std::vector<double> marginal, margin, label_margin;
};

// `order` may leave out families the model has. `margins`: whether to fill in what confidences are made from.
std::vector<Parse> parse(const Sequences& sentences, const ScoringModel& pruner, const ScoringModel& model, const Order& order,
                         const LabelModel* labels, const PrunerOptions& pruning, const DecoderOptions& decoding, int threads, bool margins = false);

}  // namespace treaty::parse

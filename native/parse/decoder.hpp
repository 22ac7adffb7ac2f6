// From scored parts to the best tree, with a certificate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "parse/eisner.hpp"
#include "parse/parts.hpp"
#include "parse/path_graph.hpp"
#include "parse/tree_search.hpp"
#include "solve/solver.hpp"

namespace treaty::parse {

using graph::Graph, solve::Status;

struct DecoderOptions {
  // Longer sentences, mostly text without full stops or sense, get fewer iterations than others, so that the time of a
  // word has a bound.
  static constexpr std::int64_t kLong = 100;

  bool single_root = true;
  bool projective = false;          // first-order models only
  std::int64_t iterations = 500;    // of AD3, at most
  // Penalty of AD3, tuned on dev sentences: far from the default, because most scores of a parser are nearly zero.
  double penalty = 14.0;
  std::size_t rounds = 3;
  // A fractional relaxation is left when its gap is so small, relative to the bound: later roundings are no better.
  double tolerance = 3e-4;

  std::int64_t iterations_for(int words) const {
    return std::max<std::int64_t>(1, words > kLong ? iterations * kLong / words : iterations);
  }
};

struct Tree {
  std::vector<std::int32_t> head;  // head[0] = -1
  Status status = Status::Unknown;
  double objective = 0.0, bound = 0.0;
  std::int64_t iterations = 0;
};

// The factor graph over the candidate arcs: variable a is arc a; those of `paths` follow. The score of a side without
// modifiers is added to the arcs that lead to its head; `constant` is the part of the score that all trees have in
// common.
void build_graph(const Parts& parts, std::span<const double> score, const DecoderOptions& options, PathGraph& paths,
                 Graph& graph, double& constant);

class Decoder {
 public:
  void decode(const Parts& parts, std::span<const double> score, const DecoderOptions& options, Tree& tree);

 private:
  void decode_first_order(const Parts& parts, std::span<const double> score, const DecoderOptions& options, Tree& tree);

  Eisner eisner_;
  TreeSearch search_;
  std::vector<double> dense_;
};

}  // namespace treaty::parse

// The scores of one instance under a model: of its vertices' labels, of pairs and of larger patterns.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "features/hash.hpp"
#include "label/parts.hpp"

namespace treaty::label {

using features::mix;

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// Dropout: the features that are left out of an example, drawn again each time.
struct Dropout {
  std::uint64_t seed = 0, below = 0;

  static Dropout share(double share, std::uint64_t seed) {
    return {seed, static_cast<std::uint64_t>(share * 4294967296.0)};
  }
  bool drops(std::int64_t position) const {
    return below > 0 && (mix(seed ^ static_cast<std::uint64_t>(position)) >> 32) < below;
  }
};

struct Scores {
  // A pair of vertices, u < v, whose table has the scores of (label of u, label of v), the latter changing fastest.
  struct Edge {
    std::int32_t u, v;
    std::int32_t table;
  };
  // A table made from one factor's features, shared by all factors with the same features.
  struct Source {
    std::int32_t table;
    std::size_t kind;
    std::int64_t factor;
    bool turned;  // the factor has v before u
  };
  // A table made from others: a sum, or a transposed copy.
  struct Part {
    std::int32_t whole, part;
    bool turned;
  };

  double* state_of(std::int32_t vertex) { return state.data() + static_cast<std::size_t>(vertex) * labels; }
  const double* state_of(std::int32_t vertex) const { return state.data() + static_cast<std::size_t>(vertex) * labels; }
  std::size_t cells_of_table() const { return static_cast<std::size_t>(labels) * labels; }
  double* table(std::int32_t t) { return cells.data() + cells_of_table() * t; }
  const double* table(std::int32_t t) const { return cells.data() + cells_of_table() * t; }
  std::int32_t tables() const { return static_cast<std::int32_t>(cells.size() / cells_of_table()); }
  std::int32_t add_table();
  // A transposed copy of a table.
  std::int32_t turn(std::int32_t table);
  std::int32_t larger() const { return static_cast<std::int32_t>(weight.size()); }
  std::span<const std::int32_t> larger(std::int32_t p) const {
    return std::span(pattern).subspan(pattern_begin[p], pattern_begin[p + 1] - pattern_begin[p]);
  }

  // The score of a labeling; kForbidden if it has a forbidden pattern.
  double of(std::span<const std::int32_t> labeling) const;

  std::int32_t labels = 1, vertices = 0;
  std::vector<double> state;
  std::vector<Edge> edges;  // by u, then v; one for each pair of vertices
  std::vector<double> cells;
  std::vector<Source> sources;
  std::vector<Part> parts;
  std::vector<std::int32_t> pattern;  // of larger patterns: vertex * labels + label
  std::vector<std::int64_t> pattern_begin;
  std::vector<double> weight;         // of larger patterns
};

// Fills `scores` again, from features.
void score(const Model& model, const Bound& bound, std::int32_t instance, const Dropout& dropout, Scores& scores);
// The same from the scores of all parts, which `check_given` accepts; from features if none are given.
void score(const Model& model, const Bound& bound, std::int32_t instance, const Given& given, Scores& scores);

}  // namespace treaty::label

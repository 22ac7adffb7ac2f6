// Who descends from whom as variables of the factor graph, tied to the arcs by a multi-commodity flow: a unit for every
// word travels from the root to it, along arcs that are on (Martins, Smith & Xing 2009; as logic factors: Martins et al.
// 2011). Given the arcs of a tree, the values of all these variables follow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "parse/parts.hpp"

namespace treaty::parse {

// What a variable that is no arc says.
enum class Meaning : std::int32_t {
  kPath,       // `word` descends from `head`
  kUnit,       // the arc (head, modifier) carries the unit of `word`
  kProjective  // the arc (head, modifier) is on, and all words in between descend from `head`
};

struct PathVariable {
  Meaning meaning;
  std::int32_t head, modifier, word;
};

class PathGraph {
 public:
  // Lists the variables; none unless the order has paths. A non-projective arc scores what the arc does not lose by its
  // projective twin, so the twin's score is that of the part, negated (see `add`).
  explicit PathGraph(const Parts& parts);

  const std::vector<PathVariable>& variables() const { return variables_; }
  // Adds the scores of non-projective arcs to those of all arcs.
  void add_to_arcs(std::span<const double> score, std::span<double> arc_score) const;
  // Adds the variables, after those of the arcs, and their factors.
  void add(std::span<const double> score, graph::Graph& graph);
  // The values of the variables in a tree, appended to those of the arcs.
  void append_values(std::span<const std::int32_t> head, std::vector<std::int8_t>& values) const;

 private:
  std::int32_t path(int ancestor, int word) const { return first_ + (ancestor - 1) * words_ + word - 1; }
  std::int32_t unit(int arc, int word) const;
  void add_flow(int word, graph::Graph& graph);
  void add_projective(graph::Graph& graph);

  const Parts& parts_;
  int words_;
  std::int32_t first_, first_unit_;
  std::vector<PathVariable> variables_;
  std::vector<std::int32_t> literals_;
};

}  // namespace treaty::parse

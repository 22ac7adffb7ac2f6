#include "parse/path_graph.hpp"

#include <algorithm>
#include <cstdlib>

#include "graph/factors.hpp"
#include "parse/ancestry.hpp"

namespace treaty::parse {

using graph::Graph, graph::kind_of;
namespace {

std::int32_t literal(std::int32_t variable) { return 2 * variable; }
std::int32_t negated(std::int32_t variable) { return 2 * variable + 1; }

// Arcs that may be on without being projective.
bool may_cross(const Arcs& arcs, int a) { return arcs.head[a] > 0 && std::abs(arcs.head[a] - arcs.modifier[a]) > 1; }

}  // namespace

// Paths, a square with an unused diagonal; units, a row for every arc, in which those to its own ends are unused;
// projective arcs.
PathGraph::PathGraph(const Parts& parts)
    : parts_(parts), words_(parts.arcs().words), first_(parts.arcs().size()), first_unit_(first_ + words_ * words_) {
  if (!parts.order().paths()) return;
  const auto& arcs = parts.arcs();
  for (int above = 1; above <= words_; ++above)
    for (int word = 1; word <= words_; ++word) variables_.push_back({Meaning::kPath, above, -1, word});
  for (int a = 0; a < arcs.size(); ++a)
    for (int word = 1; word <= words_; ++word)
      variables_.push_back({Meaning::kUnit, arcs.head[a], arcs.modifier[a], word});
  if (!parts.order().has[kNonProjective]) return;
  for (int a = 0; a < arcs.size(); ++a)
    if (may_cross(arcs, a)) variables_.push_back({Meaning::kProjective, arcs.head[a], arcs.modifier[a], -1});
}

void PathGraph::add_to_arcs(std::span<const double> score, std::span<double> arc_score) const {
  if (!parts_.order().has[kNonProjective]) return;
  for (int a = 0; a < first_; ++a) arc_score[a] += score[parts_.non_projective(a)];
}

void PathGraph::add(std::span<const double> score, Graph& graph) {
  if (variables_.empty()) return;
  const auto& arcs = parts_.arcs();
  std::vector<double> own;
  for (const auto& variable : variables_) {
    const bool scored_path = variable.meaning == Meaning::kPath && parts_.order().has[kPath];
    if (scored_path) own.push_back(score[parts_.path(variable.head, variable.word)]);
    else if (variable.meaning != Meaning::kProjective) own.push_back(0.0);
    else own.push_back(-score[parts_.non_projective(arcs.find(variable.head, variable.modifier))]);
  }
  graph.add_variables(own);
  // A word is not above itself, a unit ends at its word, and the last arc of its way is the word's own.
  for (int word = 1; word <= words_; ++word) graph.fix(path(word, word), 0);
  for (int a = 0; a < arcs.size(); ++a) {
    if (arcs.head[a] > 0) graph.fix(first_unit_ + a * words_ + arcs.head[a] - 1, 0);
    graph.fix(first_unit_ + a * words_ + arcs.modifier[a] - 1, 0);
  }
  for (int word = 1; word <= words_; ++word) add_flow(word, graph);
  if (parts_.order().has[kNonProjective]) add_projective(graph);
}

std::int32_t PathGraph::unit(int arc, int word) const {
  return parts_.arcs().modifier[arc] == word ? arc : first_unit_ + arc * words_ + word - 1;
}

void PathGraph::add_flow(int word, Graph& graph) {
  const auto& arcs = parts_.arcs();
  for (int a = 0; a < arcs.size(); ++a) {
    if (arcs.head[a] == word || arcs.modifier[a] == word) continue;
    const std::int32_t pair[] = {negated(unit(a, word)), literal(a)};
    graph.add(kind_of<graph::AtLeastOne>, pair, {}, {});
  }
  for (int node = 0; node <= words_; ++node) {
    if (node == word) continue;
    literals_.clear();
    for (auto a : parts_.leaving(node)) literals_.push_back(literal(unit(a, word)));
    if (node == 0) {
      graph.add(kind_of<graph::ExactlyOne>, literals_, {}, {});
      continue;
    }
    literals_.push_back(literal(path(node, word)));
    graph.add(kind_of<graph::XorWithOutput>, literals_, {}, {});
    literals_.clear();
    for (auto a = arcs.begin[node]; a < arcs.begin[node + 1]; ++a)
      if (arcs.head[a] != word) literals_.push_back(literal(unit(a, word)));
    literals_.push_back(literal(path(node, word)));
    graph.add(kind_of<graph::XorWithOutput>, literals_, {}, {});
  }
}

void PathGraph::add_projective(Graph& graph) {
  const auto& arcs = parts_.arcs();
  auto output = first_unit_ + arcs.size() * words_;
  for (int a = 0; a < arcs.size(); ++a) {
    if (!may_cross(arcs, a)) continue;
    const auto [low, high] = std::minmax(arcs.head[a], arcs.modifier[a]);
    literals_.assign(1, literal(a));
    for (int between = low + 1; between < high; ++between) literals_.push_back(literal(path(arcs.head[a], between)));
    literals_.push_back(literal(output++));
    graph.add(kind_of<graph::AndWithOutput>, literals_, {}, {});
  }
}

void PathGraph::append_values(std::span<const std::int32_t> head, std::vector<std::int8_t>& values) const {
  for (const auto& [meaning, above, modifier, word] : variables_) {
    if (meaning == Meaning::kPath) {
      values.push_back(word != above && descends(head, word, above));
    } else if (meaning == Meaning::kUnit) {
      values.push_back(head[modifier] == above && modifier != word && descends(head, word, modifier));
    } else {
      values.push_back(head[modifier] == above && is_projective(head, modifier));
    }
  }
}

}  // namespace treaty::parse

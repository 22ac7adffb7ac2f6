// What makes a factor's arguments legal, in one place for Python, files and native callers alike.
#include <cmath>
#include <string>

#include "graph/graph.hpp"

namespace treaty::graph {
namespace {

using Ints = std::span<const std::int32_t>;
using Doubles = std::span<const double>;

[[noreturn]] void refuse(Kind kind, const std::string& why) {
  throw GraphError(std::string(name_of(kind)) + ": " + why);
}

void require_degree(Kind kind, Ints literals, std::size_t least) {
  if (literals.size() < least)
    refuse(kind, "needs at least " + std::to_string(least) + " literal" + (least == 1 ? "" : "s") +
                     ", got " + std::to_string(literals.size()));
}

void require_length(Kind kind, const char* what, std::size_t got, std::size_t expected) {
  if (got != expected)
    refuse(kind, std::string("expected ") + std::to_string(expected) + " " + what + ", got " +
                     std::to_string(got));
}

// Scores may be -inf (forbidden) where `forbidding`, never +inf or not-a-number.
void require_scores(Kind kind, Doubles scores, bool forbidding) {
  for (double s : scores)
    if (!(std::abs(s) <= kLargestScore || (forbidding && s == -kInfinity)))
      refuse(kind, forbidding ? "scores must be numbers of at most 1e100 in size, or -inf to forbid a configuration"
                              : "numbers must be finite and at most 1e100 in size");
}

void require_cardinalities(Kind kind, Ints literals, Ints shape) {
  if (shape.empty()) refuse(kind, "needs at least one categorical variable");
  std::size_t states = 0;
  for (auto card : shape) {
    if (card < 1) refuse(kind, "every variable needs at least one state");
    states += static_cast<std::size_t>(card);
  }
  require_length(kind, "state literals", literals.size(), states);
}

void check_table(Kind kind, Ints literals, Doubles data, Ints shape) {
  require_cardinalities(kind, literals, shape);
  std::size_t cells = 1;
  for (auto card : shape) {
    cells *= static_cast<std::size_t>(card);
    if (cells > (std::size_t{1} << 31)) refuse(kind, "the table is too large");
  }
  require_length(kind, "scores", data.size(), cells);
  require_scores(kind, data, true);
}

void check_sequence(Kind kind, Ints literals, Doubles data, Ints shape) {
  require_cardinalities(kind, literals, shape);
  auto cells = static_cast<std::size_t>(shape.front()) + static_cast<std::size_t>(shape.back());
  for (std::size_t i = 0; i + 1 < shape.size(); ++i)
    cells += static_cast<std::size_t>(shape[i]) * static_cast<std::size_t>(shape[i + 1]);
  require_length(kind, "scores (start, edges, stop)", data.size(), cells);
  require_scores(kind, data, true);
}

void check_compression_tree(Kind kind, Ints literals, Doubles data, Ints shape) {
  require_degree(kind, literals, 1);
  require_length(kind, "parents and a flag", shape.size(), literals.size() + 1);
  require_length(kind, "cut scores", data.size(), literals.size());
  require_scores(kind, data, false);
  const auto n = static_cast<std::int32_t>(literals.size());
  if (shape.back() != 0 && shape.back() != 1) refuse(kind, "the last shape entry is 0 or 1");
  std::vector<std::int8_t> state(literals.size(), 0);  // 0 unseen, 1 on the current path, 2 done
  for (std::int32_t start = 0; start < n; ++start) {
    std::int32_t node = start;
    while (node >= 0 && state[static_cast<std::size_t>(node)] == 0) {
      state[static_cast<std::size_t>(node)] = 1;
      node = shape[static_cast<std::size_t>(node)];
      if (node < -1 || node >= n) refuse(kind, "a parent is an index into the literals, or -1");
    }
    if (node >= 0 && state[static_cast<std::size_t>(node)] == 1) refuse(kind, "the parents form a cycle");
    for (node = start; node >= 0 && state[static_cast<std::size_t>(node)] == 1;
         node = shape[static_cast<std::size_t>(node)])
      state[static_cast<std::size_t>(node)] = 2;
  }
}

void check_arborescence(Kind kind, Ints literals, Ints shape) {
  if (shape.size() < 2) refuse(kind, "shape starts with the number of nodes and the single-root flag");
  require_length(kind, "arcs", (shape.size() - 2) / 2, literals.size());
  if (shape.size() % 2 != 0) refuse(kind, "every arc has a head and a modifier");
  const auto nodes = shape[0];
  if (nodes < 1) refuse(kind, "needs at least the root node");
  if (shape[1] != 0 && shape[1] != 1) refuse(kind, "the single-root flag is 0 or 1");
  for (std::size_t i = 2; i < shape.size(); i += 2) {
    const auto head = shape[i], modifier = shape[i + 1];
    if (head < 0 || head >= nodes || modifier < 1 || modifier >= nodes || head == modifier)
      refuse(kind, "arc " + std::to_string(head) + " -> " + std::to_string(modifier) +
                       " is not between two nodes of 0.." + std::to_string(nodes - 1) +
                       " (0 is the root and has no head)");
  }
}

// No product of sizes overflows then.
void require_few(Kind kind, Ints literals) {
  if (literals.size() > (std::size_t{1} << 20)) refuse(kind, "takes at most 2^20 literals");
}

void check_head_automaton(Kind kind, Ints literals, Doubles data, Ints shape) {
  require_length(kind, "sizes (incoming arcs, modifiers, flag)", shape.size(), 3);
  if (shape[0] < 0 || shape[1] < 0) refuse(kind, "the numbers of incoming arcs and of modifiers must not be negative");
  if (shape[2] != 0 && shape[2] != 1) refuse(kind, "the flag for grand-sibling scores is 0 or 1");
  const auto grandparents = static_cast<std::size_t>(shape[0]), modifiers = static_cast<std::size_t>(shape[1]);
  if (shape[2] && !grandparents) refuse(kind, "grand-sibling scores need grandparents");
  require_few(kind, literals);
  require_length(kind, "literals (incoming arcs, then modifiers)", literals.size(), grandparents + modifiers);
  const auto pairs = (modifiers + 1) * (modifiers + 2) / 2;
  require_length(kind, "scores (grandparents, siblings, grand-siblings)", data.size(),
                 grandparents * modifiers + pairs + (shape[2] ? grandparents * pairs : 0));
  require_scores(kind, data, true);
}

void check_tri_sibling_automaton(Kind kind, Ints literals, Doubles data, Ints shape) {
  require_length(kind, "size (modifiers)", shape.size(), 1);
  if (shape[0] < 0) refuse(kind, "the number of modifiers must not be negative");
  const auto modifiers = static_cast<std::size_t>(shape[0]);
  require_few(kind, literals);
  require_length(kind, "modifiers", literals.size(), modifiers);
  require_length(kind, "scores of three consecutive modifiers", data.size(),
                 (modifiers + 1) * (modifiers + 2) / 2 * modifiers / 3);
  require_scores(kind, data, true);
}

void check_knapsack(Kind kind, Ints literals, Doubles data) {
  require_degree(kind, literals, 1);
  require_length(kind, "costs and a capacity", data.size(), literals.size() + 1);
  require_scores(kind, data, false);
  for (double cost : data.first(literals.size()))
    if (cost < 0) refuse(kind, "costs must not be negative (negate the literal instead)");
}

}  // namespace

void validate(Kind kind, Ints literals, Doubles data, Ints shape, std::int32_t variables) {
  for (auto literal : literals)
    if (literal < 0 || (literal >> 1) >= variables) refuse(kind, "a literal names no variable of this graph");
  const bool plain = kind < Kind::Reward;
  if (plain && (!data.empty() || !shape.empty())) refuse(kind, "takes literals only");
  switch (kind) {
    case Kind::ExactlyOne:
    case Kind::AtMostOne:
    case Kind::AtLeastOne:
    case Kind::XorWithOutput:
    case Kind::OrWithOutput:
    case Kind::AndWithOutput:
      require_degree(kind, literals, 1);
      return;
    case Kind::Reward:
      require_degree(kind, literals, 1);
      require_length(kind, "score", data.size(), 1);
      require_scores(kind, data, false);
      return;
    case Kind::AtMost:
    case Kind::Exactly:
      require_degree(kind, literals, 1);
      require_length(kind, "limit", shape.size(), 1);
      if (shape[0] < 0) refuse(kind, "the limit must not be negative");
      return;
    case Kind::Knapsack: return check_knapsack(kind, literals, data);
    case Kind::Table: return check_table(kind, literals, data, shape);
    case Kind::Sequence: return check_sequence(kind, literals, data, shape);
    case Kind::CompressionTree: return check_compression_tree(kind, literals, data, shape);
    case Kind::Arborescence: return check_arborescence(kind, literals, shape);
    case Kind::HeadAutomaton: return check_head_automaton(kind, literals, data, shape);
    case Kind::TriSiblingAutomaton: return check_tri_sibling_automaton(kind, literals, data, shape);
    case Kind::Custom:
      require_degree(kind, literals, 1);
      return;
  }
  refuse(kind, "unknown kind of factor");
}

}  // namespace treaty::graph

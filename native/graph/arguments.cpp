#include "graph/arguments.hpp"

#include <cmath>

#include "graph/graph.hpp"

namespace treaty::graph {

void Arguments::refuse(const std::string& why) const { throw GraphError(std::string(name) + ": " + why); }

void Arguments::require_degree(std::size_t least) const {
  if (literals.size() < least)
    refuse("needs at least " + std::to_string(least) + " literal" + (least == 1 ? "" : "s") + ", got " +
           std::to_string(literals.size()));
}

void Arguments::require_length(const char* what, std::size_t got, std::size_t expected) const {
  if (got != expected)
    refuse("expected " + std::to_string(expected) + " " + what + ", got " + std::to_string(got));
}

void Arguments::require_numbers() const {
  for (double number : data)
    if (!(std::abs(number) <= largest)) refuse("numbers must be finite and at most 1e100 in size");
}

void Arguments::require_scores() const {
  for (double score : data)
    if (!(std::abs(score) <= largest || score == -kInfinity))
      refuse("scores must be numbers of at most 1e100 in size, or -inf to forbid a configuration");
}

void Arguments::require_states() const {
  if (shape.empty()) refuse("needs at least one categorical variable");
  std::size_t states = 0;
  for (auto cardinality : shape) {
    if (cardinality < 1) refuse("every variable needs at least one state");
    states += static_cast<std::size_t>(cardinality);
  }
  require_length("state literals", literals.size(), states);
}

void Arguments::require_few() const {
  if (literals.size() > (std::size_t{1} << 20)) refuse("takes at most 2^20 literals");
}

}  // namespace treaty::graph

// What is left of the factors of a graph after variables are fixed or set equal: a smaller graph, written factor by
// factor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/facts.hpp"
#include "graph/graph.hpp"

namespace treaty::graph {

struct Remains {
  using Literals = std::vector<std::int32_t>;
  static constexpr std::int32_t kOff = -1, kOn = -2;

  explicit Remains(Facts known) : facts(std::move(known)) {}

  Facts facts;  // of the source's variables
  Graph graph;
  double constant = 0.0;                 // the source's objective minus the graph's
  bool infeasible = false;
  std::vector<std::int32_t> literal_of;  // source variable -> literal of `graph`, kOff or kOn
  std::vector<std::int32_t> origin;      // factor of `graph` -> `current` when it was written
  std::int32_t current = -1;

  std::int32_t map(std::int32_t literal) const { return literal_of[literal >> 1] ^ (literal & 1); }

  // The literals of a source factor that are still open, as literals of `graph`, and how many of the others are on.
  struct Open {
    Literals literals;
    std::int32_t on = 0;
  };
  Open open_of(std::span<const std::int32_t> literals) const {
    Open open;
    for (auto literal : literals) {
      if (!facts.is_fixed(literal)) open.literals.push_back(map(literal));
      else open.on += facts.is_on(literal);
    }
    return open;
  }

  // Writes the factor in literals of `graph`; there may be no open literals at all.
  void add_score(std::int32_t literal, double score);
  void add(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data = {},
           std::span<const std::int32_t> shape = {});
  void add_exactly(std::int32_t k, const Literals& open);
  void add_at_most(std::int32_t k, const Literals& open);
  void add_at_least_one(const Literals& open);
  void add_or_with_output(Literals open);
  void add_reward(Literals open, double score);
  // Copies the factor with the new names of its variables; fixed ones are kept as evidence.
  void copy(const FactorView& factor);
};

}  // namespace treaty::graph

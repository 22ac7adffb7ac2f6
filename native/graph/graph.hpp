// The factor graph: binary variables with scores, and factors that tie them.
//
// Everything lives in flat arrays in order of insertion, so that solvers, file writers and the Python
// side read the same memory. A literal is 2 * variable, plus 1 when it is negated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/oracle.hpp"

namespace treaty::graph {

// What each kind keeps in `data` (doubles) and `shape` (integers):
enum class Kind : std::uint8_t {
  ExactlyOne,       // XOR: one literal is on
  AtMostOne,        //
  AtLeastOne,       // OR
  XorWithOutput,    // the last literal is on iff exactly one of the others is; never two of them
  OrWithOutput,     // the last literal is the OR of the others
  AndWithOutput,    // the last literal is the AND of the others
  Reward,           // data = {w}: w counts when all literals are on (PAIR when there are two)
  AtMost,           // shape = {k}
  Exactly,          // shape = {k}
  Knapsack,         // data = {cost of each literal..., capacity}
  Table,            // shape = cardinalities; literals = states in order; data = scores, last fastest,
                    // -inf where a configuration is forbidden
  Sequence,         // shape = cardinalities; data = start, then each edge table, then stop
  CompressionTree,  // shape = {parent of each literal (-1: root)..., 1 if a root that is on needs a
                    // child}; data = score when a literal is off and its parent on (roots: when off)
  Arborescence,     // shape = {nodes, single root?, head, modifier, head, modifier...}, node 0 = root
  HeadAutomaton,    // shape = {grandparents G, modifiers M, 1 if there are grand-sibling scores}; literals =
                    // incoming arcs of the head (one is on, unless G = 0), then modifiers from the head
                    // outwards; data = scores of grandparent and modifier (G x M), of consecutive modifiers
                    // a < b in 0..M+1 (0 = START, M+1 = END; a first), and of those for each grandparent
  TriSiblingAutomaton,  // shape = {modifiers M}; data = scores of three consecutive ones a < b < c, likewise
  Custom,           // shape = {index of the oracle}
};
inline constexpr int kKinds = 17;
const char* name_of(Kind kind);

// Larger scores are refused, so that no sum of them overflows.
inline constexpr double kLargestScore = 1e100;

// An argument that makes no sense; the message is for the person who wrote it.
struct GraphError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

struct FactorView {
  Kind kind;
  std::span<const std::int32_t> literals;
  std::span<const double> data;
  std::span<const std::int32_t> shape;
  const OracleFactory* custom;  // only for Kind::Custom

  int degree() const { return static_cast<int>(literals.size()); }
};

class Graph {
 public:
  std::int32_t add_variables(std::span<const double> scores);    // returns the first
  std::int32_t add_categorical(std::span<const double> scores);  // likewise; one of them is on
  void set_score(std::int32_t variable, double score);
  void fix(std::int32_t variable, int value);  // 0 or 1; -1 frees it again

  // Adds a factor after checking its arguments; returns its index.
  std::int32_t add(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
                   std::span<const std::int32_t> shape);
  std::int32_t add_custom(std::span<const std::int32_t> literals, std::shared_ptr<OracleFactory> oracle);

  std::int32_t variables() const { return static_cast<std::int32_t>(score.size()); }
  std::int32_t factors() const { return static_cast<std::int32_t>(kind.size()); }
  FactorView factor(std::int32_t index) const;

  std::vector<double> score;
  std::vector<std::int8_t> evidence;  // -1 free, 0 off, 1 on
  std::vector<std::int32_t> categorical_first, categorical_size;

  std::vector<Kind> kind;
  std::vector<std::int64_t> literal_begin{0}, data_begin{0}, shape_begin{0};
  std::vector<std::int32_t> literals;
  std::vector<double> data;
  std::vector<std::int32_t> shape;
  std::vector<std::shared_ptr<OracleFactory>> oracles;
};

// Throws GraphError unless the arguments make a factor of that kind (native/graph/validate.cpp).
void validate(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
              std::span<const std::int32_t> shape, std::int32_t variables);

}  // namespace treaty::graph

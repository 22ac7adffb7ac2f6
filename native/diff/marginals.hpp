// Exact sums over all assignments: the log-partition, the marginals, and how these change with the scores.
//
// Factors become tables over the variables of a network, in which states of which exactly (or at most) one is on are one
// variable; sequences and trees of tables become a table for each edge. Buckets are eliminated in an order of small width.
// A spanning tree whose arcs no other factor sees is summed by the matrix-tree theorem.
//
// The gradient of the log-partition is the expectation of all parameters (upwards, then downwards through the buckets);
// run on dual numbers, the same code gives the product of its Hessian with a vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diff/spanning_trees.hpp"
#include "graph/parameters.hpp"

namespace treaty::diff {

using graph::FactorView, graph::Graph, graph::Parameters;

class Marginals {
 public:
  // Throws GraphError if a table would need more cells.
  Marginals(const Graph& graph, std::size_t most_cells);

  const Parameters& parameters() const { return parameters_; }
  // The log-partition for these scores of all parameters, and the expectation of each parameter.
  template <class T>
  T sum(std::span<const T> score, std::span<T> expected) const;

 private:
  struct Table {
    std::vector<std::int32_t> scope;       // variables of the network; the last state moves fastest
    std::vector<double> base;              // by cell: -inf where forbidden, or a score that is no parameter
    std::vector<std::int32_t> begin, use;  // by cell: the parameters that it adds up
  };
  struct Entry {  // what a bucket multiplies: a table, or the message of a bucket
    bool is_message;
    std::int32_t from;
    std::vector<std::int32_t> place;  // by cell of the bucket
  };
  struct Bucket {
    std::size_t states, separator;  // of its variable; joint states of the others
    std::vector<std::int32_t> scope;  // the others, then the variable
    std::vector<Entry> entries;
  };
  struct Tree {
    std::vector<std::int32_t> shape, variables;
    std::vector<std::uint8_t> excluded;  // by arc
  };

  void group_states(const Graph& graph);
  bool make_group(std::span<const std::int32_t> literals, bool may_be_none);
  void add_unaries(const Graph& graph);
  void add_factor(const Graph& graph, std::int32_t factor);
  bool add_tree(const Graph& graph, std::int32_t factor);
  bool add_edges(const Graph& graph, std::int32_t factor);
  void enumerate(const Graph& graph, std::int32_t factor);
  std::int32_t whole_variable(std::span<const std::int32_t> literals) const;
  void add_edge(std::int32_t left, std::int32_t right, std::int32_t cells, const std::vector<std::vector<std::int32_t>>& of_left,
                const std::vector<std::vector<std::int32_t>>& of_right);
  void make_buckets();
  std::vector<std::int32_t> places(const std::vector<std::int32_t>& cells, const std::vector<std::int32_t>& scope) const;

  Parameters parameters_;
  std::size_t most_cells_;
  std::vector<std::int32_t> size_;             // of the variables of the network
  std::vector<std::int32_t> home_, state_;     // of each binary variable: its variable and the state that means "on"
  std::vector<std::int32_t> uses_;             // of each binary variable: factors it is in
  std::vector<std::vector<std::int32_t>> members_;  // of each network variable: the binary variable of each state, -1
  std::vector<std::uint8_t> in_tree_;
  std::vector<Table> tables_;
  std::vector<Bucket> buckets_;
  std::vector<Tree> trees_;
};

}  // namespace treaty::diff

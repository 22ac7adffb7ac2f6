// Reads UAI files of Markov and Bayesian networks: categorical variables and tables of potentials (not logarithms).
//
// MARKOV or BAYES, the number of variables, their cardinalities, the number of factors, the scope of each (its size, then its
// variables), and then each table (its size, then its potentials, the last variable fastest). Line breaks have no
// meaning.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace treaty::graph {

// What is wrong with a file, and where.
struct UaiError : std::runtime_error {
  UaiError(const std::string& cause, std::size_t place, std::string found)
      : std::runtime_error(cause), offset(place), text(std::move(found)) {}
  std::size_t offset;  // in bytes
  std::string text;    // what stands there, if that is what is wrong
};

// The network's objective is the logarithm of the product of its potentials. Zeros forbid configurations; in the table
// of a single variable they become evidence. No more than `most_free_states` states and one per field are believed.
Graph read_uai(std::string_view text, std::size_t most_free_states);

}  // namespace treaty::graph

#include <string>

#include "graph/arborescence.hpp"
#include "graph/compression_tree.hpp"
#include "graph/factor.hpp"
#include "graph/head_automaton.hpp"
#include "graph/sequence.hpp"
#include "graph/table.hpp"
#include "graph/tri_sibling_automaton.hpp"

namespace treaty::graph {

std::unique_ptr<Oracle> make_oracle(const FactorView& factor) {
  switch (factor.kind) {
    case Kind::Table: return std::make_unique<TableOracle>(factor.data, factor.shape);
    case Kind::Sequence: return std::make_unique<SequenceOracle>(factor.data, factor.shape);
    case Kind::CompressionTree: return std::make_unique<CompressionTreeOracle>(factor.data, factor.shape);
    case Kind::Arborescence: return make_arborescence(factor.shape);
    case Kind::HeadAutomaton: return std::make_unique<HeadAutomatonOracle>(factor.data, factor.shape);
    case Kind::TriSiblingAutomaton:
      return std::make_unique<TriSiblingAutomatonOracle>(factor.data, factor.shape);
    case Kind::Custom: return factor.custom->make(factor.degree());
    default: throw GraphError(std::string(name_of(factor.kind)) + ": has a closed form and no oracle");
  }
}

}  // namespace treaty::graph

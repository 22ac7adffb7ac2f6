// Spanning trees that are directed away from a root: the arborescence factor.
#pragma once

#include "graph/oracle.hpp"

namespace treaty::graph {

// Maximum spanning arborescence from node 0 over the arcs of `shape` (see Kind::Arborescence); arcs
// that are not listed do not exist, parallel ones may. O(n^2) where arcs are dense, O(m log n) where they are
// sparse. With a single root exactly one arc leaves node 0 (none when there is no other node).
std::unique_ptr<Oracle> make_arborescence(std::span<const std::int32_t> shape);

}  // namespace treaty::graph

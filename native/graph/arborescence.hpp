// Spanning trees that are directed away from a root: the arborescence factor.
//
// shape = {nodes, single root?, head, modifier, head, modifier...}, an arc per literal; node 0 is the root.
#pragma once

#include "graph/traits.hpp"

namespace treaty::graph {

// Maximum spanning arborescence from node 0 over the arcs of `shape`; arcs that
// are not listed do not exist, parallel ones may. O(n^2) where arcs are dense, O(m log n) where they are
// sparse. With a single root exactly one arc leaves node 0 (none when there is no other node).
std::unique_ptr<Oracle> make_arborescence(std::span<const std::int32_t> shape);

struct Arborescence : Structured {
  static constexpr const char* name = "arborescence";
  static constexpr bool rounded_whole = true;
  static void check(const Arguments& arguments);
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) { return make_arborescence(factor.shape); }
  static void imply(const FactorView& factor, Rows& rows);  // one arc enters every node; the root has one at least
};

}  // namespace treaty::graph

// Maximizes a sum of functions of few variables each, exactly where that is affordable: bucket elimination
// (Dechter 1999) along an order of small width. Where a bucket's table would be too large it is split into
// mini-buckets (Dechter & Rish 2003): the variable gets a copy in each, and the maximum becomes an upper bound that
// prices on the copies can tighten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treaty::solve {

struct Potential {
  std::vector<std::int32_t> vertices;
  std::vector<double> cells;  // the last vertex's label moves fastest
};

// A potential's part in a component; the parts of a potential sum to one.
struct Part {
  std::int32_t potential;
  double share;
};

class BucketForest {
 public:
  // Components share no bucket: a vertex that is in several has copies in each.
  BucketForest(std::span<const std::int32_t> labels, std::span<const Potential> potentials,
               std::span<const std::vector<Part>> components, std::size_t most_cells);

  // Copies of vertices: each is eliminated in a bucket of its own.
  int copies() const { return static_cast<int>(buckets_.size()); }
  std::int32_t vertex(int copy) const { return buckets_[copy].vertex; }
  // Where a copy's label scores begin in a flat array; `scores()` is its length.
  std::size_t first(int copy) const { return buckets_[copy].first; }
  std::size_t scores() const { return scores_; }
  std::size_t cells() const { return fixed_.size(); }

  int components() const { return static_cast<int>(component_begin_.size()) - 1; }
  int begin(int component) const { return component_begin_[component]; }  // of its copies

  // The best labels of a component's copies, given their label scores; returns the maximum.
  double maximize(int component, std::span<const double> scores, std::span<std::int32_t> label);

 private:
  struct Bucket {
    std::int32_t vertex, labels;
    std::size_t first;                  // of the label scores
    std::size_t table, separator;       // where the table begins; joint labels of the other vertices
    std::size_t message;                // where the message begins
    std::vector<std::int32_t> scope;    // the other vertices, in the order of elimination from the last
    std::vector<std::int32_t> owner;    // the copies of these that are meant
    std::vector<std::size_t> stride;    // of these in the message
    std::vector<std::pair<int, std::vector<std::int32_t>>> children;  // and where each cell finds their message
  };
  struct Item {  // waits to be put into a bucket: a potential or the message of one
    std::vector<std::int32_t> scope;
    const Part* part = nullptr;
    int bucket = -1;
  };
  class Builder;

  std::vector<std::int32_t> labels_;
  std::vector<Bucket> buckets_;
  std::vector<int> component_begin_{0};
  std::size_t scores_ = 0, messages_ = 0;
  std::vector<double> fixed_, table_, message_;
};

// An order of elimination, the vertex with the smallest table next, and the cells that its tables need.
struct Elimination {
  std::vector<std::int32_t> order;
  double largest = 1.0, total = 0.0;
};
Elimination eliminate(std::span<const std::int32_t> labels, std::span<const std::vector<std::int32_t>> scopes);

}  // namespace treaty::solve

#include "solve/search/slices.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <string>

#include "graph/stop.hpp"

namespace treaty::solve {
namespace {

class Tables {
 public:
  Tables(const PatternProblem& problem, std::size_t most_cells) : problem_(problem), most_cells_(most_cells) {}

  Potential& at(const std::vector<std::int32_t>& vertices) {
    auto& potential = tables_[vertices];
    if (potential.vertices.empty()) {
      double cells = 1.0;
      for (auto v : vertices) cells *= problem_.labels(v);
      if (cells > static_cast<double>(most_cells_))
        throw GraphError("junction trees need small tables: " + std::to_string(vertices.size()) +
                         " vertices of a pattern have more than " + std::to_string(most_cells_) +
                         " joint labels; use 'exact', 'ad3' or 'two-slave'");
      potential = {vertices, std::vector<double>(static_cast<std::size_t>(cells), 0.0)};
    }
    return potential;
  }
  std::vector<Potential> all() {
    std::vector<Potential> result;
    for (auto& [vertices, potential] : tables_) result.push_back(std::move(potential));
    return result;
  }

 private:
  const PatternProblem& problem_;
  std::size_t most_cells_;
  std::map<std::vector<std::int32_t>, Potential> tables_;
};

constexpr int kUnseen = -1;

// Breadth-first layers: those of each connected part begin at zero.
class Layering {
 public:
  Layering(std::size_t vertices, std::span<const Potential> potentials) : layer(vertices, kUnseen), neighbors_(vertices) {
    for (const auto& potential : potentials)
      for (auto u : potential.vertices)
        for (auto v : potential.vertices)
          if (u != v) neighbors_[u].push_back(v);
  }
  // From the end of a longest way that is easily found: long thin parts get many thin layers. Returns the part.
  std::vector<std::int32_t> spread(std::int32_t start) {
    for (int round = 0; round < 2; ++round) {
      const auto part = search(start);
      start = part.back();
      for (auto v : part) layer[v] = kUnseen;
    }
    return search(start);
  }

  std::vector<int> layer;

 private:
  std::vector<std::int32_t> search(std::int32_t start) {
    std::vector<std::int32_t> queue{start};
    layer[start] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      graph::poll(8 + 2 * static_cast<std::int64_t>(neighbors_[queue[i]].size()));
      for (auto v : neighbors_[queue[i]])
        if (layer[v] == kUnseen) {
          layer[v] = layer[queue[i]] + 1;
          queue.push_back(v);
        }
    }
    return queue;
  }

  std::vector<std::vector<std::int32_t>> neighbors_;
};

struct Extent {  // in layers
  int first, last;
  bool within(const Extent& slice) const { return first >= slice.first && last <= slice.last; }
};

// Connected parts of the graph: their potentials, and where in its layers every potential lies.
class Slicing {
 public:
  Slicing(std::span<const std::int32_t> labels, std::span<const Potential> potentials)
      : labels_(labels), potentials_(potentials) {
    Layering layering(labels.size(), potentials);
    std::vector<int> part_of(labels.size(), kUnseen);
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (part_of[v] != kUnseen) continue;
      const auto part = layering.spread(static_cast<std::int32_t>(v));
      for (auto u : part) part_of[u] = static_cast<int>(parts_.size());
      parts_.push_back({{}, layering.layer[part.back()]});
    }
    for (std::size_t p = 0; p < potentials.size(); ++p) {
      const auto layer = [&](auto v) { return layering.layer[v]; };
      const auto [low, high] = std::ranges::minmax_element(potentials[p].vertices, {}, layer);
      extent_.push_back({layer(*low), layer(*high)});
      parts_[part_of[potentials[p].vertices.front()]].members.push_back(static_cast<std::int32_t>(p));
    }
  }

  struct Cut {
    std::vector<std::vector<Part>> slices;
    double largest = 1.0, total = 0.0;  // cells of their tables
  };
  Cut cut(double table_cells) const {
    Cut result;
    for (const auto& part : parts_) cut(part, table_cells, result);
    return result;
  }

 private:
  struct Connected {
    std::vector<std::int32_t> members;
    int last_layer;
  };

  Elimination elimination(const Connected& part, const Extent& slice) const {
    std::vector<std::vector<std::int32_t>> scopes;
    for (auto p : part.members)
      if (graph::poll(2); extent_[p].within(slice)) scopes.push_back(potentials_[p].vertices);
    return eliminate(labels_, scopes);
  }

  void cut(const Connected& part, double table_cells, Cut& result) const {
    std::vector<Extent> chosen;
    for (int first = 0;; first = chosen.back().last) {
      Extent slice{first, std::min(first + 1, part.last_layer)};
      auto needs = elimination(part, slice);
      for (; slice.last < part.last_layer; ++slice.last) {
        auto thicker = elimination(part, {first, slice.last + 1});
        if (thicker.largest > table_cells) break;
        needs = std::move(thicker);
      }
      result.largest = std::max(result.largest, needs.largest);
      result.total += needs.total;
      chosen.push_back(slice);
      if (slice.last == part.last_layer) break;
    }
    for (const auto& slice : chosen) {
      auto& parts = result.slices.emplace_back();
      for (auto p : part.members) {
        const auto& extent = extent_[p];
        if (!extent.within(slice)) continue;
        graph::poll(16 + 2 * static_cast<std::int64_t>(chosen.size()));
        const auto owners = std::ranges::count_if(chosen, [&](const Extent& other) { return extent.within(other); });
        parts.push_back({p, 1.0 / static_cast<double>(owners)});
      }
    }
  }

  std::span<const std::int32_t> labels_;
  std::span<const Potential> potentials_;
  std::vector<Connected> parts_;
  std::vector<Extent> extent_;
};

}  // namespace

std::vector<Potential> potentials_of(const PatternProblem& problem, std::size_t table_cells) {
  Tables tables(problem, table_cells);
  std::vector<bool> scored(static_cast<std::size_t>(problem.vertices()), false);
  for (const auto& edge : problem.edges) {
    graph::poll(512 + static_cast<std::int64_t>(problem.table(edge).size()));
    std::ranges::copy(problem.table(edge), tables.at({edge.u, edge.v}).cells.begin());
    scored[edge.u] = scored[edge.v] = true;
  }
  const auto vertex_of = problem.vertex_of_states();
  for (std::int32_t p = 0; p < problem.patterns(); ++p) {
    graph::poll(512);
    std::vector<std::int32_t> vertices;
    std::size_t cell = 0;
    for (auto state : problem.states_of(p)) {
      const auto v = vertex_of[state];
      vertices.push_back(v);
      cell = cell * static_cast<std::size_t>(problem.labels(v)) + static_cast<std::size_t>(state - problem.first[v]);
      scored[v] = true;
    }
    tables.at(vertices).cells[cell] += problem.pattern_weight[p];
  }
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    if (!scored[v]) tables.at({v});
  return tables.all();
}

namespace {

constexpr double kMostCells = 1 << 24;  // of all tables together

std::size_t largest_of(std::span<const Potential> potentials) {
  std::size_t most = 1;
  for (const auto& potential : potentials) most = std::max(most, potential.cells.size());
  return most;
}

}  // namespace

Slices slices_of(std::span<const std::int32_t> labels, std::span<const Potential> potentials, std::size_t table_cells) {
  const auto least = largest_of(potentials);
  const Slicing slicing(labels, potentials);
  for (;; table_cells /= 2) {
    const auto most = static_cast<double>(table_cells);
    auto cut = slicing.cut(most);
    if (cut.total <= kMostCells || table_cells / 2 < least)
      return {std::move(cut.slices), table_cells, cut.largest <= most && cut.total <= kMostCells};
  }
}

bool are_slices_affordable(std::span<const std::int32_t> labels, std::span<const Potential> potentials,
                           std::size_t table_cells) {
  const auto least = largest_of(potentials);
  const Slicing slicing(labels, potentials);
  for (; table_cells >= least; table_cells /= 2) {
    const auto cut = slicing.cut(static_cast<double>(table_cells));
    if (cut.largest > static_cast<double>(table_cells)) return false;  // thinner slices there are none
    if (cut.total <= kMostCells) return true;
  }
  return false;
}

}  // namespace treaty::solve

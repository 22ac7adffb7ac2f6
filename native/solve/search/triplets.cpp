#include "solve/search/triplets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/stop.hpp"

namespace treaty::solve {
namespace {

// Written so that it vectorizes: the larger of two in each place.
inline void raise(double* __restrict out, const double* __restrict row, double by, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) {
    const double value = by + row[i];
    out[i] = out[i] < value ? value : out[i];
  }
}

}  // namespace

Triplets::Triplets(const PatternProblem& problem, DenseDual& dual)
    : problem_(problem), dual_(dual), of_edge_(problem.edges.size()) {}

std::int64_t Triplets::cells(std::int32_t edge) const {
  return static_cast<std::int64_t>(problem_.table(problem_.edges[edge]).size());
}

std::array<const double*, 3> Triplets::tables(const Triplet& triplet) const {
  const double* const uv = &shares_[triplet.shares];
  const double* const uw = uv + cells(triplet.edge[0]);
  return {uv, uw, uw + cells(triplet.edge[1])};
}

double* Triplets::share(const Place& place) {
  const auto& triplet = triplets_[place.triplet];
  auto begin = triplet.shares;
  for (int side = 0; side < place.side; ++side) begin += cells(triplet.edge[side]);
  return &shares_[begin];
}

// The best sum of three tables for each two labels of one side: uv, uw or vw. Rows of labels that are dead are not
// written, and columns of such are anything.
void Triplets::maximize(const std::array<std::int32_t, 3>& vertex, const std::array<const double*, 3>& table, int side,
                        double* out) {
  const auto [u, v, w] = vertex;
  graph::poll(std::int64_t{problem_.labels(u)} * problem_.labels(v) * problem_.labels(w));
  const auto [uv, uw, vw] = table;
  const std::int64_t at_u = problem_.labels(u), at_v = problem_.labels(v), at_w = problem_.labels(w);
  const std::uint8_t *const alive_u = &dual_.alive[problem_.first[u]], *const alive_v = &dual_.alive[problem_.first[v]],
                     *const alive_w = &dual_.alive[problem_.first[w]];
  auto fold = [&](const std::uint8_t* rows, std::int64_t row_count, const std::uint8_t* third, std::int64_t third_count,
                  std::int64_t columns, const double* own, const double* lines, auto by) {
    for (std::int64_t row = 0; row < row_count; ++row) {
      if (!rows[row]) continue;
      double* const best = out + row * columns;
      std::fill(best, best + columns, -kInfinity);
      for (std::int64_t k = 0; k < third_count; ++k)
        if (third[k]) raise(best, lines + k * columns, by(row, k), static_cast<std::int32_t>(columns));
      for (std::int64_t column = 0; column < columns; ++column) best[column] += own[row * columns + column];
    }
  };
  if (side == 0) {
    turned_.resize(static_cast<std::size_t>(at_v * at_w));
    for (std::int64_t y = 0; y < at_v; ++y)
      for (std::int64_t z = 0; z < at_w; ++z) turned_[z * at_v + y] = vw[y * at_w + z];
    fold(alive_u, at_u, alive_w, at_w, at_v, uv, turned_.data(), [&, uw = uw](auto x, auto z) { return uw[x * at_w + z]; });
  } else if (side == 1) {
    fold(alive_u, at_u, alive_v, at_v, at_w, uw, vw, [&, uv = uv](auto x, auto y) { return uv[x * at_v + y]; });
  } else {
    fold(alive_v, at_v, alive_u, at_u, at_w, vw, uw, [&, uv = uv](auto y, auto x) { return uv[x * at_v + y]; });
  }
}

// Triangles whose tables together are worth less than one by one, and by how much.
std::vector<Triplets::Candidate> Triplets::candidates() {
  constexpr std::int64_t kMostWork = std::int64_t{1} << 28;  // cells looked at
  const auto n = problem_.vertices();
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> after(n);  // larger neighbors, with their edges
  std::vector<double> reduced(problem_.cells.size());
  std::vector<double> most(problem_.edges.size());
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(problem_.edges.size()); ++e) {
    const auto& edge = problem_.edges[e];
    after[edge.u].emplace_back(edge.v, e);
    most[e] = dual_.reduced(e, &reduced[edge.cells]);
  }
  std::vector<std::int32_t> edge_to(n, -1);
  std::vector<Candidate> found;
  std::int64_t work = 0;
  for (std::int32_t u = 0; u < n; ++u) {
    for (const auto& [w, e] : after[u]) edge_to[w] = e;
    for (const auto& [v, uv] : after[u])
      for (const auto& [w, vw] : after[v]) {
        const auto uw = edge_to[w];
        if (uw < 0 || work > kMostWork) continue;
        work += cells(uv) * problem_.labels(w);
        maxima_.resize(std::max(maxima_.size(), static_cast<std::size_t>(cells(uw))));
        maximize({u, v, w}, {&reduced[problem_.edges[uv].cells], &reduced[problem_.edges[uw].cells], &reduced[problem_.edges[vw].cells]},
                 1, maxima_.data());
        double together = -kInfinity;
        for (std::int32_t x = 0; x < problem_.labels(u); ++x)
          for (std::int32_t z = 0; z < problem_.labels(w); ++z)
            if (dual_.alive[problem_.first[u] + x] && dual_.alive[problem_.first[w] + z])
              together = std::max(together, maxima_[std::int64_t{x} * problem_.labels(w) + z]);
        const double gain = most[uv] + most[uw] + most[vw] - together;
        if (gain > 0.0) found.push_back({gain, {uv, uw, vw}});
      }
    for (const auto& [w, e] : after[u]) edge_to[w] = -1;
  }
  return found;
}

std::int64_t Triplets::add(std::int64_t most) {
  constexpr std::size_t kMostShares = std::size_t{3} << 23;  // 200 MB
  auto found = candidates();
  std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
  std::int64_t added = 0;
  for (const auto& candidate : found) {
    const auto& [uv, uw, vw] = candidate.edge;
    const auto size = static_cast<std::size_t>(cells(uv) + cells(uw) + cells(vw));
    if (added >= most || shares_.size() + size > kMostShares) break;
    const auto u = problem_.edges[uv].u, v = problem_.edges[uv].v, w = problem_.edges[uw].v;
    bool known = false;
    for (const auto& place : of_edge_[uv]) known = known || triplets_[place.triplet].edge == candidate.edge;
    if (known) continue;
    const auto t = static_cast<std::int32_t>(triplets_.size());
    triplets_.push_back({{u, v, w}, candidate.edge, static_cast<std::int64_t>(shares_.size())});
    shares_.resize(shares_.size() + size, 0.0);
    for (std::int32_t side = 0; side < 3; ++side) of_edge_[candidate.edge[side]].push_back({t, side});
    cubes_ += cells(uv) * problem_.labels(w);
    ++added;
  }
  return added;
}

void Triplets::sweep(bool forward, const std::function<bool()>& keep_going) {
  const auto count = static_cast<std::int32_t>(problem_.edges.size());
  for (std::int32_t k = 0; k < count; ++k) {
    if (keep_going && k % 16 == 0 && !keep_going()) return;
    balance(forward ? k : count - 1 - k, forward);
  }
}

void Triplets::balance(std::int32_t e, bool forward) {
  const auto& places = of_edge_[e];
  if (places.empty()) return;
  const auto& edge = problem_.edges[e];
  const auto rows = problem_.labels(edge.u), columns = problem_.labels(edge.v);
  const auto size = static_cast<std::size_t>(cells(e));
  maxima_.resize(std::max(maxima_.size(), size * places.size()));
  pool_.resize(std::max(pool_.size(), size));
  dual_.reduced(e, pool_.data());
  auto is_open = [&](const Place& place, bool after) {  // whether the triplet has a pair after this one, or before it
    const auto& others = triplets_[place.triplet].edge;
    return std::ranges::any_of(others, [&](auto other) { return after ? other > e : other < e; });
  };
  std::int64_t after = 0, before = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& triplet = triplets_[places[i].triplet];
    double* const own = &maxima_[i * size];
    maximize(triplet.vertex, tables(triplet), places[i].side, own);
    after += is_open(places[i], forward);
    before += is_open(places[i], !forward);
  }
  const double weight = 1.0 / static_cast<double>(1 + std::max(after, before));  // one stays with the pair
  for (std::int32_t x = 0; x < rows; ++x) {
    if (!dual_.alive[problem_.first[edge.u] + x]) continue;
    for (std::int32_t y = 0; y < columns; ++y) {
      const auto cell = static_cast<std::size_t>(x) * columns + y;
      if (!dual_.alive[problem_.first[edge.v] + y]) continue;
      for (std::size_t i = 0; i < places.size(); ++i) pool_[cell] += maxima_[i * size + cell];
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    double* const own = share(places[i]);
    const double part = is_open(places[i], forward) ? weight : 0.0;
    for (std::int32_t x = 0; x < rows; ++x) {
      if (!dual_.alive[problem_.first[edge.u] + x]) continue;
      for (std::int32_t y = 0; y < columns; ++y) {
        const auto cell = static_cast<std::size_t>(x) * columns + y;
        // Labels that cannot go together, here or forever: their shares stay as they are.
        if (pool_[cell] == -kInfinity || !dual_.alive[problem_.first[edge.v] + y]) continue;
        own[cell] += part * pool_[cell] - maxima_[i * size + cell];
      }
    }
  }
  const auto table = problem_.table(edge);
  std::copy(table.begin(), table.end(), pool_.begin());
  for (const auto& place : places) {
    const double* const own = share(place);
    for (std::size_t cell = 0; cell < size; ++cell) pool_[cell] -= own[cell];
  }
  dual_.set_table(e, pool_.data());
}

double Triplets::bound() {
  double total = 0.0, size = 0.0;
  std::size_t most = 0;
  for (const auto& places : of_edge_) most = std::max(most, places.size());
  for (const auto& triplet : triplets_) {
    const auto [u, v, w] = triplet.vertex;
    maxima_.resize(std::max(maxima_.size(), static_cast<std::size_t>(cells(triplet.edge[1]))));
    maximize(triplet.vertex, tables(triplet), 1, maxima_.data());
    double together = -kInfinity;
    for (std::int32_t x = 0; x < problem_.labels(u); ++x)
      for (std::int32_t z = 0; z < problem_.labels(w); ++z)
        if (dual_.alive[problem_.first[u] + x] && dual_.alive[problem_.first[w] + z])
          together = std::max(together, maxima_[std::int64_t{x} * problem_.labels(w) + z]);
    total += together;
    if (together != -kInfinity) size += std::abs(together);
    for (int side = 0; side < 3; ++side) {
      double largest = 0.0;
      const double* const own = tables(triplet)[side];
      for (std::int64_t cell = 0; cell < cells(triplet.edge[side]); ++cell) largest = std::max(largest, std::abs(own[cell]));
      size += largest;
    }
  }
  error_ = static_cast<double>(most + 4) * std::numeric_limits<double>::epsilon() * size;
  return total;
}

}  // namespace treaty::solve

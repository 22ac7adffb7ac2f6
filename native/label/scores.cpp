#include "label/scores.hpp"

#include <algorithm>

#include "learn/host.hpp"

namespace treaty::label {
namespace {

// Adds up the rows of a factor's features: a score for each pattern.
void sum_rows(const Model& model, const Bound& bound, std::size_t kind, std::int64_t factor, const Dropout& dropout,
              std::vector<float>& total) {
  const auto width = model.kinds[kind].columns();
  total.assign(static_cast<std::size_t>(width), 0.0f);
  const auto rows = bound.rows_of(kind, factor);
  const auto values = bound.values_of(kind, factor);
  const auto position = bound.instances->factors(kind).feature_begin[factor];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == RowIndex::kNone || dropout.drops(position + static_cast<std::int64_t>(i))) continue;
    const float* const row = model.row(kind, rows[i]);
    if (values.empty())
      for (std::int32_t p = 0; p < width; ++p) total[p] += row[p];
    else
      for (std::int32_t p = 0; p < width; ++p) total[p] += values[i] * row[p];
  }
  if (const auto scale = static_cast<float>(model.weights.scale); scale != 1.0f)
    for (auto& sum : total) sum *= scale;
  if (model.kinds[kind].tied() && width == 1) total.assign(static_cast<std::size_t>(model.kinds[kind].patterns()), total[0]);
}

bool same_features(const Bound& bound, std::size_t kind, std::int64_t one, std::int64_t other) {
  return std::ranges::equal(bound.rows_of(kind, one), bound.rows_of(kind, other)) &&
         std::ranges::equal(bound.values_of(kind, one), bound.values_of(kind, other));
}

class Scorer {
 public:
  Scorer(const Model& model, const Bound& bound, std::int32_t instance, const Dropout& dropout, Scores& scores)
      : model_(model), bound_(bound), instance_(instance), dropout_(dropout), scores_(scores) {}

  void run() {
    clear();
    for (std::size_t k = 0; k < model_.kinds.size(); ++k) {
      const auto size = model_.kinds[k].size();
      const auto& begin = bound_.instances->factors(k).begin;
      for (auto f = begin[instance_]; f < begin[instance_ + 1]; ++f) {
        learn::check_interrupt(f);
        size == 1 ? add_state(k, f) : size == 2 ? add_edge(k, f, f == begin[instance_]) : add_larger(k, f);
      }
    }
    for (const auto& [vertex, label, score] : bound_.instances->evidence(instance_))
      scores_.state_of(vertex)[label] += score;
    join_edges();
  }

 private:
  void clear() {
    scores_.labels = model_.labels;
    scores_.vertices = bound_.instances->vertices(instance_);
    scores_.state.assign(static_cast<std::size_t>(scores_.vertices) * model_.labels, 0.0);
    scores_.edges.clear();
    scores_.cells.clear();
    scores_.sources.clear();
    scores_.parts.clear();
    scores_.pattern.clear();
    scores_.pattern_begin.assign(1, 0);
    scores_.weight.clear();
  }

  void add_state(std::size_t k, std::int64_t factor) {
    const auto& kind = model_.kinds[k];
    sum_rows(model_, bound_, k, factor, dropout_, total_);
    double* const state = scores_.state_of(bound_.instances->factors(k).vertices_of(factor)[0]);
    if (kind.dense())
      for (std::int32_t p = 0; p < kind.patterns(); ++p) state[p] += total_[p];
    else
      for (std::int32_t p = 0; p < kind.patterns(); ++p) state[kind.pattern(p)[0]] += total_[p];
    for (std::int32_t p = 0; p < kind.forbidden(); ++p) state[kind.forbidden(p)[0]] = kForbidden;
  }

  // Consecutive factors with the same features, such as the transitions of a chain, share one table.
  void add_edge(std::size_t k, std::int64_t factor, bool first) {
    const auto vertices = bound_.instances->factors(k).vertices_of(factor);
    const bool turned = vertices[0] > vertices[1];
    const bool shared = !first && scores_.sources.back().turned == turned &&
                        same_features(bound_, k, factor, factor - 1);
    if (!shared) {
      scores_.sources.push_back({scores_.add_table(), k, factor, turned});
      fill(scores_.sources.back());
    }
    const auto [u, v] = std::minmax(vertices[0], vertices[1]);
    scores_.edges.push_back({u, v, scores_.sources.back().table});
  }

  void fill(const Scores::Source& source) {
    const auto& kind = model_.kinds[source.kind];
    sum_rows(model_, bound_, source.kind, source.factor, {}, total_);
    double* const table = scores_.table(source.table);
    const auto cell = [&](std::span<const std::int32_t> pattern) -> double& {
      return table[pattern[source.turned] * model_.labels + pattern[!source.turned]];
    };
    for (std::int32_t p = 0; p < kind.patterns(); ++p) cell(kind.pattern(p)) = total_[p];
    for (std::int32_t p = 0; p < kind.forbidden(); ++p) cell(kind.forbidden(p)) = kForbidden;
  }

  void add_larger(std::size_t k, std::int64_t factor) {
    const auto& kind = model_.kinds[k];
    const auto vertices = bound_.instances->factors(k).vertices_of(factor);
    sum_rows(model_, bound_, k, factor, {}, total_);
    for (std::int32_t p = 0; p < kind.patterns(); ++p)
      if (total_[p] != 0.0f && !kind.forbids(kind.pattern(p))) add_pattern(vertices, kind.pattern(p), total_[p]);
    for (std::int32_t p = 0; p < kind.forbidden(); ++p) add_pattern(vertices, kind.forbidden(p), kForbidden);
  }

  void add_pattern(std::span<const std::int32_t> vertices, std::span<const std::int32_t> labels, double weight) {
    for (std::size_t i = 0; i < vertices.size(); ++i)
      scores_.pattern.push_back(vertices[i] * model_.labels + labels[i]);
    scores_.pattern_begin.push_back(static_cast<std::int64_t>(scores_.pattern.size()));
    scores_.weight.push_back(weight);
  }

  // One edge for each pair of vertices: the scores of factors over the same two are added.
  void join_edges() {
    auto& edges = scores_.edges;
    const auto pair = [](const Scores::Edge& e) { return std::pair(e.u, e.v); };
    if (std::ranges::adjacent_find(edges, std::ranges::greater_equal{}, pair) == edges.end()) return;
    std::ranges::stable_sort(edges, {}, pair);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges.size();) {
      auto j = i + 1;
      while (j < edges.size() && pair(edges[j]) == pair(edges[i])) ++j;
      edges[kept++] = {edges[i].u, edges[i].v, j == i + 1 ? edges[i].table : sum_of(std::span(edges).subspan(i, j - i))};
      i = j;
    }
    edges.resize(kept);
  }

  std::int32_t sum_of(std::span<const Scores::Edge> edges) {
    const auto whole = scores_.add_table();
    for (const auto& edge : edges) {
      scores_.parts.push_back({whole, edge.table, false});
      double* const sum = scores_.table(whole);
      const double* const part = scores_.table(edge.table);
      for (std::size_t i = 0; i < scores_.cells_of_table(); ++i) sum[i] += part[i];
    }
    return whole;
  }

  const Model& model_;
  const Bound& bound_;
  std::int32_t instance_;
  Dropout dropout_;
  Scores& scores_;
  std::vector<float> total_;
};

}  // namespace

std::int32_t Scores::add_table() {
  cells.resize(cells.size() + cells_of_table(), 0.0);
  return tables() - 1;
}

std::int32_t Scores::turn(std::int32_t source) {
  const auto turned = add_table();
  const double* const from = table(source);
  double* const to = table(turned);
  for (std::int32_t a = 0; a < labels; ++a)
    for (std::int32_t b = 0; b < labels; ++b) to[b * labels + a] = from[a * labels + b];
  parts.push_back({turned, source, true});
  return turned;
}

double Scores::of(std::span<const std::int32_t> labeling) const {
  double total = 0.0;
  for (std::int32_t v = 0; v < vertices; ++v) total += state_of(v)[labeling[v]];
  for (const auto& e : edges) total += table(e.table)[labeling[e.u] * labels + labeling[e.v]];
  for (std::int32_t p = 0; p < larger(); ++p) {
    const auto on = [&](std::int32_t one) { return labeling[one / labels] == one % labels; };
    if (std::ranges::all_of(larger(p), on)) total += weight[p];
  }
  return total;
}

void score(const Model& model, const Bound& bound, std::int32_t instance, const Dropout& dropout, Scores& scores) {
  Scorer(model, bound, instance, dropout, scores).run();
}

}  // namespace treaty::label

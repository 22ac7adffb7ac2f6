#include "label/likelihood.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace treaty::label {
namespace {

float* new_row(Gradient& gradient, std::size_t kind, std::int64_t factor, std::int32_t width) {
  const auto first = gradient.numbers.size();
  gradient.rows.push_back({kind, factor, first});
  gradient.numbers.resize(first + static_cast<std::size_t>(width), 0.0f);
  return &gradient.numbers[first];
}

}  // namespace

void Truth::check(const Model& model, const Bound& bound) const {
  const auto width = static_cast<std::size_t>(model.labels);
  if (sets.size() % width != 0) throw std::invalid_argument("expected a flag for every label of a set");
  bound.check_labels(labels, model.labels + static_cast<std::int32_t>(sets.size() / width));
}

void Likelihood::differentiate(const Bound& bound, std::int32_t instance, const Truth& truth, const Dropout& dropout,
                               Gradient& gradient) {
  gradient.rows.clear();
  gradient.numbers.clear();
  gradient.dropout = dropout;
  const auto gold = bound.labels_of(truth.labels, instance);
  const bool partly = std::ranges::any_of(gold, [&](std::int32_t label) { return label >= model_.labels; });
  score(model_, bound, instance, dropout, scores_);
  if (partly) known_scores_ = scores_;
  if (!forest_.build(scores_))
    throw std::invalid_argument("likelihood requires factors that form chains or trees; choose another learner");
  const double right = partly ? known_log_sum(gold, truth.sets) : scores_.of(gold);
  if (right == kForbidden) throw std::invalid_argument("a gold labeling is forbidden");
  gradient.log_likelihood = right - forest_.log_sum();
  add_vertices(bound, instance, gold, partly, gradient);
  add_tables(bound, instance, gold, partly, gradient);
}

double Likelihood::known_log_sum(std::span<const std::int32_t> gold, std::span<const std::uint8_t> sets) {
  for (std::int32_t v = 0; v < known_scores_.vertices; ++v) {
    double* const state = known_scores_.state_of(v);
    const auto set = static_cast<std::size_t>(gold[v] - model_.labels);
    for (std::int32_t label = 0; label < model_.labels; ++label) {
      const bool agrees = gold[v] < model_.labels ? label == gold[v] : sets[set * model_.labels + label] != 0;
      if (!agrees) state[label] = kForbidden;
    }
  }
  known_.build(known_scores_);
  return known_.log_sum();
}

void Likelihood::add_vertices(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold,
                              bool partly, Gradient& gradient) {
  for (std::size_t k = 0; k < model_.kinds.size(); ++k) {
    const auto& kind = model_.kinds[k];
    if (kind.size() != 1) continue;
    const auto& factors = bound.instances->factors(k);
    for (auto f = factors.begin[instance]; f < factors.begin[instance + 1]; ++f) {
      const auto v = factors.vertices_of(f)[0];
      float* const row = new_row(gradient, k, f, kind.patterns());
      const double* const belief = forest_.belief_of(v);
      const double* const known = partly ? known_.belief_of(v) : nullptr;
      for (std::int32_t p = 0; p < kind.patterns(); ++p) {
        const auto label = kind.pattern(p)[0];
        row[p] = static_cast<float>((partly ? known[label] : static_cast<double>(label == gold[v])) - belief[label]);
      }
    }
  }
}

// Factors with the same features as the first of a table's are one row.
void Likelihood::add_tables(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold, bool partly,
                            Gradient& gradient) {
  for (std::size_t s = 0; s < scores_.sources.size(); ++s) {
    const auto& source = scores_.sources[s];
    const auto& kind = model_.kinds[source.kind];
    const auto& factors = bound.instances->factors(source.kind);
    const bool last = s + 1 == scores_.sources.size() || scores_.sources[s + 1].kind != source.kind;
    const auto end = last ? factors.begin[instance + 1] : scores_.sources[s + 1].factor;
    float* const row = new_row(gradient, source.kind, source.factor, kind.patterns());
    const double* const expected = forest_.expected(source.table);
    const double* const known = partly ? known_.expected(source.table) : nullptr;
    for (std::int32_t p = 0; p < kind.patterns(); ++p) {
      const auto pattern = kind.pattern(p);
      const auto cell = pattern[source.turned] * model_.labels + pattern[!source.turned];
      row[p] = static_cast<float>((partly ? known[cell] : 0.0) - expected[cell]);
    }
    if (partly) continue;
    for (auto f = source.factor; f < end; ++f)
      if (const auto p = kind.find(factors.vertices_of(f), gold); p >= 0) row[p] += 1.0f;
  }
}

void add(const Model& model, const Bound& bound, const Gradient& gradient, double times, AveragedWeights& weights) {
  const auto rate = weights.rate_of(times);
  for (const auto& [kind, factor, first] : gradient.rows) {
    const auto rows = bound.rows_of(kind, factor);
    const auto values = bound.values_of(kind, factor);
    const auto position = bound.instances->factors(kind).feature_begin[factor];
    auto numbers = std::span(gradient.numbers).subspan(first, model.kinds[kind].patterns());
    const float sum = std::accumulate(numbers.begin(), numbers.end(), 0.0f);
    if (model.kinds[kind].tied()) numbers = {&sum, std::min<std::size_t>(1, numbers.size())};
    const auto dropout = model.kinds[kind].size() == 1 ? gradient.dropout : Dropout{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == RowIndex::kNone || dropout.drops(position + static_cast<std::int64_t>(i))) continue;
      weights.add(model.place(kind, rows[i], 0), numbers, values.empty() ? rate : rate * values[i]);
    }
  }
}

std::pair<double, std::vector<float>> likelihood(const Model& model, const Bound& bound, const Truth& gold) {
  gold.check(model, bound);
  AveragedWeights slope;
  slope.values.assign(model.weights.values.size(), 0.0f);
  double total = 0.0;
  Likelihood likelihood(model);
  Gradient gradient;
  for (std::int32_t i = 0; i < bound.instances->size(); ++i) {
    likelihood.differentiate(bound, i, gold, {}, gradient);
    add(model, bound, gradient, 1.0, slope);
    total += gradient.log_likelihood;
  }
  return {total, slope.average()};
}

}  // namespace treaty::label

#include "label/likelihood.hpp"

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

void Likelihood::differentiate(const Bound& bound, std::int32_t instance, std::span<const std::int32_t> gold,
                               const Dropout& dropout, Gradient& gradient) {
  gradient.rows.clear();
  gradient.numbers.clear();
  gradient.dropout = dropout;
  score(model_, bound, instance, dropout, scores_);
  if (!forest_.build(scores_))
    throw std::invalid_argument("likelihood requires factors that form chains or trees; choose another learner");
  gradient.log_likelihood = scores_.of(gold) - forest_.log_sum();
  if (gradient.log_likelihood == kForbidden) throw std::invalid_argument("a gold labeling is forbidden");

  for (std::size_t k = 0; k < model_.kinds.size(); ++k) {
    const auto& kind = model_.kinds[k];
    if (kind.size() != 1) continue;
    const auto& factors = bound.instances->factors(k);
    for (auto f = factors.begin[instance]; f < factors.begin[instance + 1]; ++f) {
      const auto v = factors.vertices_of(f)[0];
      float* const row = new_row(gradient, k, f, kind.patterns());
      const double* const belief = forest_.belief_of(v);
      for (std::int32_t p = 0; p < kind.patterns(); ++p) {
        const auto label = kind.pattern(p)[0];
        row[p] = static_cast<float>((label == gold[v]) - belief[label]);
      }
    }
  }
  // Factors with the same features as the first of a table's are one row.
  for (std::size_t s = 0; s < scores_.sources.size(); ++s) {
    const auto& source = scores_.sources[s];
    const auto& kind = model_.kinds[source.kind];
    const auto& factors = bound.instances->factors(source.kind);
    const bool last = s + 1 == scores_.sources.size() || scores_.sources[s + 1].kind != source.kind;
    const auto end = last ? factors.begin[instance + 1] : scores_.sources[s + 1].factor;
    float* const row = new_row(gradient, source.kind, source.factor, kind.patterns());
    const double* const expected = forest_.expected(source.table);
    for (std::int32_t p = 0; p < kind.patterns(); ++p) {
      const auto pattern = kind.pattern(p);
      row[p] = -static_cast<float>(expected[pattern[source.turned] * model_.labels + pattern[!source.turned]]);
    }
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
    const auto numbers = std::span(gradient.numbers).subspan(first, model.kinds[kind].patterns());
    const auto dropout = model.kinds[kind].size() == 1 ? gradient.dropout : Dropout{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == RowIndex::kNone || dropout.drops(position + static_cast<std::int64_t>(i))) continue;
      weights.add(model.place(kind, rows[i], 0), numbers, values.empty() ? rate : rate * values[i]);
    }
  }
}

std::pair<double, std::vector<float>> likelihood(const Model& model, const Bound& bound,
                                                 std::span<const std::int32_t> gold) {
  bound.check_labels(gold, model.labels);
  AveragedWeights slope;
  slope.values.assign(model.weights.values.size(), 0.0f);
  double total = 0.0;
  Likelihood likelihood(model);
  Gradient gradient;
  for (std::int32_t i = 0; i < bound.instances->size(); ++i) {
    likelihood.differentiate(bound, i, bound.labels_of(gold, i), {}, gradient);
    add(model, bound, gradient, 1.0, slope);
    total += gradient.log_likelihood;
  }
  return {total, slope.average()};
}

}  // namespace treaty::label

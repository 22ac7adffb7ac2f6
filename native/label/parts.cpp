#include "label/parts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace treaty::label {

PartIndex::PartIndex(const Model& model, const Instances& instances) {
  begin.push_back(0);
  for (std::size_t k = 0; k < model.kinds.size(); ++k) {
    patterns.push_back(model.kinds[k].patterns());
    begin.push_back(begin.back() + instances.factors(k).begin.back() * patterns.back());
  }
}

PartFeatures part_features(const Model& model, const Bound& bound) {
  if (model.weights.values.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("more weights than parts can name");
  PartFeatures all;
  bool all_one = true;
  for (std::size_t k = 0; k < model.kinds.size(); ++k) {
    const auto& factors = bound.instances->factors(k);
    for (std::int64_t f = 0; f < factors.begin.back(); ++f) {
      const auto rows = bound.rows_of(k, f);
      const auto values = bound.values_of(k, f);
      for (std::int32_t p = 0; p < model.kinds[k].patterns(); ++p) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (rows[i] == RowIndex::kNone) continue;
          all.places.push_back(static_cast<std::int32_t>(model.place(k, rows[i], p)));
          all.values.push_back(values.empty() ? 1.0 : values[i]);
          all_one = all_one && all.values.back() == 1.0;
        }
        all.begin.push_back(static_cast<std::int64_t>(all.places.size()));
      }
    }
  }
  if (all_one) all.values.clear();
  return all;
}

std::vector<std::uint8_t> parts_of(const Model& model, const Bound& bound, std::span<const std::int32_t> labels) {
  bound.check_labels(labels, model.labels);
  const PartIndex index(model, *bound.instances);
  std::vector<std::uint8_t> on(index.size(), 0);
  for (std::size_t k = 0; k < model.kinds.size(); ++k) {
    const auto& factors = bound.instances->factors(k);
    for (std::int32_t i = 0; i < bound.instances->size(); ++i) {
      const auto some = bound.labels_of(labels, i);
      for (auto f = factors.begin[i]; f < factors.begin[i + 1]; ++f)
        if (const auto p = model.kinds[k].find(factors.vertices_of(f), some); p >= 0) on[index.at(k, f) + p] = 1;
    }
  }
  return on;
}

std::vector<std::int32_t> labels_of(const Model& model, const Bound& bound, std::span<const std::uint8_t> on) {
  const PartIndex index(model, *bound.instances);
  if (on.size() != index.size()) throw std::invalid_argument("expected a flag for every part");
  std::vector<std::int32_t> labels(static_cast<std::size_t>(bound.instances->all_vertices()), -1);
  for (std::size_t k = 0; k < model.kinds.size(); ++k) {
    const auto& factors = bound.instances->factors(k);
    for (std::int32_t i = 0; i < bound.instances->size(); ++i)
      for (auto f = factors.begin[i]; f < factors.begin[i + 1]; ++f)
        for (std::int32_t p = 0; p < model.kinds[k].patterns(); ++p) {
          if (!on[index.at(k, f) + p]) continue;
          const auto vertices = factors.vertices_of(f);
          for (std::size_t j = 0; j < vertices.size(); ++j)
            labels[bound.instances->first(i) + vertices[j]] = model.kinds[k].pattern(p)[j];
        }
  }
  return labels;
}

void check_given(const Model& model, const Bound& bound, const Given& given) {
  if (!given) return;
  if (given->size() != PartIndex(model, *bound.instances).size())
    throw std::invalid_argument("expected a score for every part");
  if (!std::ranges::all_of(*given, [](double score) { return score < std::numeric_limits<double>::infinity(); }))
    throw std::invalid_argument("scores of parts must be finite, or -infinity for one that is forbidden");
}

}  // namespace treaty::label

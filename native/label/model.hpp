// A generalized higher-order CRF (Qian & Liu 2014): for every kind of factor a row of weights per feature, one weight
// per pattern or, if they are tied, one for all. The score of a labeling is the sum over factors of the rows of their features, at the pattern that
// the factor's vertices have.
#pragma once

#include <memory>
#include <vector>

#include "label/instances.hpp"
#include "label/kinds.hpp"
#include "label/row_index.hpp"
#include "learn/averaged.hpp"

namespace treaty::label {

using AveragedWeights = learn::Averaged<float>;

struct Model {
  Model(std::int32_t labels, std::vector<Kind> kinds);

  // Makes rows for the features that occur at least this often, with zero weights.
  void index(const Instances& instances, std::int64_t least_count);
  // Makes rows for these features of each kind, with zero weights.
  void index(std::span<const std::vector<std::uint64_t>> features);

  const float* row(std::size_t kind, std::int32_t row) const {
    return weights.values.data() + place(kind, row, 0);
  }
  // The index of a weight in the table.
  std::size_t place(std::size_t kind, std::int32_t row, std::int32_t pattern) const {
    return first[kind] + static_cast<std::size_t>(row) * kinds[kind].columns() + kinds[kind].column(pattern);
  }

  std::int32_t labels;
  std::vector<Kind> kinds;
  std::vector<RowIndex> rows;
  std::vector<std::size_t> first;  // where each kind's weights begin
  AveragedWeights weights;
  std::int64_t seen = 0;  // examples in training

 private:
  void allocate();
};

// Instances whose features have been looked up in a model.
struct Bound {
  Bound(const Model& model, std::shared_ptr<const Instances> instances, int threads);

  // Of an instance, among those of all vertices.
  std::span<const std::int32_t> labels_of(std::span<const std::int32_t> all, std::int32_t instance) const {
    return all.subspan(static_cast<std::size_t>(instances->first(instance)),
                       static_cast<std::size_t>(instances->vertices(instance)));
  }
  // These throw std::invalid_argument unless there is a label for every vertex, and unless these instances exist.
  void check_labels(std::span<const std::int32_t> all, std::int32_t labels) const;
  void check_instances(std::span<const std::int32_t> ids) const;

  std::span<const std::int32_t> rows_of(std::size_t kind, std::int64_t factor) const {
    const auto& begin = instances->factors(kind).feature_begin;
    return std::span(rows[kind]).subspan(begin[factor], begin[factor + 1] - begin[factor]);
  }
  // Empty where all are one.
  std::span<const float> values_of(std::size_t kind, std::int64_t factor) const {
    const auto& factors = instances->factors(kind);
    if (factors.values.empty()) return {};
    const auto* begin = &factors.feature_begin[factor];
    return std::span(factors.values).subspan(begin[0], begin[1] - begin[0]);
  }

  std::shared_ptr<const Instances> instances;
  std::vector<std::vector<std::int32_t>> rows;  // by kind; RowIndex::kNone for features without a row
};

}  // namespace treaty::label

// The parts of instances, for scores from anywhere: a pattern of a factor each, by kind, then factor, then pattern.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "label/model.hpp"

namespace treaty::label {

// Where the parts of each kind begin among those of all instances.
struct PartIndex {
  PartIndex(const Model& model, const Instances& instances);
  std::size_t size() const { return static_cast<std::size_t>(begin.back()); }
  std::size_t at(std::size_t kind, std::int64_t factor) const {
    return static_cast<std::size_t>(begin[kind] + factor * patterns[kind]);
  }

  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> patterns;  // of a factor of each kind
};

// The weights that each part's score is the sum of, and their factors; `values` is empty if these are all one.
struct PartFeatures {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> places;
  std::vector<double> values;
};
PartFeatures part_features(const Model& model, const Bound& bound);

// Which parts a labeling of all vertices has.
std::vector<std::uint8_t> parts_of(const Model& model, const Bound& bound, std::span<const std::int32_t> labels);
// The labels of all vertices where these parts are on; -1 where none tells.
std::vector<std::int32_t> labels_of(const Model& model, const Bound& bound, std::span<const std::uint8_t> on);

// Scores of all parts, in place of those of features.
using Given = std::optional<std::span<const double>>;
void check_given(const Model& model, const Bound& bound, const Given& given);

}  // namespace treaty::label

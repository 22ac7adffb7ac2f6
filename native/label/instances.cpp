#include "label/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace treaty::label {
namespace {

void check(std::span<const std::int32_t> vertices, std::int32_t size, std::int64_t count) {
  for (auto v : vertices)
    if (v < 0 || v >= count) throw std::invalid_argument("a vertex of a factor is out of range");
  for (std::size_t i = 0; i < vertices.size(); i += static_cast<std::size_t>(size))
    for (std::int32_t j = 1; j < size; ++j)
      for (std::int32_t k = 0; k < j; ++k)
        if (vertices[i + j] == vertices[i + k]) throw std::invalid_argument("a factor has the same vertex twice");
}

}  // namespace

Instances::Instances(std::span<const std::int32_t> sizes) {
  for (auto size : sizes) {
    if (size < 1) throw std::invalid_argument("the patterns of a kind must have at least one label");
    factors_.emplace_back().size = size;
  }
}

std::int32_t Instances::start(std::int32_t vertices) {
  if (vertices < 0) throw std::invalid_argument("the number of vertices must not be negative");
  if (size() == std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many instances");
  first_.push_back(first_.back() + vertices);
  for (auto& factors : factors_) factors.begin.push_back(factors.begin.back());
  evidence_begin_.push_back(evidence_begin_.back());
  return size() - 1;
}

void Instances::add(std::size_t kind, std::span<const std::int32_t> vertices, std::span<const std::uint64_t> features,
                    std::span<const std::int64_t> feature_begin, std::span<const float> values) {
  if (size() == 0) throw std::invalid_argument("start an instance first");
  auto& factors = factors_.at(kind);
  const auto n = vertices.size() / static_cast<std::size_t>(factors.size);
  if (vertices.size() % static_cast<std::size_t>(factors.size) != 0 || feature_begin.size() != n + 1)
    throw std::invalid_argument("expected the vertices and the features of every factor");
  if (feature_begin.front() != 0 || feature_begin.back() != static_cast<std::int64_t>(features.size()) ||
      !std::ranges::is_sorted(feature_begin))
    throw std::invalid_argument("begin is not a valid partition of the features");
  if (!values.empty() && values.size() != features.size())
    throw std::invalid_argument("expected a value for every feature");
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
    throw std::invalid_argument("the values of features must be finite");
  check(vertices, factors.size, this->vertices(size() - 1));

  factors.vertices.insert(factors.vertices.end(), vertices.begin(), vertices.end());
  const auto before = static_cast<std::int64_t>(factors.features.size());
  for (auto begin : feature_begin.subspan(1)) factors.feature_begin.push_back(before + begin);
  if (!values.empty() || !factors.values.empty()) {
    factors.values.resize(factors.features.size(), 1.0f);
    factors.values.insert(factors.values.end(), values.begin(), values.end());
    factors.values.resize(factors.features.size() + features.size(), 1.0f);
  }
  factors.features.insert(factors.features.end(), features.begin(), features.end());
  factors.begin.back() += static_cast<std::int64_t>(n);
}

void Instances::add_evidence(std::span<const std::int32_t> vertices, std::span<const std::int32_t> labels,
                             std::span<const double> scores) {
  if (size() == 0) throw std::invalid_argument("start an instance first");
  if (vertices.size() != labels.size() || vertices.size() != scores.size())
    throw std::invalid_argument("expected a vertex, a label and a score of each piece of evidence");
  const auto count = this->vertices(size() - 1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] < 0 || vertices[i] >= count) throw std::invalid_argument("evidence for a vertex that is not there");
    if (labels[i] < 0 || labels[i] == std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("evidence for a label that is not there");
    if (!(scores[i] < std::numeric_limits<double>::infinity()))
      throw std::invalid_argument("scores of evidence must be finite, or -infinity for a label that is forbidden");
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    evidence_.push_back({vertices[i], labels[i], scores[i]});
    evidence_labels_ = std::max(evidence_labels_, labels[i] + 1);
  }
  evidence_begin_.back() += static_cast<std::int64_t>(vertices.size());
}

}  // namespace treaty::label

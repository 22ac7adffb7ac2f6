// A batch of instances in flat arrays: vertices, and factors by kind with their hashed features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::label {

class Instances {
 public:
  // The factors of one kind, of all instances, concatenated.
  struct Factors {
    std::int32_t size = 1;                    // vertices of a factor
    std::vector<std::int64_t> begin{0};       // factors of each instance
    std::vector<std::int32_t> vertices;       // counted within the instance
    std::vector<std::int64_t> feature_begin{0};
    std::vector<std::uint64_t> features;
    std::vector<float> values;                // of the features; empty if all are one

    std::span<const std::int32_t> vertices_of(std::int64_t factor) const {
      return std::span(vertices).subspan(static_cast<std::size_t>(factor) * size, size);
    }
  };

  // A score that a user gives to a label of a vertex; -infinity forbids it.
  struct Evidence {
    std::int32_t vertex, label;  // the vertex counted within the instance
    double score;
  };

  explicit Instances(std::span<const std::int32_t> sizes);

  // Begins an instance; returns its index.
  std::int32_t start(std::int32_t vertices);
  // Adds factors of a kind to the current instance. `values` may be empty: then all are one.
  void add(std::size_t kind, std::span<const std::int32_t> vertices, std::span<const std::uint64_t> features,
           std::span<const std::int64_t> feature_begin, std::span<const float> values);

  // Adds scores of labels to the current instance, besides those of its features.
  void add_evidence(std::span<const std::int32_t> vertices, std::span<const std::int32_t> labels,
                    std::span<const double> scores);

  std::int32_t size() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  std::int32_t vertices(std::int32_t instance) const {
    return static_cast<std::int32_t>(first_[instance + 1] - first_[instance]);
  }
  // Where an instance's vertices begin among those of all.
  std::int64_t first(std::int32_t instance) const { return first_[instance]; }
  std::int64_t all_vertices() const { return first_.back(); }
  std::size_t kinds() const { return factors_.size(); }
  const Factors& factors(std::size_t kind) const { return factors_[kind]; }
  std::span<const Evidence> evidence(std::int32_t instance) const {
    const auto begin = static_cast<std::size_t>(evidence_begin_[instance]);
    return std::span(evidence_).subspan(begin, static_cast<std::size_t>(evidence_begin_[instance + 1]) - begin);
  }
  // One more than the greatest label that has evidence.
  std::int32_t evidence_labels() const { return evidence_labels_; }

 private:
  std::vector<std::int64_t> first_{0};
  std::vector<Factors> factors_;
  std::vector<std::int64_t> evidence_begin_{0};
  std::vector<Evidence> evidence_;
  std::int32_t evidence_labels_ = 0;
};

}  // namespace treaty::label

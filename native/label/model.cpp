#include "label/model.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "learn/parallel.hpp"

namespace treaty::label {
namespace {

using learn::parallel_for;

void check(const Model& model, const Instances& instances) {
  bool same = instances.kinds() == model.kinds.size();
  for (std::size_t k = 0; same && k < model.kinds.size(); ++k)
    same = instances.factors(k).size == model.kinds[k].size();
  if (!same) throw std::invalid_argument("the instances have other kinds than the model");
}

RowIndex frequent(std::span<const std::uint64_t> features, std::int64_t least_count) {
  RowIndex all;
  if (least_count <= 1) {
    for (auto feature : features) all.insert(feature);
    return all;
  }
  std::vector<std::int64_t> count;
  for (auto feature : features) {
    const auto row = static_cast<std::size_t>(all.insert(feature));
    if (row == count.size()) count.push_back(0);
    ++count[row];
  }
  RowIndex kept;
  const auto in_order = all.features();
  for (std::size_t row = 0; row < in_order.size(); ++row)
    if (count[row] >= least_count) kept.insert(in_order[row]);
  return kept;
}

}  // namespace

Model::Model(std::int32_t labels, std::vector<Kind> given) : labels(labels), kinds(std::move(given)) {
  if (labels < 1) throw std::invalid_argument("a model must have at least one label");
  rows.resize(kinds.size());
  allocate();
}

void Model::index(const Instances& instances, std::int64_t least_count) {
  check(*this, instances);
  for (std::size_t k = 0; k < kinds.size(); ++k) rows[k] = frequent(instances.factors(k).features, least_count);
  allocate();
}

void Model::index(std::span<const std::vector<std::uint64_t>> features) {
  if (features.size() != kinds.size()) throw std::invalid_argument("expected the features of every kind");
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    rows[k] = {};
    for (auto feature : features[k]) rows[k].insert(feature);
    if (rows[k].rows() != static_cast<std::int64_t>(features[k].size()))
      throw std::invalid_argument("a feature has two rows");
  }
  allocate();
}

void Model::allocate() {
  first.assign(1, 0);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    first.push_back(first.back() + static_cast<std::size_t>(rows[k].rows()) * kinds[k].columns());
  // Updates keep places in 32 bits.
  if (first.back() > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("more than 4294967295 weights: leave out rare features with least_count");
  weights.renew(first.back());
}

Bound::Bound(const Model& model, std::shared_ptr<const Instances> given, int threads)
    : instances(std::move(given)), rows(model.kinds.size()) {
  check(model, *instances);
  if (instances->evidence_labels() > model.labels) throw std::invalid_argument("evidence for a label that is not there");
  constexpr std::size_t kBlock = 1 << 14;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& features = instances->factors(k).features;
    rows[k].resize(features.size());
    parallel_for(static_cast<int>((features.size() + kBlock - 1) / kBlock), threads, [&](int block, int) {
      const auto begin = static_cast<std::size_t>(block) * kBlock, end = std::min(begin + kBlock, features.size());
      for (auto i = begin; i < end; ++i) rows[k][i] = model.rows[k].find(features[i]);
    });
  }
}

void Bound::check_labels(std::span<const std::int32_t> all, std::int32_t labels) const {
  if (static_cast<std::int64_t>(all.size()) != instances->all_vertices())
    throw std::invalid_argument("expected a label for every vertex");
  for (auto label : all)
    if (label < 0 || label >= labels) throw std::invalid_argument("a label that is not there");
}

void Bound::check_instances(std::span<const std::int32_t> ids) const {
  for (auto i : ids)
    if (i < 0 || i >= instances->size()) throw std::invalid_argument("an instance that is not there");
}

}  // namespace treaty::label

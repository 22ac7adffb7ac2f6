#include "label/decode.hpp"

#include <algorithm>
#include <stdexcept>

#include "learn/batches.hpp"

namespace treaty::label {
namespace {

struct Worker {
  Scores scores;
  Forest forest;
};

// Calls body(instance, worker) after the scores of the instance are computed in the worker.
template <class Body>
void for_each_instance(const Model& model, const Bound& bound, int threads, const Given& given, Body body) {
  check_given(model, bound, given);
  const auto workers = learn::one_per_thread<Worker>(threads);
  learn::parallel_for(bound.instances->size(), threads, [&](int i, int worker) {
    score(model, bound, i, given, workers[worker]->scores);
    body(i, *workers[worker]);
  });
}

}  // namespace

Decoded decode(const Model& model, const Bound& bound, int threads, const Given& given) {
  const auto n = static_cast<std::size_t>(bound.instances->size());
  Decoded all{std::vector<std::int32_t>(static_cast<std::size_t>(bound.instances->all_vertices())),
              std::vector<double>(n), std::vector<std::uint8_t>(n)};
  for_each_instance(model, bound, threads, given, [&](int i, Worker& worker) {
    auto& [scores, forest] = worker;
    all.exact[i] = forest.build(scores);
    if (!all.exact[i]) forest.span_edges(scores);
    const auto labels = std::span(all.labels).subspan(bound.instances->first(i), bound.instances->vertices(i));
    all.score[i] = forest.best(labels);
    if (!all.exact[i] && all.score[i] != kForbidden) all.score[i] = scores.of(labels);
  });
  return all;
}

Marginals marginals(const Model& model, const Bound& bound, int threads) {
  Marginals all{std::vector<double>(static_cast<std::size_t>(bound.instances->all_vertices()) * model.labels),
                std::vector<double>(static_cast<std::size_t>(bound.instances->size()))};
  for_each_instance(model, bound, threads, {}, [&](int i, Worker& worker) {
    auto& [scores, forest] = worker;
    if (!forest.build(scores)) throw std::invalid_argument("marginals need factors that form chains or trees");
    all.log_sums[i] = forest.log_sum();
    if (all.log_sums[i] == kForbidden) throw std::invalid_argument("an instance all of whose labelings are forbidden");
    for (std::int32_t v = 0; v < scores.vertices; ++v)
      std::copy_n(forest.belief_of(v), model.labels, &all.beliefs[(bound.instances->first(i) + v) * model.labels]);
  });
  return all;
}

PartMarginals part_marginals(const Model& model, const Bound& bound, std::span<const double> given) {
  const PartIndex index(model, *bound.instances);
  PartMarginals all{std::vector<double>(index.size()), std::vector<double>(static_cast<std::size_t>(bound.instances->size()))};
  for_each_instance(model, bound, 1, given, [&](int i, Worker& worker) {
    auto& [scores, forest] = worker;
    if (!forest.build(scores)) throw std::invalid_argument("marginals need factors that form chains or trees");
    all.log_sums[i] = forest.log_sum();
    if (all.log_sums[i] == kForbidden) throw std::invalid_argument("an instance all of whose labelings are forbidden");
    for (std::size_t k = 0; k < model.kinds.size(); ++k) {
      const auto& kind = model.kinds[k];
      const auto& factors = bound.instances->factors(k);
      if (kind.size() > 2 && factors.begin[i] < factors.begin[i + 1])  // all score 0, or they were not a forest
        throw std::invalid_argument("marginals need factors that form chains or trees");
      for (auto f = factors.begin[i]; kind.size() == 1 && f < factors.begin[i + 1]; ++f)
        for (std::int32_t p = 0; p < kind.patterns(); ++p)
          all.amounts[index.at(k, f) + p] = forest.belief_of(factors.vertices_of(f)[0])[kind.pattern(p)[0]];
    }
    for (const auto& [table, k, factor, turned] : scores.sources) {  // one for each pair, since scores are given
      const double* const expected = forest.expected(table);
      for (std::int32_t p = 0; p < model.kinds[k].patterns(); ++p) {
        const auto pattern = model.kinds[k].pattern(p);
        all.amounts[index.at(k, factor) + p] = expected[pattern[turned] * model.labels + pattern[!turned]];
      }
    }
  });
  return all;
}

Best n_best(const Model& model, const Bound& bound, std::int32_t instance, std::size_t n, const Given& given) {
  bound.check_instances({&instance, 1});
  check_given(model, bound, given);
  Worker worker;
  score(model, bound, instance, given, worker.scores);
  if (!worker.forest.build(worker.scores))
    throw std::invalid_argument("n-best lists need factors that form chains or trees");
  Best best;
  best.scores = worker.forest.n_best(n, best.labels);
  return best;
}

std::vector<double> scores_of(const Model& model, const Bound& bound, std::span<const std::int32_t> labels,
                              const Given& given) {
  bound.check_labels(labels, model.labels);
  std::vector<double> all(static_cast<std::size_t>(bound.instances->size()));
  for_each_instance(model, bound, 1, given, [&](int i, Worker& worker) {
    all[i] = worker.scores.of(bound.labels_of(labels, i));
  });
  return all;
}

}  // namespace treaty::label

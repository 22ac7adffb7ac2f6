#include "label/train.hpp"

#include <stdexcept>

#include "label/problem.hpp"
#include "learn/batches.hpp"

namespace treaty::label {
namespace {

using features::mix;

// Adds the features of a factor at the pattern, `sign` times.
void collect(const Model& model, const Bound& bound, std::size_t kind, std::int64_t factor, std::int32_t pattern,
             float sign, const Dropout& dropout, Update& update) {
  if (pattern < 0) return;
  const auto rows = bound.rows_of(kind, factor);
  const auto values = bound.values_of(kind, factor);
  const auto position = bound.instances->factors(kind).feature_begin[factor];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == RowIndex::kNone || dropout.drops(position + static_cast<std::int64_t>(i))) continue;
    update.add(static_cast<std::uint32_t>(model.place(kind, rows[i], pattern)), values.empty() ? sign : sign * values[i]);
  }
}

void check(const Model& model, const Bound& bound, std::span<const std::int32_t> gold,
           std::span<const std::int32_t> ids, const Training& training) {
  bound.check_labels(gold, model.labels);
  bound.check_instances(ids);
  training.check(model.labels);
}

// Ends the step.
void apply(const Update& update, Model& model) {
  const auto rate = model.weights.rate_of(update.rate);
  for (const auto& [place, count] : update.entries()) model.weights.add(place, {&count, 1}, rate);
  model.weights.next_step();
  ++model.seen;
}

}  // namespace

// The noise depends only on the example and on when it is seen, not on the thread.
Dropout Learner::dropout(std::int32_t instance) const {
  const auto when = mix(static_cast<std::uint64_t>(model_.seen));
  return Dropout::share(training_.dropout, mix(when ^ static_cast<std::uint64_t>(instance)));
}

void Learner::score(const Bound& bound, std::int32_t instance, Labels gold, Scores& scores) const {
  label::score(model_, bound, instance, dropout(instance), scores);
  if (training_.aggressiveness == 0.0) return;
  for (std::int32_t v = 0; v < scores.vertices; ++v) {
    const double* const cost = training_.cost.data() + static_cast<std::size_t>(gold[v]) * model_.labels;
    for (std::int32_t b = 0; b < model_.labels; ++b) scores.state_of(v)[b] += cost[b];
  }
}

int Learner::learn(const Bound& bound, std::int32_t instance, Labels gold, Update& update) {
  score(bound, instance, gold, scores_);
  if (!forest_.build(scores_)) throw std::invalid_argument("the factors of an example do not form a chain or a tree");
  answer_.resize(gold.size());
  if (forest_.best(answer_) == kForbidden) throw std::invalid_argument("all labelings of an example are forbidden");
  return step(bound, instance, gold, answer_, update);
}

int Learner::step(const Bound& bound, std::int32_t instance, Labels gold, Labels answer, Update& update) const {
  update.clear();
  int right = 0;
  double cost = 0.0;
  for (std::size_t v = 0; v < gold.size(); ++v) {
    right += answer[v] == gold[v];
    cost += training_.cost[static_cast<std::size_t>(gold[v]) * model_.labels + answer[v]];
  }
  if (right == static_cast<int>(gold.size())) return right;
  for (std::size_t k = 0; k < model_.kinds.size(); ++k) {
    const auto& factors = bound.instances->factors(k);
    const auto noise = model_.kinds[k].size() == 1 ? dropout(instance) : Dropout{};
    for (auto f = factors.begin[instance]; f < factors.begin[instance + 1]; ++f) {
      const auto vertices = factors.vertices_of(f);
      const auto wanted = model_.kinds[k].find(vertices, gold), given = model_.kinds[k].find(vertices, answer);
      if (wanted == given) continue;
      collect(model_, bound, k, f, wanted, 1.0f, noise, update);
      collect(model_, bound, k, f, given, -1.0f, noise, update);
    }
  }
  set_rate(update, cost, training_.aggressiveness, [&](auto place) { return model_.weights.values[place]; });
  return right;
}

void Training::check(std::int32_t labels) const {
  if (!(dropout >= 0.0 && dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
  if (!(aggressiveness >= 0.0)) throw std::invalid_argument("aggressiveness is not negative");
  if (cost.size() != static_cast<std::size_t>(labels) * labels)
    throw std::invalid_argument("expected a cost for every pair of labels");
}

std::int64_t train(Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                   std::span<const std::int32_t> ids, const Training& training, int batch, int threads) {
  check(model, bound, gold, ids, training);
  const auto workers = learn::one_per_thread<Learner>(threads, model, training);
  return learn::learn_in_batches<Update>(
      ids, batch, threads,
      [&](int i, int worker, Update& update) -> std::int64_t {
        return workers[worker]->learn(bound, i, bound.labels_of(gold, i), update);
      },
      [&](const Update& update) { apply(update, model); });
}

graph::Graph training_graph(const Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                            std::int32_t instance, const Training& training) {
  check(model, bound, gold, {&instance, 1}, training);
  Scores scores;
  Learner(model, training).score(bound, instance, bound.labels_of(gold, instance), scores);
  return to_graph(problem_of(scores));
}

void learn_from(Model& model, const Bound& bound, std::span<const std::int32_t> gold,
                std::span<const std::int32_t> ids, std::span<const std::int32_t> answers, const Training& training) {
  check(model, bound, gold, ids, training);
  for (auto label : answers)
    if (label < 0 || label >= model.labels) throw std::invalid_argument("a label that is not there");
  std::vector<Update> updates(ids.size());
  const Learner learner(model, training);
  for (std::size_t slot = 0; slot < ids.size(); ++slot) {
    const auto right = bound.labels_of(gold, ids[slot]);
    if (right.size() > answers.size()) throw std::invalid_argument("expected a label for every vertex");
    learner.step(bound, ids[slot], right, answers.first(right.size()), updates[slot]);
    answers = answers.subspan(right.size());
  }
  for (const auto& update : updates) apply(update, model);
}

}  // namespace treaty::label

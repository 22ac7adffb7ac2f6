#include "label/train.hpp"

#include <stdexcept>

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

}  // namespace

// The noise depends on the example and on when it is seen alone, whichever thread it is seen by.
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
  if (!forest_.build(scores_)) throw std::invalid_argument("an example whose factors form no chain or tree");
  answer_.resize(gold.size());
  if (forest_.best(answer_) == kForbidden) throw std::invalid_argument("an example all of whose labelings are forbidden");
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

void apply(const Update& update, Model& model) {
  const auto rate = model.weights.rate_of(update.rate);
  for (const auto& [place, count] : update.entries()) model.weights.add(place, {&count, 1}, rate);
  model.weights.next_step();
  ++model.seen;
}

}  // namespace treaty::label

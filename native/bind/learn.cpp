#include "bind/bind.hpp"
#include "learn/update.hpp"

namespace treaty::bind {
namespace {

// Steps from answers that were all found with the weights as they are.
void learn_from(Weights& weights, std::span<const std::int64_t> begin, std::span<const std::int32_t> places,
                std::span<const float> values, std::span<const double> cost, double aggressiveness) {
  const auto examples = cost.size();
  if (begin.size() != examples + 1 || begin.front() != 0 || places.size() != values.size() ||
      begin.back() != static_cast<std::int64_t>(places.size()) || !std::ranges::is_sorted(begin))
    throw std::invalid_argument("expected features and a cost for every example");
  if (!(aggressiveness >= 0.0)) throw std::invalid_argument("aggressiveness is not negative");
  for (auto place : places)
    if (place < 0 || static_cast<std::size_t>(place) >= weights.size())
      throw std::invalid_argument("a feature beyond the table of weights");
  std::vector<Update> updates(examples);
  for (std::size_t i = 0; i < examples; ++i) {
    for (auto f = begin[i]; f < begin[i + 1]; ++f) updates[i].add(static_cast<std::uint32_t>(places[f]), values[f]);
    set_rate(updates[i], cost[i], aggressiveness, [&](auto bucket) { return weights[bucket]; });
  }
  for (const auto& update : updates) {
    update.apply(weights);
    weights.next_step();
  }
}

}  // namespace

void register_learn(nb::module_& m) {
  m.def(
      "learn_from",
      [](Weights& weights, In<std::int64_t> begin, In<std::int32_t> places, In<float> values, In<double> cost,
         double aggressiveness) {
        learn_from(weights, view(begin), view(places), view(values), view(cost), aggressiveness);
      },
      nb::arg("weights"), nb::arg("begin"), nb::arg("places"), nb::arg("values"), nb::arg("cost"),
      nb::arg("aggressiveness"),
      "Learns from a batch of examples: the features of gold less those of the answer, and what the answer costs. By "
      "MIRA, or as a perceptron if aggressiveness is zero.");
}

}  // namespace treaty::bind

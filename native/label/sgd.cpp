#include "label/sgd.hpp"

#include <stdexcept>

#include "learn/batches.hpp"

namespace treaty::label {

using features::mix;

double ascend(Model& model, const Bound& bound, const Truth& gold, std::span<const std::int32_t> ids,
              const Ascent& options) {
  gold.check(model, bound);
  bound.check_instances(ids);
  if (!(options.dropout >= 0.0 && options.dropout < 1.0)) throw std::invalid_argument("dropout is a share of 1");
  if (!(options.rate > 0.0) || !(options.regularization >= 0.0))
    throw std::invalid_argument("the rate must be positive, lambda not negative");
  const auto workers = learn::one_per_thread<Likelihood>(options.threads, model);
  const double total = learn::learn_in_batches<Gradient>(
      ids, options.batch, options.threads,
      [&](int i, int worker, Gradient& gradient) {
        const auto noise = mix(mix(static_cast<std::uint64_t>(model.seen)) ^ static_cast<std::uint64_t>(i));
        workers[worker]->differentiate(bound, i, gold, Dropout::share(options.dropout, noise), gradient);
        return gradient.log_likelihood;
      },
      [&](const Gradient& gradient) {
        const auto t = static_cast<double>(model.seen);
        const double rate = options.rate / (1.0 + options.rate * options.regularization * t);
        // w <- (1 - rate lambda) w + rate gradient; the factor is applied once for all weights.
        model.weights.shrink(1.0 - rate * options.regularization);
        add(model, bound, gradient, rate, model.weights);
        model.weights.next_step();
        ++model.seen;
      });
  model.weights.fold();
  return total;
}

}  // namespace treaty::label

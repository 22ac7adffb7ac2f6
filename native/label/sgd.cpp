#include "label/sgd.hpp"

#include <algorithm>

#include "learn/batches.hpp"

namespace treaty::label {

using features::mix, learn::in_batches;

double ascend(Model& model, const Bound& bound, std::span<const std::int32_t> gold, std::span<const std::int32_t> ids,
              const Ascent& options) {
  std::vector<Likelihood> workers(static_cast<std::size_t>(std::max(1, options.threads)), Likelihood(model));
  std::vector<Gradient> gradients(static_cast<std::size_t>(std::max(1, options.batch)));
  std::vector<std::int32_t> seen(gradients.size());
  double total = 0.0;
  in_batches(
      ids, options.batch, options.threads,
      [&](int i, int worker, int slot) {
        seen[slot] = i;
        const auto& instances = *bound.instances;
        const auto noise = mix(mix(static_cast<std::uint64_t>(model.seen)) ^ static_cast<std::uint64_t>(i));
        workers[worker].differentiate(bound, i, gold.subspan(instances.first(i), instances.vertices(i)),
                                      Dropout::share(options.dropout, noise), gradients[slot]);
      },
      [&](int slot) {
        const auto t = static_cast<double>(model.seen);
        const double rate = options.rate / (1.0 + options.rate * options.regularization * t);
        // w <- (1 - rate lambda) w + rate gradient, the shrinking done once for all weights.
        model.weights.shrink(1.0 - rate * options.regularization);
        add(model, bound, gradients[slot], rate, model.weights);
        model.weights.next_step();
        ++model.seen;
        total += gradients[slot].log_likelihood;
      });
  model.weights.fold();
  return total;
}

}  // namespace treaty::label

// Online learning in batches: the examples of a batch use the same weights, so that any number of threads can process
// them; their updates are then applied in order. The result depends on the batch size, not on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "learn/parallel.hpp"

namespace treaty::learn {

// Runs `work(example, worker, slot)` for the examples of each batch, then `apply(slot)` in order.
template <class Work, class Apply>
void in_batches(std::span<const std::int32_t> ids, int batch_size, int threads, Work work, Apply apply) {
  const auto size = static_cast<std::size_t>(std::max(1, batch_size));
  for (std::size_t begin = 0; begin < ids.size(); begin += size) {
    const auto batch = ids.subspan(begin, std::min(size, ids.size() - begin));
    const int count = static_cast<int>(batch.size());
    parallel_for(count, threads, [&](int slot, int worker) { work(batch[slot], worker, slot); });
    for (int slot = 0; slot < count; ++slot) apply(slot);
  }
}

// The same with an update of weights for each example: `work(example, worker, update)` writes one, `apply(update)`
// applies it. Returns the sum of the values returned by `work`.
template <class Update, class Work, class Apply>
auto learn_in_batches(std::span<const std::int32_t> ids, int batch_size, int threads, Work work, Apply apply) {
  using Told = std::invoke_result_t<Work, int, int, Update&>;
  std::vector<Update> updates(static_cast<std::size_t>(std::max(1, batch_size)));
  std::vector<Told> told(updates.size());
  Told sum{};
  in_batches(
      ids, batch_size, threads,
      [&](int example, int worker, int slot) { told[slot] = work(example, worker, updates[slot]); },
      [&](int slot) {
        apply(updates[slot]);
        sum += told[slot];
      });
  return sum;
}

// A worker for each thread, made by the thread itself when it first needs it.
template <class Worker>
class Workers {
 public:
  Workers(int threads, std::function<std::unique_ptr<Worker>()> make) : workers_(usable_threads(threads)), make_(std::move(make)) {}
  Worker* operator[](int thread) const {
    auto& worker = workers_[static_cast<std::size_t>(thread)];
    if (!worker) worker = make_();
    return worker.get();
  }

 private:
  mutable std::vector<std::unique_ptr<Worker>> workers_;
  std::function<std::unique_ptr<Worker>()> make_;
};

// The arguments must live as long as the workers.
template <class Worker, class... Argument>
Workers<Worker> one_per_thread(int threads, const Argument&... arguments) {
  return {threads, [&] { return std::make_unique<Worker>(arguments...); }};
}

}  // namespace treaty::learn

// Online learning in batches: the examples of a batch see the same weights, so that any number of threads may work
// on them; their updates are then applied in order. The batch, not the number of threads, decides the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

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

}  // namespace treaty::learn

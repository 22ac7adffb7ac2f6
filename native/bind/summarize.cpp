// Bindings of native/summarize.
#include "summarize/pruning.hpp"

#include <stdexcept>

#include "bind/bind.hpp"

namespace treaty::bind {
namespace {

// What the kernel takes for granted: arrays of one length, subtrees inside of each other, no cost below 0.
void check(const Trees& trees, std::int32_t budget) {
  const auto n = trees.size.size();
  if (trees.cost.size() != n || trees.gain.size() != n || trees.cut_score.size() != n)
    throw std::invalid_argument("best_pruning: the arrays are not equally long");
  if (budget < 0) throw std::invalid_argument("best_pruning: the budget is below 0");
  std::vector<std::size_t> ends{n};
  for (std::size_t i = 0; i < n; ++i) {
    while (ends.size() > 1 && ends.back() == i) ends.pop_back();
    if (trees.size[i] < 1 || i + static_cast<std::size_t>(trees.size[i]) > ends.back())
      throw std::invalid_argument("best_pruning: the sizes are not those of trees in preorder");
    if (trees.cost[i] < 0) throw std::invalid_argument("best_pruning: a cost is below 0");
    ends.push_back(i + static_cast<std::size_t>(trees.size[i]));
  }
}

}  // namespace

void register_summarize(nb::module_& m) {
  m.def(
      "best_pruning",
      [](In<std::int32_t> size, In<std::int32_t> cost, In<double> gain, In<double> cut_score, std::int32_t budget) {
        const Trees trees{view(size), view(cost), view(gain), view(cut_score)};
        check(trees, budget);
        std::vector<std::uint8_t> chosen;
        {
          nb::gil_scoped_release unlocked;
          chosen = best_pruning(trees, budget);
        }
        return to_numpy(std::move(chosen));
      },
      nb::arg("size"), nb::arg("cost"), nb::arg("gain"), nb::arg("cut_score"), nb::arg("budget"),
      "Which nodes of trees in preorder to keep, with their parents and within a budget.");
}

}  // namespace treaty::bind

// Bindings of native/summarize.
#include <stdexcept>

#include "bind/bind.hpp"
#include "summarize/coverage.hpp"
#include "summarize/pruning.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::summarize;

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

// What the kernels take for granted: subtrees inside of each other.
void check_preorder(std::span<const std::int32_t> size) {
  std::vector<std::size_t> ends{size.size()};
  for (std::size_t i = 0; i < size.size(); ++i) {
    while (ends.size() > 1 && ends.back() == i) ends.pop_back();
    const bool fits = size[i] >= 1 && i + static_cast<std::size_t>(size[i]) <= ends.back();
    require(fits, "the sizes are not those of trees in preorder");
    ends.push_back(i + static_cast<std::size_t>(size[i]));
  }
}

void check(const Trees& trees, std::int32_t budget, std::int32_t most_trees) {
  const auto n = trees.size.size();
  require(trees.cost.size() == n && trees.gain.size() == n && trees.cut_score.size() == n,
          "the arrays of nodes are not equally long");
  require(budget >= 0 && most_trees >= 0, "a limit is below 0");
  check_preorder(trees.size);
  for (const auto cost : trees.cost) require(cost >= 0, "a cost is below 0");
}

void check(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::size_t concepts) {
  const auto n = tokens.concept_of.size();
  require(tokens.first.size() == n && tokens.last.size() == n, "the arrays of concepts are not equally long");
  check_preorder(size);
  const auto is_within = [](std::int32_t index, std::size_t end) {
    return index >= 0 && static_cast<std::size_t>(index) < end;
  };
  for (const auto node : tokens.node) require(node == -1 || is_within(node, size.size()), "there is no such node");
  for (std::size_t o = 0; o < n; ++o) {
    require(is_within(tokens.concept_of[o], concepts), "there is no such concept");
    require(is_within(tokens.first[o], tokens.node.size()) && is_within(tokens.last[o], tokens.node.size()),
            "there is no such token");
    bool has_word = false;
    for (auto t = tokens.first[o]; t <= tokens.last[o]; ++t) has_word |= tokens.node[static_cast<std::size_t>(t)] >= 0;
    require(has_word, "a concept stands on no word");
  }
}

}  // namespace

void register_summarize(nb::module_& m) {
  m.def(
      "best_pruning",
      [](In<std::int32_t> size, In<std::int32_t> cost, In<double> gain, In<double> cut_score, std::int32_t budget,
         std::int32_t most_trees) {
        const Trees trees{view(size), view(cost), view(gain), view(cut_score)};
        check(trees, budget, most_trees);
        std::vector<std::uint8_t> chosen;
        {
          nb::gil_scoped_release unlocked;
          chosen = best_pruning(trees, budget, most_trees);
        }
        return to_numpy(std::move(chosen));
      },
      nb::arg("size"), nb::arg("cost"), nb::arg("gain"), nb::arg("cut_score"), nb::arg("budget"),
      nb::arg("most_trees"), "Which nodes of trees in preorder to keep, with their parents and within limits.");

  nb::class_<Coverage>(m, "Coverage", "Which phrases say which concepts.")
      .def(
          "__init__",
          [](Coverage* self, In<std::int32_t> node, In<std::int32_t> concept_of, In<std::int32_t> first,
             In<std::int32_t> last, In<std::int32_t> size, In<double> concept_score) {
            const ConceptTokens tokens{view(node), view(concept_of), view(first), view(last)};
            check(tokens, view(size), concept_score.shape(0));
            nb::gil_scoped_release unlocked;
            new (self) Coverage(tokens, view(size), view(concept_score));
          },
          nb::arg("node"), nb::arg("concept_of"), nb::arg("first"), nb::arg("last"), nb::arg("size"),
          nb::arg("concept_score"))
      .def_prop_ro("scores", [](const Coverage& c) { return to_numpy(c.score); }, kOwned)
      .def_prop_ro("concept_variables", [](const Coverage& c) { return to_numpy(c.concept_variable); }, kOwned)
      .def_prop_ro("is_or", [](const Coverage& c) { return to_numpy(c.is_or); }, kOwned)
      .def_prop_ro("begin", [](const Coverage& c) { return to_numpy(c.begin); }, kOwned)
      .def_prop_ro("members", [](const Coverage& c) { return to_numpy(c.member); }, kOwned)
      .def(
          "gains",
          [](const Coverage& self, In<std::uint8_t> chosen, In<double> values) {
            require(chosen.shape(0) == self.nodes() && values.shape(0) == self.score.size(),
                    "expected a choice for every node and a value for every variable");
            return to_numpy(self.gains(view(chosen), view(values)));
          },
          nb::arg("chosen"), nb::arg("values"), "What each phrase is worth by itself, next to a summary.");
}

}  // namespace treaty::bind

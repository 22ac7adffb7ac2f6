// Bindings of native/summarize.
#include <stdexcept>

#include "bind/bind.hpp"
#include "summarize/coverage.hpp"
#include "summarize/pruning.hpp"
#include "summarize/tree_compressor.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::summarize;

}  // namespace

void register_summarize(nb::module_& m) {
  m.def(
      "best_pruning",
      [](In<std::int32_t> size, In<std::int32_t> cost, In<double> gain, In<double> cut_score,
         In<std::uint8_t> hollow, std::int32_t budget, std::int32_t most_trees) {
        const auto sizes = copy(size), costs = copy(cost);
        const auto gains = copy(gain), cuts = copy(cut_score);
        const auto hollows = copy(hollow);
        const Trees trees{sizes, costs, gains, cuts, hollows};
        check(trees, budget, most_trees);
        return to_numpy(unlocked([&] { return best_pruning(trees, budget, most_trees); }));
      },
      nb::arg("size"), nb::arg("cost"), nb::arg("gain"), nb::arg("cut_score"), nb::arg("hollow"),
      nb::arg("budget"), nb::arg("most_trees"), "Which nodes of trees in preorder to keep, with their parents and within limits.");

  nb::class_<Coverage>(m, "Coverage", "Which phrases say which concepts.")
      .def(
          "__init__",
          [](Coverage* self, In<std::int32_t> node, In<std::int32_t> concept_of, In<std::int32_t> first,
             In<std::int32_t> last, In<std::int32_t> size, In<double> concept_score) {
            const ConceptTokens tokens{view(node), view(concept_of), view(first), view(last)};
            check(tokens, view(size), concept_score.shape(0));
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
            if (chosen.shape(0) != self.nodes() || values.shape(0) != self.score.size())
              throw std::invalid_argument("expected a choice for every node and a value for every variable");
            return to_numpy(self.gains(view(chosen), view(values)));
          },
          nb::arg("chosen"), nb::arg("values"), "What each phrase is worth by itself, next to a summary.");

  m.def(
      "compress_trees",
      [](In<std::int64_t> begin, In<std::int32_t> head, In<double> keep, In<double> cut, In<double> lift) {
        auto all = unlocked([&, begin = copy(begin), head = copy(head), keep = copy(keep), cut = copy(cut), lift = copy(lift)] {
          return compress_trees(begin, head, {keep, cut, lift});
        });
        return to_arrays(std::move(all.kept), std::move(all.scores));
      },
      nb::arg("begin"), nb::arg("head"), nb::arg("keep"), nb::arg("cut"), nb::arg("lift"),
      "The best compressions of sentences: which words stay, and the score of each.");
}

}  // namespace treaty::bind

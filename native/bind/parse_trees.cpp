// Trees from dense arc scores: rows are heads, columns are modifiers, node 0 is the root, -inf: no such arc.
#include "bind/bind.hpp"
#include "parse/best_tree.hpp"
#include "parse/eisner.hpp"
#include "parse/matrix_tree.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::parse;
using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// A copy: another thread may write to the array while the interpreter lock is free.
std::vector<double> checked(const Scores& scores) {
  std::vector<double> all(scores.data(), scores.data() + scores.size());
  check_arc_scores(all, scores.shape(0), scores.shape(1));
  return all;
}

std::pair<Matrix, double> tree_marginals(const Scores& scores, bool single_root) {
  const auto all = checked(scores);
  const auto nodes = scores.shape(0);
  auto* marginals = new std::vector<double>(all.size());
  nb::capsule owner(marginals, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  const double log_partition = unlocked(
      [&] { return MatrixTree().marginals(static_cast<int>(nodes) - 1, all, single_root, *marginals); });
  return {Matrix(marginals->data(), {nodes, nodes}, owner), log_partition};
}

template <class Best>
auto heads_by(Best best) {
  return [best](const Scores& scores, bool single_root) {
    const auto all = checked(scores);
    std::vector<std::int32_t> heads(scores.shape(0));
    const double score =
        unlocked([&] { return best(static_cast<int>(heads.size()) - 1, std::span<const double>(all), single_root, std::span(heads)); });
    return std::pair(to_numpy(std::move(heads)), score);
  };
}

}  // namespace

void register_parse_trees(nb::module_& m) {
  m.def("tree_marginals", &tree_marginals, nb::arg("scores"), nb::arg("single_root"),
        "Marginals of all arcs and the log partition.");
  m.def("projective_tree", heads_by([](auto... arguments) { return Eisner().best(arguments...); }), nb::arg("scores"),
        nb::arg("single_root"),
        "Heads of the best projective tree (-1 for the root) and its score; -inf and -1 for none.");
  m.def("best_tree", heads_by(best_tree), nb::arg("scores"), nb::arg("single_root"),
        "Heads of the best tree, projective or not, and its score; -inf and -1 for none.");
}

}  // namespace treaty::bind

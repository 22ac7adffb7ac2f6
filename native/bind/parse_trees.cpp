// Trees from dense arc scores: rows are heads, columns are modifiers, node 0 is the root, -inf: no such arc.
#include <algorithm>
#include <string>

#include "bind/bind.hpp"
#include "graph/arborescence.hpp"
#include "graph/graph.hpp"
#include "parse/eisner.hpp"
#include "parse/matrix_tree.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::graph;
using namespace treaty::parse;

using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

std::span<const double> view(const Scores& scores) { return {scores.data(), scores.size()}; }

// The number of words, when scores are what the kernels expect.
int checked_words(const Scores& scores) {
  const auto nodes = scores.shape(0);
  if (nodes == 0 || scores.shape(1) != nodes || nodes > 30'000)
    throw GraphError("scores must have one row and one column for the root and for each of at most 29,999 words");
  for (std::size_t head = 0; head < nodes; ++head)
    for (std::size_t modifier = 1; modifier < nodes; ++modifier) {
      const double score = scores(head, modifier);
      if (head != modifier && score != -kInfinity && !(score >= -kLargestScore && score <= kLargestScore))
        throw GraphError("score of the arc " + std::to_string(head) + " -> " + std::to_string(modifier) +
                         ": expected a number of at most 1e100 in size, or -inf for no such arc");
    }
  return static_cast<int>(nodes) - 1;
}

std::pair<Matrix, double> tree_marginals(const Scores& scores, bool single_root) {
  const int words = checked_words(scores);
  auto* marginals = new std::vector<double>(scores.size());
  nb::capsule owner(marginals, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  double log_partition;
  {
    nb::gil_scoped_release unlocked;
    log_partition = MatrixTree().marginals(words, view(scores), single_root, *marginals);
  }
  return {Matrix(marginals->data(), {scores.shape(0), scores.shape(1)}, owner), log_partition};
}

std::pair<Out<std::int32_t>, double> projective_tree(const Scores& scores, bool single_root) {
  const int words = checked_words(scores);
  std::vector<std::int32_t> heads(scores.shape(0));
  double score;
  {
    nb::gil_scoped_release unlocked;
    score = Eisner().best(words, view(scores), single_root, heads);
  }
  return {to_numpy(std::move(heads)), score};
}

double best_arborescence(int words, std::span<const double> score, bool single_root, std::span<std::int32_t> heads) {
  std::vector<std::int32_t> shape{words + 1, single_root};
  std::vector<double> arc_score;
  for (std::int32_t head = 0; head <= words; ++head)
    for (std::int32_t modifier = 1; modifier <= words; ++modifier) {
      const double s = score[heads.size() * static_cast<std::size_t>(head) + static_cast<std::size_t>(modifier)];
      if (head == modifier || s == -kInfinity) continue;
      shape.insert(shape.end(), {head, modifier});
      arc_score.push_back(s);
    }
  Configuration best;
  make_arborescence(shape)->maximize(arc_score, best);
  std::ranges::fill(heads, -1);
  double value = best.score;
  for (const auto arc : best.on) {
    const auto a = static_cast<std::size_t>(arc);
    heads[static_cast<std::size_t>(shape[2 * a + 3])] = shape[2 * a + 2];
    value += arc_score[a];
  }
  return value;
}

std::pair<Out<std::int32_t>, double> best_tree(const Scores& scores, bool single_root) {
  const int words = checked_words(scores);
  std::vector<std::int32_t> heads(scores.shape(0));
  double score;
  {
    nb::gil_scoped_release unlocked;
    score = best_arborescence(words, view(scores), single_root, heads);
  }
  return {to_numpy(std::move(heads)), score};
}

}  // namespace

void register_parse_trees(nb::module_& m) {
  m.def("tree_marginals", &tree_marginals, nb::arg("scores"), nb::arg("single_root"),
        "Marginals of all arcs and the log partition.");
  m.def("projective_tree", &projective_tree, nb::arg("scores"), nb::arg("single_root"),
        "Heads of the best projective tree (-1 for the root) and its score; -inf and -1 for none.");
  m.def("best_tree", &best_tree, nb::arg("scores"), nb::arg("single_root"),
        "Heads of the best tree, projective or not, and its score; -inf and -1 for none.");
}

}  // namespace treaty::bind

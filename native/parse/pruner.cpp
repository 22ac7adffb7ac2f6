#include "parse/pruner.hpp"

#include <algorithm>
#include <cmath>

#include "graph/arborescence.hpp"

namespace treaty::parse {

using graph::Configuration, graph::kInfinity, graph::make_arborescence;
namespace {

// Smaller differences of probabilities are ignored in training.
constexpr double kNegligible = 1e-3;
enum : std::uint8_t { kDropped, kKept, kInTree };

}  // namespace

void Pruner::list_all_arcs(int words) {
  all_.reset(words);
  all_.close();
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h)
      if (h != m) all_.add(h, m);
    all_.close();
  }
}

const std::vector<double>& Pruner::marginals(const Sequences& sentences, int sentence, bool single_root, bool keep) {
  const int n = sentences.length(sentence), words = n - 1;
  list_all_arcs(words);
  scored_.run(sentences, sentence, all_, keep);
  score_.assign(static_cast<std::size_t>(n) * n, -kInfinity);
  marginal_.assign(score_.size(), 0.0);
  for (int a = 0; a < all_.size(); ++a)
    score_[all_.head[a] * n + all_.modifier[a]] = scored_.extractor.scores()[a];
  if (words > kLongest || matrix_tree_.marginals(words, score_, single_root, marginal_) == -kInfinity)
    local_marginals();
  return marginal_;
}

// A softmax over the heads of each word alone.
void Pruner::local_marginals() {
  const int n = all_.words + 1;
  for (int m = 1; m < n; ++m) {
    double most = -kInfinity, total = 0.0;
    for (int h = 0; h < n; ++h) most = std::max(most, score_[h * n + m]);
    for (int h = 0; h < n; ++h) total += marginal_[h * n + m] = std::exp(score_[h * n + m] - most);
    for (int h = 0; h < n; ++h) marginal_[h * n + m] /= total;
  }
}

void Pruner::keep_best_tree(const PrunerOptions& options) {
  const int n = all_.words + 1;
  const auto keep = [&](int h, int m) { kept_[h * n + m] = kInTree; };
  if (options.projective) {
    tree_.assign(n, -1);
    eisner_.best(all_.words, score_, options.single_root, tree_);
    for (int m = 1; m < n; ++m) keep(tree_[m], m);
    return;
  }
  const auto shape = tree_shape(all_, options.single_root);
  std::vector<double> score;
  for (int a = 0; a < all_.size(); ++a) score.push_back(marginal_[all_.head[a] * n + all_.modifier[a]]);
  Configuration best;
  make_arborescence(shape)->maximize(score, best);
  for (auto a : best.on) keep(all_.head[a], all_.modifier[a]);
}

// Whether the tree has a head with too many modifiers on one side.
bool Pruner::is_flat() const {
  const int n = all_.words + 1;
  for (int h = 0; h < n; ++h) {
    const auto* row = kept_.data() + static_cast<std::ptrdiff_t>(h) * n;
    if (std::max(std::count(row, row + h, kInTree), std::count(row + h, row + n, kInTree)) > kMostInTree) return true;
  }
  return false;
}

// The tree in which the head of each word is the word before: it has a single root and is projective.
void Pruner::keep_chain() {
  const int n = all_.words + 1;
  std::ranges::replace(kept_, kInTree, kKept);
  for (int m = 1; m < n; ++m) kept_[(m - 1) * n + m] = kInTree;
}

// Only for long sentences: without a limit, the number of third-order parts of a head grows with the cube of its
// modifiers.
void Pruner::limit_modifiers(const PrunerOptions& options) {
  const int n = all_.words + 1;
  for (int h = 0; h < n; ++h)
    for (const auto& [from, to] : {std::pair{1, h}, std::pair{h + 1, n}}) {
      order_.clear();
      for (int m = from; m < to; ++m)
        if (kept_[h * n + m] == kKept) order_.push_back(m);
      if (static_cast<int>(order_.size()) <= options.modifiers) continue;
      std::ranges::stable_sort(order_, std::greater{}, [&](int m) { return marginal_[h * n + m]; });
      for (std::size_t i = options.modifiers; i < order_.size(); ++i) kept_[h * n + order_[i]] = kDropped;
    }
}

void Pruner::candidates(const Sequences& sentences, int sentence, const PrunerOptions& options, Arcs& kept) {
  marginals(sentences, sentence, options.single_root);
  const int n = all_.words + 1;
  kept_.assign(marginal_.size(), kDropped);
  for (int m = 1; m < n; ++m) {
    order_.clear();
    double most = 0.0;
    for (int h = 0; h < n; ++h) most = std::max(most, marginal_[h * n + m]);
    for (int h = 0; h < n; ++h)
      if (h != m && marginal_[h * n + m] >= options.threshold * most) order_.push_back(h);
    if (static_cast<int>(order_.size()) > options.heads) {
      std::ranges::stable_sort(order_, std::greater{}, [&](int h) { return marginal_[h * n + m]; });
      order_.resize(options.heads);
    }
    for (auto h : order_) kept_[h * n + m] = kKept;
  }
  if (n > 1) keep_best_tree(options);
  if (is_flat()) keep_chain();
  limit_modifiers(options);
  kept.reset(all_.words);
  kept.close();
  for (int m = 1; m < n; ++m) {
    for (int h = 0; h < n; ++h)
      if (kept_[h * n + m]) kept.add(h, m, marginal_[h * n + m]);
    kept.close();
  }
}

void Pruner::gradient(const Sequences& sentences, int sentence, std::span<const std::int32_t> gold, bool single_root,
                      Update& update) {
  marginals(sentences, sentence, single_root, true);
  const int n = all_.words + 1;
  for (int a = 0; a < all_.size(); ++a) {
    const int h = all_.head[a], m = all_.modifier[a];
    const double residual = (gold[m] == h) - marginal_[h * n + m];
    if (std::abs(residual) > kNegligible)
      update.add(scored_.extractor.features(a), static_cast<float>(residual));
  }
}

}  // namespace treaty::parse

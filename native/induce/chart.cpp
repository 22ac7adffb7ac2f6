#include "induce/chart.hpp"

#include <algorithm>
#include <limits>

#include "induce/random.hpp"
#include "learn/host.hpp"

namespace treaty::induce {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kLong = 128;  // words of a span that takes a while

// max of a[k] + b[k]
double best_sum(const double* a, const double* b, int from, int to) {
  double best = kNever;
  for (int k = from; k < to; ++k) best = std::max(best, a[k] + b[k]);
  return best;
}

int where_best(const double* a, const double* b, int from, int to) {
  int best = from;
  for (int k = from + 1; k < to; ++k)
    if (a[k] + b[k] > a[best] + b[best]) best = k;
  return best;
}

}  // namespace

// Tokens i < j: one is the child of the other. Their halves meet between `m` and `m + 1`: an open half of the head and
// a closed half of the child.
void Chart::attach(int i, int j) {
  auto& [left, right] = halves_.side;
  const double* weight = halves_.arc_weight.data();
  const int n = halves_.n;
  right.arc.set(i, j, weight[i * n + j] + best_sum(right.open.of_head(i), left.closed.of_head(j) + 1, i, j));
  left.arc.set(j, i, weight[j * n + i] + best_sum(right.closed.of_head(i), left.open.of_head(j) + 1, i, j));
}

// A half from i to j: its last child is k, with a closed half from k to j.
void Chart::extend(int i, int j) {
  auto& [left, right] = halves_.side;
  const double to_right = best_sum(right.arc.of_head(i), right.closed.of_end(j), i + 1, j + 1);
  right.closed.set(i, j, to_right + right.stop[i]);
  right.open.set(i, j, to_right + right.go_on[i]);
  const double to_left = best_sum(left.arc.of_head(j), left.closed.of_end(i), i, j);
  left.closed.set(j, i, to_left + left.stop[j]);
  left.open.set(j, i, to_left + left.go_on[j]);
}

double Chart::fill(std::span<const std::int32_t> sentence, std::span<const double> weights, std::uint64_t seed) {
  halves_.start(layout_, sentence, weights);
  const int n = halves_.n;
  if (seed != 0) {
    Random random(seed);
    for (int cell = 0; cell < n * n; ++cell) halves_.arc_weight[cell] += kTieBreak * random.uniform();
  }
  for (int width = 1; width < n; ++width)
    for (int i = 0; i + width < n; ++i) {
      if (width >= kLong) learn::check_interrupt(i);
      attach(i, i + width);
      extend(i, i + width);
    }
  double best = kNever;
  root_ = 0;
  for (int i = 0; i < n; ++i) {
    const auto& [left, right] = halves_.side;
    const double score = halves_.root_weight[i] + left.closed.at(i, 0) + right.closed.at(i, n - 1);
    if (score > best) best = score, root_ = i;
  }
  return best;
}

int Chart::best_split(int head, int child) const {
  const auto& [left, right] = halves_.side;
  return head < child ? where_best(right.open.of_head(head), left.closed.of_head(child) + 1, head, child)
                      : where_best(right.closed.of_head(child), left.open.of_head(head) + 1, child, head);
}

int Chart::best_last_child(int head, int end) const {
  const auto& side = halves_.side[head < end];
  return head < end ? where_best(side.arc.of_head(head), side.closed.of_end(end), head + 1, end + 1)
                    : where_best(side.arc.of_head(head), side.closed.of_end(end), end, head);
}

void Chart::read(std::span<std::int32_t> heads) {
  agenda_.assign({{root_, 0, false}, {root_, halves_.n - 1, false}});
  heads[root_] = 0;
  while (!agenda_.empty()) {
    const auto [head, end, is_arc] = agenda_.back();
    agenda_.pop_back();
    if (is_arc) {
      heads[end] = head + 1;
      const int m = best_split(head, end);
      agenda_.push_back({head, head < end ? m : m + 1, false});
      agenda_.push_back({end, head < end ? m + 1 : m, false});
    } else if (head != end) {
      const int last = best_last_child(head, end);
      agenda_.push_back({head, last, true});
      agenda_.push_back({last, end, false});
    }
  }
}

Parser::Parser(const Corpus& corpus) : corpus_(&corpus), chart_(corpus.layout) {
  int longest = 0;
  for (int s = 0; s < corpus.size(); ++s) longest = std::max(longest, corpus.length(s));
  tree_.resize(static_cast<std::size_t>(longest));
  children_.resize(2 * static_cast<std::size_t>(longest));
}

double Parser::parse(int from, int to, std::span<const double> weights, std::uint64_t seed, std::span<double> counts,
                     std::span<std::int32_t> heads) {
  double score = 0.0;
  for (int s = from; s < to; ++s) {
    learn::check_interrupt(s);
    const auto sentence = corpus_->sentence(s);
    const auto tree = heads.empty() ? std::span(tree_).first(sentence.size())
                                    : heads.subspan(static_cast<std::size_t>(corpus_->begin[s]), sentence.size());
    score += corpus_->copies[s] * chart_.fill(sentence, weights, seed == 0 ? 0 : stream(seed, s) | 1);
    chart_.read(tree);
    if (!counts.empty()) count_tree(corpus_->layout, sentence, tree, corpus_->copies[s], children_, counts);
  }
  return score;
}

}  // namespace treaty::induce

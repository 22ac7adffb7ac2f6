#include "parse/eisner.hpp"

#include <algorithm>

#include "graph/maximum.hpp"

namespace treaty::parse {

using graph::kInfinity, graph::place_of;
namespace {

// max over i of a[i] + b[i]; four running maxima as in largest().
double largest_sum(const double* a, const double* b, std::size_t n) {
  auto larger = [](double x, double y) { return x > y ? x : y; };
  double best[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) best[lane] = larger(a[i + lane] + b[i + lane], best[lane]);
  for (; i < n; ++i) best[0] = larger(a[i] + b[i], best[0]);
  return larger(larger(best[0], best[1]), larger(best[2], best[3]));
}

// The first position of that maximum.
std::size_t best_split(const double* a, const double* b, std::size_t n) {
  return place_of(largest_sum(a, b, n), n, [a, b](std::size_t i) { return a[i] + b[i]; });
}

}  // namespace

double Eisner::best(int words, std::span<const double> score, bool single_root, std::span<std::int32_t> head) {
  nodes_ = static_cast<std::size_t>(words) + 1;
  single_root_ = single_root;
  for (auto* chart : {&left_head_, &left_head_at_, &right_head_, &right_head_at_, &left_open_, &right_open_at_})
    chart->assign(nodes_ * nodes_, -kInfinity);
  fill_chart(score);
  std::ranges::fill(head, -1);
  const double value = left_head_[cell(0, nodes_ - 1)];
  if (value > -kInfinity) read_heads(head);
  return value;
}

void Eisner::fill_chart(std::span<const double> score) {
  for (std::size_t node = 0; node < nodes_; ++node)
    for (auto* chart : {&left_head_, &left_head_at_, &right_head_, &right_head_at_}) (*chart)[cell(node, node)] = 0.0;
  for (std::size_t length = 1; length < nodes_; ++length)
    for (std::size_t first = 0; first + length < nodes_; ++first) {
      set_open(first, first + length, score);
      set_complete(first, first + length);
    }
}

// Range of split points below an arc; for the only arc of a single root, just the root.
std::size_t Eisner::inner_splits(std::size_t first, std::size_t last) const {
  return single_root_ && first == 0 ? 1 : last - first;
}

void Eisner::set_open(std::size_t first, std::size_t last, std::span<const double> score) {
  const double inside = largest_sum(&left_head_[cell(first, first)], &right_head_at_[cell(last, first + 1)],
                                    inner_splits(first, last));
  // Both directions of an arc join the same two spans, so the maximum over splits is shared.
  left_open_[cell(first, last)] = inside + score[cell(first, last)];
  if (first > 0) right_open_at_[cell(last, first)] = inside + score[cell(last, first)];
}

void Eisner::set_complete(std::size_t first, std::size_t last) {
  const auto length = last - first;
  const double left =
      largest_sum(&left_open_[cell(first, first + 1)], &left_head_at_[cell(last, first + 1)], length);
  left_head_[cell(first, last)] = left_head_at_[cell(last, first)] = left;
  const double right = largest_sum(&right_head_[cell(first, first)], &right_open_at_[cell(last, first)], length);
  right_head_[cell(first, last)] = right_head_at_[cell(last, first)] = right;
}

// Splits are recomputed where they are needed, which is cheaper than storing them all.
void Eisner::read_heads(std::span<std::int32_t> head) {
  agenda_.assign(1, {Span::kLeftHead, 0, nodes_ - 1});
  while (!agenda_.empty()) {
    const auto [span, first, last] = agenda_.back();
    agenda_.pop_back();
    if (first == last) continue;
    const auto length = last - first;
    if (span == Span::kLeftHead) {
      const auto split = first + 1 + best_split(&left_open_[cell(first, first + 1)],
                                                &left_head_at_[cell(last, first + 1)], length);
      agenda_.push_back({Span::kLeftHeadOpen, first, split});
      agenda_.push_back({Span::kLeftHead, split, last});
    } else if (span == Span::kRightHead) {
      const auto split = first + best_split(&right_head_[cell(first, first)], &right_open_at_[cell(last, first)], length);
      agenda_.push_back({Span::kRightHead, first, split});
      agenda_.push_back({Span::kRightHeadOpen, split, last});
    } else {
      const bool from_left = span == Span::kLeftHeadOpen;
      head[from_left ? last : first] = static_cast<std::int32_t>(from_left ? first : last);
      const auto split = first + best_split(&left_head_[cell(first, first)], &right_head_at_[cell(last, first + 1)],
                                            inner_splits(first, last));
      agenda_.push_back({Span::kLeftHead, first, split});
      agenda_.push_back({Span::kRightHead, split + 1, last});
    }
  }
}

}  // namespace treaty::parse

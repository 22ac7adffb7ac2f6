#include "parse/extract.hpp"

#include <algorithm>
#include <cstdlib>

namespace treaty::parse {
namespace {

int distance_bin(int distance) {
  if (distance <= 5) return distance;
  if (distance <= 10) return 6;
  if (distance <= 15) return 7;
  if (distance <= 20) return 8;
  if (distance <= 30) return 9;
  return 10;
}

// In what order three words stand.
int order_of(int g, int h, int m) { return (g < h) + 2 * (h < m) + 4 * (g < m); }

}  // namespace

std::uint64_t direction_value(int from, int to) { return value_of(from < to ? 1 : 2); }
std::uint64_t distance_value(int from, int to) { return value_of(10 + distance_bin(std::abs(from - to))); }

Extractor::Extractor(const FamilyTemplates& templates, const Weights& weights, int coarse, int width)
    : templates_(templates), weights_(weights), between_(coarse), width_(width) {
  const auto block = static_cast<std::size_t>(width) * (2 * Sequences::kPadding + 1);
  start_block_.assign(block, hash_of("<start>"));
  end_block_.assign(block, hash_of("<end>"));
  start_ = start_block_.data() + width * Sequences::kPadding;
  stop_ = end_block_.data() + width * Sequences::kPadding;
}

void Extractor::run(const Sequences& sentences, int sentence, const Parts& parts, bool keep) {
  root_row_ = sentences.row(sentence, 0);
  parts_ = &parts;
  keep_ = keep;
  score_.assign(parts.size(), 0.0);
  if (keep) {
    begin_.assign(parts.size(), 0);
    end_.assign(parts.size(), 0);
    features_.clear();
  }
  arcs();
  for (const auto& s : parts.sides()) {
    side(s);
    if (wants(kTriSibling)) tri_siblings(s);
  }
  if (wants(kArbitrarySibling)) arbitrary_siblings();
  if (wants(kHeadBigram)) head_bigrams();
}

void Extractor::emit(Family family, std::int32_t part, Row* rows, const std::uint64_t* values,
                     std::span<const Row> between) {
  const auto& templates = *templates_[family];
  const auto most = static_cast<std::size_t>(templates.most_features(static_cast<std::int32_t>(between.size())));
  if (hashes_.size() < most) hashes_.resize(most);
  auto* const first = hashes_.data();
  auto* const last = templates.extract(rows, values, between, first);
  float total = 0.0f;
  if (keep_) {
    begin_[part] = static_cast<std::int64_t>(features_.size());
    for (auto* hash = first; hash != last; ++hash) {
      const auto bucket = weights_.bucket(*hash);
      features_.push_back(bucket);
      total += weights_[bucket];
    }
    end_[part] = static_cast<std::int64_t>(features_.size());
  } else {
    for (auto* hash = first; hash != last; ++hash) total += weights_[weights_.bucket(*hash)];
  }
  score_[part] = total;
}

// Head by head, walking outwards, so that the items in between need no second look.
void Extractor::arcs() {
  const auto& arcs = parts_->arcs();
  for (int h = 0; h <= arcs.words; ++h) {
    const auto leaving = parts_->leaving(h);
    const auto first_right = std::ranges::partition_point(leaving, [&](auto a) { return arcs.modifier[a] < h; });
    const auto walk = [&](auto from, auto to, int step) {
      between_.reset();
      int seen = h + step;
      for (auto at = from; at != to; ++at) {
        const int m = arcs.modifier[*at];
        for (; seen != m; seen += step) between_.extend(row(seen));
        Row rows[] = {row(h), row(m), nullptr};
        const std::uint64_t values[] = {direction_value(h, m), distance_value(h, m)};
        emit(kArc, *at, rows, values, between_.rows());
      }
    };
    walk(first_right, leaving.end(), 1);
    walk(std::reverse_iterator(first_right), std::reverse_iterator(leaving.begin()), -1);
  }
}

void Extractor::side(const Side& side) {
  const auto& arcs = parts_->arcs();
  const int n = side.modifiers(), h = side.head;
  const auto outward = parts_->outward(side);
  siblings_.assign(1, start_);
  for (auto a : outward) siblings_.push_back(row(arcs.modifier[a]));
  siblings_.push_back(stop_);
  const auto node = [&](int k) { return k == 0 ? h : arcs.modifier[outward[k - 1]]; };
  const auto direction = value_of(side.right ? 1 : 2);
  const auto pair_distance = [&](int a, int b) { return b > n ? value_of(9) : distance_value(node(a), node(b)); };

  if (wants(kSibling))
    for (int a = 0, part = side.sibling; a <= n; ++a)
      for (int b = a + 1; b <= n + 1; ++b, ++part) {
        Row rows[] = {row(h), siblings_[b], siblings_[a]};
        const std::uint64_t values[] = {direction, pair_distance(a, b)};
        emit(kSibling, part, rows, values);
      }
  for (int i = 0; i < side.grandparents; ++i) {
    const int g = arcs.head[side.incoming + i];
    if (wants(kGrandparent))
      for (int b = 1; b <= n; ++b) {
        const int m = node(b);
        if (m == g) continue;  // never both: that would be a cycle
        Row rows[] = {row(h), row(m), row(g)};
        const std::uint64_t values[] = {value_of(20 + order_of(g, h, m))};
        emit(kGrandparent, side.grandparent + i * n + b - 1, rows, values);
      }
    if (wants(kGrandSibling))
      for (int a = 0, part = side.grand_sibling + i * side.pairs(); a <= n; ++a)
        for (int b = a + 1; b <= n + 1; ++b, ++part) {
          if ((a > 0 && node(a) == g) || (b <= n && node(b) == g)) continue;
          Row rows[] = {row(h), siblings_[b], siblings_[a], row(g)};
          const std::uint64_t values[] = {value_of(30 + (g < h) + 2 * side.right)};
          emit(kGrandSibling, part, rows, values);
        }
  }
}

void Extractor::tri_siblings(const Side& side) {
  const int n = side.modifiers();
  const std::uint64_t values[] = {value_of(side.right ? 1 : 2)};
  for (int a = 0, part = side.tri_sibling; a < n; ++a)
    for (int b = a + 1; b <= n; ++b)
      for (int c = b + 1; c <= n + 1; ++c, ++part) {
        Row rows[] = {row(side.head), siblings_[c], siblings_[b], siblings_[a]};
        emit(kTriSibling, part, rows, values);
      }
}

void Extractor::arbitrary_siblings() {
  const auto& arcs = parts_->arcs();
  for (int h = 0; h <= arcs.words; ++h) {
    const auto leaving = parts_->leaving(h);
    auto part = parts_->arbitrary_siblings(h);
    for (std::size_t i = 0; i < leaving.size(); ++i)
      for (std::size_t j = i + 1; j < leaving.size(); ++j, ++part) {
        const int s = arcs.modifier[leaving[i]], m = arcs.modifier[leaving[j]];
        Row rows[] = {row(h), row(m), row(s)};
        const std::uint64_t values[] = {value_of(40 + order_of(s, h, m)), distance_value(s, m)};
        emit(kArbitrarySibling, part, rows, values);
      }
  }
}

void Extractor::head_bigrams() {
  const auto& arcs = parts_->arcs();
  for (int m = 2; m <= arcs.words; ++m) {
    auto part = parts_->head_bigrams(m);
    for (auto i = arcs.begin[m - 1]; i < arcs.begin[m]; ++i)
      for (auto j = arcs.begin[m]; j < arcs.begin[m + 1]; ++j, ++part) {
        const int k = arcs.head[i], h = arcs.head[j];
        Row rows[] = {row(h), row(m), row(k)};
        // How the two arcs lie: directions, one head in common, one word the other's head.
        const int pattern = (k < m) + 2 * (h < m) + 4 * (h == k) + 8 * (h == m - 1) + 16 * (k == m) + 32 * (k < h);
        const std::uint64_t values[] = {value_of(100 + pattern)};
        emit(kHeadBigram, part, rows, values);
      }
  }
}

}  // namespace treaty::parse

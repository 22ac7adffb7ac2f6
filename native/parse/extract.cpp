#include "parse/extract.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "graph/oracle.hpp"

namespace treaty::parse {

using features::hash_of, features::value_of, graph::kInfinity;
namespace {

int distance_bin(int distance) {
  if (distance <= 5) return distance;
  if (distance <= 10) return 6;
  if (distance <= 15) return 7;
  if (distance <= 20) return 8;
  if (distance <= 30) return 9;
  return 10;
}

// The order of three words.
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
  for (const auto& side : parts.sides()) {
    siblings_.assign(1, start_);
    for (auto a : parts.outward(side)) siblings_.push_back(row(parts.arcs().modifier[a]));
    siblings_.push_back(stop_);
    if (wants(kSibling)) siblings(side);
    for (int i = 0; i < side.grandparents && wants(kGrandparent); ++i) grandparents(side, i);
    for (int i = 0; i < side.grandparents && wants(kGrandSibling); ++i) grand_siblings(side, i);
    if (wants(kTriSibling)) tri_siblings(side);
  }
  if (wants(kArbitrarySibling)) arbitrary_siblings();
  if (wants(kHeadBigram)) head_bigrams();
  if (wants(kNonProjective)) non_projective();
  if (wants(kPath)) paths();
}

void Extractor::begin(Family family) {
  family_ = templates_[family].get();
  const auto size = static_cast<std::size_t>(family_->size());
  for (auto& level : level_)
    if (level.size() < size) level.resize(size);
  std::copy(family_->seeds(), family_->seeds() + size, level_[0].begin());
}

// Extends the hashes of all roles before by those of this one. Loops enter outer roles once for all parts below them: a
// part costs the hashing of its last role only.
void Extractor::enter(int role, Row row) {
  family_->advance(role, row, level_[role].data(), level_[role + 1].data());
  last_role_ = role;
}

// The part's hashes are those of the last role entered, which is the family's last role except `between`.
void Extractor::emit(std::int32_t part, const std::uint64_t* values, std::span<const Row> between) {
  const auto most = static_cast<std::size_t>(family_->most_features(static_cast<std::int32_t>(between.size())));
  if (hashes_.size() < most) hashes_.resize(most);
  auto* const first = hashes_.data();
  auto* const last = family_->finish(level_[last_role_ + 1].data(), values, between, first);
  score_[part] = weights_.sum(first, last);
  // Files with such weights are refused; but the table can be written to.
  if (!std::isfinite(score_[part])) throw std::invalid_argument("a weight of the parser is not a finite number");
  if (!keep_) return;
  begin_[part] = static_cast<std::int64_t>(features_.size());
  for (auto* hash = first; hash != last; ++hash) features_.push_back(weights_.bucket(*hash));
  end_[part] = static_cast<std::int64_t>(features_.size());
}

// Head by head and outwards, so that the items in between are collected incrementally.
void Extractor::arcs() {
  const auto& arcs = parts_->arcs();
  begin(kArc);
  for (int h = 0; h <= arcs.words; ++h) {
    const auto leaving = parts_->leaving(h);
    const auto first_right = std::ranges::partition_point(leaving, [&](auto a) { return arcs.modifier[a] < h; });
    enter(0, row(h));
    const auto walk = [&](auto from, auto to, int step) {
      between_.reset();
      int seen = h + step;
      for (auto at = from; at != to; ++at) {
        const int m = arcs.modifier[*at];
        for (; seen != m; seen += step) between_.extend(row(seen));
        enter(1, row(m));
        const std::uint64_t values[] = {direction_value(h, m), distance_value(h, m)};
        emit(*at, values, between_.rows());
      }
    };
    walk(first_right, leaving.end(), 1);
    walk(std::reverse_iterator(first_right), std::reverse_iterator(leaving.begin()), -1);
  }
}

int Extractor::node(const Side& side, int k) const {
  return k == 0 ? side.head : parts_->arcs().modifier[parts_->outward(side)[k - 1]];
}

void Extractor::siblings(const Side& side) {
  const int n = side.modifiers();
  begin(kSibling);
  enter(0, row(side.head));
  for (int a = 0, part = side.sibling; a <= n; ++a) {
    enter(1, siblings_[a]);
    for (int b = a + 1; b <= n + 1; ++b, ++part) {
      enter(2, siblings_[b]);
      const std::uint64_t values[] = {value_of(side.right ? 1 : 2),
                                      b > n ? value_of(9) : distance_value(node(side, a), node(side, b))};
      emit(part, values);
    }
  }
}

void Extractor::grandparents(const Side& side, int incoming) {
  const int n = side.modifiers(), g = parts_->arcs().head[side.incoming + incoming];
  begin(kGrandparent);
  enter(0, row(side.head));
  enter(1, row(g));
  for (int b = 1; b <= n; ++b) {
    const int m = node(side, b);
    const auto part = side.grandparent + incoming * n + b - 1;
    if (m == g) {  // never both: that would be a cycle
      score_[part] = -kInfinity;
      continue;
    }
    enter(2, row(m));
    const std::uint64_t values[] = {value_of(20 + order_of(g, side.head, m))};
    emit(part, values);
  }
}

void Extractor::grand_siblings(const Side& side, int incoming) {
  const int n = side.modifiers(), g = parts_->arcs().head[side.incoming + incoming];
  const std::uint64_t values[] = {value_of(30 + (g < side.head) + 2 * side.right)};
  begin(kGrandSibling);
  enter(0, row(side.head));
  enter(1, row(g));
  for (int a = 0, part = side.grand_sibling + incoming * side.pairs(); a <= n; ++a) {
    enter(2, siblings_[a]);
    for (int b = a + 1; b <= n + 1; ++b, ++part) {
      // The grandparent as its own grandchild: a cycle, which no tree has. Features would only take time.
      if ((a > 0 && node(side, a) == g) || (b <= n && node(side, b) == g)) continue;
      enter(3, siblings_[b]);
      emit(part, values);
    }
  }
}

void Extractor::tri_siblings(const Side& side) {
  const int n = side.modifiers();
  const std::uint64_t values[] = {value_of(side.right ? 1 : 2)};
  begin(kTriSibling);
  enter(0, row(side.head));
  for (int a = 0, part = side.tri_sibling; a < n; ++a) {
    enter(1, siblings_[a]);
    for (int b = a + 1; b <= n; ++b) {
      enter(2, siblings_[b]);
      for (int c = b + 1; c <= n + 1; ++c, ++part) {
        enter(3, siblings_[c]);
        emit(part, values);
      }
    }
  }
}

void Extractor::arbitrary_siblings() {
  const auto& arcs = parts_->arcs();
  begin(kArbitrarySibling);
  for (int h = 0; h <= arcs.words; ++h) {
    const auto leaving = parts_->leaving(h);
    auto part = parts_->arbitrary_siblings(h);
    enter(0, row(h));
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      const int s = arcs.modifier[leaving[i]];
      enter(1, row(s));
      for (std::size_t j = i + 1; j < leaving.size(); ++j, ++part) {
        const int m = arcs.modifier[leaving[j]];
        enter(2, row(m));
        const std::uint64_t values[] = {value_of(40 + order_of(s, h, m)), distance_value(s, m)};
        emit(part, values);
      }
    }
  }
}

void Extractor::head_bigrams() {
  const auto& arcs = parts_->arcs();
  begin(kHeadBigram);
  for (int m = 2; m <= arcs.words; ++m) {
    auto part = parts_->head_bigrams(m);
    enter(0, row(m));
    for (auto i = arcs.begin[m - 1]; i < arcs.begin[m]; ++i) {
      const int k = arcs.head[i];
      enter(1, row(k));
      for (auto j = arcs.begin[m]; j < arcs.begin[m + 1]; ++j, ++part) {
        const int h = arcs.head[j];
        enter(2, row(h));
        // Configuration of the two arcs: directions, same head, or one word is the other's head.
        const int pattern = (k < m) + 2 * (h < m) + 4 * (h == k) + 8 * (h == m - 1) + 16 * (k == m) + 32 * (k < h);
        const std::uint64_t values[] = {value_of(100 + pattern)};
        emit(part, values);
      }
    }
  }
}

// An arc from the root, or to the next word, is always projective.
void Extractor::non_projective() {
  const auto& arcs = parts_->arcs();
  begin(kNonProjective);
  for (int h = 1; h <= arcs.words; ++h) {
    enter(0, row(h));
    for (auto a : parts_->leaving(h)) {
      const int m = arcs.modifier[a];
      if (std::abs(h - m) == 1) continue;
      enter(1, row(m));
      const std::uint64_t values[] = {direction_value(h, m), distance_value(h, m)};
      emit(parts_->non_projective(a), values);
    }
  }
}

void Extractor::paths() {
  const int words = parts_->arcs().words;
  begin(kPath);
  for (int above = 1; above <= words; ++above) {
    enter(0, row(above));
    for (int word = 1; word <= words; ++word) {
      if (word == above) continue;
      enter(1, row(word));
      const std::uint64_t values[] = {direction_value(above, word), distance_value(above, word)};
      emit(parts_->path(above, word), values);
    }
  }
}

}  // namespace treaty::parse

#include "parse/tree_search.hpp"

#include <array>

#include "parse/ancestry.hpp"

namespace treaty::parse {
namespace {

constexpr int kMostPasses = 10;
// A change must gain more than rounding errors.
constexpr double kGain = 1e-9;

}  // namespace

double TreeSearch::arc_term(int m) const { return score_[parts_->arcs().find(head_[m], m)]; }

double TreeSearch::side_term(const Side& side) {
  const auto& arcs = parts_->arcs();
  const auto outward = parts_->outward(side);
  const int n = side.modifiers();
  const int g = side.grandparents == 0 ? -1 : arcs.find(head_[side.head], side.head) - side.incoming;
  double total = 0.0;
  int before = 0, last = 0;
  const auto step = [&](int next, bool first) {
    if (side.sibling >= 0) {
      const int pair = side.pair(last, next);
      total += score_[side.sibling + pair];
      if (g >= 0 && next <= n) total += score_[side.grandparent + g * n + next - 1];
      if (g >= 0 && side.grand_sibling >= 0) total += score_[side.grand_sibling + g * side.pairs() + pair];
    }
    if (side.tri_sibling >= 0 && !first) total += score_[side.tri_sibling + side.triple(before, last, next)];
    before = last;
    last = next;
  };
  bool first = true;
  for (int k = 1; k <= n; ++k) {
    if (head_[arcs.modifier[outward[k - 1]]] != side.head) continue;
    step(k, first);
    first = false;
  }
  step(n + 1, first);
  return total;
}

double TreeSearch::siblings_term(int h) {
  const auto begin = parts_->arbitrary_siblings(h);
  if (begin < 0) return 0.0;
  const auto& arcs = parts_->arcs();
  const auto leaving = parts_->leaving(h);
  const int n = static_cast<int>(leaving.size());
  on_.clear();
  for (int k = 0; k < n; ++k)
    if (head_[arcs.modifier[leaving[k]]] == h) on_.push_back(k);
  double total = 0.0;
  for (std::size_t i = 0; i < on_.size(); ++i)
    for (std::size_t j = i + 1; j < on_.size(); ++j)
      total += score_[begin + on_[i] * (2 * n - on_[i] - 1) / 2 + on_[j] - on_[i] - 1];
  return total;
}

double TreeSearch::bigram_term(int m) const {
  const auto& arcs = parts_->arcs();
  if (m < 2 || m > arcs.words || parts_->head_bigrams(m) < 0) return 0.0;
  const int row = arcs.find(head_[m - 1], m - 1) - arcs.begin[m - 1];
  return score_[parts_->head_bigrams(m) + row * arcs.heads_of(m) + arcs.find(head_[m], m) - arcs.begin[m]];
}

double TreeSearch::term(std::int32_t index) {
  if (index < sides_) return arc_term(index);
  if (index < siblings_) return side_term(parts_->sides()[index - sides_]);
  if (index < bigrams_) return siblings_term(index - siblings_);
  if (index < paths_) return bigram_term(index - bigrams_);
  return index + 1 < terms() ? path_term(index - paths_) : crossing_term();
}

double TreeSearch::path_term(int word) const {
  double total = 0.0;
  if (parts_->order().has[kPath])
    for (int above = head_[word]; above > 0; above = head_[above]) total += score_[parts_->path(above, word)];
  return total;
}

double TreeSearch::crossing_term() const {
  const auto& arcs = parts_->arcs();
  double total = 0.0;
  for (int m = 1; m <= arcs.words && parts_->order().has[kNonProjective]; ++m) {
    const double score = score_[parts_->non_projective(arcs.find(head_[m], m))];
    if (score != 0.0 && !is_projective(head_, m)) total += score;
  }
  return total;
}

// Records the terms that change when m gets or loses this head: its arc; the side that it joins or leaves; both its own
// sides, whose grandparent changes; the siblings below the head; the pairs with both neighbors; and the paths of all
// words below it. Only these are evaluated again, so a change costs far less than scoring the tree.
void TreeSearch::touch(int m, int head) {
  const auto note = [&](std::int32_t index) {
    if (is_touched_[index]) return;
    is_touched_[index] = 1;
    touched_.push_back(index);
  };
  note(m);
  if (siblings_ > sides_) {  // the root's only side is the first, then left and right of each word
    note(sides_ + (head == 0 ? 0 : 2 * head - (m < head)));
    note(sides_ + 2 * m - 1);
    note(sides_ + 2 * m);
  }
  note(siblings_ + head);
  note(bigrams_ + m);
  const int words = parts_->arcs().words;
  if (m < words) note(bigrams_ + m + 1);
  if (!parts_->order().paths()) return;
  for (int word = 1; word <= words; ++word)
    if (descends(head_, word, m)) note(paths_ + word);
  note(terms() - 1);
}

// Applies the moves (word, new head) if they gain.
bool TreeSearch::accept(std::initializer_list<std::pair<int, int>> moves) {
  std::array<int, 2> old{};
  touched_.clear();
  int k = 0;
  // All moves are recorded before the first is made: `touch` reads descendants from the tree as it was.
  for (const auto& [m, h] : moves) touch(m, old[k++] = head_[m]), touch(m, h);
  for (const auto& [m, h] : moves) head_[m] = h;
  double gain = 0.0;
  new_value_.clear();
  for (auto index : touched_) {
    new_value_.push_back(term(index));
    gain += new_value_.back() - value_[index];
    is_touched_[index] = 0;
  }
  k = 0;
  if (gain > kGain) {
    for (auto index : touched_) value_[index] = new_value_[k++];
    return true;
  }
  for (const auto& [m, h] : moves) head_[m] = old[k++];
  return false;
}

bool TreeSearch::try_heads(int m, bool single_root) {
  const auto& arcs = parts_->arcs();
  bool moved = false;
  for (auto a = arcs.begin[m]; a < arcs.begin[m + 1]; ++a) {
    const int h = arcs.head[a];
    if (h == head_[m]) continue;
    if (single_root && (h == 0 || head_[m] == 0)) {
      // The root's only modifier cannot just leave, nor can a second one join: m takes the place of the old modifier,
      // which becomes a modifier of m.
      if (h != 0) continue;
      int root = 1;
      while (head_[root] != 0) ++root;
      moved |= arcs.find(m, root) >= 0 && accept({{m, 0}, {root, m}});
    } else if (!descends(head_, h, m)) {  // else a cycle
      moved |= accept({{m, h}});
    }
  }
  return moved;
}

double TreeSearch::improve(const Parts& parts, std::span<const double> score, bool single_root,
                           std::span<std::int32_t> head) {
  parts_ = &parts;
  score_ = score;
  head_ = head;
  const int words = parts.arcs().words;
  sides_ = words + 1;
  siblings_ = sides_ + static_cast<std::int32_t>(parts.sides().size());
  bigrams_ = siblings_ + words + 1;
  paths_ = bigrams_ + words + 1;
  value_.assign(terms(), 0.0);
  is_touched_.assign(terms(), 0);
  // Terms are numbered sort by sort; index 0 would be the arc of the root, which has none.
  for (std::int32_t index = 1; index < terms(); ++index) value_[index] = term(index);
  bool moved = true;
  for (int pass = 0; pass < kMostPasses && moved; ++pass) {
    moved = false;
    for (int m = 1; m <= words; ++m) moved |= try_heads(m, single_root);
  }
  double total = 0.0;
  for (double value : value_) total += value;
  return total;
}

}  // namespace treaty::parse

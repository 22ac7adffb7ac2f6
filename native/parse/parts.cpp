#include "parse/parts.hpp"

#include "parse/ancestry.hpp"

namespace treaty::parse {

void Parts::list(const Arcs& arcs, const Order& order) {
  arcs_ = &arcs;
  order_ = order;
  size_ = arcs.size();
  // Arcs are numbered by modifier; the other families need them by head. The counting sort is stable, so that arcs of
  // one head stay in the order of their modifiers. Here `on_` holds the next free place of each head.
  leaving_begin_.assign(arcs.words + 2, 0);
  for (auto h : arcs.head) ++leaving_begin_[h + 1];
  for (int h = 0; h <= arcs.words; ++h) leaving_begin_[h + 1] += leaving_begin_[h];
  leaving_.resize(arcs.size());
  on_ = leaving_begin_;
  for (int a = 0; a < arcs.size(); ++a) leaving_[on_[arcs.head[a]]++] = a;
  // Each call appends blocks to the numbering, of which `size_` is the end: one block for each factor and family.
  list_sides();
  list_pairs();
  list_paths();
}

void Parts::list_sides() {
  sides_.clear();
  outward_.clear();
  if (!order_.automata() && !order_.has[kTriSibling]) return;
  for (int h = 0; h <= arcs_->words; ++h) {
    const auto arcs = leaving(h);
    const auto first_right = std::ranges::partition_point(arcs, [&](auto a) { return arcs_->modifier[a] < h; });
    for (const bool right : {false, true}) {
      if (h == 0 && !right) continue;  // nothing stands before the root
      Side side{h, right, static_cast<int>(outward_.size()), 0, h == 0 ? 0 : arcs_->begin[h], h == 0 ? 0 : arcs_->heads_of(h)};
      // Automata read modifiers from the head outwards: to the left, that is against the order of the sentence.
      if (right) outward_.insert(outward_.end(), first_right, arcs.end());
      else outward_.insert(outward_.end(), std::reverse_iterator(first_right), std::reverse_iterator(arcs.begin()));
      side.end = static_cast<int>(outward_.size());
      const auto take = [&](bool wanted, int count) {
        const auto at = size_;
        if (wanted) size_ += count;
        return wanted ? at : -1;
      };
      // The three blocks of one automaton, in its order; missing families leave zeros.
      side.grandparent = take(order_.automata(), side.grandparents * side.modifiers());
      side.sibling = take(order_.automata(), side.pairs());
      side.grand_sibling = take(order_.has[kGrandSibling], side.grandparents * side.pairs());
      side.tri_sibling = take(order_.has[kTriSibling], side.triples());
      sides_.push_back(side);
    }
  }
}

void Parts::list_pairs() {
  const int words = arcs_->words;
  arbitrary_begin_.assign(words + 1, -1);
  if (order_.has[kArbitrarySibling])
    for (int h = 0; h <= words; ++h) {
      const int n = static_cast<int>(leaving(h).size());
      arbitrary_begin_[h] = size_;
      size_ += n * (n - 1) / 2;
    }
  bigram_begin_.assign(words + 1, -1);
  sequence_begin_ = sequence_end_ = size_;
  if (!order_.has[kHeadBigram] || words == 0) return;
  // A sequence model over the heads of adjacent words. Its start and stop scores have places (of zeros), because the
  // sequence factor reads start, transitions and stop as one array.
  size_ += arcs_->heads_of(1);
  for (int m = 2; m <= words; ++m) {
    bigram_begin_[m] = size_;
    size_ += arcs_->heads_of(m - 1) * arcs_->heads_of(m);
  }
  size_ += arcs_->heads_of(words);
  sequence_end_ = size_;
}

void Parts::list_paths() {
  crossing_begin_ = path_begin_ = -1;
  if (order_.has[kNonProjective]) {
    crossing_begin_ = size_;
    size_ += arcs_->size();
  }
  if (order_.has[kPath]) {
    path_begin_ = size_;
    size_ += arcs_->words * arcs_->words;
  }
}

void Parts::of_tree(std::span<const std::int32_t> head, std::vector<std::int32_t>& parts) {
  parts.clear();
  const int words = arcs_->words;
  for (int m = 1; m <= words; ++m) parts.push_back(arcs_->find(head[m], m));
  for (const auto& side : sides_) {
    on_.assign(1, 0);  // START, the modifiers that are on, END
    for (int k = side.begin; k < side.end; ++k)
      if (head[arcs_->modifier[outward_[k]]] == side.head) on_.push_back(k - side.begin + 1);
    on_.push_back(side.modifiers() + 1);
    const int last = static_cast<int>(on_.size()) - 1;
    if (order_.automata()) {
      // The grandparent is known by its place among the head's incoming arcs, which are numbered one after the other.
      const int g = side.head == 0 ? -1 : arcs_->find(head[side.head], side.head) - side.incoming;
      for (int k = 1; k <= last; ++k) {
        parts.push_back(side.sibling + side.pair(on_[k - 1], on_[k]));
        if (g < 0) continue;
        if (k < last) parts.push_back(side.grandparent + g * side.modifiers() + on_[k] - 1);
        if (side.grand_sibling >= 0) parts.push_back(side.grand_sibling + g * side.pairs() + side.pair(on_[k - 1], on_[k]));
      }
    }
    if (side.tri_sibling >= 0)
      for (int k = 2; k <= last; ++k) parts.push_back(side.tri_sibling + side.triple(on_[k - 2], on_[k - 1], on_[k]));
  }
  if (order_.has[kArbitrarySibling])
    for (int h = 0; h <= words; ++h) {
      const auto arcs = leaving(h);
      const int n = static_cast<int>(arcs.size());
      on_.clear();
      for (int k = 0; k < n; ++k)
        if (head[arcs_->modifier[arcs[k]]] == h) on_.push_back(k);
      for (std::size_t i = 0; i < on_.size(); ++i)
        for (std::size_t j = i + 1; j < on_.size(); ++j)
          // Pairs a < b in lexicographic order: (n - 1) + (n - 2) + ... of them begin with less than a.
          parts.push_back(arbitrary_begin_[h] + on_[i] * (2 * n - on_[i] - 1) / 2 + on_[j] - on_[i] - 1);
    }
  if (order_.has[kHeadBigram])
    for (int m = 2; m <= words; ++m) {
      const int row = arcs_->find(head[m - 1], m - 1) - arcs_->begin[m - 1];
      const int column = arcs_->find(head[m], m) - arcs_->begin[m];
      parts.push_back(bigram_begin_[m] + row * arcs_->heads_of(m) + column);
    }
  if (order_.paths()) paths_of_tree(head, parts);
}

void Parts::paths_of_tree(std::span<const std::int32_t> head, std::vector<std::int32_t>& parts) const {
  if (order_.has[kNonProjective])
    for (int m = 1; m <= arcs_->words; ++m)
      if (!is_projective(head, m)) parts.push_back(non_projective(arcs_->find(head[m], m)));
  if (order_.has[kPath])
    for (int word = 1; word <= arcs_->words; ++word)
      for (int above = head[word]; above > 0; above = head[above]) parts.push_back(path(above, word));
}

}  // namespace treaty::parse

#include "parse/margins.hpp"

#include <algorithm>

namespace treaty::parse {

void Margins::of(Parts& parts, std::span<const double> score, std::span<const std::int32_t> head, bool single_root,
                 std::vector<double>& margin) {
  const auto& arcs = parts.arcs();
  margin.assign(head.size(), kMost);
  changed_.assign(head.begin(), head.end());
  for (int m = 1; m <= arcs.words; ++m)
    if (head[m] < 0 || arcs.find(head[m], m) < 0) return;  // no tree, or one of other arcs
  const double whole = score_of(parts, score);
  for (int m = 1; m <= arcs.words; ++m)
    for (int a = arcs.begin[m]; a < arcs.begin[m + 1]; ++a) {
      if (arcs.head[a] == head[m] || !change(arcs, head, m, arcs.head[a], single_root)) continue;
      margin[m] = std::min(margin[m], whole - score_of(parts, score));
    }
}

// Sets `changed_`; false if there is no such tree among the candidates.
bool Margins::change(const Arcs& arcs, std::span<const std::int32_t> head, int modifier, int new_head,
                     bool single_root) {
  std::ranges::copy(head, changed_.begin());
  const int old_head = head[modifier];
  if (new_head != 0 && is_below(new_head, modifier)) {
    if (arcs.find(old_head, new_head) < 0) return false;
    changed_[new_head] = old_head;
  } else if (single_root && old_head == 0) {
    return false;  // no root would be left
  } else if (single_root && new_head == 0) {
    const auto root = static_cast<int>(std::find(head.begin() + 1, head.end(), 0) - head.begin());
    if (arcs.find(modifier, root) < 0) return false;
    changed_[root] = modifier;
  }
  changed_[modifier] = new_head;
  return true;
}

bool Margins::is_below(int node, int ancestor) const {
  while (node > 0 && node != ancestor) node = changed_[node];
  return node == ancestor;
}

double Margins::score_of(Parts& parts, std::span<const double> score) {
  parts.of_tree(changed_, listed_);
  double total = 0.0;
  for (auto part : listed_) total += score[part];
  return total;
}

}  // namespace treaty::parse

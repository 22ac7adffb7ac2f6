#include "solve/search/primal_search.hpp"

#include <algorithm>
#include <cmath>

#include "graph/stop.hpp"

namespace treaty::solve {

PrimalSearch::PrimalSearch(const PatternProblem& problem, std::uint64_t seed)
    : labeling_(problem),
      trees_(labeling_),
      cuts_(problem, labeling_),
      is_cut_useful_(problem.patterns() == 0 && !problem.edges.empty()),
      random_(seed),
      queued_(problem.vertices(), 0),
      tabu_until_(problem.states(), 0),
      seen_(problem.vertices(), 0),
      price_(labeling_.typical()) {
  for (std::int32_t v = 0; v < problem.vertices(); ++v) most_labels_ = std::max(most_labels_, problem.labels(v));
  refused_ = most_labels_;
}

bool PrimalSearch::offer(std::span<const std::int32_t> label) {
  if (!labeling_.has_labels()) return false;
  improved_ = false;
  const std::vector<std::int32_t> current(labeling_.label().begin(), labeling_.label().end());
  journal_.clear();
  labeling_.set(label);
  for (std::int32_t v = 0; v < labeling_.vertices(); ++v)
    if (!labeling_.allowed(labeling_.first(v) + label[v])) labeling_.move(v, random_label(v));
  budget_ = 0;
  descend(labeling_.open());
  note();
  journal_.clear();
  refused_ = 0;
  if (started_ && !improved_) {  // the search goes on where it was; what it was offered, it may cross with
    keep_elite();
    labeling_.set(current);
  }
  started_ = true;
  spent_ -= budget_;
  return improved_;
}

bool PrimalSearch::run(std::int64_t budget, const std::function<bool()>& keep_going) {
  improved_ = false;
  if (!labeling_.has_labels()) return false;
  constexpr std::int64_t kAsk = 1 << 20;
  budget_ = budget;
  try {
    auto next_question = budget_ - kAsk;
    if (!started_) start_greedily();
    journal_.clear();
    expand();
    note();
    while (budget_ > 0 && !labeling_.open().empty()) {
      round();
      if (budget_ > next_question) continue;
      next_question = budget_ - kAsk;
      if (keep_going && !keep_going()) break;
    }
  } catch (const graph::Stopped&) {  // the best labeling stays; the search itself is over
  }
  spent_ += budget - budget_;
  return improved_;
}

void PrimalSearch::move(std::int32_t v, std::int32_t to) {
  journal_.push_back({v, labeling_.label(v)});
  labeling_.move(v, to);
  budget_ -= labeling_.cost(v);
  graph::poll(2 * labeling_.cost(v));
}

void PrimalSearch::take_back(std::size_t journal_length) {
  while (journal_.size() > journal_length) {
    const auto [v, from] = journal_.back();
    journal_.pop_back();
    labeling_.move(v, from);
    budget_ -= labeling_.cost(v);
  }
}

// Remembers the labeling if it is the best.
void PrimalSearch::note() {
  if (labeling_.breaches() > 0 || labeling_.score() <= objective_ + labeling_.least()) return;
  const double exact = labeling_.exact_score();
  budget_ -= labeling_.vertices();
  if (exact <= objective_) return;
  objective_ = exact;
  best_.assign(labeling_.label().begin(), labeling_.label().end());
  improved_ = true;
  idle_ = 0;
}

void PrimalSearch::round() {
  constexpr std::int64_t kPatience = 100;
  --budget_;
  journal_.clear();
  const double before = merit();
  choose_region();
  kick();
  settle();
  const double after = merit();
  note();
  if (after < before) take_back(0);
  idle_ = after > before + labeling_.least() ? 0 : idle_ + 1;
  const auto open = static_cast<std::int64_t>(labeling_.open().size());
  if (idle_ > kPatience + open / 4) stagnate();
}

// A ball around a random vertex; all of a small graph.
void PrimalSearch::choose_region() {
  constexpr std::int32_t kSmall = 64;
  const auto open = labeling_.open();
  const auto count = static_cast<std::int32_t>(open.size());
  std::int32_t size = count;
  if (count > kSmall) size = std::min(count, kSmall << random_.below(4));
  region_.assign(1, open[random_.below(count)]);
  if (size == count) {
    region_.assign(open.begin(), open.end());
    random_.shuffle(region_);
    return;
  }
  ++visits_;
  seen_[region_[0]] = visits_;
  for (std::size_t i = 0; i < region_.size() && static_cast<std::int32_t>(region_.size()) < size; ++i)
    for (auto w : labeling_.neighbors(region_[i])) {
      --budget_;
      if (seen_[w] == visits_) continue;
      seen_[w] = visits_;
      const auto first = labeling_.first(w);
      std::int32_t choices = 0;
      for (auto s = first; s < first + labeling_.labels(w) && choices < 2; ++s) choices += labeling_.allowed(s);
      if (choices > 1) region_.push_back(w);
    }
}

// A few vertices from the region's center on take random labels, or those of an earlier good labeling.
void PrimalSearch::kick() {
  const auto size = static_cast<std::int32_t>(region_.size());
  const auto most = std::max<std::int32_t>(1, size / (2 << random_.below(4)));
  const auto count = 1 + random_.below(most);
  const auto* guide = !elites_.empty() && random_.below(2) == 0
                          ? &elites_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(elites_.size())))]
                          : nullptr;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto v = region_[i];
    const auto to = guide ? guide->label[v] : random_label(v);
    if (to != labeling_.label(v)) move(v, to);
  }
}

std::int32_t PrimalSearch::random_label(std::int32_t v) {
  const auto labels = labeling_.labels(v), start = random_.below(labels);
  for (std::int32_t i = 0; i < labels; ++i)
    if (const auto x = (start + i) % labels; labeling_.allowed(labeling_.first(v) + x)) return x;
  return start;
}

void PrimalSearch::settle() {
  descend(region_);
  const auto size = static_cast<std::int64_t>(region_.size());
  grow_trees(region_, 2);
  if (random_.below(2) == 0) tabu(size << random_.below(4));
  grow_trees(region_, 1);
}

// Single labels while they gain, beginning with these vertices and going on with the neighbors of what moved.
void PrimalSearch::descend(std::span<const std::int32_t> from) {
  queue_.clear();
  auto wake = [&](std::int32_t v) {
    if (queued_[v]) return;
    queued_[v] = 1;
    queue_.push_back(v);
  };
  for (auto v : from) wake(v);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const auto v = queue_[next];
    queued_[v] = 0;
    graph::poll(8 + 4 * labeling_.labels(v));
    budget_ -= labeling_.labels(v);
    Candidate best{v, 0, labeling_.least()};
    for (std::int32_t x = 0; x < labeling_.labels(v); ++x) {
      if (x == labeling_.label(v) || !labeling_.allowed(labeling_.first(v) + x)) continue;
      if (const double gained = gain(v, x); gained > best.gain) best.gain = gained, best.label = x;
    }
    if (best.gain <= labeling_.least()) continue;
    move(v, best.label);
    for (auto w : labeling_.neighbors(v)) wake(w);
    if (next > queue_.size() / 2 && next > 1024) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(next) + 1);
      next = static_cast<std::size_t>(-1);
    }
  }
}

// Forests until `patience` of them in a row gain nothing.
void PrimalSearch::grow_trees(std::span<const std::int32_t> region, int patience) {
  for (int failures = 0; failures < patience && budget_ > 0;) {
    const double before = merit();
    trees_.run(region, labeling_.prohibitive(), random_, journal_, budget_);
    failures = merit() > before + labeling_.least() ? 0 : failures + 1;
  }
}

// The best move, but not back to where a vertex was of late, unless that leads to a new best.
void PrimalSearch::tabu(std::int64_t iterations) {
  constexpr int kStreak = 10;
  constexpr double kAdapt = 1.3;
  auto best_length = journal_.size();
  double best_merit = merit();
  int lawful = 0, unlawful = 0;
  const auto span = static_cast<std::int64_t>(std::min<std::size_t>(10, region_.size() / 4) + 1);
  for (std::int64_t i = 0; i < iterations && budget_ > 0; ++i) {
    ++time_;
    const auto [v, label, gained] = best_candidate(time_, merit(), std::max(best_merit, objective_));
    if (v < 0) break;
    tabu_until_[labeling_.first(v) + labeling_.label(v)] = time_ + span + random_.below(span);
    move(v, label);
    if (merit() > best_merit + labeling_.least()) {
      best_merit = merit();
      best_length = journal_.size();
      iterations = std::max(iterations, i + static_cast<std::int64_t>(region_.size()));
    }
    // The price of a breach swings, so that the search crosses the border of what is allowed again and again.
    const bool breached = labeling_.breaches() > 0;
    lawful = breached ? 0 : lawful + 1;
    unlawful = breached ? unlawful + 1 : 0;
    if (unlawful > kStreak) price_ = std::min(price_ * kAdapt, labeling_.prohibitive()), unlawful = 0;
    if (lawful > kStreak) price_ = std::max(price_ / kAdapt, 0.1 * labeling_.typical()), lawful = 0;
  }
  take_back(best_length);
}

PrimalSearch::Candidate PrimalSearch::best_candidate(std::int64_t now, double merit, double aspired) {
  Candidate best;
  for (auto v : region_) {
    graph::poll(8 + labeling_.labels(v));
    const auto first = labeling_.first(v), here = first + labeling_.label(v), labels = labeling_.labels(v);
    const double own = labeling_.value(here) - price_ * labeling_.breach(here);
    budget_ -= labels;
    for (auto s = first; s < first + labels; ++s) {
      const double gained = labeling_.value(s) - price_ * labeling_.breach(s) - own;
      if (gained <= best.gain || s == here || !labeling_.allowed(s)) continue;
      if (tabu_until_[s] >= now && merit + gain(v, s - first) <= aspired + labeling_.least()) continue;
      best = {v, s - first, gained};
    }
  }
  return best;
}

// The labeling is a local optimum of all moves: it joins the good ones, and another one follows.
void PrimalSearch::stagnate() {
  idle_ = 0;
  grow_trees(labeling_.open(), 3);
  const double before = merit();
  for (std::size_t e = 0; e < elites_.size() && budget_ > 0; ++e)
    if (is_cut_useful_ ? mix(elites_[e].label) : cross(elites_[e].label)) descend(labeling_.open());
  note();
  if (merit() > before + labeling_.least()) return;
  keep_elite();
  restart();
}

void PrimalSearch::keep_elite() {
  constexpr std::size_t kMost = 12;
  const double own = merit();
  for (const auto& elite : elites_)
    if (elite.merit == own && std::ranges::equal(elite.label, labeling_.label())) return;
  if (elites_.size() == kMost) {
    const auto worst = std::ranges::min_element(elites_, {}, &Elite::merit);
    if (worst->merit >= own) return;
    elites_.erase(worst);
  }
  elites_.push_back({own, {labeling_.label().begin(), labeling_.label().end()}});
  budget_ -= labeling_.vertices();
}

// Two labelings differ on components that share no score: each takes the better of the two, independently (partition
// crossover, Whitley et al. 2009). True if the labeling changed.
bool PrimalSearch::cross(std::span<const std::int32_t> other) {
  ++visits_;
  bool changed = false;
  for (auto root : labeling_.open()) {
    --budget_;
    if (seen_[root] == visits_ || labeling_.label(root) == other[root]) continue;
    component_.assign(1, root);
    seen_[root] = visits_;
    for (std::size_t i = 0; i < component_.size(); ++i)
      for (auto w : labeling_.neighbors(component_[i]))
        if (seen_[w] != visits_ && labeling_.label(w) != other[w]) {
          seen_[w] = visits_;
          component_.push_back(w);
        }
    const double before = merit();
    const auto mark = journal_.size();
    for (auto v : component_) move(v, other[v]);
    if (merit() > before + labeling_.least()) {
      changed = true;
    } else {
      take_back(mark);
    }
  }
  return changed;
}

// The best mixture with another labeling, as far as a cut can tell. True if the labeling is better than before.
bool PrimalSearch::mix(std::span<const std::int32_t> other) {
  constexpr double kEnough = 0.9;
  const double before = merit();
  const auto mark = journal_.size();
  for (auto v : cuts_.run(other)) move(v, other[v]);
  budget_ -= cuts_.cost();
  is_cut_useful_ = is_cut_useful_ && cuts_.share() >= kEnough;
  if (merit() > before + labeling_.least()) return true;
  take_back(mark);
  return false;
}

// One label after the other is offered to all vertices, until none of them is taken up. If the budget ends before that,
// the next run goes on.
void PrimalSearch::expand() {
  std::vector<std::int32_t> other(static_cast<std::size_t>(labeling_.vertices()));
  for (; refused_ < most_labels_ && is_cut_useful_ && budget_ > 0; expanded_ = (expanded_ + 1) % most_labels_) {
    for (std::int32_t v = 0; v < labeling_.vertices(); ++v)
      other[v] = expanded_ < labeling_.labels(v) ? expanded_ : labeling_.label(v);
    refused_ = mix(other) ? 0 : refused_ + 1;
  }
}

// Half way to another labeling, by the best steps; goes on from the best place (Glover 1997).
void PrimalSearch::relink(std::span<const std::int32_t> other) {
  queue_.clear();
  for (auto v : labeling_.open())
    if (labeling_.label(v) != other[v]) queue_.push_back(v);
  constexpr std::size_t kMany = 512;  // steps that are chosen among all
  random_.shuffle(queue_);
  for (auto left = queue_.size(), end = queue_.size() / 2; left > end && budget_ > 0; --left) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < std::min(left, kMany); ++i)
      if (gain(queue_[i], other[queue_[i]]) > gain(queue_[best], other[queue_[best]])) best = i;
    budget_ -= static_cast<std::int64_t>(std::min(left, kMany));
    move(queue_[best], other[queue_[best]]);
    queue_[best] = queue_[left - 1];
  }
}

void PrimalSearch::restart() {
  const auto open = labeling_.open();
  auto elite = [&]() -> const Elite& { return elites_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(elites_.size())))]; };
  const auto way = random_.below(4);
  if (elites_.empty() || way == 0) {
    start_greedily();
  } else {
    labeling_.set(elite().label);
    if (way == 1) {
      relink(elite().label);
    } else {
      for (auto v : open)
        if (random_.below(4) == 0) move(v, random_label(v));
    }
  }
  journal_.clear();
  descend(open);
  refused_ = 0;
  expand();
  grow_trees(open, 2);
  note();
  journal_.clear();
}

// Vertices in random order take the label that is best beside those that have one (the first time: in order).
void PrimalSearch::start_greedily() {
  std::vector<std::int32_t> label(static_cast<std::size_t>(labeling_.vertices()));
  for (std::int32_t v = 0; v < labeling_.vertices(); ++v) label[v] = random_label(v);
  labeling_.set(label);
  budget_ -= labeling_.vertices();
  if (started_) return;
  started_ = true;
  descend(labeling_.open());
  refused_ = 0;
  expand();
  grow_trees(labeling_.open(), 2);
  note();
  journal_.clear();
}

}  // namespace treaty::solve

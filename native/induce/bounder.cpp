#include "induce/bounder.hpp"

#include <algorithm>
#include <limits>

#include "induce/likelihood.hpp"

namespace treaty::induce {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kNarrow = 16;      // steps of the grid; narrower boxes are not cut
constexpr double kInside = 0.1;  // minimum distance of a cut from the ends of a box, as a share of the box
constexpr double kLesser = 0.5;  // weight of the larger of two gains, relative to the smaller
constexpr int kPrices = 6;       // number of prices of the posterior constraint tried per box
constexpr double kFirstPrice = 0.5;

}  // namespace

Bounder::Bounder(const Problem& problem)
    : problem_(&problem),
      distributions_(distributions(problem.corpus.layout)),
      parser_(problem.corpus),
      chart_(problem.corpus.layout) {
  const auto features = static_cast<std::size_t>(problem.corpus.layout.size());
  for (auto* array : {&weights_, &charged_, &counts_}) array->resize(features);
  for (auto* array : {&x_, &n_}) array->resize(static_cast<std::size_t>(problem.choices.size()));
  lanes_.resize(features);
}

double Bounder::bound_at(double price) {
  const auto& posterior = problem_->posterior;
  std::fill(counts_.begin(), counts_.end(), 0.0);
  if (!posterior.any()) return parser_.parse(weights_, counts_) + problem_->choices.added(weights_);
  posterior.charge(price, weights_, charged_);
  return parser_.parse(charged_, counts_) + price * posterior.most + problem_->choices.added(weights_);
}

// The bound is convex in the price; the counts of the trees show on which side the best price is.
double Bounder::bound(ConstBox box, double& price, double threshold) {
  problem_->choices.weigh(box, weights_);
  double best = bound_at(price);
  if (!problem_->posterior.any()) return best;
  double low = 0.0, high = -1.0, tried = price;
  for (int i = 0; i < kPrices && best > threshold && best != kNever; ++i) {
    if (problem_->posterior.allows(counts_)) {
      if (tried == 0.0) break;
      high = tried;
    } else {
      low = tried;
    }
    tried = high >= 0.0 ? 0.5 * (low + high) : 2.0 * low + kFirstPrice;
    if (const double found = bound_at(tried); found < best) best = found, price = tried;
  }
  return best;
}

void Bounder::see(Expansion& expansion) const {
  if (!problem_->posterior.allows(counts_)) return;
  const double objective = log_likelihood(distributions_, counts_, problem_->smoothing);
  if (objective <= expansion.seen) return;
  expansion.seen = objective;
  expansion.counts = counts_;
}

// The choices whose chords are highest above h at the trees found; cuts are between these trees and the middle.
void Bounder::find_candidates(ConstBox box) {
  const auto& choices = problem_->choices;
  choices.totals(counts_, x_, n_);
  ranked_.clear();
  for (int c = 0; c < choices.size(); ++c) {
    const Point low = box[2 * c], high = box[2 * c + 1];
    if (high - low < kNarrow) continue;
    const double width = ratio(high) - ratio(low);
    const double loose = n_[c] > 0.0 ? n_[c] * slack(low, high, x_[c] / n_[c]) : 0.0;
    ranked_.emplace_back(-loose - 1e-6 * width * choices[c].most, c);
  }
  const auto some = std::min<std::size_t>(kLanes / 2, ranked_.size());
  std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(some), ranked_.end());
  candidates_.clear();
  for (std::size_t i = 0; i < some; ++i) {
    const int c = ranked_[i].second;
    const double low = ratio(box[2 * c]), high = ratio(box[2 * c + 1]), margin = kInside * (high - low);
    const double found = n_[c] > 0.0 ? std::clamp(x_[c] / n_[c], low, high) : 0.5 * (low + high);
    const double at = std::clamp(0.25 * (low + high) + 0.5 * found, low + margin, high - margin);
    candidates_.push_back({c, choices.cut(c, box, at), 0.0, 0.0});
  }
}

void Bounder::set_lane(int lane, int choice, Box box, double price) {
  const auto& choices = problem_->choices;
  const int distribution = choices[choice].distribution;
  choices.weigh(distribution, box, charged_);
  for (int m : choices.values(distribution)) {
    const double charge = problem_->posterior.any() ? price * problem_->posterior.others[m] : 0.0;
    lanes_[m].set(lane, charged_[m] - charge);
  }
}

// Both parts of all candidates in one pass over the sentences. A part's weights differ from the whole box's in one
// distribution only.
void Bounder::bound_candidates(Box box, double price, double parent) {
  const auto& [corpus, choices, smoothing, posterior] = *problem_;
  choices.weigh(box, weights_);
  if (posterior.any()) posterior.charge(price, weights_, charged_);
  const auto& whole = posterior.any() ? charged_ : weights_;
  for (std::size_t m = 0; m < lanes_.size(); ++m) lanes_[m].fill(whole[m]);
  double constant[kLanes];
  const double rest = choices.added(weights_) + price * posterior.most;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const int c = candidates_[i].choice, d = choices[c].distribution;
    const Point ends[2] = {box[2 * c], box[2 * c + 1]};
    for (int part : {0, 1}) {
      box[2 * c + 1 - part] = part == 0 ? candidates_[i].cut.low : candidates_[i].cut.high;
      set_lane(static_cast<int>(2 * i) + part, c, box, price);
      constant[2 * i + part] = rest;
      if (smoothing > 0.0)
        for (int m : choices.values(d)) constant[2 * i + part] += smoothing * (charged_[m] - weights_[m]);
      box[2 * c] = ends[0], box[2 * c + 1] = ends[1];
    }
  }
  double score[kLanes] = {};
  for (int s = 0; s < corpus.size(); ++s) {
    const auto best = chart_.best(corpus.sentence(s), lanes_);
    const double times = corpus.copies[s] * (1.0 - relative_error(corpus.length(s)));
    for (int lane = 0; lane < kLanes; ++lane) score[lane] += times * best[lane];
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].low = std::min(parent, score[2 * i] + constant[2 * i]);
    candidates_[i].high = std::min(parent, score[2 * i + 1] + constant[2 * i + 1]);
  }
}

void Bounder::expand(const Part& node, double threshold, Expansion& expansion) {
  expansion.parts.clear();
  expansion.closed = expansion.seen = kNever;
  auto box = node.box;
  double price = node.price;
  double parent = std::min(node.bound, bound(box, price, threshold));
  see(expansion);
  const auto close = [&](double bound) { expansion.closed = std::max(expansion.closed, bound); };
  if (parent <= threshold) return close(parent);
  find_candidates(box);
  if (candidates_.empty()) return close(parent);  // the box cannot be cut further
  bound_candidates(box, price, parent);
  const Candidate* chosen = nullptr;
  double gain = kNever;
  for (const auto& candidate : candidates_) {
    const auto [choice, cut, low, high] = candidate;
    if (low <= threshold || high <= threshold) {  // the box shrinks to the part that is left
      close(low <= threshold ? low : high);
      if (low <= threshold && high <= threshold) return close(std::max(low, high));
      parent = std::min(parent, std::max(low, high));
      (low <= threshold ? box[2 * choice] : box[2 * choice + 1]) = low <= threshold ? cut.high : cut.low;
      continue;
    }
    const auto [less, more] = std::minmax({parent - low, parent - high});
    if (less + kLesser * more > gain) gain = less + kLesser * more, chosen = &candidate;
  }
  if (chosen == nullptr) {
    expansion.parts.push_back({parent, price, box});
    return;
  }
  for (int part : {0, 1}) {
    expansion.parts.push_back({std::min(parent, part == 0 ? chosen->low : chosen->high), price, box});
    expansion.parts.back().box[2 * chosen->choice + 1 - part] = part == 0 ? chosen->cut.low : chosen->cut.high;
  }
}

}  // namespace treaty::induce

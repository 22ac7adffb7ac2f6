#include "induce/choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "induce/lanes.hpp"
#include "induce/likelihood.hpp"
#include "learn/host.hpp"

namespace treaty::induce {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kWhole = 1e-9;      // tolerance for integers
constexpr int kMostFractions = 512;  // with larger counts, fractions of integers are too dense to distinguish

// h on the grid, precomputed since boxes use it often.
const std::vector<double>& heights() {
  static const std::vector<double> table = [] {
    std::vector<double> all(kGrid + 1);
    for (int i = 0; i <= kGrid; ++i) all[i] = entropy(ratio(static_cast<Point>(i)));
    return all;
  }();
  return table;
}

Point below(double p) { return static_cast<Point>(std::clamp(std::floor(p * kGrid), 0.0, 1.0 * kGrid)); }
Point above(double p) { return static_cast<Point>(std::clamp(std::ceil(p * kGrid), 0.0, 1.0 * kGrid)); }

// The chord over a box, continued to p = 1 and to p = 0: the weights of x and of y.
std::pair<double, double> chord(Point low, Point high) {
  const auto& h = heights();
  const double l = ratio(low);
  if (low == high) {  // the tangent
    const double x = low == 0 ? kNever : label::logarithm(l);
    return {x, low == kGrid ? kNever : label::logarithm(1.0 - l)};
  }
  const double slope = (h[high] - h[low]) / (ratio(high) - l);
  const double y = h[low] - slope * l;
  return {y + slope, y};
}

// The maximum over all trees of sums of features (or the minimum, for a sign of -1), in lanes: the sums are integers,
// which single precision represents exactly.
std::vector<double> most_of(const Corpus& corpus, std::span<const std::span<const int>> sums, double sign) {
  std::vector<double> found(sums.size());
  std::vector<Lanes> weights(static_cast<std::size_t>(corpus.layout.size()));
  LaneChart chart(corpus.layout);
  for (std::size_t first = 0; first < sums.size(); first += kLanes) {
    const auto some = sums.subspan(first, std::min<std::size_t>(kLanes, sums.size() - first));
    for (auto& weight : weights) weight.fill(0.0);
    for (std::size_t lane = 0; lane < some.size(); ++lane)
      for (int m : some[lane]) weights[m].set(static_cast<int>(lane), sign);
    for (int s = 0; s < corpus.size(); ++s) {
      learn::check_interrupt();
      const auto best = chart.best(corpus.sentence(s), weights);
      for (std::size_t lane = 0; lane < some.size(); ++lane)
        found[first + lane] += sign * corpus.copies[s] * best[static_cast<int>(lane)];
    }
  }
  return found;
}

}  // namespace

double entropy(double p) { return x_log_x(p) + x_log_x(1.0 - p); }

double slack(Point low, Point high, double p) {
  if (low == high) return 0.0;
  const auto& h = heights();
  const double l = ratio(low), u = ratio(high), within = std::clamp(p, l, u);
  return h[low] + (h[high] - h[low]) * (within - l) / (u - l) - entropy(within);
}

Choices::Choices(const Corpus& corpus, double smoothing, std::span<const double> frequent) : smoothing_(smoothing) {
  std::vector<int> features(static_cast<std::size_t>(corpus.layout.size()));
  std::iota(features.begin(), features.end(), 0);
  std::vector<std::span<const int>> single;
  for (const int& m : features) single.emplace_back(&m, 1);
  const auto most = most_of(corpus, single, 1.0), least = most_of(corpus, single, -1.0);
  for (const auto [first, many] : distributions(corpus.layout)) {
    std::vector<int> values;
    for (int m = first; m < first + many; ++m)
      if (most[m] > 0.0 || smoothing > 0.0) values.push_back(m);  // the others never occur
    std::sort(values.begin(), values.end(), [&](int a, int b) {
      return std::tuple(-frequent[a], -most[a], a) < std::tuple(-frequent[b], -most[b], b);
    });
    first_.push_back(size());
    for (int place = 0; place + 1 < static_cast<int>(values.size()); ++place) {
      const double rest = static_cast<double>(values.size()) - place - 1.0;
      choices_.push_back({static_cast<int>(values_.size()), place, 0.0, 0.0, 0.0, 0.0, smoothing, smoothing * rest});
    }
    values_.push_back(std::move(values));
  }
  find_ranges(corpus, least, most);
}

void Choices::find_ranges(const Corpus& corpus, std::span<const double> least, std::span<const double> most) {
  std::vector<std::span<const int>> sums;
  for (const auto& choice : choices_) sums.push_back(values(choice.distribution).subspan(choice.place));
  const auto most_n = most_of(corpus, sums, 1.0), least_n = most_of(corpus, sums, -1.0);
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    auto& choice = choices_[c];
    choice.least = least_n[c], choice.most = most_n[c];
    choice.least_x = least[sums[c].front()], choice.most_x = most[sums[c].front()];
  }
}

std::vector<Point> Choices::whole() const {
  std::vector<Point> box;
  for (const auto& c : choices_) {
    const double x = c.least_x + c.added_x, y = std::max(0.0, c.least - c.most_x) + c.added_y;
    const double most_x = c.most_x + c.added_x, most_y = c.most - c.least_x + c.added_y;
    box.push_back(x > 0.0 ? below(x / (x + most_y)) : Point{0});
    box.push_back(y > 0.0 ? above(most_x / (most_x + y)) : Point{kGrid});
  }
  return box;
}

void Choices::weigh(int distribution, ConstBox box, std::span<double> weights) const {
  const auto& values = values_[distribution];
  double others = 0.0;  // the weights of "not this one" for all earlier values
  for (std::size_t place = 0; place < values.size(); ++place) {
    if (place + 1 == values.size()) {
      weights[values[place]] = others;
      break;
    }
    const auto choice = static_cast<std::size_t>(first_[distribution]) + place;
    const auto [x, y] = chord(box[2 * choice], box[2 * choice + 1]);
    weights[values[place]] = others + x;
    others += y;
  }
}

void Choices::weigh(ConstBox box, std::span<double> weights) const {
  for (int d = 0; d < static_cast<int>(values_.size()); ++d) weigh(d, box, weights);
}

double Choices::added(std::span<const double> weights) const {
  if (smoothing_ == 0.0) return 0.0;
  double sum = 0.0;
  for (double weight : weights) sum += weight;
  return smoothing_ * sum;
}

void Choices::totals(std::span<const double> counts, std::span<double> x, std::span<double> n) const {
  for (std::size_t d = 0; d < values_.size(); ++d) {
    const auto& values = values_[d];
    double sum = values.empty() ? 0.0 : counts[values.back()] + smoothing_;
    for (int place = static_cast<int>(values.size()) - 2; place >= 0; --place) {
      const int choice = first_[d] + place;
      x[choice] = counts[values[place]] + smoothing_;
      sum += x[choice];
      n[choice] = sum;
    }
  }
}

Cut Choices::cut(int choice, ConstBox box, double at) const {
  const auto& c = choices_[choice];
  const Point l = box[2 * choice], u = box[2 * choice + 1];
  double low = at, high = at;
  if (c.most <= kMostFractions) {
    // With n tokens, integers x up to at * n are on one side, x + 1 and more on the other.
    low = ratio(l), high = ratio(u);
    for (double n = c.least; n <= c.most + kWhole; ++n) {
      const double all = n + c.added_x + c.added_y;
      if (all <= 0.0) continue;
      const double x = std::floor(at * all - c.added_x + kWhole);
      low = std::max(low, (x + c.added_x) / all);
      high = std::min(high, (x + 1.0 + c.added_x) / all);
    }
  }
  return {std::clamp(above(low), l, u), std::clamp(below(high), l, u)};
}

}  // namespace treaty::induce

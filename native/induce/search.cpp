#include "induce/search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "induce/random.hpp"
#include "learn/parallel.hpp"

namespace treaty::induce {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kBatch = 64;         // nodes of a round
constexpr int kDeepBatch = 4;      // while going deep
constexpr int kMostClimbers = 16;  // climbs of a round
constexpr int kPatience = 25;      // rounds without luck, and there are half as many climbs
constexpr int kSteps = 50;         // of a climb
constexpr double kSmallest = 1e-6;  // epsilon; the grid of boxes can prove no less
constexpr std::uint64_t kFormat = 0x7472656174791001u;
constexpr int kDeepest = 100000;  // of a probe

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Search::Search(Corpus corpus, Posterior posterior, const SearchOptions& options)
    : corpus_(std::move(corpus)),
      posterior_(std::move(posterior)),
      options_(options),
      choices_(corpus_, options.smoothing),
      problem_{corpus_, choices_, options.smoothing, posterior_},
      open_(choices_.size()),
      climbers_(kMostClimbers),
      closed_(kNever),
      best_{kNever, {}, {}, 0} {
  workers_.push_back({Bounder(problem_), LocalSearch(corpus_, options_.smoothing, posterior_)});
  if (posterior_.any()) {  // are there any trees with so few other arcs?
    std::vector<double> weights(posterior_.others.size()), counts(weights.size());
    for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = -posterior_.others[m];
    Parser(corpus_).parse(weights, counts);
    feasible_ = posterior_.allows(counts);
  }
  Part root{0.0, 0.0, choices_.whole()};
  root.bound = workers_[0].bounder.bound(root.box, root.price, kNever);
  if (feasible_) open_.push(root);
}

double Search::threshold() const {
  if (best_.objective == kNever) return kNever;
  return best_.objective + std::max(options_.epsilon, kSmallest) * std::abs(best_.objective);
}

double Search::bound() const {
  if (!feasible_) return kNever;
  const double open = open_.empty() ? kNever : open_.best();
  return std::max({best_.objective, closed_, open});
}

bool Search::offer(Local& found) {
  if (!(found.objective > best_.objective)) return false;
  best_ = std::move(found);
  return true;
}

void Search::close(double bound) { closed_ = std::max(closed_, bound); }

bool Search::run(double seconds, std::uint64_t nodes, int threads) {
  const double end = seconds_now() + seconds;
  const auto last = nodes_ + std::min(nodes, std::numeric_limits<std::uint64_t>::max() - nodes_);
  while (static_cast<int>(workers_.size()) < threads) workers_.push_back(workers_.front());
  while (!done() && nodes_ < last && seconds_now() < end) {
    if (started_ < options_.restarts) restart(threads);
    else round(threads);
  }
  return done();
}

void Search::restart(int threads) {
  const int some = std::min(kMostClimbers, options_.restarts - started_);
  found_.assign(static_cast<std::size_t>(some), {});
  const auto all = distributions(corpus_.layout);
  std::vector<double> none(static_cast<std::size_t>(corpus_.layout.size())), uniform(none.size());
  treaty::induce::estimate(all, none, 0.0, uniform);
  parallel_for(some, threads, [&](int i, int worker) {
    found_[i] = workers_[worker].local.climb(uniform, stream(options_.seed, static_cast<std::uint64_t>(started_ + i)) | 1, kSteps);
  });
  for (auto& found : found_) offer(found);
  started_ += some;
}

void Search::take() {
  taken_.clear();
  const std::size_t batch = open_.deep() ? kDeepBatch : kBatch;
  const double threshold = this->threshold();
  while (!open_.empty() && taken_.size() < batch) {
    auto node = open_.pop();
    if (node.bound > threshold) taken_.push_back(std::move(node));
    else close(node.bound);
  }
}

// Even climbers disturb the best trees, odd ones go on from the trees of a node or from a fresh start.
void Search::climb(int climber, Worker& worker) {
  auto& found = found_[climber];
  const auto seed = stream(stream(options_.seed, ~rounds_), static_cast<std::uint64_t>(climber)) | 1;
  const auto node = static_cast<std::size_t>(climber);
  if (climber % 2 == 0 && best_.objective != kNever) {
    found = worker.local.improve(best_, seed, 1, kSteps);
  } else if (climber % 4 == 1 && node < taken_.size()) {
    double price = taken_[node].price;
    worker.bounder.bound(taken_[node].box, price, kNever);
    found = worker.local.climb_from(worker.bounder.counts(), kSteps);
  } else {
    std::vector<double> weights(static_cast<std::size_t>(corpus_.layout.size()));
    random_weights(distributions(corpus_.layout), seed, weights);
    found = worker.local.climb(weights, seed, kSteps);
  }
}

void Search::round(int threads) {
  take();
  const int nodes = static_cast<int>(taken_.size());
  expansions_.resize(std::max(expansions_.size(), taken_.size()));
  found_.assign(static_cast<std::size_t>(climbers_), {});
  const double threshold = this->threshold();
  parallel_for(nodes + climbers_, threads, [&](int i, int worker) {
    if (i < climbers_) climb(i, workers_[worker]);
    else workers_[worker].bounder.expand(taken_[i - climbers_], threshold, expansions_[i - climbers_]);
  });
  bool lucky = false;
  for (auto& found : found_) lucky |= offer(found);
  for (int i = 0; i < nodes; ++i)
    if (expansions_[i].seen > best_.objective) {
      auto found = workers_[0].local.climb_from(expansions_[i].counts, kSteps);
      lucky |= offer(found);
    }
  idle_ = lucky ? 0 : idle_ + 1;
  if (lucky) climbers_ = kMostClimbers;
  else if (idle_ % kPatience == 0) climbers_ = std::max(1, climbers_ / 2);
  const double now = this->threshold();
  for (int i = 0; i < nodes; ++i) {
    close(expansions_[i].closed);
    for (const auto& part : expansions_[i].parts)
      if (part.bound > now) open_.push(part);
      else close(part.bound);
  }
  nodes_ += static_cast<std::uint64_t>(nodes);
  ++rounds_;
  keep_within_memory();
}

void Search::keep_within_memory() {
  if (!open_.deep() && open_.memory() > options_.memory / 10 * 9) open_.go_deep();
  else if (open_.deep() && open_.memory() < options_.memory / 2) open_.go_best_first();
}

double Search::estimate(int probes, std::uint64_t seed) {
  double total = 0.0;
  Expansion expansion;
  for (int probe = 0; probe < probes; ++probe) {
    Random random(stream(seed, static_cast<std::uint64_t>(probe)));
    Part node{std::numeric_limits<double>::infinity(), 0.0, choices_.whole()};
    double like = 1.0;  // how many nodes there are at this depth, as far as this way can tell
    for (int depth = 0; depth < kDeepest; ++depth) {
      total += like;
      workers_[0].bounder.expand(node, threshold(), expansion);
      if (expansion.parts.empty()) break;
      like *= static_cast<double>(expansion.parts.size());
      node = expansion.parts[random.next() % expansion.parts.size()];
    }
  }
  return total / std::max(1, probes);
}

void Search::visit(const std::string& path, Archive::Mode mode, std::uint64_t identity) {
  Archive archive(path, mode);
  archive.expect(kFormat, "it is not a search, or of another version");
  archive.expect(identity, "it is of another corpus or other settings");
  archive.value(started_);
  archive.value(nodes_);
  archive.value(rounds_);
  archive.value(climbers_);
  archive.value(idle_);
  archive.value(closed_);
  archive.value(best_.objective);
  archive.value(best_.steps);
  archive.vector(best_.counts);
  archive.vector(best_.heads);
  open_.visit(archive);
  archive.finish();
}

}  // namespace treaty::induce

#include "induce/search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "induce/counts.hpp"
#include "induce/random.hpp"
#include "learn/parallel.hpp"

namespace treaty::induce {
namespace {

using learn::parallel_for;

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kBatch = 64;         // nodes of a round
constexpr int kDeepBatch = 4;      // in depth-first mode
constexpr int kMostClimbers = 16;  // runs of local search per round
constexpr int kPatience = 25;      // rounds without improvement after which the number of runs is halved
constexpr int kMostFailed = 150;   // runs from the same trees after which local search starts again
constexpr int kSteps = 50;         // steps per run
constexpr int kFirstClimbs = 64;   // runs to find a good order of the choices of each distribution
constexpr double kSmallest = 1e-6;  // gap; the grid of boxes can prove no less
constexpr int kDeepest = 100000;  // maximum depth of a random descent
constexpr int kFromNodes = 5;     // one run of this many starts at a node

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool within(const Part& part, ConstBox whole) {
  if (part.box.size() != whole.size() || !std::isfinite(part.bound) || !std::isfinite(part.price)) return false;
  for (std::size_t i = 0; i < whole.size(); i += 2)
    if (part.box[i] < whole[i] || part.box[i] > part.box[i + 1] || part.box[i + 1] > whole[i + 1]) return false;
  return true;
}

std::vector<double> uniform(const Layout& layout) {
  const std::vector<double> none(static_cast<std::size_t>(layout.size()));
  std::vector<double> weights(none.size());
  estimate(distributions(layout), none, 0.0, weights);
  return weights;
}

std::vector<double> counts_of(const Local& trees, const Layout& layout) {
  return trees.heads.empty() ? std::vector<double>(static_cast<std::size_t>(layout.size())) : trees.counts;
}

}  // namespace

Search::Search(Corpus corpus, Posterior posterior, const SearchOptions& options)
    : corpus_(std::move(corpus)),
      posterior_(std::move(posterior)),
      options_(options),
      best_(first_trees()),
      choices_(corpus_, options.smoothing, counts_of(best_, corpus_.layout)),
      problem_{corpus_, choices_, options.smoothing, posterior_},
      open_(choices_.size()),
      climbers_(kMostClimbers),
      closed_(kNever),
      current_(best_) {
  workers_.push_back({Bounder(problem_), LocalSearch(corpus_, options_.smoothing, posterior_)});
  if (posterior_.any()) {  // check that the constraint is feasible
    std::vector<double> weights(posterior_.others.size()), counts(weights.size());
    for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = -posterior_.others[m];
    Parser(corpus_).parse(weights, counts);
    feasible_ = posterior_.allows(counts);
  }
  Part root{0.0, 0.0, choices_.whole()};
  root.bound = workers_[0].bounder.bound(root.box, root.price, kNever);
  if (feasible_) open_.push(root);
}

Local Search::first_trees() const {
  LocalSearch local(corpus_, options_.smoothing, posterior_);
  Local best{kNever, {}, {}, 0};
  const auto weights = uniform(corpus_.layout);
  for (int i = 0; i < kFirstClimbs; ++i) {
    const auto seed = stream(~options_.seed, static_cast<std::uint64_t>(i)) | 1;
    const bool fresh = i < kMostClimbers || best.objective == kNever;
    auto found = fresh ? local.climb(weights, seed, kSteps) : local.kick(best.counts, seed, kSteps);
    if (found.objective > best.objective) best = std::move(found);
  }
  return best;
}

double Search::threshold() const {
  if (best_.objective == kNever) return kNever;
  return best_.objective + std::max(options_.relative_gap, kSmallest) * std::abs(best_.objective);
}

double Search::bound() const {
  if (!feasible_) return kNever;
  const double open = open_.empty() ? kNever : open_.best();
  return std::max({best_.objective, closed_, open});
}

bool Search::offer(const Local& found) {
  if (!(found.objective > best_.objective)) return false;
  best_ = found;
  return true;
}

void Search::close(double bound) { closed_ = std::max(closed_, bound); }

bool Search::run(double seconds, std::uint64_t nodes, int threads) {
  const double end = seconds_now() + seconds;
  const auto last = nodes_ + std::min(nodes, std::numeric_limits<std::uint64_t>::max() - nodes_);
  while (static_cast<int>(workers_.size()) < learn::usable_threads(threads)) workers_.push_back(workers_.front());
  while (!done() && nodes_ < last && seconds_now() < end) {
    if (started_ < options_.restarts) restart(threads);
    else round(threads);
  }
  return done();
}

void Search::restart(int threads) {
  const int some = std::min(kMostClimbers, options_.restarts - started_);
  found_.assign(static_cast<std::size_t>(some), {});
  const auto weights = uniform(corpus_.layout);
  parallel_for(some, threads, [&](int i, int worker) {
    const auto seed = stream(options_.seed, static_cast<std::uint64_t>(started_ + i)) | 1;
    found_[i] = workers_[worker].local.climb(weights, seed, kSteps);
  });
  for (const auto& found : found_) offer(found);
  started_ += some;
  current_ = best_;
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

// Most runs perturb the current trees, some start from the trees of a node.
void Search::climb(int climber, Worker& worker) {
  const auto seed = stream(stream(options_.seed, ~rounds_), static_cast<std::uint64_t>(climber)) | 1;
  const auto node = static_cast<std::size_t>(climber);
  if (current_.objective == kNever) {
    found_[climber] = worker.local.climb(uniform(corpus_.layout), seed, kSteps);
  } else if (seed % kFromNodes == 0 && node < taken_.size()) {
    double price = taken_[node].price;
    worker.bounder.bound(taken_[node].box, price, kNever);
    found_[climber] = worker.local.climb_from(worker.bounder.counts(), kSteps);
  } else {
    found_[climber] = worker.local.kick(current_.counts, seed, kSteps);
  }
}

// Collects the results of a round; returns whether the incumbent was improved.
bool Search::gather(int nodes, Worker& worker) {
  bool lucky = false;
  for (const auto& found : found_) {
    lucky |= offer(found);
    failed_ = found.objective > current_.objective ? 0 : failed_ + 1;
    if (failed_ == 0) current_ = found;
  }
  for (int i = 0; i < nodes; ++i)
    if (expansions_[i].seen > best_.objective) lucky |= offer(worker.local.climb_from(expansions_[i].counts, kSteps));
  if (failed_ > kMostFailed) current_ = {kNever, {}, {}, 0}, failed_ = 0;
  return lucky;
}

void Search::round(int threads) {
  take();
  const int nodes = static_cast<int>(taken_.size());
  expansions_.resize(std::max(expansions_.size(), taken_.size()));
  found_.assign(static_cast<std::size_t>(climbers_), {});
  const double threshold = this->threshold();
  const auto best = best_, current = current_;
  const int failed = failed_;
  bool lucky = false;
  try {
    parallel_for(nodes + climbers_, threads, [&](int i, int worker) {
      if (i < climbers_) climb(i, workers_[worker]);
      else workers_[worker].bounder.expand(taken_[i - climbers_], threshold, expansions_[i - climbers_]);
    });
    lucky = gather(nodes, workers_[0]);
  } catch (...) {  // interrupted: the nodes are still open, and the round is repeated if the search goes on
    for (const auto& node : taken_) open_.push(node);
    best_ = best, current_ = current, failed_ = failed;
    throw;
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

std::pair<double, int> Search::descend(std::uint64_t seed, std::uint64_t number) {
  Random random(stream(seed, number));
  Expansion expansion;
  Part node{std::numeric_limits<double>::infinity(), 0.0, choices_.whole()};
  double total = 0.0, like = 1.0;  // estimated number of nodes at this depth
  int depth = 0;
  while (depth < kDeepest) {
    ++depth;
    total += like;
    workers_[0].bounder.expand(node, threshold(), expansion);
    if (expansion.parts.empty()) break;
    like *= static_cast<double>(expansion.parts.size());
    node = expansion.parts[random.next() % expansion.parts.size()];
  }
  return {total, depth};
}

void Search::start_share(std::uint64_t number) {
  while (!open_.empty()) open_.pop();
  if (open_.deep()) open_.go_best_first();
  closed_ = kNever;
  nodes_ = 0;
  rounds_ = number << 32;
}

std::vector<Part> Search::hand_over(std::size_t most) {
  std::vector<Part> parts;
  while (!open_.empty() && parts.size() < most) parts.push_back(open_.pop());
  return parts;
}

void Search::take_over(std::span<const Part> parts, double closed, std::uint64_t nodes) {
  const auto whole = choices_.whole();
  for (const auto& part : parts)
    if (!within(part, whole)) throw std::invalid_argument("this is no box of the search");
  if (std::isnan(closed)) throw std::invalid_argument("expected a bound");
  for (const auto& part : parts) open_.push(part);
  close(closed);
  nodes_ += nodes;
  keep_within_memory();
}

bool Search::adopt(std::vector<std::int32_t> heads) {
  if (heads.size() != corpus_.tokens.size()) throw std::invalid_argument("expected a head for every token");
  auto counts = count_all(corpus_, heads);
  if (!posterior_.allows(counts)) throw std::invalid_argument("these trees do not satisfy the constraint");
  const double objective = workers_[0].local.objective(counts);
  const bool better = offer({objective, std::move(counts), std::move(heads), 0});
  if (better) current_ = best_, failed_ = 0;
  return better;
}

void Search::save_with(int file, std::uint64_t identity, std::span<const Part> parts) {
  const auto before = open_.mark();
  for (const auto& part : parts) open_.push(part);
  try {
    visit(file, Archive::kWrite, identity);
  } catch (...) {
    open_.drop_since(before);
    throw;
  }
  open_.drop_since(before);
}

void Search::visit(int file, Archive::Mode mode, std::uint64_t identity) {
  Archive archive(file, mode, identity);
  archive.value(started_);
  archive.value(nodes_);
  archive.value(rounds_);
  archive.value(climbers_);
  archive.value(idle_);
  archive.value(closed_);
  archive.value(failed_);
  for (auto* local : {&best_, &current_}) {
    archive.value(local->objective);
    archive.value(local->steps);
    archive.vector(local->counts);
    archive.vector(local->heads);
  }
  open_.visit(archive);
  archive.finish();
  if (archive.reading()) check();
}

// What was read is in range, whoever wrote it: no index and no size leads astray.
void Search::check() const {
  const auto sound = [&](const Local& local) {
    if (local.heads.empty()) return local.objective == kNever && local.counts.empty();
    return std::isfinite(local.objective) && count_all(corpus_, local.heads) == local.counts;
  };
  const bool counters = started_ >= 0 && started_ <= options_.restarts && climbers_ >= 1 && climbers_ <= kMostClimbers &&
                        idle_ >= 0 && failed_ >= 0 && failed_ <= kMostFailed;
  if (!counters || std::isnan(closed_) || !sound(best_) || !sound(current_) || !open_.within(choices_.whole()))
    throw std::runtime_error("it is damaged");
}

}  // namespace treaty::induce

#include "parse/sentence_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace treaty::parse {

using graph::kInfinity;

Arcs arcs_of(int words, std::span<const std::int32_t> head, std::span<const std::int32_t> modifier) {
  if (words < 0 || head.size() != modifier.size()) throw std::invalid_argument("expected a head and a modifier for every arc");
  std::vector<std::int32_t> pairs;
  for (std::size_t a = 0; a < head.size(); ++a) {
    if (head[a] < 0 || head[a] > words || modifier[a] < 1 || modifier[a] > words || head[a] == modifier[a])
      throw std::invalid_argument("a candidate arc is not between words of the sentence, or from the root to one");
    pairs.insert(pairs.end(), {head[a], modifier[a]});
  }
  Arcs arcs;
  arcs.reset(words);
  for (int node = 0; node <= words; ++node) arcs.close();
  insert_arcs(pairs, arcs);
  return arcs;
}

void SentenceParts::note(std::int32_t part, Family family, std::initializer_list<std::int32_t> words) {
  if (!parts_.order().has[family]) return;  // its place is there for the sake of another family
  description_.family[part] = static_cast<std::uint8_t>(family);
  std::ranges::copy(words, description_.words.begin() + static_cast<std::ptrdiff_t>(part) * kWords);
}

void SentenceParts::describe() {
  const auto n = static_cast<std::size_t>(parts_.size());
  description_ = {std::vector<std::uint8_t>(n, kNone), std::vector<std::int32_t>(n * kWords, -1),
                  std::vector<std::uint8_t>(n, 0)};
  for (int a = 0; a < arcs_.size(); ++a) note(a, kArc, {arcs_.head[a], arcs_.modifier[a]});
  for (const auto& side : parts_.sides()) describe_side(side);
  describe_pairs();
}

void SentenceParts::describe_side(const Side& side) {
  const int n = side.modifiers(), h = side.head;
  std::vector<std::int32_t> word{-1};
  for (auto a : parts_.outward(side)) word.push_back(arcs_.modifier[a]);
  word.push_back(arcs_.words + 1);
  for (int i = 0; i < side.grandparents; ++i) {
    const auto g = arcs_.head[side.incoming + i];
    for (int b = 1; side.grandparent >= 0 && b <= n; ++b) {
      const auto part = side.grandparent + i * n + b - 1;
      if (word[b] == g) description_.forbidden[part] = 1;  // never both: that would be a cycle
      else note(part, kGrandparent, {h, g, word[b]});
    }
    for (int a = 0; side.grand_sibling >= 0 && a <= n; ++a)
      for (int b = a + 1; b <= n + 1; ++b)
        if (word[a] != g && word[b] != g)
          note(side.grand_sibling + i * side.pairs() + side.pair(a, b), kGrandSibling, {h, g, word[a], word[b]});
  }
  for (int a = 0; a <= n; ++a)
    for (int b = a + 1; b <= n + 1; ++b) {
      if (side.sibling >= 0) note(side.sibling + side.pair(a, b), kSibling, {h, word[a], word[b]});
      for (int c = b + 1; side.tri_sibling >= 0 && c <= n + 1; ++c)
        note(side.tri_sibling + side.triple(a, b, c), kTriSibling, {h, word[a], word[b], word[c]});
    }
}

// The same order as in Parts::list_pairs and Extractor.
void SentenceParts::describe_pairs() {
  for (int h = 0; parts_.order().has[kArbitrarySibling] && h <= arcs_.words; ++h) {
    const auto leaving = parts_.leaving(h);
    auto part = parts_.arbitrary_siblings(h);
    for (std::size_t i = 0; i < leaving.size(); ++i)
      for (std::size_t j = i + 1; j < leaving.size(); ++j, ++part)
        note(part, kArbitrarySibling, {h, arcs_.modifier[leaving[i]], arcs_.modifier[leaving[j]]});
  }
  for (int m = 2; parts_.order().has[kHeadBigram] && m <= arcs_.words; ++m) {
    auto part = parts_.head_bigrams(m);
    for (auto i = arcs_.begin[m - 1]; i < arcs_.begin[m]; ++i)
      for (auto j = arcs_.begin[m]; j < arcs_.begin[m + 1]; ++j, ++part)
        note(part, kHeadBigram, {m, arcs_.head[i], arcs_.head[j]});
  }
  for (int a = 0; parts_.order().has[kNonProjective] && a < arcs_.size(); ++a)
    if (arcs_.head[a] > 0 && std::abs(arcs_.head[a] - arcs_.modifier[a]) > 1)  // others are always projective
      note(parts_.non_projective(a), kNonProjective, {arcs_.head[a], arcs_.modifier[a]});
  for (int above = 1; parts_.order().has[kPath] && above <= arcs_.words; ++above)
    for (int word = 1; word <= arcs_.words; ++word)
      if (word != above) note(parts_.path(above, word), kPath, {above, word});
}

std::vector<double> SentenceParts::scores(const ScoringModel& model, const Sequences& sentences, int sentence) const {
  if (sentences.length(sentence) != arcs_.words + 1) throw std::invalid_argument("the parts are of another sentence");
  Extractor extractor(model.templates, model.weights, model.coarse, model.width);
  extractor.run(sentences, sentence, parts_, false);
  return extractor.scores();
}

SentenceParts::Features SentenceParts::features(const ScoringModel& model, const Sequences& sentences,
                                                int sentence) const {
  if (sentences.length(sentence) != arcs_.words + 1) throw std::invalid_argument("the parts are of another sentence");
  Extractor extractor(model.templates, model.weights, model.coarse, model.width);
  extractor.run(sentences, sentence, parts_, true);
  Features all;
  for (std::int32_t part = 0; part < parts_.size(); ++part) {
    for (auto place : extractor.features(part)) all.places.push_back(static_cast<std::int32_t>(place));
    all.begin.push_back(static_cast<std::int64_t>(all.places.size()));
  }
  return all;
}

std::vector<std::int32_t> SentenceParts::of_tree(std::span<const std::int32_t> head) {
  if (static_cast<int>(head.size()) != arcs_.words + 1) throw std::invalid_argument("expected a head for every word");
  for (int m = 1; m <= arcs_.words; ++m)
    if (head[m] < 0 || head[m] > arcs_.words || arcs_.find(head[m], m) < 0)
      throw std::invalid_argument("an arc of the tree is not a candidate");
  std::vector<std::int32_t> parts;
  parts_.of_tree(head, parts);
  std::erase_if(parts, [&](auto part) { return description_.family[part] == kNone; });
  std::ranges::sort(parts);
  return parts;
}

std::vector<double> SentenceParts::checked(std::span<const double> score) const {
  if (static_cast<std::int32_t>(score.size()) != parts_.size()) throw std::invalid_argument("expected a score for every part");
  std::vector<double> all(score.size(), 0.0);
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (description_.forbidden[p]) all[p] = -kInfinity;
    else if (description_.family[p] != kNone) all[p] = score[p];
    else continue;
    if (!description_.forbidden[p] && !std::isfinite(all[p])) throw std::invalid_argument("the score of a part is not finite");
  }
  return all;
}

Tree SentenceParts::decode(std::span<const double> score, const DecoderOptions& options) {
  Tree tree;
  const auto all = checked(score);
  Decoder().decode(parts_, all, options, tree);
  return tree;
}

std::pair<Graph, std::vector<PathVariable>> SentenceParts::graph(std::span<const double> score,
                                                                 const DecoderOptions& options) {
  const auto all = checked(score);
  Graph graph;
  PathGraph paths(parts_);
  double constant = 0.0;
  build_graph(parts_, all, options, paths, graph, constant);
  graph.fix(graph.add_variables({&constant, 1}), 1);
  return {std::move(graph), paths.variables()};
}

}  // namespace treaty::parse

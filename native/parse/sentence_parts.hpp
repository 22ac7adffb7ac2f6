// The parts of one sentence over its candidate arcs, for scores from anywhere: listed, described, decoded.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "parse/decoder.hpp"
#include "parse/model.hpp"

namespace treaty::parse {

// Candidate arcs in order, each once.
Arcs arcs_of(int words, std::span<const std::int32_t> head, std::span<const std::int32_t> modifier);

class SentenceParts {
 public:
  static constexpr int kWords = 4;
  static constexpr std::uint8_t kNone = 255;

  // What a part is made of: its family, and its words in the order of the family's roles (src/treaty/parse/
  // _templates.py). START is -1 and so are the roles that a family lacks; END is one more than the number of words.
  // kNone is a place among the parts that no tree has or that always scores 0.
  struct Description {
    std::vector<std::uint8_t> family;
    std::vector<std::int32_t> words;  // kWords for each
    std::vector<std::uint8_t> forbidden;
  };
  // The weights that each part's score is the sum of.
  struct Features {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> places;
  };

  SentenceParts(Arcs arcs, const Order& order) : arcs_(std::move(arcs)) { parts_.list(arcs_, order); describe(); }
  SentenceParts(const SentenceParts&) = delete;
  SentenceParts& operator=(const SentenceParts&) = delete;

  const Arcs& arcs() const { return arcs_; }
  std::int32_t size() const { return parts_.size(); }
  const Description& description() const { return description_; }

  std::vector<double> scores(const ScoringModel& model, const Sequences& sentences, int sentence) const;
  Features features(const ScoringModel& model, const Sequences& sentences, int sentence) const;
  // The parts of a tree, all of whose arcs must be candidates.
  std::vector<std::int32_t> of_tree(std::span<const std::int32_t> head);
  // These take one finite score for each part; those of places that are no parts, or that no tree may have, are ignored.
  Tree decode(std::span<const double> score, const DecoderOptions& options);
  // With the score that all trees have in common as that of one more variable, which is fixed on.
  std::pair<Graph, std::vector<PathVariable>> graph(std::span<const double> score, const DecoderOptions& options);

 private:
  void describe();
  void describe_side(const Side& side);
  void describe_pairs();
  void note(std::int32_t part, Family family, std::initializer_list<std::int32_t> words);
  std::vector<double> checked(std::span<const double> score) const;

  Arcs arcs_;
  Parts parts_;
  Description description_;
};

}  // namespace treaty::parse

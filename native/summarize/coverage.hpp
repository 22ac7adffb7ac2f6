// Which phrases say which concepts (Almeida & Martins 2013, eqs. 5-7), with no more variables than needed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace treaty::summarize {

// Where concepts stand in a row of tokens: `concept_of[o]` stands on the words from `first[o]` to `last[o]`.
struct ConceptTokens {
  std::span<const std::int32_t> node;        // of each token, -1 for punctuation
  std::span<const std::int32_t> concept_of;
  std::span<const std::int32_t> first;
  std::span<const std::int32_t> last;
};

// Throws std::invalid_argument unless concepts stand on words, and nodes are those of trees in preorder.
void check(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::size_t concepts);

// The variables of phrases, and more where a concept needs them: one that is on if several phrases all are
// (AND-WITH-OUTPUT, eq. 7), and one that is on if some of several variables are (OR-WITH-OUTPUT, eq. 6).
// Concepts that are on in the same summaries share one, and what a single phrase decides has that phrase's.
class Coverage {
 public:
  // `size` are the nodes' subtree sizes in preorder; concepts with a score of 0 get no variable.
  Coverage(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::span<const double> concept_score);

  // What each phrase is worth by itself, if a summary is given that shall be bettered. A concept that
  // several can say is credited to one: to one that the given summary has, or else to the one of the
  // highest value. That is never more than what a summary is worth and just that for the given one (a
  // minorant), so the best summary by these gains is no worse. For concepts that need several phrases at
  // once it is a guess: the one that is missing is credited, or all in equal parts.
  std::vector<double> gains(std::span<const std::uint8_t> chosen, std::span<const double> value) const;

  std::size_t nodes() const { return size_.size(); }
  std::size_t factors() const { return is_or.size(); }
  std::span<const std::int32_t> members(std::size_t factor) const {  // the inputs, and last the output
    const auto from = static_cast<std::size_t>(begin[factor]);
    return std::span(member).subspan(from, static_cast<std::size_t>(begin[factor + 1]) - from);
  }

  std::vector<double> score;                    // of the variables; the nodes come first
  std::vector<std::int32_t> concept_variable;   // -1 for concepts worth nothing
  std::vector<std::uint8_t> is_or;              // of each factor; the others are ANDs, made before their ORs
  std::vector<std::int32_t> begin{0};           // of each factor's members
  std::vector<std::int32_t> member;

 private:
  using Literal = std::vector<std::int32_t>;    // nodes that are on together, ascending

  Literal lowest(const ConceptTokens& tokens, std::size_t occurrence) const;
  void drop_implied(std::vector<Literal>& literals) const;
  std::int32_t variable_of(const Literal& literal);
  std::int32_t variable_of(const std::vector<Literal>& literals);
  std::int32_t add(bool with_or, std::span<const std::int32_t> inputs);
  bool is_below(std::int32_t node, std::int32_t top) const {
    return top <= node && node < top + size_[static_cast<std::size_t>(top)];
  }

  std::vector<std::int32_t> size_;
  std::vector<std::int32_t> and_of_;            // for each variable the factor whose output it is, -1: no AND's
  std::map<Literal, std::int32_t> known_all_;
  std::map<std::vector<Literal>, std::int32_t> known_some_;
};

}  // namespace treaty::summarize

// Which phrases cover which concepts (Almeida & Martins 2013, eqs. 5-7), with as few variables as possible.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace treaty::summarize {

// Occurrences of concepts in a sequence of tokens: `concept_of[o]` covers the words from `first[o]` to `last[o]`.
struct ConceptTokens {
  std::span<const std::int32_t> node;        // of each token, -1 for punctuation
  std::span<const std::int32_t> concept_of;
  std::span<const std::int32_t> first;
  std::span<const std::int32_t> last;
};

// Throws std::invalid_argument unless concepts cover words, and nodes are those of trees in preorder.
void check(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::size_t concepts);

// The variables of phrases, and more if a concept needs them: one that is on if several phrases all are
// (AND-WITH-OUTPUT, eq. 7), and one that is on if at least one of several variables is (OR-WITH-OUTPUT, eq. 6).
// Concepts that are covered by the same summaries share a variable; a concept that a single phrase decides uses the
// variable of that phrase.
class Coverage {
 public:
  // `size` are the nodes' subtree sizes in preorder; concepts with a score of 0 get no variable.
  Coverage(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::span<const double> concept_score);

  // Independent gains of phrases, to improve a given summary. A concept that several phrases can cover is credited to
  // one of them: to one in the given summary, or else to the one with the highest value. The sum of gains is at most
  // the score of a summary, and equal to it for the given one (a minorant), so the best summary by these gains is at
  // least as good. For concepts that need several phrases at once it is a heuristic: the missing phrase is credited, or
  // all of them equally.
  std::vector<double> gains(std::span<const std::uint8_t> chosen, std::span<const double> value) const;

  std::size_t nodes() const { return size_.size(); }
  std::size_t factors() const { return is_or.size(); }
  std::span<const std::int32_t> members(std::size_t factor) const {  // the inputs, and last the output
    const auto from = static_cast<std::size_t>(begin[factor]);
    return std::span(member).subspan(from, static_cast<std::size_t>(begin[factor + 1]) - from);
  }

  std::vector<double> score;                    // of the variables; the nodes come first
  std::vector<std::int32_t> concept_variable;   // -1 for concepts that score 0
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

#include "graph/uai.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "graph/factors.hpp"

namespace treaty::graph {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A number that overflows is infinite, one that underflows zero, as in C.
std::optional<double> to_double(std::string_view token) {
  double value = 0.0;
  const bool plus = token.size() > 1 && token[0] == '+' && token[1] != '-';
  const auto* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data() + (plus ? 1 : 0), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error != std::errc::result_out_of_range) return value;
  const auto exponent = token.find_first_of("eE");
  const bool tiny = exponent == token.npos ? token.find_first_of("123456789") > token.find('.') : token[exponent + 1] == '-';
  return tiny ? 0.0 : token[0] == '-' ? -kInfinity : kInfinity;
}

class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size();) {
      while (i < text.size() && is_space(text[i])) ++i;
      const auto begin = i;
      while (i < text.size() && !is_space(text[i])) ++i;
      if (i > begin) token_.push_back(text.substr(begin, i - begin));
    }
  }

  std::size_t size() const { return token_.size(); }
  std::size_t left() const { return token_.size() - next_; }

  // Complains of the field taken last, or of the end of the text.
  [[noreturn]] void fail(const std::string& message, std::string_view found = {}) const {
    const auto last = next_ > 0 ? next_ - 1 : 0;
    const auto offset = last < token_.size() ? static_cast<std::size_t>(token_[last].data() - text_.data()) : text_.size();
    throw UaiError(message, offset, std::string(found));
  }

  std::string_view take(const std::string& what) {
    if (next_++ >= token_.size()) fail("the file ends, expected " + what);
    return token_[next_ - 1];
  }

  // A count up to `most`, or else up to the number of fields left.
  template <class What>
  std::size_t count(const What& what, std::optional<std::size_t> most = std::nullopt) {
    if (left() == 0) take(what());
    const auto token = token_[next_++];
    if (token.find_first_not_of("0123456789") != token.npos) fail("expected " + what(), token);
    std::size_t found = 0;
    if (std::from_chars(token.data(), token.data() + token.size(), found).ec == std::errc::result_out_of_range)
      found = std::numeric_limits<std::size_t>::max();
    if (!most && found > left())
      fail("expected " + what() + ", but only " + std::to_string(left()) + " fields follow", token);
    if (most && found > *most) fail("expected " + what() + ", at most " + std::to_string(*most), token);
    return found;
  }

  // The logarithm of a potential.
  double score() {
    const auto token = token_[next_++];
    const auto potential = to_double(token);
    if (!potential) fail("expected a number", token);
    if (!std::isfinite(*potential)) fail("expected a finite number", token);
    if (*potential < 0.0) fail("a potential must not be negative", token);
    return std::log(*potential);
  }

  void finish() {
    if (left() == 0) return;
    ++next_;
    fail("expected the end of the file", token_[next_ - 1]);
  }

 private:
  std::string_view text_;
  std::vector<std::string_view> token_;
  std::size_t next_ = 0;
};

class Network {
 public:
  Network(std::string_view text, std::size_t most_free_states) : fields_(text), most_free_states_(most_free_states) {}

  Graph read() {
    const auto header = fields_.take("MARKOV or BAYES");
    if (header != "MARKOV" && header != "BAYES") fields_.fail("expected MARKOV or BAYES", header);
    read_cardinalities();
    const auto factors = fields_.count([] { return std::string("the number of factors"); });
    for (std::size_t f = 0; f < factors; ++f) read_scope(f);
    score_.resize(first_.back(), 0.0);
    forbidden_.resize(first_.back(), 0);
    for (std::size_t f = 0; f < factors; ++f) read_table(f);
    fields_.finish();
    return build();
  }

 private:
  std::span<const std::int32_t> scope(std::size_t f) const {
    return {scope_.data() + scope_begin_[f], scope_begin_[f + 1] - scope_begin_[f]};
  }
  std::size_t states(std::int32_t v) const { return static_cast<std::size_t>(first_[v + 1] - first_[v]); }

  void read_cardinalities() {
    const auto variables = fields_.count([] { return std::string("the number of variables"); });
    if (variables == 0) fields_.fail("expected at least one variable", "0");
    auto room = most_free_states_ + fields_.size();
    for (std::size_t v = 0; v < variables; ++v) {
      const auto states = fields_.count([&] { return "the number of states of variable " + std::to_string(v); }, room);
      if (states == 0) fields_.fail("variable " + std::to_string(v) + " must have at least one state", "0");
      room -= states;
      first_.push_back(first_.back() + static_cast<std::int32_t>(states));
    }
  }

  void read_scope(std::size_t f) {
    const auto size = fields_.count([&] { return "the number of variables of factor " + std::to_string(f); });
    for (std::size_t i = 0; i < size; ++i) {
      const auto v = fields_.count([&] { return "a variable of factor " + std::to_string(f); }, first_.size() - 2);
      scope_.push_back(static_cast<std::int32_t>(v));
    }
    scope_begin_.push_back(scope_.size());
    auto sorted = std::vector<std::int32_t>(scope(f).begin(), scope(f).end());
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) == sorted.end()) return;
    std::string shown;
    for (auto v : scope(f)) {
      if (!shown.empty()) shown += ' ';
      shown += std::to_string(v);
    }
    fields_.fail("factor " + std::to_string(f) + " names a variable twice", shown);
  }

  void read_table(std::size_t f) {
    std::size_t cells = 1;
    for (auto v : scope(f)) {
      cells *= states(v);
      if (cells > fields_.left())  // before a product of a million factors is computed
        fields_.fail("the table has more entries than the " + std::to_string(fields_.left()) + " numbers that follow");
    }
    const auto what = [&] { return "the size of the table of factor " + std::to_string(f); };
    if (const auto size = fields_.count(what); size != cells)
      fields_.fail("expected " + what() + ", " + std::to_string(cells), std::to_string(size));
    if (scope(f).size() > 1) {
      for (std::size_t i = 0; i < cells; ++i) table_.push_back(fields_.score());
      return;
    }
    // A constant equals a score for every state of some variable.
    const auto v = scope(f).empty() ? 0 : scope(f)[0];
    double score = 0.0;
    for (std::size_t s = 0; s < states(v); ++s) {
      if (s < cells) score = fields_.score();
      const auto state = static_cast<std::size_t>(first_[v]) + s;
      if (score == -kInfinity) forbidden_[state] = 1;
      else score_[state] += score;
    }
  }

  Graph build() const {
    Graph graph;
    const std::span scores(score_);
    for (std::size_t v = 0; v + 1 < first_.size(); ++v)
      graph.add_categorical(scores.subspan(static_cast<std::size_t>(first_[v]), states(static_cast<std::int32_t>(v))));
    for (std::size_t s = 0; s < forbidden_.size(); ++s)
      if (forbidden_[s]) graph.fix(static_cast<std::int32_t>(s), 0);
    std::vector<std::int32_t> literals, shape;
    std::size_t begin = 0;
    for (std::size_t f = 0; f + 1 < scope_begin_.size(); ++f) {
      if (scope(f).size() < 2) continue;
      literals.clear(), shape.clear();
      std::size_t cells = 1;
      for (auto v : scope(f)) {
        shape.push_back(static_cast<std::int32_t>(states(v)));
        cells *= states(v);
        for (auto s = first_[v]; s < first_[v + 1]; ++s) literals.push_back(2 * s);
      }
      graph.add(kind_of<Table>, literals, std::span(table_).subspan(begin, cells), shape);
      begin += cells;
    }
    return graph;
  }

  Fields fields_;
  std::size_t most_free_states_;
  std::vector<std::int32_t> first_{0};  // state of each variable; one entry more than variables
  std::vector<std::int32_t> scope_;
  std::vector<std::size_t> scope_begin_{0};
  std::vector<double> score_, table_;
  std::vector<std::uint8_t> forbidden_;
};

}  // namespace

Graph read_uai(std::string_view text, std::size_t most_free_states) { return Network(text, most_free_states).read(); }

}  // namespace treaty::graph
